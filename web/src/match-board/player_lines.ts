/** The players above and below the board of a match, as large as there is room: it can be seen from afar whose turn it is.
 * They cover the lines of draw.svg.match_state, which say the same to screen readers. */

import { colors } from "../board/colors.js";
import { type Attributes, boxOf, centerOf, made, partOf, partsOf, playerOf } from "../board/svg.js";
import { isolated } from "../board/labels.js";
import { toAct } from "../match/index.js";
import type { MatchState } from "../match/types.js";
import type { Scene, SideScene } from "./scene.js";
import { capitalized, cutTo, widthOf } from "./text_layout.js";

const USUAL = 13; // the size for which widths are known
const [LARGE, SMALL] = [18, 14];
const [LEFT, GAP, EDGE] = [36, 12, 14];

const widthAt = (size: number) => (text: string) => (widthOf(text) * size) / USUAL;

/** Of an offer nothing is said here: it stands on the board. */
export function drawSides(svg: SVGElement, scene: Scene, state: MatchState, clockLength: number): void {
  const actor = toAct(state);
  for (const line of partsOf(svg, ".player")) {
    const player = playerOf(line) ?? "white";
    const side = { ...scene[player], ...(state.offer && { doing: "" }) };
    svg.append(sideOf(svg, side, centerOf(line.children[0]).y, player === actor, clockLength));
  }
}

/** It stands out where it is this player's turn. What they do is left out where there is no room. */
function sideOf(svg: SVGElement, side: SideScene, y: number, isTurn: boolean, clockLength: number): SVGElement {
  const { player, score } = side;
  const { width } = boxOf(partOf(svg, ".paper"));
  const ground = colors(svg, isTurn ? "highlight" : "paper").fill;
  const ink = isTurn ? "#000" : colors(svg, "ink").fill;
  const written = (x: number, down: number, size: number, text: string, more: Attributes = {}) =>
    made("text", { x, y: down, fill: ink, "font-size": size, "text-anchor": "start", "font-weight": "bold", ...more }, text);
  const atEnd = { "text-anchor": "end" };
  const end = width - EDGE - (clockLength ? GAP + widthAt(LARGE)("0".repeat(clockLength)) : 0);
  const room = Math.max(60, end - LEFT - 2 * GAP - widthAt(SMALL)(score));
  const doing = capitalized(side.doing);
  const isRoom = widthAt(LARGE)(side.name) + widthAt(SMALL)(doing) <= room;
  const name = cutTo(side.name, room, widthAt(LARGE));
  const wide = widthAt(LARGE)(name);
  const parts = [
    made("rect", { x: 4, y: y - 15, width: width - 8, height: 28, rx: 6, fill: ground }),
    made("circle", { cx: 20, cy: y, r: 9, ...colors(svg, player, `${player}-rim`), "stroke-width": 1.5 }),
    made("svg", { x: LEFT, y: y - 14, width: wide, height: 28 }, written(0, 20, LARGE, isolated(name))),
    written(LEFT + wide + GAP, y + 5, SMALL, score, { "font-weight": "normal" }),
    written(end, y + 5, SMALL, isRoom ? doing : "", atEnd),
    written(width - EDGE, y + 6, LARGE, "", { ...atEnd, class: "clock", "data-player": player }),
  ];
  return made("g", { class: "side", "data-player": player, "aria-hidden": "true" }, ...parts);
}
