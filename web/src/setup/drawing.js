/** What the elements draw that have no picture of the library: positions on blank boards. */

import { blanks } from "../pictures.json";
import { fill, lit, shift } from "../board/checkers.js";
import { colors, painted } from "../board/colors.js";
import { areaOf, BAR, boxOf, checkersIn, frameOf, groupOf, groupsOf, handOf, made, wipe } from "../board/pictures.js";
import { colorOf, offOf, PLAYERS, ROLLS } from "./states.js";

const SPOTS = ["", "e", "ai", "aei", "acgi", "acegi", "acdfgi"]; // of a face, in three rows from a to i

/** The elements of a picture, which pages that trust no text can have too. */
function built(text) {
  const path = [];
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

/** A picture with all its points, which has two of each row, from which web/pictures.py has left out the others. */
function withPoints([start, end, pitch, gap, ...pairs]) {
  const rows = pairs.flatMap((pair, row) => [10, 8, 6, 4, 2, 0].map((back) => {
    const by = (back * pitch + (back > 4 ? gap : 0)) * (row ? -1 : 1);
    return pair.replace(/~(\d+)/g, (all, point) => point - back).replace(/@([\d.]+)/g, (all, x) => Number(x) + by);
  }));
  return start + rows.join("") + end;
}

/** A board with the cube and a checker of each player. The pictures have depth; without their veils they are flat. */
export function blankOf(layout, look) {
  const svg = painted(built(withPoints(blanks[layout === "portrait" ? 1 : 0])));
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

export const cubeIn = (svg) => boxOf(svg.querySelector(".cube rect[class]"));

function dieOf(svg, x, face, player) {
  const { width: size } = cubeIn(svg);
  const { y } = frameOf(svg).middle;
  const area = { x: x - size / 2, y: y - size / 2, width: size, height: size };
  const look = { class: player, rx: 6, "stroke-width": 1.5, ...colors(svg, player, `${player}-rim`) };
  const pitch = (9 * size) / 32;
  const spots = [...SPOTS[face]].map((spot) => {
    const at = spot.charCodeAt() - 97;
    const [cx, cy] = [x + pitch * ((at % 3) - 1), y + pitch * (Math.floor(at / 3) - 1)];
    return made("circle", { cx, cy, r: pitch / 3, ...colors(svg, `${player}-ink`) });
  });
  const parts = [...lit(svg.matches(".depth"), { ...area, ...look }), ...spots];
  return made("g", { class: "die", "data-player": player, "data-value": face }, ...parts);
}

function drawDice(svg, dice, player) {
  const faces = ROLLS.includes(dice) ? [...dice].map(Number) : [];
  if (faces[0] === faces[1]) faces.push(...faces);
  const [middle, pitch] = [handOf(svg, player), 1.25 * cubeIn(svg).width];
  svg.append(...faces.map((face, at) => dieOf(svg, middle + pitch * (at - (faces.length - 1) / 2), face, player)));
}

function drawCube(svg, { cube, owner }) {
  const group = svg.querySelector(".cube");
  const face = group.lastElementChild;
  const { width: size, middle } = cubeIn(svg);
  group.dataset.value = 2 ** cube;
  if (owner) group.dataset.player = colorOf(owner);
  if (cube || owner) {
    face.textContent = 2 ** cube < 1e5 ? 2 ** cube : `2^${cube}`;
    const height = Math.floor((Math.min(18, Math.floor(46 / face.textContent.length)) * size) / 32);
    face.setAttribute("font-size", height);
    face.setAttribute("y", middle.y + Math.floor((height * 3) / 8));
  }
  const tray = areaOf(groupOf(svg, 0, "white"));
  if (tray.width < tray.height) shift(group, 0, owner * (tray.y + tray.height - size / 2 - 4 - middle.y));
  else if (owner) shift(group, size / 2 + 8 - middle.x, owner * (tray.middle.y - middle.y));
}

export const checkerOf = (svg, player) => svg.querySelector(`.checker[data-player="${player}"]`);

/** A position on a blank board; the player on roll numbers the points. */
export function drawnOn(blank, state) {
  const svg = blank.cloneNode(true);
  const groups = groupsOf(svg);
  const { counts, checkers, dice, turn: sign } = state;
  for (const group of sign < 0 ? groups.slice(0, 24) : []) {
    group.dataset.point = group.querySelector(".number:not(.count)").textContent = 25 - group.dataset.point;
  }
  const put = (group, place, player, count) => {
    group.dataset.place = place;
    fill(svg, group, Array(count).fill(checkerOf(blank, player)));
  };
  counts.forEach((count, at) => put(groups[at % BAR ? at - 1 : at || 24], at, colorOf(count), Math.abs(count)));
  for (const player of PLAYERS) put(groupOf(svg, 0, player), player, player, offOf(counts, player, checkers));
  drawCube(svg, state);
  drawDice(svg, dice, colorOf(sign));
  return svg;
}
