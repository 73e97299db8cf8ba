/** Text as people paste it: _shared/pasted_text.py, a second time. */

export const MARKS = `)(* _\`"'<[>]~{}`; // around an identifier
const SIGNS = {
  "-": "\u2010-\u2015\u2212\ufe58\ufe63",
  "/": "\u2044\u2215\u2192\u21d2\u2794\u279c-\u279e\u27a1\u27f6",
  "*": "\u2217\u204e",
  '"': "\u201c-\u201f\u00ab\u00bb",
  "'": "\u2018-\u201b\u2039\u203a",
  "": "\u00ad\u200b-\u200f\u202a-\u202c\u2060\u2066-\u2069\ufe0e\ufe0f\ufeff",
  " ": "\\s\x1c-\x1f\x85",
};

const WIDE = /[\uff01-\uff5e]/g; // the full-width forms of ASCII

/** The text with the signs of a keyboard, and single blanks between its words. */
export function plainSigns(text: string): string {
  const isPlain = /^[!-~]+( [!-~]+)*$/.test(text); // as nearly all are
  return isPlain ? text : withSigns(text).split(" ").filter(Boolean).join(" ");
}

function withSigns(text: string): string {
  let plain = text.replace(WIDE, (wide) => wide.normalize("NFKC"));
  for (const [sign, others] of Object.entries(SIGNS)) plain = plain.replace(new RegExp(`[${others}]`, "g"), sign);
  return plain;
}

/** A text without any of these signs around it, nor what ends a sentence behind it. */
export function within(text: string, signs: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && signs.includes(text[start])) start += 1;
  while (start < end && (signs + ".,;!?").includes(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/** A text in plain signs, without quotes, brackets and Markdown around it. */
export const unwrapped = (text: string): string => within(plainSigns(text), MARKS);
