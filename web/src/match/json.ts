/** Reading the library's JSON, and everything that is wrong with it. A reader takes a value, its path, and the faults, to
 * which it adds. The sentences are those of json/ in Python, a second time; the tests compare the two. */

import { asInPython, type ErrorFacts, fail, frozen, isInteger, isList, isObject, isOneOf, isWhole } from "../rules/values.js";
import { LEVELS, PLAYERS, quotedBy } from "./terms.js";

/** What it gives is not used if it has added to the faults, and is null where there is nothing of the type. */
export type Reader<Value> = (value: unknown, path: string, faults: Faults) => Value | null;
type Readers<Fields> = { readonly [Name in keyof Fields]: Reader<Fields[Name]> };

const MOST_NAMED = 10; // problems of one error
const LONGEST_MESSAGE = 500;

/** Of several sentences up to ten, as many as fit into one message. */
function fitting(sentences: readonly string[]): readonly string[] {
  let length = -2;
  return frozen(sentences.filter((sentence, at) => {
    length += 2 + sentence.length;
    return at === 0 || (at < MOST_NAMED && length <= LONGEST_MESSAGE);
  }));
}

export function listed(sentences: readonly string[]): string {
  const named = fitting(sentences);
  return named.join("; ") + (named.length < sentences.length ? "; and more" : "");
}

export function refuseProblems(what: string, problems: readonly string[], path = ""): void {
  if (problems.length) fail(`${path}impossible ${what}: ${listed(problems)}`, { problems: fitting(problems) });
}

/** A value in terms of JSON, without its contents. */
export function described(value: unknown): string {
  if (isList(value)) return value.length ? `an array of ${value.length}` : "an empty array";
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return String(value);
  return isObject(value) ? "an object" : asInPython(value);
}

/** Everything that is wrong with a document, each with its path; what cannot be read comes first. */
export class Faults {
  unreadable: string[] = [];
  rejected: string[] = [];
  facts: ErrorFacts = {}; // those of the first that is rejected, where it is a play

  get count(): number {
    return this.unreadable.length + this.rejected.length;
  }

  refuse(): void {
    const sentences = [...this.unreadable, ...this.rejected];
    const facts = this.unreadable.length ? {} : this.facts;
    if (sentences.length) fail(listed(sentences), { ...facts, problems: fitting(sentences) });
  }

  /** What a reader gave, if nothing is wrong. */
  checked<Value>(value: Value | null): Value {
    this.refuse();
    return value as Value;
  }
}

export function cannotRead(sentence: string, path: string, faults: Faults): null {
  faults.unreadable.push(`${path}: ${sentence}`);
  return null;
}

export function whole(value: unknown, path: string, faults: Faults): number | null {
  if (!isInteger(value)) return cannotRead(`expected a whole number, not ${described(value)}`, path, faults);
  if (!Number.isSafeInteger(value)) return cannotRead(`numbers go up to ${Number.MAX_SAFE_INTEGER}`, path, faults);
  return value + 0; // not -0
}

export function truth(value: unknown, path: string, faults: Faults): boolean | null {
  return typeof value === "boolean" ? value : cannotRead(`expected true or false, not ${described(value)}`, path, faults);
}

export function text(value: unknown, path: string, faults: Faults): string | null {
  return typeof value === "string" ? value : cannotRead(`expected a string, not ${described(value)}`, path, faults);
}

export const memberOf = <Word extends string>(words: readonly Word[]): Reader<Word> => (value, path, faults) => {
  if (isOneOf(words, value)) return value;
  return cannotRead(`expected ${quotedBy(" or ", words)}, not ${described(value)}`, path, faults);
};

export const orNull = <Value>(read: Reader<Value>): Reader<Value | null> => (value, path, faults) =>
  (value === null ? null : read(value, path, faults));

export function arrayOf<Item>(read: Reader<Item>, least: number, most: number): Reader<readonly Item[]> {
  const sizes = least === most ? most : `${least} to ${most}`;
  return (value, path, faults) => {
    if (!isList(value)) return cannotRead(`expected an array, not ${described(value)}`, path, faults);
    const { length } = value;
    if (!isWhole(length, least, most)) return cannotRead(`expected an array of ${sizes}, not ${described(value)}`, path, faults);
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
  return isObject(value) ? fieldsOf(value) : cannotRead(`expected an object, not ${described(value)}`, path, faults);
}

const isName = (name: string): boolean => name.length <= 40 && /^[A-Za-z_]\w*$/.test(name);
const fieldOf = (path: string, name: string): string => (isName(name) ? `${path}.${name}` : `${path}[${asInPython(name)}]`);

/** What readers make of the fields of an object, which are exactly these; null if anything is wrong. */
export function readObject<Fields>(value: unknown, path: string, faults: Faults, readers: Readers<Fields>): Fields | null {
  const before = faults.count;
  const fields = membersOf(value, path, faults);
  if (!fields) return null;
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(readers, name));
  for (const name of unknown.slice(0, MOST_NAMED + 1)) cannotRead("there is no such field", fieldOf(path, name), faults);
  if (unknown.length) return null;
  const names = Object.keys(readers) as (keyof Fields & string)[];
  for (const name of names) if (!Object.hasOwn(fields, name)) cannotRead("this field is missing", `${path}.${name}`, faults);
  if (faults.count > before) return null;
  const read: { [Name in keyof Fields]?: Fields[Name] | null } = {};
  for (const name of names) read[name] = readers[name](fields[name], `${path}.${name}`, faults);
  return faults.count > before ? null : (read as Fields);
}

/** A value that was read, if it is possible. */
export function possible<Value>(
  what: string, value: Value | null, problems: readonly string[], path: string, faults: Faults,
): Readonly<Value> | null {
  if (value && problems.length) faults.rejected.push(`${path}: impossible ${what}: ${listed(problems)}`);
  return value && frozen(value);
}

/** The kind that the field "type" names, and the other fields. */
export function tagged<Kind extends string>(
  value: unknown, kinds: readonly Kind[], path: string, faults: Faults,
): { kind: Kind; others: Record<string, unknown> } | null {
  const fields = membersOf(value, path, faults);
  if (!fields) return null;
  const { type, ...others } = fields;
  const place = `${path}.type`;
  const kind = type === undefined ? cannotRead("this field is missing", place, faults) : memberOf(kinds)(type, place, faults);
  return kind && { kind, others };
}

export const PAIR = arrayOf(whole, 2, 2) as Reader<readonly [number, number]>;
export const PLAYER = memberOf(PLAYERS);
export const LEVEL = memberOf(LEVELS);
