// The side of the page for the dice of provable_dice.py, where the rules are.
// `python examples/provable_dice.py | node examples/provable_dice.mjs` checks 20 rolls.
// A browser has `crypto.subtle` only on pages with HTTPS, and on localhost.

const bytesOf = (text) => new TextEncoder().encode(text);
const bytesOfHex = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));

async function hashOf(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A number for a new match. Show it only when you have seen both hashes. */
export const drawNumber = () => crypto.getRandomValues(new Uint8Array(40)).map((byte) => byte % 10).join("");

/** The hash to send first; `player` is "white" or "black". */
export const hashOfNumber = (player, number) => hashOf(bytesOf(`${player}:${number}`));

async function diceOf(key, { white, black }, n) {
  const dice = [];
  for (let block = 0; dice.length < 2; block += 1) {
    const message = bytesOf(`${white}:${black}:${n}:${block}`);
    const bytes = new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
    for (const byte of bytes) if (byte < 252) dice.push((byte % 6) + 1);
  }
  return dice.slice(0, 2);
}

/** The first part that is missing or malformed, or undefined. */
function unusablePart(seen, proof) {
  const isText = (value) => typeof value === "string";
  const hasBoth = (texts) => isText(texts?.white) && isText(texts.black);
  const usable = {
    "seen.secretHash": isText(seen?.secretHash),
    "seen.hashes": hasBoth(seen?.hashes),
    "seen.rolls": Array.isArray(seen?.rolls) && seen.rolls.every(Array.isArray),
    "proof.secret": isText(proof?.secret) && /^([0-9a-f]{2})+$/.test(proof.secret),
    "proof.numbers": hasBoth(proof?.numbers),
  };
  return Object.keys(usable).find((part) => !usable[part]);
}

/**
 * What is wrong with the dice of a match, or null.
 *
 * `seen` is what the page kept during the match: `secretHash` and `hashes` as they were before the first number was
 * shown, and all `rolls` in their order. `proof` is what the server shows afterwards: `secret` and both `numbers`.
 */
export async function faultOf(seen, proof) {
  const part = unusablePart(seen, proof);
  if (part) return `The proof is incomplete: ${part} is missing or malformed.`;
  const { secretHash, hashes, rolls } = seen;
  const { secret, numbers } = proof;
  const secretBytes = bytesOfHex(secret);
  if ((await hashOf(secretBytes)) !== secretHash) return "The server's secret does not match its hash.";
  for (const player of ["white", "black"]) {
    const hash = await hashOfNumber(player, numbers[player]);
    if (hash !== hashes[player]) return `The number of ${player} does not match its hash.`;
  }
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secretBytes, algorithm, false, ["sign"]);
  for (const [n, roll] of rolls.entries()) {
    const dice = await diceOf(key, numbers, n);
    if (String(dice) !== String(roll)) return `Roll ${n} must be ${dice.join("-")}, not ${roll.join("-")}.`;
  }
  return null;
}

async function checkInput() {
  const { json } = await import("node:stream/consumers");
  try {
    const match = await json(process.stdin);
    return (await faultOf(match?.seen, match?.proof)) ?? `All ${match.seen.rolls.length} rolls are right.`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `The input is not JSON: ${error.message}`;
  }
}

if (globalThis.process?.argv[1]?.endsWith("provable_dice.mjs")) console.log(await checkInput());
