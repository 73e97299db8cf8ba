/** Pictures of turns, as draw.svg.match_state draws them: around the board of a match stands what is said of it. */

import { shift } from "../board/checkers.js";
import { colors } from "../board/colors.js";
import { turn } from "../board/flip.js";
import { markLast } from "../board/marks.js";
import { type Position as BoardPosition, seenBy } from "../board/position.js";
import {
  type Attributes, centerOf, diceOf, frameOf, handOf, isBelow, made, partOf, type Player, present, type Spot, wipe,
} from "../board/svg.js";
import { isolated } from "../board/labels.js";
import { positionId } from "../match/index.js";
import { opponentOf, PLAYERS } from "../match/terms.js";
import type { MatchState, Position } from "../match/types.js";
import type { DiceRoll } from "../rules/types.js";
import { cubeIn, dieOf, dieSpot, drawnOn } from "../setup/drawing.js";
import { MAX_CHECKERS, toPosition } from "../setup/xgid.js";
import { type Course, lastPlayOf, openingRollsOf } from "./last_play.js";
import { countOf, type Scene, sceneOf, type SideScene } from "./scene.js";
import { drawSides } from "./player_lines.js";
import { broken, capitalized, cutTo, widthOf } from "./text_layout.js";
import { NO_CUBE, type TableTurn } from "./turns.js";
import { type MatchBoardLabels, type Names, type Translate, translatorOf } from "./labels.js";

const BOLD = { "font-weight": "bold" };

type Drawn = Pick<TableTurn, "points" | "side"> & Partial<TableTurn>;
type Write = (x: number, y: number, look: string, end: string, text: string, more?: Attributes) => SVGElement;

/** What is around a turn in its picture. */
export interface Around {
  readonly labels: MatchBoardLabels;
  readonly names: Names;
  /** Letters of clocks beside the names. */
  readonly clockLength: number;
  /** How the state came about. */
  readonly last: Course | null;
  /** Whether the printed numbers are those of the player at the bottom. */
  readonly isFixed: boolean;
  /** Whether Black is at the bottom of a match. */
  readonly isFlipped: boolean;
}

export function pictureOf(blank: SVGElement, { points, checkers, side, dice, cube, state }: Drawn, around: Around): SVGElement {
  const { labels, names, clockLength, last, isFixed, isFlipped } = around;
  const { offers = 0, isSign, ...owned } = cube ?? NO_CUBE;
  const isOffered = offers > 0 && !dice;
  const shown = isOffered ? { cube: owned.cube + offers, owner: 0 } : owned;
  const position = toPosition(side, points, checkers);
  const svg = drawnOn(blank, position, dice ?? [], shown, isFixed);
  if (isOffered) offer(svg, offers % 2 ? opponentOf(side) : side);
  if (state && last) drawLast(svg, position, last, state);
  if (isSign) svg.append(...signOf(svg, translatorOf(labels)("crawford_sign")));
  if (isSign || !cube) wipe(svg, ".cube");
  if (!state) return svg;
  const scene = sceneOf(state, labels, names);
  drawScene(svg, scene, state, labels);
  drawSides(svg, scene, state, clockLength);
  if (isFlipped) turn(svg, position);
  return svg;
}

/** Mark the last play, and show its dice, or those of the opening. */
function drawLast(svg: SVGElement, position: BoardPosition, last: Course, state: MatchState): void {
  const play = lastPlayOf(last);
  const [opening] = openingRollsOf(last).slice(-1);
  if (play) {
    const { player, dice, start } = play;
    const before = toPosition(player, start.position.points, start.position.checkers);
    markLast(svg, position, seenBy(before, position.player), player);
    dice.forEach((face, at) => svg.append(faint(dieOf(svg, lastSpot(svg, player, at, state), face, player))));
  } else if (opening && !state.on_roll) {
    PLAYERS.forEach((player, at) => svg.append(faint(dieOf(svg, dieSpot(svg, player, 0, 1), opening[at], player))));
  } else if (opening && state.dice) apart(svg, present(state.on_roll), state.dice);
}

function faint(die: SVGElement): SVGElement {
  die.classList.add("last");
  die.setAttribute("opacity", "0.35");
  return die;
}

/** Where a die of the last play is: where it was, or in the tray of the cube if something else is there. */
function lastSpot(svg: SVGElement, player: Player, at: number, { result }: MatchState): Spot {
  const isTaken = result || svg.querySelector(`.cube.offered[data-player="${player}"]`);
  if (!isTaken) return dieSpot(svg, player, at, 2);
  const { y } = frameOf(svg).middle;
  const side = isBelow(svg, player) ? 1 : -1;
  return svg.matches(".portrait") ? { x: 84 + 50 * at, y: y + 282 * side } : { x: 30, y: y + (60 + 40 * at) * side };
}

/** The dice of an opening roll: the higher one is that of the player on roll. */
function apart(svg: SVGElement, player: Player, [, low]: DiceRoll): void {
  const [high, other] = diceOf(svg);
  const opponent = opponentOf(player);
  shift(high, handOf(svg, player) - centerOf(high).x, 0);
  other.replaceWith(dieOf(svg, dieSpot(svg, opponent, 0, 1), low, opponent));
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

/** Draw around the board what is said of a state. */
function drawScene(svg: SVGElement, { kind, standing, white, black }: Scene, state: MatchState, labels: MatchBoardLabels): void {
  const [, top, width, height] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const whole = height + 2 * top + 14; // with the lines below
  const paper = partOf(svg, ".paper");
  svg.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  paper.setAttribute("y", "0");
  paper.setAttribute("height", `${whole}`);
  const write: Write = (x, y, look, end, text, more = {}) => {
    const anchor = end ? { "text-anchor": end } : {};
    return made("text", { x, y, class: look, ...colors(svg, ...look.split(" ").slice(-1)), ...anchor, ...more }, text);
  };
  const below = (x: number, end: string, text: string) => write(x, whole - 8, "faint", end, text, { "font-size": 12 });
  svg.append(
    lineOf(svg, black, 18, width, write),
    lineOf(svg, white, whole - 32, width, write),
    below(8, "start", kind),
    below(width - 8, "end", identityOf(state.position, translatorOf(labels))),
    ...plateOf(svg, standing, write),
  );
}

function identityOf({ points, checkers }: Position, translate: Translate): string {
  const identity = translate("position_id", { id: positionId(points, { checkers }) });
  return checkers === MAX_CHECKERS ? identity : `${identity} ${countOf(translate, "one_each", "each", checkers)}`;
}

/** The line of a player. */
function lineOf(svg: SVGElement, side: SideScene, y: number, width: number, write: Write): SVGElement {
  const { player, name: whole, score, doing } = side;
  const left = width - 66 - widthOf(score) - widthOf(doing);
  const name = cutTo(whole, Math.max(160, left), widthOf);
  const wide = widthOf(name);
  const parts = [
    made("circle", { cx: 18, cy: y, r: 8, class: player, ...colors(svg, player, `${player}-rim`) }),
    made("svg", { x: 34, y: y - 12, width: wide, height: 24 }, write(0, 17, "name ink", "start", isolated(name), BOLD)),
    write(46 + wide, y + 5, "score ink", "start", score),
  ];
  if (doing) parts.push(write(width - 8, y + 5, "doing ink", "end", capitalized(doing), BOLD));
  return made("g", { class: "player", "data-player": player }, ...parts);
}

/** Texts in a box between the stacks. */
function plateOf(svg: SVGElement, texts: readonly string[], write: Write): SVGElement[] {
  if (!texts.length) return [];
  const { middle, width } = frameOf(svg);
  const isUpright = svg.matches(".portrait");
  const limit = Math.min(500, (isUpright ? width : width + 16) - 32);
  const lines = texts.flatMap((text) => broken(text, limit));
  const wide = Math.max(...lines.map(widthOf)) + 24;
  const y = middle.y + (isUpright ? 40 : 0);
  const height = 8 + 16 * lines.length;
  const area = { x: middle.x - Math.floor(wide / 2), y: y - height / 2, width: wide, height, rx: 6, class: "plate" };
  const written = lines.map((line, at) => write(middle.x, y - 8 * (lines.length - 1) + 5 + 16 * at, "standing ink", "", line, BOLD));
  return [made("rect", { ...area, ...colors(svg, "paper", "frame") }), ...written];
}
