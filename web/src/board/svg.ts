/** The elements of an SVG of the library, and where they are. */

import type { Player } from "../generated/names.js";
import { measures } from "../pictures.json";

export type { Player };
export interface Spot {
  x: number;
  y: number;
}
/** A rectangle, and its middle. */
export interface Area extends Spot {
  width: number;
  height: number;
  middle: Spot;
}
/** What a pointer says of where it is. */
export type Pointer = Pick<PointerEvent, "clientX" | "clientY">;
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const SVG = "http://www.w3.org/2000/svg";
export const MARKS = ".highlight, .halo, .target, [class^=last-]"; // around checkers
export const DICE = ".die:not(.last)";
export const NUMBER = ".number:not(.count)"; // that is printed beside a point
export const BAR = 25;

/** What every SVG of the library contains, or what is there as long as one is shown. */
export function present<Part>(part: Part | null | undefined): Part {
  if (!part) throw new TypeError("svg is not a picture of gammonrules");
  return part;
}

/** An element of a picture. */
export function made(name: string, attributes: Attributes, ...content: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`);
  element.append(...content);
  return element;
}

export const wipe = (root: ParentNode, parts: string) => root.querySelectorAll(parts).forEach((part) => part.remove());

export const partsOf = (root: ParentNode, parts: string) => [...root.querySelectorAll<SVGElement>(parts)];
/** The first of the parts, of which every picture has one. */
export const partOf = (root: ParentNode | null, part: string) => present(root?.querySelector<SVGElement>(part));
export const checkersIn = (group: ParentNode) => partsOf(group, ".checker");
export const groupsOf = (svg: ParentNode) => partsOf(svg, ".point, .bar, .tray");
export const diceOf = (svg: ParentNode) => partsOf(svg, DICE);
export const copyOf = (element: SVGElement) => element.cloneNode(true) as SVGElement;
/** Whose it is, if it is somebody's. */
export const playerOf = (group: SVGElement) => group.dataset.player as Player | undefined;
/** What is printed beside a point, or else its number. */
export const printedAt = (group: SVGElement) => group.querySelector(NUMBER)?.textContent ?? group.dataset.point;

/** Whether there are other dice, or another cube, than before. */
export function isOther(old: SVGElement, svg: SVGElement, parts: string): boolean {
  const [was, is] = [old, svg].map((board) => {
    return String(partsOf(board, parts).map((part) => [part.getAttribute("class"), part.dataset.player, part.dataset.value]));
  });
  return was !== is && is !== "";
}

/** The group of a point, or of a player's bar or tray, by the number that the player on roll gives to it. */
export function groupOf(svg: SVGElement, number: number, player?: Player): SVGElement {
  if (number === BAR) return partOf(svg, `.bar[data-player="${player}"]`);
  if (number === 0) return partOf(svg, `.tray[data-player="${player}"]`);
  return partOf(svg, `.point[data-point="${number}"]`);
}

// --- places ---

const numbersIn = (element: Element, ...names: string[]) => names.map((name) => Number(element.getAttribute(name)));

export const distance = (from: Spot, to: Spot) => Math.hypot(from.x - to.x, from.y - to.y);

export function boxOf(rect: Element): Area {
  const [x, y, width, height] = numbersIn(rect, "x", "y", "width", "height");
  return { x, y, width, height, middle: { x: x + width / 2, y: y + height / 2 } };
}

export const areaOf = (group: Element) => boxOf(group.children[0]);
/** The board with its frame, whose middle is that of the bar too, in every layout. */
export const frameOf = (svg: SVGElement | null) => boxOf(partOf(svg, ".frame"));
/** From the middle of one half to that of the other. */
export const acrossIn = ([one, , , , , , seven]: SVGElement[]) => Math.abs(areaOf(one).x - areaOf(seven).x);

export function spotIn(group: SVGElement, slot: number, count: number): Spot {
  const { x, y, width, height, middle } = areaOf(group);
  const board = frameOf(group.closest("svg")).middle;
  const crowd = Math.min(1, (measures.apart - 1) / Math.max(1, count - 1));
  const [first, pitch] = group.matches(".tray") ? measures.slabs : [measures.radius, 2 * measures.radius * crowd];
  const along = Math.round(10 * (first + pitch * slot)) / 10;
  if (width > height) return { x: middle.x < board.x ? x + along : x + width - along, y: middle.y };
  const isDownward = middle.y < board.y !== group.matches(".bar");
  return { x: middle.x, y: isDownward ? y + along : y + height - along };
}

export function centerOf(checker: Element): Spot {
  const shape = checker.children[1] ?? checker; // in a look with depth it has several
  if (shape.localName === "rect") return boxOf(shape).middle;
  const [x, y] = numbersIn(shape, "cx", "cy");
  return { x, y };
}

/** Whose it is, and where. */
export const markOf = (checker: SVGElement) => checker.dataset.player + String(Object.values(centerOf(checker)).map(Math.round));

/** Who numbers the points: the player at the bottom, if the 1 point is there, or the other. */
export function sideOf(svg: SVGElement): Player {
  const [top, bottom] = partsOf(svg, ".bar");
  return present(playerOf(areaOf(groupOf(svg, 1)).y > frameOf(svg).middle.y ? bottom : top));
}

/** Whether a player is at the bottom. */
export const isBelow = (svg: SVGElement, player: Player) => areaOf(groupOf(svg, BAR, player)).y >= frameOf(svg).middle.y;

/** The middle of the half to the right of a player. */
export const handOf = (svg: SVGElement, player: Player): number =>
  frameOf(svg).middle.x + ((isBelow(svg, player) ? 1 : -1) * acrossIn(groupsOf(svg))) / 2;

/** Where a pointer is, as the picture counts. */
export function spotOf(svg: SVGElement, { clientX, clientY }: Pointer): Spot {
  const screen = present(svg.closest("svg")?.getScreenCTM());
  return new DOMPoint(clientX, clientY).matrixTransform(screen.inverse());
}

/** The place that this is or belongs to. */
export const groupAt = (element: Element) => element.closest<SVGElement>(".point, .bar, .tray");

/** The number of the place that this is or belongs to, as the player counts; null for a bar or tray of the other player. */
export function numberAt(element: Element | undefined, player: Player | null): number | null {
  const group = element && groupAt(element);
  if (group?.matches(".point")) return Number(group.dataset.point);
  if (group?.dataset.player !== player) return null;
  return group.matches(".bar") ? BAR : 0;
}

/** The number of the place in whose column the pointer is. */
export function numberBelow(svg: SVGElement, event: Pointer, player: Player | null): number | null {
  const { x, y } = spotOf(svg, event);
  const frame = frameOf(svg);
  if (Math.abs(y - frame.middle.y) > frame.height / 2) return null;
  const places = groupsOf(svg).map((group) => ({ group, ...areaOf(group) }));
  const beside = ({ middle, height }: Area) => Math.abs(y - middle.y) - height / 2;
  const isThere = ({ middle, width }: Area) => Math.abs(x - middle.x) <= width / 2 && middle.y < frame.middle.y === y < frame.middle.y;
  return numberAt(places.filter(isThere).sort((place, other) => beside(place) - beside(other))[0]?.group, player);
}
