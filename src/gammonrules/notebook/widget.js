// What the widgets of gammonrules.notebook have in common: _widget.py

"use strict";

const VIEWS = {}; // what draws each of them, by its class

{
  const BUSY = "The kernel is busy: it answers when the cell that runs is done.";

  const made = (name, ...content) => {
    const element = document.createElement(name);
    element.append(...content);
    return element;
  };

  /** Light or dark, as the text around it. */
  const themeAt = (el) => {
    const [red, green, blue] = globalThis.getComputedStyle(el).color.match(/\d+/g).map(Number);
    return red + green + blue > 384 ? "dark" : "light";
  };

  /** A widget's place in the page, with what it shows: { tell(message), leave() }; the kernel's messages are read. */
  function joined({ model, el }, read, ...content) {
    let waiting = 0;
    const busy = made("p", BUSY);
    const hidden = [`[data-gammonrules="${model.get("_mark")}"]`];
    const style = made("style", `${hidden}, .jp-OutputArea-child:has(${hidden}) { display: none }`);
    const hear = (message) => {
      globalThis.clearTimeout(waiting);
      busy.hidden = true;
      document.head.append(style);
      read(message);
    };
    const leave = () => {
      globalThis.clearTimeout(waiting);
      model.off("msg:custom", hear);
      style.remove();
      el.replaceChildren();
    };
    const tell = (message) => {
      globalThis.clearTimeout(waiting);
      waiting = setTimeout(() => { busy.hidden = false; }, 1000);
      model.send(message);
    };
    busy.hidden = true;
    el.append(...content, busy);
    // Jupyter and marimo have keys of their own, such as "x", which cuts a cell.
    el.dataset.lmSuppressShortcuts = "";
    el.addEventListener("keydown", (event) => event.stopPropagation());
    model.on("msg:custom", hear);
    return { tell, leave };
  }

  "VIEWS";
}
