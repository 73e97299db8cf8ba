/** What a page may say. */

import { measures } from "../pictures.json";
import { BAR } from "./pictures.js";

const FORMS = {
  theme: [...Object.keys(measures.themes), "auto"].join("|"),
  auto: "(forced|bear-off| )*",
  speed: "\\d+\\.?\\d*",
  look: "flat|depth",
  layout: "landscape|portrait",
};

export function needed(isRight, name) {
  if (!isRight) throw new TypeError(`${name} is wrong`);
}

/** The value of a property or an attribute; a framework may have none yet. */
export function checked(name, value) {
  needed(!FORMS[name] || (value ?? null) === null || new RegExp(`^(${FORMS[name]})$`).test(value), name);
  return value;
}

/** The words of an element with others in the place of some. */
export function reworded(words, others) {
  needed(typeof (others ?? {}) === "object", "words");
  for (const name in others) needed([words, others].every((all) => typeof all[name] === "string"), `words.${name}`);
  return { ...words, ...others };
}

export function listed(list, isRight, name, what) {
  if (Array.isArray(list) && list.length <= 100 && [...list].every(isRight)) return [...list];
  throw new TypeError(`${name} is not a list of at most 100 ${what}`);
}

const isNumber = (number) => Number.isInteger(number) && number >= 0 && number <= BAR;
const isMove = (move) => Array.isArray(move) && move.length === 2 && [...move].every(isNumber);

export const pointsOf = (points, name) => listed(points, isNumber, name, "points from 0 to 25");
export const movesOf = (moves, name) => listed(moves ?? [], isMove, name, "pairs of points from 0 to 25").map((move) => [...move]);
