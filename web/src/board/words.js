/** Words, which a page may change. */

import { printedAt } from "./pictures.js";

/** What both elements say of places. */
export const WORDS_OF_PLACES = {
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

/** A text with these fields in it. */
export const filled = (text, fields) => String(text).replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);

/** A place and what is on it. */
export function labelOf(group, words) {
  const { point, count, player } = group.dataset;
  const who = words[player];
  const place = words[point] ? filled(words.owned, { place: words[point], player: who }) : filled(words.point, { point: printedAt(group) });
  return `${place}, ${count > 0 ? filled(words.checkers, { count, player: who }) : words.empty}`;
}
