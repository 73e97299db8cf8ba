/** The opponent in WebAssembly, and its weights. */

import code from "opponent.wasm";
import { high, low } from "selftaught.bin";
import type { MatchState } from "../match/index.js";
import { bytesIn, bytesOf, compiled } from "./internals.js";

/** What is used of opponent.wasm, by the names of docs/reference/abi.md. */
interface OpponentExports {
  readonly memory: WebAssembly.Memory;
  match(): number;
  board(): number;
  weights(): number;
  read_weights(size: number): number;
  decide(level: number, strength: number, random: number): number;
  also(): number;
  candidates(level: number): number;
  cube(level: number): number;
  looked_at(): number;
  order(): number;
  equities(): number;
  chances(): number;
}

let loaded: OpponentExports | null = null;

/** What the opponent answers, once this state is written there. It is compiled by the first call. */
export function asked(state: MatchState): OpponentExports {
  loaded ??= withWeights();
  new Uint8Array(loaded.memory.buffer, loaded.match()).set(bytesOf(state));
  return loaded;
}

function withWeights(): OpponentExports {
  const exports = compiled<OpponentExports>(code);
  const file = joined();
  new Uint8Array(exports.memory.buffer, exports.weights()).set(file);
  exports.read_weights(file.length);
  return exports;
}

/** The file of weights, of which build.mjs has made two texts: numbers of 16 bits, the lower byte first. */
function joined(): Uint8Array {
  const highs = bytesIn(high);
  const lows = atob(low); // then their signs, a bit each
  const file = new Uint8Array(2 * highs.length);
  for (const [at, byte] of highs.entries()) {
    const isNegative = (lows.charCodeAt(highs.length + (at >> 3)) >> (at & 7)) & 1;
    file[2 * at] = lows.charCodeAt(at);
    file[2 * at + 1] = byte | (isNegative << 7);
  }
  return file;
}
