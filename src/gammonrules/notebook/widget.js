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
    const paint = made("canvas").getContext("2d"); // which knows every form of a color
    paint.fillStyle = globalThis.getComputedStyle(el).color;
    paint.fillRect(0, 0, 1, 1);
    const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
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
      el.removeEventListener("keydown", stop);
      globalThis.removeEventListener("keydown", keep, true);
      style.remove();
      el.replaceChildren();
    };
    const tell = (message) => {
      globalThis.clearTimeout(waiting);
      waiting = setTimeout(() => { busy.hidden = false; }, 1000);
      model.send(message);
    };
    // Jupyter and marimo have keys of their own, such as "x", which cuts a cell; with Ctrl they stay theirs.
    const isOurs = (event) => !event.ctrlKey && !event.metaKey;
    const keep = (event) => el.toggleAttribute("data-lm-suppress-shortcuts", isOurs(event));
    const stop = (event) => { if (isOurs(event)) event.stopPropagation(); };
    busy.hidden = true;
    el.append(...content, busy);
    el.addEventListener("keydown", stop);
    globalThis.addEventListener("keydown", keep, true);
    model.on("msg:custom", hear);
    return { tell, leave };
  }

  "VIEWS";
}
