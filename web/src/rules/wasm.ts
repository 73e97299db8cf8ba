/** The compiled rules. The entry of a script gives the code: rules.wasm, or match.wasm, which has matches besides. */

import { fail } from "./values.js";

export const SLOTS = 26;
const ID_LENGTH = 14;
let code = "";
let loaded: Core | null = null;

/** What rules.wasm exports, by the names of docs/reference/abi.md. @internal */
export interface RulesExports {
  readonly memory: WebAssembly.Memory;
  board(): number;
  boards(): number;
  moves(): number;
  nodes(): number;
  text(): number;
  wrong(checkers: number): number;
  plays(high: number, low: number): number;
  turn(high: number, low: number): number;
  perft(depth: number): number;
  playable(die: number): number;
  facts(checkers: number): number;
  write_id(): void;
  read_id(checkers: number): number;
}

interface Core {
  readonly exports: RulesExports;
  readonly board: Int8Array;
  readonly boards: Int8Array;
  readonly moves: Int8Array;
  readonly nodes: Uint16Array;
  readonly text: Uint8Array;
}

/** Take the code as a text that build.mjs has made. */
export function setCode(text: string): void {
  code = text;
}

/** The bytes of such a text. @internal */
export function bytesIn(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let more = 0;
  for (const sign of text) {
    const number = sign.charCodeAt(0);
    if (sign === "~") {
      more += 91;
      continue;
    }
    bytes.push(more + number - 32 - +(number > 34) - +(number > 60) - +(number > 92)); // three signs are left out
    more = 0;
  }
  return new Uint8Array(bytes);
}

/** What such a text exports, compiled. @internal */
export function compiled<Exports>(text: string): Exports {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(bytesIn(text))).exports as Exports;
  } catch (cause) {
    return fail("WebAssembly cannot be used here: a Content-Security-Policy must allow 'wasm-unsafe-eval'", { cause });
  }
}

/** What the code has, and views of its memory, which never grows. It is compiled by the first call. */
export function core(): Core {
  if (loaded) return loaded;
  const exports = compiled<RulesExports>(code);
  const { buffer } = exports.memory;
  loaded = {
    exports,
    board: new Int8Array(buffer, exports.board(), SLOTS),
    boards: new Int8Array(buffer, exports.boards()),
    moves: new Int8Array(buffer, exports.moves()),
    nodes: new Uint16Array(buffer, exports.nodes()),
    text: new Uint8Array(buffer, exports.text(), ID_LENGTH),
  };
  return loaded;
}
