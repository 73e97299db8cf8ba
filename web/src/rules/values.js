/** Errors of the library, what counts as a list or a whole number, and values as sentences show them. */

export const frozen = Object.freeze;

/** One class for all files of the library that a page has. */
export const GammonError = (globalThis[Symbol.for("GammonError")] ??= class extends Error {
  name = "GammonError";
});

export function fail(sentence, facts) {
  throw Object.assign(new GammonError(sentence), facts);
}

/** The same function, which throws nothing but errors of ours, also where getters do. */
export const guarded = (call) => (...args) => {
  try {
    return call(...args);
  } catch (cause) {
    throw cause instanceof GammonError ? cause : new GammonError("this cannot be read, since reading it fails", { cause });
  }
};

export const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);
export const isObject = (value) => ({}).toString.call(value) === "[object Object]";
export const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

/** A text as messages show it: quoted as in Python, and shortened. */
export function quoted(text, width = 40) {
  const signs = [...text.slice(0, 3 * width)].slice(0, width + 1);
  const quote = signs.includes("'") && !signs.includes(`"`) ? `"` : "'";
  const whole = [...quote + signs.map((sign) => (sign === quote ? `\\${quote}` : escaped(sign))).join("") + quote];
  return whole.slice(0, width).join("") + (whole.length > width ? "..." : "");
}

/** A sign as it is if it can be seen, or else its number. */
function escaped(sign) {
  if ("\\\n\r\t".includes(sign)) return JSON.stringify(sign).slice(1, -1);
  if (sign === " " || !/[\p{C}\p{Z}]/u.test(sign)) return sign;
  const digits = sign.codePointAt().toString(16);
  const form = ["x00", "u0000", "U00000000"].find(({ length }) => length > digits.length);
  return `\\${form.slice(0, -digits.length)}${digits}`;
}

/** A value of anybody in at most a few words. */
export function shown(value) {
  if (typeof value === "string") return quoted(value);
  if (isList(value)) return "a list";
  const kind = typeof value;
  const isPlain = value === null || ["number", "boolean", "undefined"].includes(kind);
  return isPlain ? String(value) : `something of type ${kind}`;
}

/** A value as sentences of the library show it, on one line and shortened. */
export function asInPython(value, width = 40) {
  if (typeof value === "string") return quoted(value, width);
  const text = brief(value, width, 0);
  return text.length > width ? `${text.slice(0, width)}...` : text;
}

function brief(value, width, depth) {
  if (value === undefined || value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoted(value, width);
  if (isList(value)) return `[${briefly(value, width, depth, (item) => brief(item, width, depth + 1))}]`;
  if (!isObject(value)) return shown(value);
  const entry = ([name, item]) => `${quoted(name, width)}: ${brief(item, width, depth + 1)}`;
  return `{${briefly(Object.entries(value), width, depth, entry)}}`;
}

/** The first items, as many as are shown; deeply nested ones are not. */
function briefly(items, width, depth, show) {
  if (depth > 2) return "...";
  let text = "";
  for (let at = 0; at < items.length && text.length <= width; at += 1) {
    text += (at ? ", " : "") + show(items[at]);
  }
  return text;
}

/** What an object has, which is nothing but these. */
export function entriesOf(value, what, names) {
  if (!isObject(value)) fail(`${what} must be an object, not ${shown(value)}`);
  const wrong = Object.keys(value).find((name) => !names.includes(name));
  if (wrong !== undefined) fail(`${what} cannot have ${shown(wrong)}`);
  return Object.entries(value);
}

/** An array of these numbers, several times as fast as `Array.from`. */
export function numbersOf(view, start, end) {
  const numbers = new Array(end - start);
  for (let at = start; at < end; at += 1) numbers[at - start] = view[at];
  return numbers;
}
