/** Decisions to click through, and a grid of boards: _viewer.py, _grid.py. */

import { Board } from "./play.js";
import style from "./viewer.css";
import { identifier, joined, made, themeAt } from "./widget.js";

const PLACES = { bar: 25, off: 0 };

const withClass = (className, element) => Object.assign(element, { className });
const button = (act, ...content) => Object.assign(made("button", ...content), { type: "button", onclick: act });
const still = () => withClass("still", made("gammon-board"));

/** The moves of a play as text, pairs of points; none of what is no play. */
const movesIn = (text) =>
  [...text.matchAll(/(\w+)((?:\*?\/\w+)+)\*?(?:\((\d)\))?/g)].flatMap(([, start, way, times = 1]) => {
    const places = `${start}${way}`.replaceAll("*", "").split("/").map((place) => PLACES[place] ?? Number(place));
    return Array(Number(times)).fill(places.slice(1).map((to, at) => [places[at], to])).flat();
  });

/** Arrows of a play; or of the best one, and dashed ones of this below them. */
function mark(board, did, best = "") {
  const [moves, better] = [did, best].map((text) => movesIn(text).filter((move) => Math.max(...move) < 26).slice(0, 100));
  board.made = better.length ? moves : [];
  board.arrows = better.length ? better : moves;
}

/** A picture of an XGID: a hidden board draws it for one on which nobody moves. */
async function draw({ el }, board, xgid, checkers, isNear, ...plays) {
  const hidden = Object.assign(made("gammon-board"), { checkers: checkers || null, position: xgid || null });
  await null;
  Object.assign(board, { theme: themeAt(el), arrows: [], made: [], hidden: !xgid });
  if (xgid) board.show({ svg: hidden.view.svg, still: !isNear });
  mark(board, ...plays);
}

/** What shows positions, and in the place of one the board that the kernel opens: { root, name, focus(), end(), leave(), send(message), again(at) }. */
function hosting(page, placeOf, ...content) {
  const name = `${Math.random()}`; // of this page: the kernel says who has gone on
  let end = () => {};
  const root = withClass("gammon", made("div", made("style", style), ...content, made("p", page.model.get("_data").remark)));
  const focus = () => root.focus({ preventScroll: true }); // where keys are
  const joint = joined(page, async ({ again, at }) => {
    const place = again && placeOf(at);
    if (!place) return;
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
  const again = (at) => joint.tell({ at, page: name, again: true });
  return { root, name, focus, end: () => end(), leave, send: joint.send, again };
}

export function Viewer(page) {
  const { model } = page;
  const { title, words, decisions, mistakes } = model.get("_data");
  const [board, now, told, list] = [still(), made("p"), made("div"), made("ol")];
  const { line: shown, write, press: pressToCopy } = identifier();
  const inOrder = mistakes.toSorted((mistake, other) => mistake - other);
  let current = -1;

  const read = (item) => (Array.isArray(item) ? item.map(read) : words[item]);
  const cellOf = (text) => (movesIn(text)[0] ? button(() => mark(board, text), text) : text);
  const line = (row, at) => made("tr", ...row.split("\t").map((text) => made(at ? "td" : "th", cellOf(text))));

  function show(at) {
    if (at === current || !decisions[at]) return;
    const [xgid, checkers, game, turn, who, did, about, rows, done, remarks] = read(decisions[at]);
    const table = made("table", ...rows.map(line));
    for (const row of done) table.children[row + 1].className = "done";
    now.replaceChildren(`${at + 1} of ${decisions.length} · ${game}, turn ${turn} · `, made("bdi", who), ": ", made("b", did));
    told.replaceChildren(made("b", about), table, made("p", remarks));
    for (const item of list.children) item.firstChild.ariaCurrent = item.value === at;
    write(xgid);
    end();
    draw(page, board, xgid, checkers, Math.abs(at - current) === 1, did, did.includes(" (") ? rows[1]?.split("\t")[0] : "");
    current = at;
  }
  const go = (at) => {
    show(at);
    send({ at: current, page: name });
  };
  const gameOf = (at) => decisions[at]?.[2];
  const steps = {
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
  list.append(...mistakes.map((at) => {
    const [, , , , who, did] = read(decisions[at]);
    return Object.assign(made("li", button(() => go(at), made("bdi", who), `: ${did}`)), { value: at });
  }));
  const match = withClass("match", made("div", left, made("div", told, list)));
  const { root, name, focus, end, leave, send, again } = hosting(page, (at) => at === current && left, made("b", title), match);
  const press = (event) => {
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

export function BoardGrid(page) {
  const { cells } = page.model.get("_data");
  const places = cells.map((cell) => Object.assign(made("div", still(), made("p", cell[4])), { tabIndex: 0 }));
  const grid = withClass("grid", made("div", ...places));
  const { leave, again } = hosting(page, (at) => places[at], grid);
  grid.onclick = grid.onkeydown = ({ target, key = "Enter" }) => {
    const at = places.findIndex((place) => place.contains(target));
    if (key === "Enter" && places[at] && !places[at].matches(".trying")) again(at);
  };
  cells.forEach(([xgid, checkers, did, best], at) => draw(page, places[at].firstChild, xgid, checkers, false, did, best));
  return leave;
}
