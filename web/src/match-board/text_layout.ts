/** Texts in a picture: how wide they are, and how they fit. */

const NARROW = "fijlrtIJ .,:;'!|()[]-";
const WIDE = "mwMW@%";
const ISOLATES = "\u2068\u2069"; // around names from right to left

/** The width of a text in a wide bold font of the usual size, at most. */
export const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + widest(letter), 0);

function widest(letter: string): number {
  if (NARROW.includes(letter)) return 7;
  if (ISOLATES.includes(letter)) return 10; // as draw.svg counts them
  if (WIDE.includes(letter) || letter > "\u1100") return 15;
  return letter === letter.toLowerCase() ? 10 : 11;
}

/** A text in lines of at most this width, if it has spaces, and of about the same. */
export function broken(text: string, limit: number): string[] {
  const rows = Math.ceil(widthOf(text) / limit);
  const longest = rows > 1 ? Math.floor(widthOf(text) / rows) + 40 : limit;
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (!lines.at(-1) || widthOf(longer) <= longest) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A name, or its beginning. */
export function cutTo(name: string, limit: number, length: (text: string) => number): string {
  if (length(name) <= limit) return name;
  const letters = [...name];
  while (length(letters.join("")) > limit - length("…")) letters.pop();
  return `${letters.join("")}…`;
}

export const capitalized = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
