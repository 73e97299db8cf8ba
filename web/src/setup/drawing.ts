/** What the elements draw that have no picture of the library: positions on blank boards. */

import { blanks } from "../pictures.json";
import { drawPosition, lit, shift } from "../board/checkers.js";
import { colors, painted } from "../board/colors.js";
import type { Position } from "../board/position.js";
import {
  areaOf, BAR, boxOf, checkersIn, copyOf, frameOf, groupOf, groupsOf, handOf, made, NUMBER, partOf, type Player, present,
  type Spot, wipe,
} from "../board/svg.js";
import { colorOf, type Table } from "./xgid.js";

type Blank = (typeof blanks)[keyof typeof blanks];

const SPOTS = ["", "e", "ai", "aei", "acgi", "acegi", "acdfgi"]; // of a face, in three rows from a to i

/** The elements of a picture, which pages that trust no text can have too. */
function built(text: string): SVGElement {
  const path: SVGElement[] = [];
  for (const [, end, name, attributes, alone, content] of text.matchAll(/<(\/?)(\w+)([^>]*?)(\/?)>([^<]*)/g)) {
    if (end && path.length > 1) path.pop();
    if (end) continue;
    const pairs = [...attributes.matchAll(/([\w-]+)='([^']*)/g)].map(([, key, value]) => [key, value]);
    const element = made(name, Object.fromEntries(pairs), content.trim());
    path.at(-1)?.append(element);
    if (!alone) path.push(element);
  }
  return path[0];
}

/** A picture with all its points, which has two of each row, from which generators/board_views.py has left out the others. */
function withPoints({ start, end, pitch, gap, lower, upper }: Blank): string {
  const rows = [lower, upper].flatMap((pair, row) => [10, 8, 6, 4, 2, 0].map((back) => {
    const by = (back * pitch + (back > 4 ? gap : 0)) * (row ? -1 : 1);
    return pair.replace(/~(\d+)/g, (_, point) => `${point - back}`).replace(/@([\d.]+)/g, (_, x) => `${Number(x) + by}`);
  }));
  return start + rows.join("") + end;
}

/** A board with the cube and a checker of each player. The pictures have depth; without their veils they are flat. */
export function blankOf(layout?: string | null, look?: string | null): SVGElement {
  const svg = painted(built(withPoints(blanks[layout === "portrait" ? layout : "landscape"])));
  if (look === "depth") return svg;
  svg.classList.remove("depth");
  wipe(svg, "[opacity]");
  for (const checker of checkersIn(svg)) {
    const [circle] = checker.children;
    for (const { name, value } of checker.attributes) circle.setAttribute(name, value);
    checker.replaceWith(circle);
  }
  return svg;
}

export const cubeIn = (svg: SVGElement) => boxOf(partOf(svg, ".cube rect[class]"));

/** A die of a player in their color. */
export function dieOf(svg: SVGElement, { x, y }: Spot, face: number, player: Player): SVGElement {
  const { width: size } = cubeIn(svg);
  const area = { x: x - size / 2, y: y - size / 2, width: size, height: size };
  const look = { class: player, rx: 6, "stroke-width": 1.5, ...colors(svg, player, `${player}-rim`) };
  const pitch = (9 * size) / 32;
  const spots = [...SPOTS[face]].map((spot) => {
    const at = spot.charCodeAt(0) - 97;
    const [cx, cy] = [x + pitch * ((at % 3) - 1), y + pitch * (Math.floor(at / 3) - 1)];
    return made("circle", { cx, cy, r: pitch / 3, ...colors(svg, `${player}-ink`) });
  });
  const parts = [...lit(svg.matches(".depth"), { ...area, ...look }), ...spots];
  return made("g", { class: "die", "data-player": player, "data-value": face }, ...parts);
}

function drawDice(svg: SVGElement, dice: readonly number[], player: Player): void {
  const faces = dice[0] === dice[1] ? [...dice, ...dice] : dice;
  svg.append(...faces.map((face, at) => dieOf(svg, dieSpot(svg, player, at, faces.length), face, player)));
}

/** The middle of one of so many dice at the right hand of a player. */
export function dieSpot(svg: SVGElement, player: Player, at: number, count: number): Spot {
  return { x: handOf(svg, player) + 1.25 * cubeIn(svg).width * (at - (count - 1) / 2), y: frameOf(svg).middle.y };
}

function drawCube(svg: SVGElement, { cube, owner }: Cube): void {
  const group = partOf(svg, ".cube");
  const face = present(group.lastElementChild);
  const { width: size, middle } = cubeIn(svg);
  group.dataset.value = `${2 ** cube}`;
  if (owner) group.dataset.player = colorOf(owner);
  if (cube || owner) {
    const text = 2 ** cube < 1e5 ? `${2 ** cube}` : `2^${cube}`;
    const height = Math.floor((Math.min(18, Math.floor(46 / text.length)) * size) / 32);
    face.textContent = text;
    face.setAttribute("font-size", `${height}`);
    face.setAttribute("y", `${middle.y + Math.floor((height * 3) / 8)}`);
  }
  const tray = areaOf(groupOf(svg, 0, "white"));
  if (tray.width < tray.height) shift(group, 0, owner * (tray.y + tray.height - size / 2 - 4 - middle.y));
  else if (owner) shift(group, size / 2 + 8 - middle.x, owner * (tray.middle.y - middle.y));
}

export const checkerOf = (svg: SVGElement, player: Player) => partOf(svg, `.checker[data-player="${player}"]`);

type Cube = Pick<Table, "cube" | "owner">;

/** A position on a blank board; the player on roll numbers the points, but those printed may be fixed. */
export function drawnOn(blank: SVGElement, position: Position, dice: readonly number[], cube: Cube, isFixed = false): SVGElement {
  const svg = copyOf(blank);
  if (isFixed) svg.dataset.numbers = "fixed";
  for (const group of position.player === "black" ? groupsOf(svg).slice(0, 24) : []) {
    group.dataset.point = `${BAR - Number(group.dataset.point)}`;
    if (!isFixed) partOf(group, NUMBER).textContent = group.dataset.point;
  }
  drawPosition(svg, position);
  drawCube(svg, cube);
  drawDice(svg, dice, position.player);
  return svg;
}
