/** Errors of the library, what counts as a list or a whole number, and texts as people read them. */

import type { IllegalMoveDetails, Problem, Reasons, WrittenPlay } from "./types.js";

/** @internal */
export const frozen = Object.freeze;

/** What every call throws that was given something wrong, and where a page forbids WebAssembly. An illegal play or action
 *  has a reason, as has a state that an opponent does not know, a play also has details, and any other value that is not valid has
 *  problems. Nothing but a message have a play or an identifier that cannot be read, a record that cannot be written, and
 *  `MatchHistory.receive` where the match has gone on while the dice
 *  were rolled, all of them for people, and WebAssembly that a page forbids. */
export interface GammonError extends Error, IllegalMoveDetails {
  reason?: Reasons[keyof Reasons];
  /** The plays that an ambiguous text fits, which hit different checkers. */
  candidates?: WrittenPlay[];
  /** What is wrong with a document, a message, options or another argument, up to ten. */
  problems?: readonly Problem[];
}

type ErrorClass = new (message?: string, options?: ErrorOptions) => GammonError;

/** One class for all files of the library that a page has. */
export const GammonError = ((globalThis as { [name: symbol]: ErrorClass })[Symbol.for("GammonError")] ??= class extends Error {
  override name = "GammonError";
});

/** An array, or what is like one. @internal */
export type List = ArrayLike<unknown> & Iterable<unknown> & { slice(start: number, end: number): List };

/** What an error has besides its message. @internal */
export type ErrorDetails = Omit<GammonError, keyof Error> & ErrorOptions;

/** @internal */
export function fail(message: string, details?: ErrorDetails): never {
  throw Object.assign(new GammonError(message), details);
}

/** @internal */
export const isList = (value: unknown): value is List => Array.isArray(value) || ArrayBuffer.isView(value);
/** @internal */
export const tagOf = (value: unknown): string => ({}).toString.call(value);
/** @internal */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => tagOf(value) === "[object Object]";
/** @internal */
export const isInteger = (value: unknown): value is number => Number.isInteger(value);
/** @internal */
export const isWhole = (value: unknown, minimum: number, maximum: number): value is number =>
  isInteger(value) && value >= minimum && value <= maximum;
/** @internal */
export const isOneOf = <Choice>(choices: readonly Choice[], value: unknown): value is Choice =>
  (choices as readonly unknown[]).includes(value);

/** A string of the caller within a message: quoted as in Python, and shortened. @internal */
export function quoted(text: string, width = 40): string {
  const signs = [...text.slice(0, 3 * width)].slice(0, width + 1);
  const quote = signs.includes("'") && !signs.includes(`"`) ? `"` : "'";
  const whole = [...quote + signs.map((sign) => (sign === quote ? `\\${quote}` : escaped(sign))).join("") + quote];
  return whole.slice(0, width).join("") + (whole.length > width ? "..." : "");
}

/** A sign as it is if it can be seen, or else its number. */
function escaped(sign: string): string {
  if ("\\\n\r\t".includes(sign)) return JSON.stringify(sign).slice(1, -1);
  if (sign === " " || !/[\p{C}\p{Z}]/u.test(sign)) return sign;
  const digits = sign.codePointAt(0)!.toString(16);
  const form = ["x00", "u0000", "U00000000"].find(({ length }) => length > digits.length)!;
  return `\\${form.slice(0, -digits.length)}${digits}`;
}

/** An array of these numbers, several times as fast as `Array.from`. @internal */
export function numbersOf(view: ArrayLike<number>, start: number, end: number): number[] {
  const numbers = new Array<number>(end - start);
  for (let at = start; at < end; at += 1) numbers[at - start] = view[at];
  return numbers;
}
