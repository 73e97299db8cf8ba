/** Reading the library's JSON, and everything that is wrong with it. A reader takes a value, its path, and the faults, to
 * which it adds. The sentences are those of json/ in Python, a second time; the tests compare the two. */

import { asInPython, fail, frozen, isList, isObject, isWhole } from "../rules/values.js";
import { LEVELS, PLAYERS, quotedBy } from "./terms.js";

const MOST_NAMED = 10; // problems of one error
const LONGEST_MESSAGE = 500;

/** Of several sentences up to ten, as many as fit into one message. */
function fitting(sentences) {
  let length = -2;
  return frozen(sentences.filter((sentence, at) => {
    length += 2 + sentence.length;
    return at === 0 || (at < MOST_NAMED && length <= LONGEST_MESSAGE);
  }));
}

export function listed(sentences) {
  const named = fitting(sentences);
  return named.join("; ") + (named.length < sentences.length ? "; and more" : "");
}

export function refuseProblems(what, problems, path = "") {
  if (problems.length) fail(`${path}impossible ${what}: ${listed(problems)}`, { problems: fitting(problems) });
}

/** A value in terms of JSON, without its contents. */
export function described(value) {
  if (isList(value)) return value.length ? `an array of ${value.length}` : "an empty array";
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return String(value);
  return isObject(value) ? "an object" : asInPython(value);
}

/** Everything that is wrong with a document, each with its path; what cannot be read comes first. */
export class Faults {
  unreadable = [];
  rejected = [];
  facts = {}; // those of the first that is rejected, where it is a play

  get count() {
    return this.unreadable.length + this.rejected.length;
  }

  refuse() {
    const sentences = [...this.unreadable, ...this.rejected];
    const facts = this.unreadable.length ? {} : this.facts;
    if (sentences.length) fail(listed(sentences), { ...facts, problems: fitting(sentences) });
  }
}

export const cannotRead = (sentence, path, faults) => { faults.unreadable.push(`${path}: ${sentence}`); };

export function whole(value, path, faults) {
  if (!Number.isInteger(value)) cannotRead(`expected a whole number, not ${described(value)}`, path, faults);
  else if (!Number.isSafeInteger(value)) cannotRead(`numbers go up to ${Number.MAX_SAFE_INTEGER}`, path, faults);
  return value + 0; // not -0
}

export function truth(value, path, faults) {
  if (typeof value !== "boolean") cannotRead(`expected true or false, not ${described(value)}`, path, faults);
  return value;
}

export function text(value, path, faults) {
  if (typeof value !== "string") cannotRead(`expected a string, not ${described(value)}`, path, faults);
  return value;
}

export const memberOf = (words) => (value, path, faults) => {
  if (!words.includes(value)) cannotRead(`expected ${quotedBy(" or ", words)}, not ${described(value)}`, path, faults);
  return value;
};

export const orNull = (read) => (value, path, faults) => (value === null ? null : read(value, path, faults));

export const arrayOf = (read, least, most) => (value, path, faults) => {
  const sizes = least === most ? most : `${least} to ${most}`;
  const expected = isList(value) ? `an array of ${sizes}` : "an array";
  const length = isList(value) ? value.length : -1;
  if (isWhole(length, least, most)) {
    return frozen(Array.from({ length }, (_, at) => read(value[at], `${path}[${at}]`, faults)));
  }
  cannotRead(`expected ${expected}, not ${described(value)}`, path, faults);
  return null;
};

/** The fields of an object, each read once, but those that are undefined, which JSON has not. */
export function fieldsOf(value) {
  const fields = {};
  for (const name of Object.keys(value)) {
    const item = value[name];
    // an assignment to this name would be something else
    if (name === "__proto__") Object.defineProperty(fields, name, { value: item, enumerable: true });
    else if (item !== undefined) fields[name] = item;
  }
  return fields;
}

export function membersOf(value, path, faults) {
  if (isObject(value)) return fieldsOf(value);
  cannotRead(`expected an object, not ${described(value)}`, path, faults);
  return null;
}

const isName = (name) => name.length <= 40 && /^[A-Za-z_]\w*$/.test(name);
const fieldOf = (path, name) => (isName(name) ? `${path}.${name}` : `${path}[${asInPython(name)}]`);

/** What readers make of the fields of an object, which are exactly these; null if anything is wrong. */
export function readObject(value, path, faults, readers) {
  const before = faults.count;
  const fields = membersOf(value, path, faults);
  if (!fields) return null;
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(readers, name));
  for (const name of unknown.slice(0, MOST_NAMED + 1)) cannotRead("there is no such field", fieldOf(path, name), faults);
  if (unknown.length) return null;
  const names = Object.keys(readers);
  for (const name of names) if (!Object.hasOwn(fields, name)) cannotRead("this field is missing", `${path}.${name}`, faults);
  if (faults.count > before) return null;
  const read = {};
  for (const name of names) read[name] = readers[name](fields[name], `${path}.${name}`, faults);
  return faults.count > before ? null : read;
}

/** A value that was read, if it is possible. */
export function possible(what, value, problems, path, faults) {
  if (value && problems.length) faults.rejected.push(`${path}: impossible ${what}: ${listed(problems)}`);
  return value && frozen(value);
}

/** The kind that the field "type" names, and the other fields. */
export function tagged(value, kinds, path, faults) {
  const fields = membersOf(value, path, faults);
  if (!fields) return {};
  const { type: kind, ...others } = fields;
  if (kind === undefined) cannotRead("this field is missing", `${path}.type`, faults);
  else memberOf(kinds)(kind, `${path}.type`, faults);
  return { kind, others };
}

export const PAIR = arrayOf(whole, 2, 2);
export const PLAYER = memberOf(PLAYERS);
export const LEVEL = memberOf(LEVELS);
