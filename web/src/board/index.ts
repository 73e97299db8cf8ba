/** board.js: <gammon-board>, which docs/reference/board.md describes. */

import { GammonBoard } from "./board.js";

export { GammonBoard };
export type * from "./types.js";

// Servers that render pages import this too, without a DOM; and a page may load it twice.
const { customElements } = globalThis;
if (customElements && !customElements.get("gammon-board")) customElements.define("gammon-board", GammonBoard);
