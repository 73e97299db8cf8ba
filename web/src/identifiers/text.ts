/** An XGID found in a text as people paste it, with codes, tags and words around it: _shared/pasted_text.py and
 * identifier_text.py, a second time. */

import { FIELDS, SLOTS } from "./fields.js";
import { fail, quoted, refuse, unfit, unwrapped } from "./internals.js";

const MAX_TEXT_LENGTH = 10_000; // characters of a text around one
const OPENING = `[ *_\`"'<([|]*`; // around a label and its sign
const LABELS: Readonly<Record<string, string>> = {
  XGID: "XGID",
  OGID: "OGID",
  "gnubg ID": "GNU[ _-]?(?:BG|Backgammon)?[ _-]?ID",
  "Position ID": "Pos(?:ition)?[ _-]?ID",
  "Match ID": "Match[ _-]?ID",
};
const label = (pattern: string): string => `(?:${pattern})(?![A-Z0-9+/-])(?=(?<sign>${OPENING}[:=]?${OPENING}))\\k<sign>`;
const ANY_LABEL = label(Object.values(LABELS).join("|"));
// all fields, whatever they say, with the same blanks around each colon
const FORM = "[-A-O]{26}(?<colon> ?: ?)(?:[-0-9A-Z]{0,10}\\k<colon>){8}\\d{1,10}(?![0-9A-Z])";
const WHOLE = new RegExp(`(?:(?:^|[^A-Z0-9])(?<label>${ANY_LABEL})|^|[^A-Z0-9-])(?<form>${FORM})(?<rest>(?::[-0-9A-Z:]*)?)`, "gi");
const BEGINNING = new RegExp(`(?<before>^|[^A-Z0-9])${label(LABELS.XGID)}[^ :=]{9,60} ?:`, "i");
// codes, tags and words around one: _shared/pasted_text.py and identifier_text.py
const IN_TAGS = /["'<>[\]]/g;
const WORD = /^[^ "'`<>()[\]{}#|,;]*/;
const DASHED = /[-a-oA-O\u2013\u2014]{9,26}(?= ?:)/g; // a board in which some dashes stand for several hyphens
const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&", apos: "'", colon: ":", equals: "=", gt: ">", lt: "<", mdash: "\u2014", minus: "-", nbsp: " ", ndash: "\u2013", plus: "+",
  quot: '"', sol: "/",
};
const NUMBER = "#0{0,5}(\\d{2,4})|#x0{0,5}(2?[0-9a-f]{2,3})";
const ENTITY = new RegExp(`&(?:amp;)*(?:(${Object.keys(ENTITIES).join("|")})|${NUMBER});`, "gi");
const TAG_NAME = "[a-z](?:[a-z0-9]{0,9}|[a-z0-9]{0,20}-[a-z0-9-]{0,20})";
const TAG = new RegExp(`<[!/]?${TAG_NAME}(?: [^<>]*)?/?>|\\[/?[a-z]{1,10}(?:=[^[\\]]*)?\\]`, "gi");

/** The fields of the XGID in a text, and what follows them. */
export function valuesIn(text: unknown): string[] {
  if (typeof text !== "string") return refuse([unfit("text", "type", "string", text)]);
  const count = text.length > MAX_TEXT_LENGTH ? [...text].length : 0;
  if (count > MAX_TEXT_LENGTH) fail(`XGID: the text has ${count.toLocaleString("en")} characters, more than 10,000`);
  const word = wordIn(text);
  const values = word ? word.split(":") : [];
  if (values.length >= FIELDS.length) return values;
  return fail(`XGID: expected ${FIELDS.length} fields with colons between them, not ${values.length}`);
}

/** The XGID of a text without blanks; the first word if there is no whole one. */
function wordIn(text: string): string {
  const words = wordsAround(text);
  const found = [...words.matchAll(WHOLE)];
  const forms = found.map((one) => partsOf(one).form.replaceAll(" ", ""));
  const [first, second] = new Set(forms);
  if (second) fail(`XGID: the text has several that differ: ${quoted(first, 60)} and ${quoted(second, 60)}`);
  const [whole] = found;
  const begun = BEGINNING.exec(words);
  if (whole && !(begun && begun.index < whole.index)) {
    const { label = "", rest } = partsOf(whole);
    return withoutLabel(label + first + rest);
  }
  const start = begun ? begun.index + partsOf(begun).before.length : 0;
  const [word] = withoutLabel(words.slice(start)).match(WORD) ?? [""];
  return unwrapped(`x${word}`).slice(1); // only its end
}

/** Those that a pattern names. */
const partsOf = ({ groups }: RegExpMatchArray) => groups!;

/** The text in plain signs, without the codes and tags of pages; one that has the XGID in an attribute stays. */
function wordsAround(text: string): string {
  const plain = unwrapped(`x${uncoded(text).replace(DASHED, withHyphens)}x`).slice(1, -1); // with what is around it
  const isKept = (tag: string) => tag.search(WHOLE) >= 0 || BEGINNING.test(tag);
  const bare = plain.replace(TAG, (tag) => (isKept(tag) ? tag.replace(IN_TAGS, " ") : " "));
  return unwrapped(bare.trim() ? bare : plain);
}

function uncoded(text: string): string {
  return text
    .replace(/%(?:25)*([0-7][0-9A-F])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(ENTITY, (_, name?: string, decimal?: string, code?: string) => (
      name ? ENTITIES[name.toLowerCase()] : String.fromCharCode(Number(decimal ?? `0x${code}`))))
    .replaceAll("&", " ");
}

/** A board with the hyphens for which its dashes stand, if there is one way in which these make it complete. */
function withHyphens(dashed: string): string {
  const boards = new Set<string>();
  for (const short of ["-", "--"]) {
    for (const long of ["-", "--", "---"]) {
      boards.add(dashed.replaceAll("\u2013", short).replaceAll("\u2014", long));
    }
  }
  const whole = [...boards].filter((board) => board.length === SLOTS);
  return whole.length === 1 ? whole[0] : dashed;
}

function withoutLabel(text: string): string {
  for (const [name, pattern] of Object.entries(LABELS)) {
    const begun = new RegExp(`^(?:GNU Backgammon )?${label(pattern)}`, "i").exec(text);
    if (begun && name !== "XGID") fail(`XGID: by its label the text is another identifier, ${name}`);
    if (begun) return text.slice(begun[0].length);
  }
  return text;
}
