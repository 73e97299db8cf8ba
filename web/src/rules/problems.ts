/** What is wrong with values that programs give, as data; one function makes the message of them. */

import type { Problem, ProblemReason } from "./types.js";
import {
  type ErrorDetails, fail, frozen, GammonError, isInteger, isList, isObject, isOneOf, isWhole, tagOf,
} from "./values.js";

const MAX_LISTED = 10; // problems of one error
const MAX_MESSAGE_LENGTH = 500;
const MAX_PATH_LENGTH = 80; // in a message
const MAX_TEXT_LENGTH = 40; // of a value in a message
const MAX_ESCAPE_LENGTH = 6; // characters
const DESCRIPTIONS: { readonly [reason in ProblemReason]?: string } = {
  missing: "missing",
  unknown_field: "unknown field",
  unreadable: "reading it fails",
};

/** A value that is not what is expected. @internal */
export const unfit = (path: string, reason: ProblemReason, expected: string, value: unknown): Problem =>
  frozen({ path, reason, expected, value });
/** A value that contradicts itself. @internal */
export const impossible = (path: string, message: string, value: unknown): Problem =>
  frozen({ path, reason: "impossible", message, value });
/** @internal */
export const missing = (path: string): Problem => frozen({ path, reason: "missing" });
/** @internal */
export const unknownField = (path: string, value: unknown): Problem => frozen({ path, reason: "unknown_field", value });

/** What is wrong with a number that has bounds. @internal */
export function problemsOfNumber(path: string, value: unknown, minimum: number, maximum: number, others = ""): Problem[] {
  if (isWhole(value, minimum, maximum)) return [];
  return [unfit(path, isInteger(value) ? "range" : "type", `whole number from ${minimum} to ${maximum}${others}`, value)];
}

/** Throw an error with these problems. @internal */
export function refuse(problems: readonly Problem[], details?: ErrorDetails): never {
  return fail(messageOf(problems), { ...details, problems: frozen(problems.slice(0, MAX_LISTED)) });
}

/** The same if there are any. @internal */
export function refuseProblems(problems: readonly Problem[], details?: ErrorDetails): void {
  if (problems.length) refuse(problems, details);
}

/** What a call gives that reads the value at this path, if it can be read: getters and Proxies may throw anything. @internal */
export function reading<Answer>(path: string, read: () => Answer): Answer {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof GammonError) throw cause;
    const [argument] = path.split("."); // within it nobody knows the place
    return refuse([frozen({ path: argument, reason: "unreadable" })], { cause });
  }
}

/** As many of the problems as fit into a message. */
function messageOf(problems: readonly Problem[]): string {
  let message = "";
  for (const [at, problem] of problems.entries()) {
    const longer = message + (at ? "; " : "") + describeProblem(problem);
    if (at && (at === MAX_LISTED || longer.length > MAX_MESSAGE_LENGTH)) return `${message}; and more`;
    message = longer;
  }
  return message;
}

function describeProblem({ path, reason, expected, message, value }: Problem): string {
  const description = DESCRIPTIONS[reason] ?? message ?? `expected ${expected}, not ${described(value, expected)}`;
  return `${shortened(path, MAX_PATH_LENGTH)}: ${description}`;
}

/** A text in JSON that is not too long; no sign and no escape in it is cut. */
function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let beginning = "";
  for (const [sign] of text.slice(0, longest + MAX_ESCAPE_LENGTH).matchAll(/\\u[\da-f]{4}|\\.|./gsu)) {
    if (beginning.length + sign.length > longest) break;
    beginning += sign;
  }
  return `${beginning}...`;
}

/** A value in terms of JSON, without what it contains. */
function described(value: unknown, expected = ""): string {
  if (typeof value === "string") return shortened(inJson(value.slice(0, MAX_TEXT_LENGTH)), MAX_TEXT_LENGTH);
  if (value === undefined) return "nothing";
  if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value !== "object") return typeof value;
  try {
    if (isList(value)) return value.length ? `array of ${value.length}` : "empty array";
    if (tagOf(value) === "[object Promise]") return "Promise"; // as of an async function
    return expected.startsWith("object") && !isObject(value) ? "object of a class" : "object";
  } catch {
    return "object"; // whose parts cannot be read
  }
}

/** A text as JSON has it, on one line. */
const inJson = (text: string): string =>
  JSON.stringify(text).replace(/(?! )[\p{C}\p{Z}]/gu, (sign) =>
    sign.split("").map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""));

/** The path of a field. @internal */
export const fieldOf = (path: string, name: string): string =>
  (/^[A-Za-z_]\w*$/.test(name) ? `${path}.${name}` : `${path}[${inJson(name)}]`);

/** What an object has, which is nothing but these; what is undefined, it has not. @internal */
export function entriesOf<Name extends string>(value: unknown, path: string, names: readonly Name[]): [Name, unknown][] {
  if (!isObject(value)) refuse([unfit(path, "type", "object", value)]);
  const entries: [Name, unknown][] = [];
  const problems: Problem[] = [];
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    if (isOneOf<string>(names, name)) entries.push([name as Name, item]);
    else problems.push(unknownField(fieldOf(path, name), item));
  }
  refuseProblems(problems);
  return entries;
}

/** Options, each read once, of which a call has nothing but these. @internal */
export const optionsOf = <Name extends string>(
  value: unknown, names: readonly Name[], path = "options",
): { readonly [name in Name]?: unknown } => reading(path, () => {
  const options: { [name in Name]?: unknown } = {};
  for (const [name, item] of entriesOf(value, path, names)) options[name] = item;
  return options;
});
