/** Marks above a board: rings around what can move and where it can go, and arrows from checker to checker. */

import { measures } from "../pictures.json";
import { colors } from "./colors.js";
import { areaOf, BAR, distance, frameOf, groupOf, groupsOf, made, spotIn, wipe } from "./pictures.js";

// --- rings ---

/** Have these points of a player stand out. */
export function highlight(svg, player, points) {
  wipe(svg, ".highlight");
  for (const number of new Set(points)) {
    const group = groupOf(svg, number, player);
    ring(group, group.dataset.count - 1, "highlight", 4, colors(svg, "highlight", "highlight"));
    group.lastChild.setAttribute("fill-opacity", group.dataset.count > 0 ? 0 : 0.45);
  }
}

/** Show from where and to where a checker of a player can go; without ends nothing is shown. */
export function aim(svg, player, point, ends) {
  wipe(svg, ".halo, .target, .chosen");
  const around = (number, beyond, name, width) => {
    const group = groupOf(svg, number, player);
    const count = group.dataset.player === player ? Number(group.dataset.count) : 0;
    for (const [mark, field, thickness] of [["halo", "arrow-rim", width + 3], [name, "target", width]]) {
      const look = { ...colors(svg, field, field), fill: "none", "pointer-events": "none" };
      ring(group, count + beyond, mark, thickness, look);
    }
  };
  if (ends.length) around(point, -1, "chosen", 5);
  for (const to of ends) around(to, 0, "target", 3);
}

/** Around a checker, or where one can go; or around the place, if that is a tray or has none. */
function ring(group, slot, name, thickness, look) {
  const { count, point } = group.dataset;
  const isAround = slot < 0 || group.matches(".tray");
  const { x, y, width, height } = isAround ? areaOf(group) : spotIn(group, slot, Math.max(slot + 1, count));
  const mark = { class: name, "data-point": point, "stroke-width": thickness, ...look };
  group.append(width ? made("rect", { x, y, width, height, rx: 4, ...mark }) : made("circle", { cx: x, cy: y, r: measures.ring, ...mark }));
}

// --- arrows ---

function outline(from, to) {
  const length = Math.max(distance(from, to), 1);
  const [ahead, aside] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const neck = Math.max(length - 18, 0);
  const corners = [[0, 3], [neck, 3], [neck, 9], [length, 0], [neck, -9], [neck, -3], [0, -3]];
  const along = ([on, off]) => [from.x + on * ahead - off * aside, from.y + on * aside + off * ahead];
  const spots = corners.map((corner) => along(corner).map((number) => Math.round(10 * number) / 10).join(" "));
  return `M${spots.join("L")}z`;
}

const PAINTS = { arrow: ["", "arrow", "arrow-rim"], made: [" made", "arrow-rim", "made"], both: [" both", "faint", "arrow-rim"] };

/** Exchange ends of lines, so that of two moves that begin or end in the same place none crosses the other. */
function untangle(moves, lines) {
  const shorter = (a, b, side) => {
    const exchanged = [[a[0], b[1]], [b[0], a[1]]];
    if (!side) exchanged.reverse();
    const spared = distance(...a) + distance(...b) - distance(...exchanged[0]) - distance(...exchanged[1]);
    return spared > 0.1 ? exchanged : [a, b];
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
function seenAlong([from, to], spot) {
  const length = Math.max(distance(from, to), 1);
  const [ahead, aside] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [x, y] = [spot.x - from.x, spot.y - from.y];
  return [x * ahead + y * aside, y * ahead - x * aside];
}

/** Whether an arrow covers a part of another that is longer than it is thick. */
function isAlong(line, other) {
  const seen = other.map((spot) => seenAlong(line, spot));
  const [near, far] = seen.map(([ahead]) => ahead).sort((a, b) => a - b);
  const isNear = seen.every(([, aside]) => Math.abs(aside) < 6);
  return isNear && Math.min(far, distance(...line)) - Math.max(near, 0) > 12;
}

/** The same lines, but one along another is moved aside: to the right first, or to the left. */
function apart(lines, side) {
  const arrows = [];
  for (const line of lines) {
    const [from, to] = line;
    const length = Math.max(distance(from, to), 1);
    const [x, y] = [(from.y - to.y) / length, (to.x - from.x) / length];
    const beside = [0, 9, -9, 18].map((by) => line.map((spot) => ({ x: spot.x + side * by * x, y: spot.y + side * by * y })));
    arrows.push(beside.find((moved) => !arrows.some((arrow) => isAlong(moved, arrow))) ?? line);
  }
  return arrows;
}

/** Draw arrows of this player's moves, as `draw.svg` does, from checker to checker. */
function drawArrows(svg, player, moves, name, others) {
  const left = new Map();
  const shared = others.map(String);
  const [both, rest] = [[], []];
  for (const move of moves) {
    const at = shared.indexOf(String(move));
    if (at >= 0) shared.splice(at, 1);
    (at < 0 ? rest : both).push(move);
  }
  const ordered = [...both, ...rest];
  const ends = ordered.map((move) => move.map((number) => groupOf(svg, number, player)));
  const lines = ends.map((groups) => {
    for (const group of groups) {
      if (!left.has(group)) left.set(group, group.dataset.player === player ? Number(group.dataset.count) : 0);
    }
    const [start, end] = groups;
    left.set(start, Math.max(left.get(start) - 1, 0));
    const spots = groups.map((group) => spotIn(group, left.get(group), Math.max(left.get(group) + 1, group.dataset.count)));
    left.set(end, left.get(end) + 1);
    return spots;
  });
  untangle(ordered, lines);
  const side = areaOf(groupOf(svg, BAR, player)).y < frameOf(svg).middle.y ? -1 : 1;
  const above = groupsOf(svg).at(-1).nextSibling;
  for (const [index, line] of apart(lines, side).entries()) {
    const kind = index < both.length ? "both" : name;
    const [from, to] = ends[index].map((group) => group.dataset.point);
    if (kind === "both" && name === "made") continue; // the best play has it
    const [more, ...paint] = PAINTS[kind];
    const look = { class: `arrow${more} drawn`, "pointer-events": "none", ...measures.arrows[kind], ...colors(svg, ...paint) };
    svg.insertBefore(made("path", { d: outline(...line), ...look, "data-from": from, "data-to": to, "data-player": player }), above);
  }
}

/** The arrows on a board: those of the page, and those that the person draws. */
export class Arrows {
  best = []; // those of the page
  made = []; // those of a play that was made where that of the arrows was best
  drawn = []; // those of the person
  stroke = null; // one that is being drawn: { id, from, to }

  /** Draw them anew, seen by this player. */
  show(svg, player) {
    const { from, to } = this.stroke ?? {};
    const moves = [...this.best, ...this.drawn, ...(Number.isInteger(to) ? [[from, to]] : [])];
    wipe(svg, ".arrow.drawn");
    if (!player) return;
    drawArrows(svg, player, moves, "arrow", this.made);
    drawArrows(svg, player, this.made, "made", this.best); // below those
  }

  /** What is drawn when the stroke ends: its arrow too, but not if it was there already. */
  afterStroke() {
    const { from, to } = this.stroke;
    this.stroke = null;
    if (to === null) return this.drawn;
    const others = this.drawn.filter((move) => String(move) !== String([from, to]));
    return others.length < this.drawn.length ? others : [...others, [from, to]].slice(-100);
  }
}
