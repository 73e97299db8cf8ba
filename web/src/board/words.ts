/** Words, which a page may change. */

import { type Player, printedAt } from "./pictures.js";
import type { PlaceWords } from "./types.js";
import { filled } from "../rules/words.js";

/** What both elements say of places. */
export const WORDS_OF_PLACES: PlaceWords = {
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

/** A name that does not disturb the order of the words around it. */
export const isolated = (name: string) => (FROM_RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

/** A place and what is on it. */
export function labelOf(group: SVGElement, words: PlaceWords): string {
  const { point, count } = group.dataset;
  const player = words[group.dataset.player as Player]; // if it is somebody's
  const beside = words[point as "bar" | "off"]; // but not beside the number of a point
  const place = beside ? filled(words.owned, { place: beside, player }) : filled(words.point, { point: printedAt(group) });
  return `${place}, ${Number(count) > 0 ? filled(words.checkers, { count, player }) : words.empty}`;
}
