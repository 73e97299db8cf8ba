/** Marks above a board: rings around what can move and where it can go, and arrows from checker to checker. */

import { measures } from "../pictures.json";
import { colors } from "./colors.js";
import { signedCount, type Position } from "./position.js";
import {
  type Area, areaOf, type Attributes, BAR, distance, frameOf, groupOf, groupsOf, made, type Player, type Spot, spotIn, wipe,
} from "./svg.js";
import type { Move } from "./types.js";

type Line = [from: Spot, to: Spot];

/** Where a checker is in its stack, or where one more would be. */
const slotIn = (position: Position, group: SVGElement, slot: number) =>
  spotIn(group, slot, Math.max(slot + 1, Math.abs(signedCount(position, group))));

// --- rings ---

/** Have these points stand out. */
export function highlight(svg: SVGElement, position: Position, points: Iterable<number>): void {
  wipe(svg, ".highlight");
  for (const number of new Set(points)) {
    const group = groupOf(svg, number, position.player);
    const above = Math.abs(signedCount(position, group)) - 1;
    ring(position, group, above, "highlight", 4, { ...colors(svg, "highlight", "highlight"), "fill-opacity": above < 0 ? 0.45 : 0 });
  }
}

/** Show from where and to where a checker of the player on roll can go; without ends nothing is shown. */
export function aim(svg: SVGElement, position: Position, point: number | null, ends: readonly number[]): void {
  wipe(svg, ".halo, .target, .chosen");
  const around = (number: number, beyond: number, name: string, width: number) => {
    const group = groupOf(svg, number, position.player);
    const slot = Math.max(signedCount(position, group), 0) + beyond;
    const mark = (kind: string, field: string, thickness: number) => {
      const look = { ...colors(svg, field, field), fill: "none", "pointer-events": "none" };
      ring(position, group, slot, kind, thickness, look);
    };
    mark("halo", "arrow-rim", width + 3);
    mark(name, "target", width);
  };
  if (point !== null && ends.length) around(point, -1, "chosen", 5);
  for (const to of ends) around(to, 0, "target", 3);
}

/** Mark the last play of a player in a picture of this position, which it led to: rings where their checkers were before, dots on
 * those that came. */
export function markLast(svg: SVGElement, position: Position, before: Position, player: Player): void {
  const [last, rim] = ["last", "arrow-rim"].map((field) => colors(svg, field).fill);
  const sign = player === position.player ? 1 : -1;
  for (const group of groupsOf(svg)) {
    const [old, own] = [before, position].map((shown) => Math.max(sign * signedCount(shown, group), 0));
    const circleAt = (slot: number, r: number, look: Attributes) => {
      const { x, y } = slotIn(position, group, slot);
      group.append(made("circle", { cx: x, cy: y, r, ...look }));
    };
    for (let slot = own; slot < old; slot += 1) {
      circleAt(slot, measures.radius - 2, { class: "last-halo", fill: "none", stroke: rim, "stroke-width": 5 });
      const ring = { class: "last-from", fill: "none", stroke: last, "stroke-width": 3, "stroke-dasharray": "5 3" };
      circleAt(slot, measures.radius - 2, { ...ring, "data-point": group.dataset.point });
    }
    const top = own - (own > measures.apart && !group.matches(".tray") ? 2 : 1); // a checker with a number has no dot
    for (let come = 0; come < own - old; come += 1) {
      const dot = { class: "last-to", fill: last, stroke: rim, "stroke-width": 2, "data-point": group.dataset.point };
      circleAt(Math.max(top - come, 0), 6, dot);
    }
  }
}

/** Around a checker, or where one can go; or around the place, if that is a tray or has none. */
function ring(position: Position, group: SVGElement, slot: number, name: string, thickness: number, look: Attributes): void {
  const { point } = group.dataset;
  const isAround = slot < 0 || group.matches(".tray");
  const mark = { class: name, "data-point": point, "stroke-width": thickness, ...look };
  const { x, y, width, height }: Partial<Area> = isAround ? areaOf(group) : slotIn(position, group, slot);
  group.append(width ? made("rect", { x, y, width, height, rx: 4, ...mark }) : made("circle", { cx: x, cy: y, r: measures.ring, ...mark }));
}

// --- arrows ---

function outline(from: Spot, to: Spot): string {
  const length = Math.max(distance(from, to), 1);
  const [ahead, aside] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const neck = Math.max(length - 18, 0);
  const corners = [[0, 3], [neck, 3], [neck, 9], [length, 0], [neck, -9], [neck, -3], [0, -3]];
  const along = ([on, off]: number[]) => [from.x + on * ahead - off * aside, from.y + on * aside + off * ahead];
  const spots = corners.map((corner) => along(corner).map((number) => Math.round(10 * number) / 10).join(" "));
  return `M${spots.join("L")}z`;
}

const PAINTS = { arrow: ["", "arrow", "arrow-rim"], made: [" made", "arrow-rim", "made"], both: [" both", "faint", "arrow-rim"] };

/** Swap ends of lines, so that of two moves that begin or end in the same place none crosses the other. */
function untangle(moves: readonly Readonly<Move>[], lines: Line[]): void {
  const shorter = (a: Line, b: Line, side: number): Line[] => {
    const swapped: Line[] = [[a[0], b[1]], [b[0], a[1]]];
    if (!side) swapped.reverse();
    const spared = distance(...a) + distance(...b) - distance(...swapped[0]) - distance(...swapped[1]);
    return spared > 0.1 ? swapped : [a, b];
  };
  for (const _ of moves) { // a few times at most, but not without end
    for (let first = 0; first < moves.length; first++) {
      for (let second = first + 1; second < moves.length; second++) {
        for (const side of [0, 1]) {
          if (moves[first][side] !== moves[second][side]) continue;
          [lines[first], lines[second]] = shorter(lines[first], lines[second], side);
        }
      }
    }
  }
}

/** Where a spot is as one goes along a line: how far ahead, and how far to the right. */
function seenAlong([from, to]: Line, spot: Spot): [ahead: number, aside: number] {
  const length = Math.max(distance(from, to), 1);
  const [ahead, aside] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [x, y] = [spot.x - from.x, spot.y - from.y];
  return [x * ahead + y * aside, y * ahead - x * aside];
}

/** Whether an arrow covers a part of another that is longer than it is thick. */
function isAlong(line: Line, other: Line): boolean {
  const seen = other.map((spot) => seenAlong(line, spot));
  const [near, far] = seen.map(([ahead]) => ahead).sort((a, b) => a - b);
  const isNear = seen.every(([, aside]) => Math.abs(aside) < 6);
  return isNear && Math.min(far, distance(...line)) - Math.max(near, 0) > 12;
}

/** The same lines, but one along another is moved aside: to the right first, or to the left. */
function apart(lines: readonly Line[], side: number): Line[] {
  const arrows: Line[] = [];
  for (const line of lines) {
    const [from, to] = line;
    const length = Math.max(distance(from, to), 1);
    const [x, y] = [(from.y - to.y) / length, (to.x - from.x) / length];
    const beside = [0, 9, -9, 18].map((by) => {
      return line.map((spot) => ({ x: spot.x + side * by * x, y: spot.y + side * by * y })) as Line;
    });
    arrows.push(beside.find((moved) => !arrows.some((arrow) => isAlong(moved, arrow))) ?? line);
  }
  return arrows;
}

/** Draw arrows of moves of the player on roll, as `draw.svg` does, from checker to checker. */
function drawArrows(
  svg: SVGElement, position: Position, moves: readonly Readonly<Move>[], name: "arrow" | "made",
  others: readonly Readonly<Move>[],
): void {
  const { player } = position;
  const left = new Map<SVGElement, number>();
  const leftOn = (group: SVGElement) => left.get(group) ?? Math.max(signedCount(position, group), 0);
  const spotOn = (group: SVGElement) => slotIn(position, group, leftOn(group));
  const shared = others.map(String);
  const [both, rest]: Readonly<Move>[][] = [[], []];
  for (const move of moves) {
    const at = shared.indexOf(String(move));
    if (at >= 0) shared.splice(at, 1);
    (at < 0 ? rest : both).push(move);
  }
  const ordered = [...both, ...rest];
  const ends = ordered.map((move) => move.map((number) => groupOf(svg, number, player)));
  const lines = ends.map(([start, end]) => {
    left.set(start, Math.max(leftOn(start) - 1, 0));
    const spots = [start, end].map(spotOn);
    left.set(end, leftOn(end) + 1);
    return spots as Line;
  });
  untangle(ordered, lines);
  const side = areaOf(groupOf(svg, BAR, player)).y < frameOf(svg).middle.y ? -1 : 1;
  const above = groupsOf(svg)[27].nextSibling;
  for (const [index, line] of apart(lines, side).entries()) {
    const kind = index < both.length ? "both" : name;
    const [from, to] = ends[index].map((group) => group.dataset.point);
    if (kind === "both" && name === "made") continue; // the best play has it
    const [more, ...paint] = PAINTS[kind];
    const look = { class: `arrow${more} drawn`, "pointer-events": "none", ...measures.arrows[kind], ...colors(svg, ...paint) };
    svg.insertBefore(made("path", { d: outline(...line), ...look, "data-from": from, "data-to": to, "data-player": player }), above);
  }
}

/** An arrow that a pointer draws; `to` is null as long as it leads nowhere. */
export interface Stroke {
  readonly id: number;
  readonly from: number;
  to: number | null;
}

const movesOf = (stroke: Stroke | null): Move[] => (stroke === null || stroke.to === null ? [] : [[stroke.from, stroke.to]]);

/** The arrows on a board: those of the page, and those that the person draws. */
export class Arrows {
  best: Move[] = []; // those of the page
  played: Move[] = []; // those of a play that was made where that of the arrows was best
  user: Move[] = []; // those that the user has drawn
  stroke: Stroke | null = null; // one that is being drawn

  /** Draw them anew on a picture of this position. */
  show(svg: SVGElement, position: Position): void {
    const moves = [...this.best, ...this.user, ...movesOf(this.stroke)];
    wipe(svg, ".arrow.drawn");
    drawArrows(svg, position, moves, "arrow", this.played);
    drawArrows(svg, position, this.played, "made", this.best); // below those
  }

  /** What is drawn when the stroke ends: its arrow too, but not if it was there already. */
  afterStroke(): Move[] {
    const drawn = movesOf(this.stroke);
    this.stroke = null;
    const others = this.user.filter((move) => String(move) !== String(drawn));
    return others.length < this.user.length ? others : [...others, ...drawn].slice(-100);
  }
}
