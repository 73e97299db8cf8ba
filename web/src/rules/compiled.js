/** The compiled rules. The entry of a script gives the code: rules.wasm, or match.wasm, which has matches besides. */

import { fail } from "./values.js";

export const SLOTS = 26;
const ID_LENGTH = 14;
let code = "";
let loaded = null;

/** Take the code as a text that build.mjs has made. */
export function setCode(text) {
  code = text;
}

/** The bytes of such a text. */
function bytesIn(text) {
  const bytes = [];
  let more = 0;
  for (const sign of text) {
    const number = sign.charCodeAt();
    if (sign === "~") {
      more += 91;
      continue;
    }
    bytes.push(more + number - 32 - (number > 34) - (number > 60) - (number > 92)); // three signs are left out
    more = 0;
  }
  return new Uint8Array(bytes);
}

/** What the code has, and views of its memory, which never grows. It is compiled by the first call. */
export function core() {
  if (loaded) return loaded;
  try {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytesIn(code)));
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
  } catch (cause) {
    return fail("WebAssembly cannot be used here: a Content-Security-Policy must allow 'wasm-unsafe-eval'", { cause });
  }
}
