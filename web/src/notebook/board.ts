/** A board to play on: _board.py. */

import type { BoardView } from "../board/types.js";
import { identifier, joined, LOOK, made, type Page, themeAt } from "./widget.js";

const ON_THE_BOARD = ["play", "roll", "double", "take", "resign"]; // by checkers, dice and cube; to resign is below
const RESIGN = ["a single game", "a gammon", "a backgammon"];
const LABELS: Readonly<Record<string, string>> = {
  opening_roll: "Opening roll",
  drop: "Drop",
  beaver: "Beaver",
  accept: "Accept",
  decline: "Decline",
  next_game: "Next game",
  undo: "Take back",
  hint: "Hint"
};

/** What is shown of a state, and what may be done in it. */
interface ShownState {
  readonly number: number;
  readonly view: BoardView & { readonly actions: readonly string[] };
  readonly more: readonly string[];
  readonly resignations: readonly number[];
  readonly said: string;
  readonly hint: string;
}

/** What the kernel sends: a state, why a move of this id is illegal, or what others want. */
type Message = Partial<ShownState> & { readonly why?: string; readonly id?: string };
type Tried = { readonly id?: string; explain?(text: string): void };

const isState = (message: Message): message is ShownState => Boolean(message.view);

/** A board to play on. */
export function Board(page: Page): () => void {
  const board = made("gammon-board");
  const [said, hint, buttons, resignation] = [made("p"), made("pre"), made("p"), made("details")];
  const { line, write: writeXgid, press } = identifier();
  const place = made("div", board, said, buttons, resignation, line, hint);
  let number = 0; // of the state that is shown
  let tried: Tried = {};
  let written = "";

  const send = (message: object) => tell({ ...message, number });
  const buttonFor = (label: string, action: string, argument?: number) => {
    const button = made("button", label);
    Object.assign(button.style, LOOK);
    button.onclick = () => send({ do: action, argument });
    return button;
  };
  const write = ({ view, more, resignations }: ShownState) => {
    const others = view.actions.filter((action) => !ON_THE_BOARD.includes(action));
    buttons.replaceChildren(...[...others, ...more].map((action) => buttonFor(LABELS[action], action)));
    resignation.replaceChildren(made("summary", "Resign"), ...resignations.map((win) => buttonFor(RESIGN[win - 1], "resign", win)));
    resignation.hidden = !resignations.length;
  };
  const read = (message: Message) => {
    if (message.why && message.id === tried.id) tried.explain?.(message.why);
    if (!isState(message)) return;
    ({ number } = message);
    board.theme = themeAt(page.el);
    board.view = message.view;
    said.textContent = message.said;
    hint.textContent = message.hint;
    const due = JSON.stringify([message.view.actions, message.more, message.resignations]);
    if (due !== written) write(message); // or the focus would be lost
    written = due;
  };
  const { tell, leave } = joined(page, read, place);
  const follow = () => writeXgid(page.model.get("xgid"));

  Object.assign(place, { tabIndex: -1, onkeydown: press }); // so that a click brings the keys here
  Object.assign(place.style, { maxWidth: "40rem", outline: "none" });
  said.style.whiteSpace = "pre-wrap";
  said.role = "status";
  hint.style.overflow = "auto";
  board.addEventListener("gammon-play", ({ detail }) => send({ do: "play", argument: detail.moves }));
  board.addEventListener("gammon-action", ({ detail }) => send({ do: detail.action }));
  board.addEventListener("gammon-illegal", ({ detail }) => {
    const id = String(Math.random());
    tried = { id, explain: detail.explain };
    send({ why: [detail.from, detail.to, detail.moves], id });
  });
  page.model.on("change:xgid", follow);
  follow();
  tell({ ask: "view" });
  return () => {
    page.model.off("change:xgid", follow);
    leave();
  };
}
