/** Checks of what a page assigns. */

import { measures } from "../pictures.json";
import { BAR } from "./svg.js";
import type { Move, PlayerTexts } from "./types.js";

const FORMS: Readonly<Record<string, string | undefined>> = {
  theme: [...Object.keys(measures.themes), "auto"].join("|"),
  auto: "(forced|bear-off|roll| )*",
  speed: "\\d+\\.?\\d*",
  look: "flat|depth",
  layout: "landscape|portrait",
};

export function needed(isRight: unknown, name: string): asserts isRight {
  if (!isRight) throw new TypeError(`${name} is wrong`);
}

/** The value of a property or an attribute; a framework may have none yet. */
export function checked<Value>(name: string, value: Value): Value {
  needed(!FORMS[name] || (value ?? null) === null || new RegExp(`^(${FORMS[name]})$`).test(`${value}`), name);
  return value;
}

/** The labels of an element, with these translations in place of some. */
export function mergeTranslations<Labels extends object>(
  labels: Labels, translations: Partial<Labels> | null | undefined,
): Labels {
  needed(typeof (translations ?? {}) === "object", "translations");
  for (const name in translations) {
    needed(typeof labels[name] === "string" && typeof translations[name] === "string", `translations.${name}`);
  }
  return { ...labels, ...translations };
}

const MAX_TEXT_LENGTH = 100; // of a player, in characters
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2066-\u2069]/gu; // such as overrides of the direction

/** Texts that stand beside players, as they are shown. */
export function textsOf(texts: PlayerTexts | null | undefined, name: string): { white: string; black: string } {
  needed(typeof (texts ?? {}) === "object" && !Array.isArray(texts), name);
  const { white, black, ...others } = texts ?? {};
  for (const key in others) needed(false, `${name}.${key}`);
  const shown = (text: unknown, key: string) => {
    needed(typeof (text ?? "") === "string", `${name}.${key}`);
    const letters = [...`${text ?? ""}`.slice(0, 2 * MAX_TEXT_LENGTH)].slice(0, MAX_TEXT_LENGTH);
    return letters.join("").replace(UNPRINTABLE, "\ufffd").trim();
  };
  return { white: shown(white, "white"), black: shown(black, "black") };
}

/** The items of a list, all of which are right. */
export function listed<Item>(list: unknown, isRight: (item: unknown) => item is Item, name: string, what: string): Item[] {
  if (Array.isArray(list) && list.length <= 100 && [...list].every(isRight)) return [...list];
  throw new TypeError(`${name} is not a list of at most 100 ${what}`);
}

const isNumber = (number: unknown): number is number =>
  typeof number === "number" && number >= 0 && number <= BAR && number % 1 === 0;
const isMove = (move: unknown): move is Move => Array.isArray(move) && move.length === 2 && [...move].every(isNumber);

export const pointsOf = (points: unknown, name: string): number[] => listed(points, isNumber, name, "points from 0 to 25");
export const movesOf = (moves: unknown, name: string): Move[] =>
  listed(moves ?? [], isMove, name, "pairs of points from 0 to 25").map((move) => [...move]);
