/** What keys and screen readers find in a picture. */

import { lit } from "./checkers.js";
import { colors } from "./colors.js";
import { signedCount, ownerIn, type Position } from "./position.js";
import {
  areaOf, boxOf, diceOf, frameOf, groupOf, groupsOf, handOf, made, partOf, partsOf, type Player, printedAt, wipe,
} from "./svg.js";
import type { Turn } from "./turn.js";
import type { BoardLabels, GammonActionEvent, PlaceLabels } from "./types.js";
import { fillFields } from "../rules/messages.js";

/** The labels of places in both elements. */
export const PLACE_LABELS: PlaceLabels = {
  board: "Backgammon board",
  point: "point {point}",
  bar: "bar",
  off: "off",
  white: "White",
  black: "Black",
  empty: "empty",
  checkers: "{count} {player}",
  owned: "{place} of {player}",
};

const FROM_RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name that does not disturb the order of the text around it. */
export const isolated = (name: string) => (FROM_RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** A place and the checkers in it. */
export function labelOf(group: SVGElement, position: Position, labels: PlaceLabels): string {
  const count = signedCount(position, group);
  const player = labels[ownerIn(position, group, count) as Player]; // if it is somebody's
  const name = labels[group.dataset.point as "bar" | "off"]; // but a point has a number
  const place = name ? fillFields(labels.owned, { place: name, player }) : fillFields(labels.point, { point: printedAt(group) });
  return `${place}, ${count ? fillFields(labels.checkers, { count: Math.abs(count), player }) : labels.empty}`;
}

/** Label the board and its places; `isOld` says that the picture's own description is true no more. */
export function describe(svg: SVGElement, position: Position, labels: BoardLabels, isOld: boolean): void {
  const title = svg.querySelector("title");
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", title?.textContent ?? labels.board);
  wipe(svg, isOld ? "title, desc" : "title"); // the title would follow the pointer
  for (const group of groupsOf(svg)) {
    group.setAttribute("role", "img");
    group.setAttribute("aria-label", labelOf(group, position, labels));
  }
}

/** Make what the player can move, and the dice, what can be clicked and dragged. */
export function describeTurn(svg: SVGElement, turn: Turn, labels: BoardLabels): void {
  const { position } = turn;
  wipe(svg, ".halo, .target");
  describeDice(svg, turn, labels);
  for (const group of groupsOf(svg)) {
    // An inline element, as these are by default, has no touch-action.
    const isDragged = turn.isOpen && signedCount(position, group) > 0;
    Object.assign(group.style, { display: "block", touchAction: isDragged ? "none" : "manipulation" });
  }
  for (const from of new Set(turn.branches().map(({ from }) => from))) {
    const group = groupOf(svg, from, position.player);
    group.setAttribute("role", "button");
    group.ariaLabel += `, ${labels.movable}`;
    group.classList.add("movable");
    group.tabIndex = 0;
    group.style.cursor = "grab";
  }
}

function describeDice(svg: SVGElement, turn: Turn, labels: BoardLabels): void {
  const dice = diceOf(svg);
  const left = turn.position.points.some((count) => count > 0) ? turn.diceLeft : []; // a game that is over needs no dice
  dice.forEach((die, index) => {
    const isUsed = dice.length > 2 ? dice.length - index > left.length : !left.includes(Number(die.dataset.value));
    die.dataset.used = `${isUsed}`;
    if (isUsed) die.setAttribute("opacity", "0.35");
    if (turn.isSwapped) die.setAttribute("transform", `translate(${areaOf(dice[1 - index]).x - areaOf(die).x} 0)`);
    if (!turn.canSwapDice) return;
    die.style.cursor = "pointer";
    if (index === Number(turn.isSwapped)) return;
    die.setAttribute("role", "button");
    die.setAttribute("aria-label", fillFields(labels.swap, { die: die.dataset.value }));
    die.tabIndex = 0;
  });
}

export type Action = GammonActionEvent["detail"]["action"];

/** Make the cube, dice that are to be rolled, and the text of an opening roll, buttons of these actions. */
export function offer(svg: SVGElement, player: Player, actions: readonly string[], labels: BoardLabels): void {
  const cube = svg.querySelector<SVGElement>(".cube");
  const value = Number(cube?.dataset.value);
  const onCube = () => cube && handleOf(cube);
  const places: { readonly [action in Action]: () => SVGElement | null } = {
    opening_roll: () => openingIn(svg),
    roll: () => (diceOf(svg)[0] ? null : unrolled(svg, player)),
    double: onCube,
    take: onCube,
  };
  for (const action of Object.keys(places) as Action[]) {
    const group = actions.includes(action) && places[action]();
    if (!group) continue;
    if (!cube?.contains(group)) svg.insertBefore(group, cube); // Tab leads there first
    group.setAttribute("role", "button");
    const label = action === "opening_roll" ? textWithin(group) : fillFields(labels[action], { value, to: 2 * value });
    group.setAttribute("aria-label", label);
    group.tabIndex = 0;
    Object.assign(group.dataset, { action });
    // So that no click follows a touch: it would meet what the page may have put there.
    Object.assign(group.style, { cursor: "pointer", touchAction: "none" });
    for (const face of partsOf(group.closest(".cube") ?? group, "rect[class]")) {
      Object.assign(face.style, { stroke: colors(svg, "highlight").fill, strokeWidth: 3 });
    }
  }
  // What decides about points is not the first stop.
  if (cube?.contains(svg.querySelector("[tabindex]"))) svg.tabIndex = 0;
}

/** What is pressed of the cube. It does not contain the number, which the label would have to repeat. */
function handleOf(cube: SVGElement): SVGElement {
  const { x, y, width, height } = boxOf(partOf(cube, "rect[class]"));
  const handle = made("g", {}, made("rect", { x, y, width, height, fill: "none", "pointer-events": "all" }));
  cube.append(handle);
  return handle;
}

const textWithin = (group: SVGElement) => partsOf(group, "text").map(({ textContent }) => textContent).join(" ");

/** What stands on the board before an opening roll. */
function openingIn(svg: SVGElement): SVGElement | null {
  const parts = partsOf(svg, ".plate, .standing");
  return parts[0] ? made("g", { class: "roll" }, ...parts) : null;
}

/** Dice without faces, where this player's will be. */
function unrolled(svg: SVGElement, player: Player): SVGElement {
  const size = svg.matches(".portrait") ? 40 : 32;
  const x = handOf(svg, player);
  const { y } = frameOf(svg).middle;
  const look = { class: player, rx: 6, "stroke-width": 1.5, ...colors(svg, player, `${player}-rim`) };
  const place = (left: number, width: number) => ({ x: x + left * size, y: y - size / 2, width: width * size, height: size });
  const area = made("rect", { ...place(-1.25, 2.5), fill: "none", "pointer-events": "all" });
  const dice = [-1.125, 0.125].flatMap((left) => lit(svg.matches(".depth"), { ...place(left, 1), ...look }));
  return made("g", { class: "roll", transform: `rotate(-9 ${x} ${y})` }, area, ...dice);
}
