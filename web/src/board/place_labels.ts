/** The labels of places, which a page may translate. */

import { type Player, printedAt } from "./pictures.js";
import type { PlaceLabels } from "./types.js";
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

/** A place and what is on it. */
export function labelOf(group: SVGElement, labels: PlaceLabels): string {
  const { point, count } = group.dataset;
  const player = labels[group.dataset.player as Player]; // if it is somebody's
  const beside = labels[point as "bar" | "off"]; // but not beside the number of a point
  const place = beside ? fillFields(labels.owned, { place: beside, player }) : fillFields(labels.point, { point: printedAt(group) });
  return `${place}, ${Number(count) > 0 ? fillFields(labels.checkers, { count, player }) : labels.empty}`;
}
