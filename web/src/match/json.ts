/** Reading the library's JSON, and everything that is wrong with it. A reader takes a value, its path, and the faults, to
 * which it adds. */

import { fieldOf, missing, problemsOfNumber, refuseProblems, unfit, unknownField } from "../rules/problems.js";
import type { Problem, ProblemReason } from "../rules/types.js";
import { frozen, isInteger, isList, isObject, isOneOf, isWhole } from "../rules/values.js";
import { PLAYERS, VERSION, WIN_KINDS } from "./terms.js";

/** What it gives is not used if it has added to the faults, and is null where there is nothing of the type. */
export type Reader<Value> = (value: unknown, path: string, faults: Faults) => Value | null;
type Readers<Fields> = { readonly [Name in keyof Fields]: Reader<Fields[Name]> };

const MAX_NAMED = 10; // problems of one error

/** Everything that is wrong with a document; what cannot be read comes first. */
export class Faults {
  unreadable: Problem[] = [];
  rejected: Problem[] = [];

  get count(): number {
    return this.unreadable.length + this.rejected.length;
  }

  refuse(): void {
    refuseProblems([...this.unreadable, ...this.rejected]);
  }

  /** Take the faults of a reader, of which those at this path expect this besides. */
  including<Value>(path: string, other: string, read: (own: Faults) => Value): Value {
    const own = new Faults();
    const value = read(own);
    const more = (problem: Problem): Problem =>
      (problem.path === path && problem.expected ? frozen({ ...problem, expected: orElse(problem.expected, other) }) : problem);
    this.unreadable.push(...own.unreadable.map(more));
    this.rejected.push(...own.rejected.map(more));
    return value;
  }

  /** What a reader gave, if nothing is wrong. */
  checked<Value>(value: Value | null): Value {
    this.refuse();
    return value as Value;
  }
}

export function cannotFind(path: string, faults: Faults): null {
  faults.unreadable.push(missing(path));
  return null;
}

export const asIs: Reader<unknown> = (value) => value;

export function cannotRead(path: string, reason: ProblemReason, expected: string, value: unknown, faults: Faults): null {
  faults.unreadable.push(unfit(path, reason, expected, value));
  return null;
}

export function whole(value: unknown, path: string, faults: Faults): number | null {
  if (!isInteger(value)) return cannotRead(path, "type", "whole number", value, faults);
  const maximum = Number.MAX_SAFE_INTEGER;
  if (!Number.isSafeInteger(value)) return cannotRead(path, "range", `whole number from ${-maximum} to ${maximum}`, value, faults);
  return value + 0; // not -0
}

/** A whole number of some kind; one of another kind is refused later, with what it is part of. */
export const wholeLike = (problemsOf: (path: string, value: unknown) => Problem[]): Reader<number> => (value, path, faults) => {
  if (isInteger(value) && Number.isSafeInteger(value)) return value + 0; // not -0
  faults.unreadable.push(...problemsOf(path, value));
  return null;
};

export const wholeFrom = (minimum: number, maximum: number): Reader<number> =>
  wholeLike((path, value) => problemsOfNumber(path, value, minimum, maximum));

export const truth: Reader<boolean> = (value, path, faults) =>
  (typeof value === "boolean" ? value : cannotRead(path, "type", "boolean", value, faults));

export const text: Reader<string> = (value, path, faults) =>
  (typeof value === "string" ? value : cannotRead(path, "type", "string", value, faults));

/** Choices as a message names them. */
export function oneOf(choices: readonly string[]): string {
  const quotes = choices.map((choice) => `"${choice}"`);
  const last = quotes.pop();
  return quotes.length ? `${quotes.join(", ")} or ${last}` : `${last}`;
}

/** What is expected, or another choice. */
export const orElse = (expected: string, other: string): string => `${expected.replace(/ or (?=\S+$)/, ", ")} or ${other}`;

export const memberOf = <Choice extends string>(choices: readonly Choice[]): Reader<Choice> => (value, path, faults) =>
  (isOneOf(choices, value) ? value : cannotRead(path, "choice", oneOf(choices), value, faults));

export function readVersion(value: unknown, path: string, faults: Faults): number | null {
  if (value === undefined) return cannotFind(path, faults);
  return isWhole(value, 1, VERSION) ? value : cannotRead(path, "version", `version 1 to ${VERSION}`, value, faults);
}

export const orNull = <Value>(read: Reader<Value>): Reader<Value | null> => (value, path, faults) =>
  (value === null ? null : faults.including(path, "null", (own) => read(value, path, own)));

export function arrayOf<Item>(read: Reader<Item>, length: number, items = ""): Reader<readonly Item[]> {
  const expected = `array of ${length}${items}`;
  return (value, path, faults) => {
    if (!isList(value)) return cannotRead(path, "type", expected, value, faults);
    if (value.length !== length) return cannotRead(path, "size", expected, value, faults);
    return frozen(Array.from({ length }, (_, at) => read(value[at], `${path}[${at}]`, faults)) as Item[]);
  };
}

/** The fields of an object, each read once, but those that are undefined, which JSON has not. */
export function fieldsOf(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const item = value[name];
    // an assignment to this name would be something else
    if (name === "__proto__") Object.defineProperty(fields, name, { value: item, enumerable: true });
    else if (item !== undefined) fields[name] = item;
  }
  return fields;
}

export function membersOf(value: unknown, path: string, faults: Faults): Record<string, unknown> | null {
  return isObject(value) ? fieldsOf(value) : cannotRead(path, "type", "object", value, faults);
}

/** What readers make of the fields of an object, which are exactly these; null if anything is wrong. */
export function readObject<Fields>(value: unknown, path: string, faults: Faults, readers: Readers<Fields>): Fields | null {
  const before = faults.count;
  const fields = membersOf(value, path, faults);
  if (!fields) return null;
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(readers, name));
  for (const name of unknown.slice(0, MAX_NAMED + 1)) faults.unreadable.push(unknownField(fieldOf(path, name), fields[name]));
  if (unknown.length) return null;
  const names = Object.keys(readers) as (keyof Fields & string)[];
  for (const name of names) if (!Object.hasOwn(fields, name)) cannotFind(`${path}.${name}`, faults);
  if (faults.count > before) return null;
  const read: { [Name in keyof Fields]?: Fields[Name] | null } = {};
  for (const name of names) read[name] = readers[name](fields[name], `${path}.${name}`, faults);
  return faults.count > before ? null : (read as Fields);
}

/** A value that was read, if nothing is wrong with it. */
export function checked<Value>(value: Value | null, problemsOf: (value: Value) => Problem[], faults: Faults): Value | null {
  if (value) faults.rejected.push(...problemsOf(frozen(value) as Value));
  return value;
}

/** The kind that the field "type" names, and the other fields. */
export function tagged<Kind extends string>(
  value: unknown, kinds: readonly Kind[], path: string, faults: Faults,
): { kind: Kind; others: Record<string, unknown> } | null {
  const fields = membersOf(value, path, faults);
  if (!fields) return null;
  const { type, ...others } = fields;
  const place = `${path}.type`;
  const kind = type === undefined ? cannotFind(place, faults) : memberOf(kinds)(type, place, faults);
  return kind && { kind, others };
}

export const PAIR = arrayOf(whole, 2) as Reader<readonly [number, number]>;
export const PLAYER = memberOf(PLAYERS);
export const WIN_KIND = memberOf(WIN_KINDS);
