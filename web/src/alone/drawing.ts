/** Pictures of turns, as draw.svg.table draws them: around the board of a match stands what is said of it. */

import { shift } from "../board/checkers.js";
import { colors } from "../board/colors.js";
import { type Attributes, frameOf, handOf, made, partOf, type Player, wipe } from "../board/pictures.js";
import { internals, positionId } from "../match/index.js";
import { opponentOf } from "../match/terms.js";
import type { MatchState, Position } from "../match/types.js";
import { cubeIn, drawnOn } from "../setup/drawing.js";
import { MOST, SIGNS } from "../setup/states.js";
import { countOf, cutTo, sceneOf, type SideScene } from "./scene.js";
import { NO_CUBE, type TableTurn } from "./turns.js";
import { type Say, sayingOf, type TableWords } from "./words.js";

const { turned } = internals;
const BOLD = { "font-weight": "bold" };

type Drawn = Pick<TableTurn, "points" | "side"> & Partial<TableTurn>;
type Write = (x: number, y: number, look: string, end: string, text: string, more?: Attributes) => SVGElement;

export function pictureOf(blank: SVGElement, { points, checkers, side, dice, cube, state }: Drawn, words: TableWords): SVGElement {
  const counts = side === "black" ? turned(points) : points;
  const { offers = 0, isSign, ...owned } = cube ?? NO_CUBE;
  const isOffered = offers > 0 && !dice;
  const table = isOffered ? { cube: owned.cube + offers, owner: 0 } : owned;
  const svg = drawnOn(blank, { counts, checkers, turn: SIGNS[side], dice: (dice ?? []).join(""), ...table });
  if (isOffered) offer(svg, offers % 2 ? opponentOf(side) : side);
  if (isSign) svg.append(...signOf(svg, sayingOf(words)("crawford_sign")));
  if (isSign || !cube) wipe(svg, ".cube");
  if (state) drawScene(svg, state, words);
  return svg;
}

/** The cube beside the player who must answer. */
function offer(svg: SVGElement, answerer: Player): void {
  const group = partOf(svg, ".cube");
  const { x, y } = cubeIn(svg).middle;
  group.classList.add("offered");
  group.dataset.player = answerer;
  shift(group, handOf(svg, answerer) - x, frameOf(svg).middle.y - y);
}

function signOf(svg: SVGElement, text: string): SVGElement[] {
  const { x, y } = cubeIn(svg).middle;
  const { fill: stroke } = colors(svg, "number");
  const box = { x: x - 15, y: y - 15, width: 30, height: 30, rx: 5, "stroke-dasharray": 3, class: "crawford sign", fill: "none", stroke };
  const size = Math.min(15, Math.floor(46 / text.length));
  return [made("rect", box), made("text", { x, y: y + 5, class: "number", fill: stroke, "font-size": size, ...BOLD }, text)];
}

// --- texts ---

const NARROW = "fijlrtIJ .,:;'!|()[]-";
const WIDE = "mwMW@%";

/** The width of a text in a wide bold font, at most. */
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + widest(letter), 0);

function widest(letter: string): number {
  if (NARROW.includes(letter)) return 7;
  if (WIDE.includes(letter) || letter > "\u1100") return 15;
  return letter === letter.toLowerCase() ? 10 : 11;
}

/** Draw around the board what is said of a state. */
function drawScene(svg: SVGElement, state: MatchState, words: TableWords): void {
  const { kind, standing, white, black } = sceneOf(state, words);
  const [, top, width, height] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const whole = height + 2 * top + 14; // with the lines below
  const paper = partOf(svg, ".paper");
  svg.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  paper.setAttribute("y", "0");
  paper.setAttribute("height", `${whole}`);
  const word: Write = (x, y, look, end, text, more = {}) => {
    const anchor = end ? { "text-anchor": end } : {};
    return made("text", { x, y, class: look, ...colors(svg, ...look.split(" ").slice(-1)), ...anchor, ...more }, text);
  };
  const below = (x: number, end: string, text: string) => word(x, whole - 8, "faint", end, text, { "font-size": 12 });
  svg.append(
    lineOf(svg, black, 18, width, word),
    lineOf(svg, white, whole - 32, width, word),
    below(8, "start", kind),
    below(width - 8, "end", identityOf(state.position, sayingOf(words))),
    ...plateOf(svg, standing, word),
  );
}

function identityOf({ points, checkers }: Position, say: Say): string {
  const identity = say("position_id", { id: positionId(points, { checkers }) });
  return checkers === MOST ? identity : `${identity} ${countOf(say, "one_each", "each", checkers)}`;
}

const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The line of a player. */
function lineOf(svg: SVGElement, side: SideScene, y: number, width: number, word: Write): SVGElement {
  const { player, name: whole, score, doing } = side;
  const left = width - 66 - widthOf(score) - widthOf(doing);
  const name = cutTo(whole, Math.max(160, left), widthOf);
  const wide = widthOf(name);
  const parts = [
    made("circle", { cx: 18, cy: y, r: 8, class: player, ...colors(svg, player, `${player}-rim`) }),
    made("svg", { x: 34, y: y - 12, width: wide, height: 24 }, word(0, 17, "name ink", "start", name, BOLD)),
    word(46 + wide, y + 5, "score ink", "start", score),
  ];
  if (doing) parts.push(word(width - 8, y + 5, "doing ink", "end", capitalized(doing), BOLD));
  return made("g", { class: "player", "data-player": player }, ...parts);
}

/** Texts in a box between the stacks. */
function plateOf(svg: SVGElement, texts: readonly string[], word: Write): SVGElement[] {
  if (!texts.length) return [];
  const { middle, width } = frameOf(svg);
  const isUpright = svg.matches(".portrait");
  const most = Math.min(500, (isUpright ? width : width + 16) - 32);
  const lines = texts.flatMap((text) => broken(text, most));
  const wide = Math.max(...lines.map(widthOf)) + 24;
  const y = middle.y + (isUpright ? 40 : 0);
  const height = 8 + 16 * lines.length;
  const area = { x: middle.x - Math.floor(wide / 2), y: y - height / 2, width: wide, height, rx: 6, class: "plate" };
  const written = lines.map((line, at) => word(middle.x, y - 8 * (lines.length - 1) + 5 + 16 * at, "standing ink", "", line, BOLD));
  return [made("rect", { ...area, ...colors(svg, "paper", "frame") }), ...written];
}

/** A text in lines of at most this width, if it has spaces, and of about the same. */
function broken(text: string, most: number): string[] {
  const rows = Math.ceil(widthOf(text) / most);
  const longest = rows > 1 ? Math.floor(widthOf(text) / rows) + 40 : most;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (!lines.at(-1) || widthOf(longer) <= longest) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
