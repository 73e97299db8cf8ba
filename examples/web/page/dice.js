// Whether the dice of a match follow from the secret and the numbers, as docs/how-to/web-game.md states it.

export const drawNumber = () => String(crypto.getRandomValues(new BigUint64Array(1))[0]);

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Two dice: of the bytes below 252, the first two. */
async function throwOf(key, text) {
  const dice = [];
  for (let block = 0; dice.length < 2; block += 1) {
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${text}:${block}`)));
    dice.push(...[...bytes].filter((byte) => byte < 252).map((byte) => (byte % 6) + 1));
  }
  return dice.slice(0, 2);
}

/** The number of the first throw that does not follow, or -1 for a wrong secret; null if all is right. */
export async function firstWrong({ hash, secret, numbers, throws }) {
  if (hexOf(await crypto.subtle.digest("SHA-256", bytesOf(secret))) !== hash) return -1;
  const key = await crypto.subtle.importKey("raw", bytesOf(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (const [at, thrown] of throws.entries()) {
    const dice = await throwOf(key, [...numbers, at].join(":"));
    const text = thrown.includes("-") ? dice.join("-") : dice.sort().reverse().join(""); // White's first, or the higher
    if (text !== thrown) return at;
  }
  return null;
}
