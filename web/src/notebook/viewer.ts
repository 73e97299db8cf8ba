/** Decisions to click through, and a grid of boards: _viewer.py, _grid.py. */

import type { BoardElement, Move } from "../board/types.js";
import { Board } from "./board.js";
import style from "./viewer.css";
import { identifier, joined, made, type Page, themeAt } from "./widget.js";

const PLACES: Readonly<Record<string, number | undefined>> = { bar: 25, off: 0 };

/** An item of a list that the page shows, as the index of a string. */
type Indexed = number | Indexed[];
type Spoken = string | number | Spoken[];
type Decision = [
  xgid: string, checkers: number, game: string, turn: number, who: string, did: string, about: string, rows: string[],
  done: number[], remarks: string,
];

/** What the widgets show: _viewer.py, _grid.py. */
interface Remark {
  readonly remark: string;
}
interface MatchData extends Remark {
  readonly title: string;
  readonly strings: readonly (string | number)[];
  readonly decisions: readonly Indexed[][];
  readonly mistakes: readonly number[];
}
interface GridData extends Remark {
  readonly cells: readonly (readonly [xgid: string, checkers: number, did: string, best: string, text: string])[];
}
type Step = readonly [sign: string, hint: string, act: () => void];

const withClass = <Kind extends HTMLElement>(className: string, element: Kind): Kind => Object.assign(element, { className });
const button = (act: () => void, ...content: (Node | string)[]): HTMLElement =>
  Object.assign(made("button", ...content), { type: "button", onclick: act });
const still = () => withClass("still", made("gammon-board"));

/** The moves of a play as text, pairs of points; none of what is no play. */
const movesIn = (text: string): Move[] =>
  [...text.matchAll(/(\w+)((?:\*?\/\w+)+)\*?(?:\((\d)\))?/g)].flatMap(([, start, way, times = 1]) => {
    const places = `${start}${way}`.replaceAll("*", "").split("/").map((place) => PLACES[place] ?? Number(place));
    return Array<Move[]>(Number(times)).fill(places.slice(1).map((to, at) => [places[at], to])).flat();
  });

/** Arrows of a play; or of the best one, and dashed ones of this below them. */
function mark(board: BoardElement, did: string, best = ""): void {
  const [moves, better] = [did, best].map((text) => movesIn(text).filter((move) => Math.max(...move) < 26).slice(0, 100));
  board.playedArrows = better.length ? moves : [];
  board.arrows = better.length ? better : moves;
}

/** A picture of an XGID: a hidden board draws it for one on which nobody moves. */
async function draw(
  { el }: Page, board: BoardElement, xgid: string, checkers: number, isNear: boolean, did: string, best?: string,
): Promise<void> {
  const hidden = Object.assign(made("gammon-board"), { checkers: checkers || null, position: xgid || null });
  await null;
  Object.assign(board, { theme: themeAt(el), arrows: [], playedArrows: [], hidden: !xgid });
  if (xgid && hidden.view) board.show({ svg: hidden.view.svg, still: !isNear });
  mark(board, did, best);
}

interface Host {
  readonly root: HTMLElement;
  readonly name: string;
  focus(): void;
  end(): void;
  leave(): void;
  send(message: object): void;
  again(at: number): void;
}

/** What shows positions, and in the place of one the board that the kernel opens. */
function hosting(page: Page<Remark>, placeOf: (at: number) => HTMLElement | false | undefined, ...content: Node[]): Host {
  const name = `${Math.random()}`; // of this page: the kernel says who has gone on
  let end = () => {};
  const root = withClass("gammon", made("div", made("style", style), ...content, made("p", page.model.get("_data").remark)));
  const focus = () => root.focus({ preventScroll: true }); // where keys are
  const joint = joined(page, async ({ again, at }: { again?: string; at: number }) => {
    const place = again && placeOf(at);
    if (!again || !place) return;
    end();
    const inside = made("div");
    place.prepend(inside);
    place.classList.add("trying");
    focus();
    const leave = Board({ model: await page.model.widget_manager.get_model(again), el: inside });
    end = () => {
      end = () => {};
      place.classList.remove("trying");
      leave();
      inside.remove();
      focus();
    };
  }, root);
  joint.send({}); // the answer is what hides the still picture
  const leave = () => {
    end();
    joint.leave();
  };
  root.tabIndex = 0;
  const again = (at: number) => joint.tell({ at, page: name, again: true });
  return { root, name, focus, end: () => end(), leave, send: joint.send, again };
}

export function Viewer(page: Page<MatchData>): () => void {
  const { model } = page;
  const { title, strings, decisions, mistakes } = model.get("_data");
  const [board, now, details, list] = [still(), made("p"), made("div"), made("ol")];
  const { line: shown, write, press: pressToCopy } = identifier();
  const inOrder = mistakes.toSorted((mistake, other) => mistake - other);
  let current = -1;

  const read = (item: Indexed): Spoken => (Array.isArray(item) ? item.map(read) : strings[item]);
  const decisionAt = (at: number) => read(decisions[at]) as Decision;
  const cellOf = (text: string) => (movesIn(text)[0] ? button(() => mark(board, text), text) : text);
  const line = (row: string, at: number) => made("tr", ...row.split("\t").map((text) => made(at ? "td" : "th", cellOf(text))));

  function show(at: number | undefined): void {
    if (at === undefined || at === current || !decisions[at]) return;
    const [xgid, checkers, game, turn, who, did, about, rows, done, remarks] = decisionAt(at);
    const table = made("table", ...rows.map(line));
    for (const row of done) table.children[row + 1].className = "done";
    now.replaceChildren(`${at + 1} of ${decisions.length} · ${game}, turn ${turn} · `, made("bdi", who), ": ", made("b", did));
    details.replaceChildren(made("b", about), table, made("p", remarks));
    for (const { item, press } of items) press.ariaCurrent = `${item.value === at}`;
    write(xgid);
    end();
    draw(page, board, xgid, checkers, Math.abs(at - current) === 1, did, did.includes(" (") ? rows[1]?.split("\t")[0] : "");
    current = at;
  }
  const go = (at: number | undefined) => {
    show(at);
    send({ at: current, page: name });
  };
  const gameOf = (at: number) => decisions[at]?.[2];
  const steps: Readonly<Record<string, Step>> = {
    Home: ["|◀", "First", () => go(0)],
    ArrowLeft: ["◀", "Back", () => go(current - 1)],
    ArrowRight: ["▶", "Next", () => go(current + 1)],
    End: ["▶|", "Last", () => go(decisions.length - 1)],
    g: ["▶▶", "Next game", () => go(decisions.findIndex((_, at) => at > current && gameOf(at) !== gameOf(current)))],
    p: ["◀!", "Mistake before", () => go(inOrder.findLast((at) => at < current))],
    n: ["!▶", "Next mistake", () => go(inOrder.find((at) => at > current))],
    f: ["⇅", "Flip", () => { board.flip = !board.flip; }],
    t: ["Try it", "Try it again", () => (left.matches(".trying") ? end() : again(current))],
  };
  const controls = Object.entries(steps).map(([key, [sign, hint, act]]) => Object.assign(button(act, sign), { title: `${hint} (${key})`, ariaLabel: hint }));
  const left = made("div", board, now, made("p", ...controls), shown);
  const items = mistakes.map((at) => {
    const [, , , , who, did] = decisionAt(at);
    const press = button(() => go(at), made("bdi", who), `: ${did}`);
    return { press, item: Object.assign(made("li", press), { value: at }) };
  });
  list.append(...items.map(({ item }) => item));
  const match = withClass("match", made("div", left, made("div", details, list)));
  const { root, name, focus, end, leave, send, again } = hosting(page, (at) => at === current && left, made("b", title), match);
  const press = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === "c" && !left.matches(".trying")) pressToCopy(event);
    if (!steps[key] || event.altKey || event.ctrlKey || event.metaKey || (left.matches(".trying") && key !== "t")) return;
    event.preventDefault();
    steps[key][2]();
  };
  const follow = () => {
    const [at, by] = model.get("_at");
    if (by !== name) show(at);
  };
  board.onclick = focus;
  root.onkeydown = press;
  model.on("change:_at", follow);
  follow();
  return () => {
    model.off("change:_at", follow);
    leave();
  };
}

export function BoardGrid(page: Page<GridData>): () => void {
  const { cells } = page.model.get("_data");
  const boards = cells.map(still);
  const places = cells.map((cell, at) => Object.assign(made("div", boards[at], made("p", cell[4])), { tabIndex: 0 }));
  const grid = withClass("grid", made("div", ...places));
  const { leave, again } = hosting(page, (at) => places[at], grid);
  const open = ({ target }: Event) => {
    const at = places.findIndex((place) => place.contains(target as Node));
    if (places[at] && !places[at].matches(".trying")) again(at);
  };
  grid.onclick = open;
  grid.onkeydown = (event) => {
    if (event.key === "Enter") open(event);
  };
  cells.forEach(([xgid, checkers, did, best], at) => draw(page, boards[at], xgid, checkers, false, did, best));
  return leave;
}
