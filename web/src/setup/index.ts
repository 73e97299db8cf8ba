/** setup.js: <gammon-setup>, which docs/reference/board.md describes. */

import { GammonSetup } from "./setup.js";

export { GammonSetup };
export type * from "./types.js";

// Servers that render pages import this too, without a DOM; and a page may load it twice.
const { customElements } = globalThis;
if (customElements && !customElements.get("gammon-setup")) customElements.define("gammon-setup", GammonSetup);
