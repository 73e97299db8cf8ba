/** What the widgets of gammonrules.notebook have in common: _widget.py. */

const BUSY = "The kernel is busy: it answers when the cell that runs is done.";
const GONE = "This board's kernel is gone: run the cell again.";

export const LOOK = { font: "inherit", padding: "0.4em 1em", margin: "0.2em", border: "1px solid", borderRadius: "0.3em" }; // of a button

export const made = (name, ...content) => {
  const element = document.createElement(name);
  element.append(...content);
  return element;
};

/** The XGID of what is shown, with what copies it: { line, write(xgid), press(event) }, where the key is c. */
export function identifier() {
  const [text, button, told] = [made("code"), made("button", "Copy XGID"), made("span")];
  const line = made("p", text, " ", button, " ", told);
  const copy = async () => {
    try {
      await globalThis.navigator.clipboard.writeText(text.textContent);
      told.textContent = "Copied";
    } catch {
      globalThis.getSelection().selectAllChildren(text);
      told.textContent = document.execCommand("copy") ? "Copied" : "Selected, to copy";
    }
  };
  const write = (xgid) => {
    if (xgid === text.textContent) return;
    text.textContent = xgid;
    told.textContent = "";
    line.hidden = !xgid;
  };
  const press = (event) => {
    if (event.key !== "c" || line.hidden || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    copy();
  };
  Object.assign(button, { type: "button", title: "Copy XGID (c)", onclick: copy });
  Object.assign(button.style, LOOK);
  text.style.overflowWrap = "anywhere"; // in a narrow cell, too, it is whole
  told.role = "status";
  line.className = "xgid";
  line.hidden = true;
  return { line, write, press };
}

/** Light or dark, as the text around it. */
export const themeAt = (el) => {
  const paint = made("canvas").getContext("2d"); // which knows every form of a color
  paint.fillStyle = globalThis.getComputedStyle(el).color;
  paint.fillRect(0, 0, 1, 1);
  const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
  return red + green + blue > 384 ? "dark" : "light";
};

/** Calls a function when light and dark may have changed around what is shown; returns what ends that. */
function onTheme(follow) {
  const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
  const watcher = new MutationObserver(follow);
  for (const root of [document.documentElement, document.body]) watcher.observe(root, { attributes: true });
  dark.addEventListener("change", follow);
  return () => {
    watcher.disconnect();
    dark.removeEventListener("change", follow);
  };
}

/** A widget's place in the page, with what it shows: { tell(message), send(message), leave() }; `tell` awaits an answer. */
export function joined({ model, el }, read, ...content) {
  let waiting = 0;
  let isGone = false;
  const status = made("p");
  const say = (sentence) => {
    status.textContent = sentence;
    status.hidden = !sentence;
  };
  const lose = () => {
    globalThis.clearTimeout(waiting);
    isGone = true;
    say(GONE);
  };
  const send = (message) => {
    if (isGone) return;
    try {
      model.send(message);
    } catch {
      lose();
    }
  };
  // marimo runs the cells that read a widget when its page says that something is new; the kernel ignores what.
  const trait = model.get("state_json") === undefined ? "xgid" : "state_json";
  const announce = () => {
    if (isGone) return;
    model.set("_seen", model.get(trait));
    model.save_changes();
  };
  const paint = () => {
    for (const board of el.querySelectorAll("gammon-board")) board.theme = themeAt(el);
  };
  const endTheme = onTheme(paint);
  const hidden = [`[data-gammonrules="${model.get("_mark")}"]`];
  const style = made("style", `${hidden}, .jp-OutputArea-child:has(${hidden}) { display: none }`);
  const hear = (message) => {
    globalThis.clearTimeout(waiting);
    isGone = false;
    say("");
    document.head.append(style);
    read(message);
  };
  const leave = () => {
    globalThis.clearTimeout(waiting);
    endTheme();
    model.off("msg:custom", hear);
    model.off("comm_live_update", lose);
    model.off(`change:${trait}`, announce);
    el.removeEventListener("keydown", stop);
    globalThis.removeEventListener("keydown", keep, true);
    style.remove();
    el.replaceChildren();
  };
  const tell = (message) => {
    globalThis.clearTimeout(waiting);
    if (!isGone) waiting = setTimeout(say, 1000, BUSY);
    send(message);
  };
  // Jupyter and marimo have keys of their own, such as "x", which cuts a cell; with Ctrl they stay theirs.
  const isOurs = (event) => !event.ctrlKey && !event.metaKey;
  const keep = (event) => el.toggleAttribute("data-lm-suppress-shortcuts", isOurs(event));
  const stop = (event) => { if (isOurs(event)) event.stopPropagation(); };
  say("");
  el.append(...content, status);
  el.addEventListener("keydown", stop);
  globalThis.addEventListener("keydown", keep, true);
  model.on("msg:custom", hear);
  model.on("comm_live_update", lose); // of Jupyter, when the kernel restarts or ends
  model.on(`change:${trait}`, announce);
  return { tell, send, leave };
}
