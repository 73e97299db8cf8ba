/** Errors of the library, what counts as a list or a whole number, and values as sentences show them. */

import type { Facts, Reasons, WrittenPlay } from "./types.js";

/** @internal */
export const frozen = Object.freeze;

/** What every call throws that was given something wrong, and where a page forbids WebAssembly. An illegal play or action
 *  has a reason, a play facts as well; text that cannot be read, and most other arguments, have none. */
export interface GammonError extends Error, Facts {
  reason?: Reasons[keyof Reasons];
  /** The plays that an ambiguous text fits, which hit different checkers. */
  candidates?: WrittenPlay[];
  /** All that is wrong with a state, a document, a roll, rules or a next game, up to ten sentences. */
  problems?: readonly string[];
}

type ErrorClass = new (message?: string, options?: ErrorOptions) => GammonError;

/** One class for all files of the library that a page has. */
export const GammonError = ((globalThis as { [name: symbol]: ErrorClass })[Symbol.for("GammonError")] ??= class extends Error {
  override name = "GammonError";
});

/** An array, or what is like one. @internal */
export type List = ArrayLike<unknown> & Iterable<unknown> & { slice(start: number, end: number): List };

/** The fields of options that have yet to be checked. @internal */
export type Unread<Options> = { readonly [Name in keyof Options]?: unknown };

/** What an error has besides its sentence. @internal */
export type ErrorFacts = Omit<GammonError, keyof Error> & ErrorOptions;

/** @internal */
export function fail(sentence: string, facts?: ErrorFacts): never {
  throw Object.assign(new GammonError(sentence), facts);
}

/** The same function, which throws nothing but errors of ours, also where getters do. @internal */
export const guarded = <Given extends unknown[], Answer>(call: (...given: Given) => Answer) => (...args: Given): Answer => {
  try {
    return call(...args);
  } catch (cause) {
    throw cause instanceof GammonError ? cause : new GammonError("this cannot be read, since reading it fails", { cause });
  }
};

/** @internal */
export const isList = (value: unknown): value is List => Array.isArray(value) || ArrayBuffer.isView(value);
/** @internal */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  ({}).toString.call(value) === "[object Object]";
/** @internal */
export const isInteger = (value: unknown): value is number => Number.isInteger(value);
/** @internal */
export const isWhole = (value: unknown, least: number, most: number): value is number =>
  isInteger(value) && value >= least && value <= most;
/** @internal */
export const isOneOf = <Word>(words: readonly Word[], value: unknown): value is Word =>
  (words as readonly unknown[]).includes(value);

/** A text as messages show it: quoted as in Python, and shortened. @internal */
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

/** A value of anybody in at most a few words. @internal */
export function shown(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (isList(value)) return "a list";
  const kind = typeof value;
  const isPlain = value === null || ["number", "boolean", "undefined"].includes(kind);
  return isPlain ? String(value) : `something of type ${kind}`;
}

/** A value as sentences of the library show it, on one line and shortened. @internal */
export function asInPython(value: unknown, width = 40): string {
  if (typeof value === "string") return quoted(value, width);
  const text = brief(value, width, 0);
  return text.length > width ? `${text.slice(0, width)}...` : text;
}

function brief(value: unknown, width: number, depth: number): string {
  if (value === undefined || value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoted(value, width);
  if (isList(value)) return `[${briefly(value, width, depth, (item) => brief(item, width, depth + 1))}]`;
  if (!isObject(value)) return shown(value);
  const entry = ([name, item]: [string, unknown]) => `${quoted(name, width)}: ${brief(item, width, depth + 1)}`;
  return `{${briefly(Object.entries(value), width, depth, entry)}}`;
}

/** The first items, as many as are shown; deeply nested ones are not. */
function briefly<Item>(items: ArrayLike<Item>, width: number, depth: number, show: (item: Item) => string): string {
  if (depth > 2) return "...";
  let text = "";
  for (let at = 0; at < items.length && text.length <= width; at += 1) {
    text += (at ? ", " : "") + show(items[at]);
  }
  return text;
}

/** What an object has, which is nothing but these. @internal */
export function entriesOf<Name extends string>(value: unknown, what: string, names: readonly Name[]): [Name, unknown][] {
  if (!isObject(value)) fail(`${what} must be an object, not ${shown(value)}`);
  const wrong = Object.keys(value).find((name) => !isOneOf(names, name));
  if (wrong !== undefined) fail(`${what} cannot have ${shown(wrong)}`);
  return Object.entries(value) as [Name, unknown][];
}

/** An array of these numbers, several times as fast as `Array.from`. @internal */
export function numbersOf(view: ArrayLike<number>, start: number, end: number): number[] {
  const numbers = new Array<number>(end - start);
  for (let at = start; at < end; at += 1) numbers[at - start] = view[at];
  return numbers;
}
