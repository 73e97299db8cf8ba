/** Checkers, and rectangles like them. */

import { measures } from "../pictures.json";
import { colors } from "./colors.js";
import { signedCount, ownerIn, type Position } from "./position.js";
import {
  type Area, areaOf, type Attributes, centerOf, copyOf, groupsOf, made, MARKS, partsOf, type Spot, spotIn, wipe,
} from "./svg.js";

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

/** Draw so many copies of a checker in a place, and how many they are if they are many. */
export function fill(svg: SVGElement, group: SVGElement, count: number, checker: SVGElement): void {
  const inTray = group.matches(".tray");
  const drawn = Array.from({ length: count }, (_, slot) => {
    const spot = spotIn(group, slot, count);
    const piece = inTray ? slabOf(checker, areaOf(group), spot) : copyOf(checker);
    piece.dataset.point = group.dataset.point;
    piece.removeAttribute("style"); // of one that was in flight
    place(piece, spot);
    return piece;
  });
  if (count > (inTray ? 0 : measures.apart)) {
    const [size, on, beyond, under] = measures.count;
    const { x, y } = inTray ? spotIn(group, count - 1 + beyond / measures.slabs[1], 1) : centerOf(drawn[count - 1]);
    const below = inTray ? under : on;
    const ink = inTray ? "number" : `${checker.dataset.player}-ink`;
    const fill = svg.querySelector(`.${ink}`)?.getAttribute("fill") ?? colors(svg, ink).fill;
    const look = { class: `count ${ink}`, fill, "font-weight": "bold", ...(inTray ? {} : { "font-size": size }) };
    drawn.push(made("text", { x, y: y + below, ...look }, `${count}`));
  }
  wipe(group, ".checker, .count");
  const mark = group.querySelector(MARKS);
  for (const element of drawn) group.insertBefore(element, mark);
}

/** Draw a position on a picture of another one, where both are not the same; or everywhere, if no other one is given. */
export function drawPosition(svg: SVGElement, position: Position, drawn?: Position): void {
  if (position === drawn) return;
  const checkers = partsOf(svg, ".checker").map((checker) => [checker.dataset.player, checker]);
  const looks: Readonly<Record<string, SVGElement>> = Object.fromEntries(checkers.reverse()); // trays are last
  if (drawn) wipe(svg, "[class^=last-]");
  for (const group of groupsOf(svg)) {
    const signed = signedCount(position, group);
    if (drawn && signedCount(drawn, group) === signed) continue;
    const [player, count] = [`${ownerIn(position, group, signed)}`, Math.abs(signed)];
    fill(svg, group, count, looks[player]);
    group.dataset.count = `${count}`;
    if (count) group.dataset.player = player;
    else if (group.matches(".point")) delete group.dataset.player;
  }
}
