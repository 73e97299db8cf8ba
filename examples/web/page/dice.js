// The page's side of the dice, as docs/how-to/web-game.md states it: what it says, what it keeps, and whether all of it fits.

const SIDES = ["white", "black"];
const textBytes = (text) => new TextEncoder().encode(text);
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
const hashOf = async (bytes) => hexOf(await crypto.subtle.digest("SHA-256", bytes));
export const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
export const drawNumber = (digits) => Array.from(crypto.getRandomValues(new Uint8Array(digits)), (byte) => byte % 10).join("");

/** What binds a side to its number: its hash, or the number itself where the browser makes no hashes. */
const bindingOf = async (side, number) => (crypto.subtle ? hashOf(textBytes(`${side}:${number}`)) : number);

/** What is kept of a table: hashes as they were first seen, and each throw, or all that it was said to be. */
export function witnessed(before, dice, told) {
  const { hash = dice.hash, bindings = [], number, throws = {} } = before ?? {};
  for (const { throw: at, do: how, argument } of told.filter((event) => event.throw !== undefined)) {
    const text = how === "roll" ? argument : argument.join("-");
    if (!throws[at]?.split(" ").includes(text)) throws[at] = throws[at] ? `${throws[at]} ${text}` : text;
  }
  return { hash, number, throws, bindings: SIDES.map((_, at) => bindings[at] ?? dice.hashes[at] ?? dice.numbers[at]) };
}

/** What this side is to send now: what binds it, and, once the other is bound, the number. */
export async function nextWord({ hashes, numbers }, { number, bindings }, side) {
  const at = SIDES.indexOf(side);
  if (number === undefined || numbers[at]) return [];
  const own = await bindingOf(side, number);
  if (!hashes[at]) return ["bind", own];
  return [own, number].includes(bindings[at]) && bindings[1 - at] ? ["number", number] : [];
}

/** Two dice: of the bytes below 252, the first two. */
async function throwOf(key, text) {
  const dice = [];
  for (let block = 0; dice.length < 2; block += 1) {
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, textBytes(`${text}:${block}`)));
    dice.push(...[...bytes].filter((byte) => byte < 252).map((byte) => (byte % 6) + 1));
  }
  return dice.slice(0, 2);
}

/** What the proof of the server is worth, by what was kept: a word of the page, with its fields. */
export async function verdict({ hash, secret, numbers, throws }, kept, side) {
  if (hash !== kept.hash || (await hashOf(bytesOf(secret))) !== kept.hash) return ["wrong_secret", { secret }];
  const count = Math.max(throws.length, ...Object.keys(kept.throws).map((at) => Number(at) + 1));
  if (!count) return ["no_throws"];
  for (const [at, binding] of kept.bindings.entries()) {
    const fits = [null, numbers[at], await bindingOf(SIDES[at], numbers[at])].includes(binding);
    if (!fits || (SIDES[at] === side && ![undefined, numbers[at]].includes(kept.number))) return ["wrong_number", { number: numbers[at] }];
  }
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let at = 0; at < count; at += 1) {
    const dice = await throwOf(key, [...numbers, at].join(":"));
    const shown = `${throws[at]} ${kept.throws[at] ?? throws[at]}`.split(" "); // one that was taken back may be an opening later
    if (shown.some((text) => text !== (text.includes("-") ? dice.join("-") : [...dice].sort().reverse().join("")))) return ["wrong_throw", { number: at + 1, secret }];
  }
  const seen = Object.keys(kept.throws).length;
  if (seen < count) return ["unseen_throws", { count, seen }];
  return [kept.number === undefined ? "unseen_numbers" : "proved", { count, secret }];
}
