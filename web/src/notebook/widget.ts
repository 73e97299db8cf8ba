/** What the widgets of gammonrules.notebook have in common: _widget.py. */

/** The traits of a widget that views read. `Data` is what it shows. */
interface Traits<Data> {
  readonly xgid: string;
  readonly state_json: string | undefined;
  readonly _mark: string;
  readonly _data: Data;
  readonly _at: readonly [at: number, page: string];
}

/** A widget in the page, as anywidget has it. */
export interface Model<Data = unknown> {
  get<Name extends keyof Traits<Data>>(name: Name): Traits<Data>[Name];
  set(name: "_seen", value: unknown): void;
  save_changes(): void;
  send(message: object): void;
  on(name: string, act: (message: never) => void): void;
  off(name: string, act: (message: never) => void): void;
  readonly widget_manager: { get_model(id: string): Promise<Model> };
}

/** Where a widget is shown. */
export interface Page<Data = unknown> {
  readonly model: Model<Data>;
  readonly el: HTMLElement;
}

const BUSY = "The kernel is busy: it answers when the cell that runs is done.";
const GONE = "This board's kernel is gone: run the cell again.";

export const LOOK = { font: "inherit", padding: "0.4em 1em", margin: "0.2em", border: "1px solid", borderRadius: "0.3em" }; // of a button

export const made = <Name extends keyof HTMLElementTagNameMap>(name: Name, ...content: (Node | string)[]) => {
  const element = document.createElement(name);
  element.append(...content);
  return element;
};

interface Identifier {
  readonly line: HTMLElement;
  write(xgid: string): void;
  press(event: KeyboardEvent): void;
}

/** The XGID of what is shown, with what copies it, for which the key is c. */
export function identifier(): Identifier {
  const [text, button, outcome] = [made("code"), made("button", "Copy XGID"), made("span")];
  const line = made("p", text, " ", button, " ", outcome);
  const copy = async () => {
    try {
      await globalThis.navigator.clipboard.writeText(text.textContent);
      outcome.textContent = "Copied";
    } catch {
      globalThis.getSelection()?.selectAllChildren(text);
      outcome.textContent = document.execCommand("copy") ? "Copied" : "Selected, to copy";
    }
  };
  const write = (xgid: string) => {
    if (xgid === text.textContent) return;
    text.textContent = xgid;
    outcome.textContent = "";
    line.hidden = !xgid;
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "c" || line.hidden || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    copy();
  };
  Object.assign(button, { type: "button", title: "Copy XGID (c)", onclick: copy });
  Object.assign(button.style, LOOK);
  text.style.overflowWrap = "anywhere"; // in a narrow cell, too, it is whole
  outcome.role = "status";
  line.className = "xgid";
  line.hidden = true;
  return { line, write, press };
}

/** Light or dark, as the text around it. */
export const themeAt = (el: Element): "dark" | "light" => {
  const paint = made("canvas").getContext("2d"); // which knows every form of a color
  if (!paint) return "light";
  paint.fillStyle = globalThis.getComputedStyle(el).color;
  paint.fillRect(0, 0, 1, 1);
  const [red, green, blue] = paint.getImageData(0, 0, 1, 1).data;
  return red + green + blue > 384 ? "dark" : "light";
};

/** Calls a function when light and dark may have changed around what is shown; returns what ends that. */
function onTheme(follow: () => void): () => void {
  const dark = globalThis.matchMedia("(prefers-color-scheme: dark)");
  const watcher = new MutationObserver(follow);
  for (const root of [document.documentElement, document.body]) watcher.observe(root, { attributes: true });
  dark.addEventListener("change", follow);
  return () => {
    watcher.disconnect();
    dark.removeEventListener("change", follow);
  };
}

interface Joint {
  /** Sends, and awaits an answer. */
  tell(message: object): void;
  send(message: object): void;
  leave(): void;
}

/** A widget's place in the page, with what it shows. */
export function joined<Heard>({ model, el }: Page, read: (message: Heard) => void, ...content: Node[]): Joint {
  let waiting = 0;
  let isGone = false;
  const status = made("p");
  const report = (message: string) => {
    status.textContent = message;
    status.hidden = !message;
  };
  const lose = () => {
    globalThis.clearTimeout(waiting);
    isGone = true;
    report(GONE);
  };
  const send = (message: object) => {
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
  const hear = (message: Heard) => {
    globalThis.clearTimeout(waiting);
    isGone = false;
    report("");
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
  const tell = (message: object) => {
    globalThis.clearTimeout(waiting);
    if (!isGone) waiting = setTimeout(report, 1000, BUSY);
    send(message);
  };
  // Jupyter and marimo have keys of their own, such as "x", which cuts a cell; with Ctrl they stay theirs.
  const isOurs = (event: KeyboardEvent) => !event.ctrlKey && !event.metaKey;
  const keep = (event: KeyboardEvent) => el.toggleAttribute("data-lm-suppress-shortcuts", isOurs(event));
  const stop = (event: KeyboardEvent) => { if (isOurs(event)) event.stopPropagation(); };
  report("");
  el.append(...content, status);
  el.addEventListener("keydown", stop);
  globalThis.addEventListener("keydown", keep, true);
  model.on("msg:custom", hear);
  model.on("comm_live_update", lose); // of Jupyter, when the kernel restarts or ends
  model.on(`change:${trait}`, announce);
  return { tell, send, leave };
}
