/** Checkers, and rectangles like them: how they are drawn, and how they move. */

import { measures } from "../pictures.json";
import { colors } from "./colors.js";
import {
  type Area, areaOf, type Attributes, BAR, centerOf, checkersIn, copyOf, groupOf, made, MARKS, type Player, type Spot,
  spotIn, wipe,
} from "./svg.js";
import { opponentOf } from "../match/terms.js";

const LOOK = ["class", "fill", "stroke", "stroke-width", "data-player"]; // of a checker, wherever it is

export function shift(group: Element, right: number, down: number): void {
  for (const part of [group, ...group.children]) {
    for (const [name, by] of Object.entries({ x: right, cx: right, y: down, cy: down })) {
      if (part.hasAttribute(name)) part.setAttribute(name, `${Number(part.getAttribute(name)) + by}`);
    }
  }
}

export function place(checker: Element, { x, y }: Spot): void {
  const center = centerOf(checker);
  shift(checker, x - center.x, y - center.y);
}

/** A rectangle, and what else is said of it. */
type Face = Omit<Area, "middle"> & Attributes;

/** A rectangle; with depth also its shadow, and shade and light on its edges. */
export function lit(isDeep: boolean, face: Face): SVGElement[] {
  const { x, y, width, height } = face;
  const edge = (by: number, stroke: string, wide: number, opacity: number) => {
    const area = { x: x + by, y: y + by, width: width - 5, height: height - 5, rx: 4 };
    return made("rect", { ...area, fill: "none", stroke, "stroke-width": wide, opacity });
  };
  const shadow = { x: x + 1, y: y + 2, width, height, rx: 6, fill: "#000", stroke: "none", opacity: 0.3 };
  return isDeep ? [made("rect", shadow), made("rect", face), edge(3, "#000", 4, 0.15), edge(2, "#fff", 3, 0.3)] : [made("rect", face)];
}

/** A checker borne off, seen from the side. */
function slabOf(checker: SVGElement, tray: Area, { x, y }: Spot): SVGElement {
  const [width, height] = tray.width > tray.height ? measures.slab.toReversed() : measures.slab;
  const area = { x: x - width / 2, y: y - height / 2, width, height, rx: 3 };
  const slab = checker.children[0] ? made("g", {}, ...lit(true, area)) : made("rect", area);
  for (const name of LOOK) if (checker.hasAttribute(name)) slab.setAttribute(name, `${checker.getAttribute(name)}`);
  return slab;
}

export function fill(svg: SVGElement, group: SVGElement, checkers: readonly SVGElement[]): void {
  const inTray = group.matches(".tray");
  const drawn = checkers.map((checker, slot) => {
    const spot = spotIn(group, slot, checkers.length);
    const piece = inTray ? slabOf(checker, areaOf(group), spot) : copyOf(checker);
    piece.dataset.point = group.dataset.point;
    piece.removeAttribute("style"); // of one that was in flight
    place(piece, spot);
    return piece;
  });
  const player = checkers[0]?.dataset.player;
  if (drawn.length > (inTray ? 0 : measures.apart)) {
    const [size, on, beyond, under] = measures.count;
    const { x, y } = inTray ? spotIn(group, drawn.length - 1 + beyond / measures.slabs[1], 1) : centerOf(drawn[drawn.length - 1]);
    const below = inTray ? under : on;
    const ink = inTray ? "number" : `${player}-ink`;
    const fill = svg.querySelector(`.${ink}`)?.getAttribute("fill") ?? colors(svg, ink).fill;
    const look = { class: `count ${ink}`, fill, "font-weight": "bold", ...(inTray ? {} : { "font-size": size }) };
    drawn.push(made("text", { x, y: y + below, ...look }, `${checkers.length}`));
  }
  wipe(group, ".checker, .count");
  const mark = group.querySelector(MARKS);
  for (const element of drawn) group.insertBefore(element, mark);
  group.dataset.count = `${checkers.length}`;
  if (!group.matches(".point")) return;
  if (player) group.dataset.player = player;
  else delete group.dataset.player;
}

/** From where to where a checker goes. */
export type Way = { readonly from: number; readonly to: number };
/** What is to be heard of it. */
export type Heard = "checker" | "hit" | "off";

/** Move a checker; a blot of the other player goes to the bar. Returns what is to be heard. */
export function moveIn(svg: SVGElement, player: Player, { from, to }: Way): Heard {
  wipe(svg, "[class^=last-]");
  const [start, end] = [groupOf(svg, from, player), groupOf(svg, to, player)];
  const [mine, there] = [checkersIn(start), checkersIn(end)];
  const hit = there[0] && there[0].dataset.player !== player ? there.splice(0) : [];
  there.push(...mine.splice(-1));
  fill(svg, start, mine);
  fill(svg, end, there);
  if (!hit.length) return to ? "checker" : "off";
  const bar = groupOf(svg, BAR, opponentOf(player));
  fill(svg, bar, [...checkersIn(bar), ...hit]);
  return "hit";
}
