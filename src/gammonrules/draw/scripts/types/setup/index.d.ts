/** setup.js: <gammon-setup>, which docs/reference/board.md describes. */
import { GammonSetup } from "./setup.js";
export { GammonSetup };
export type * from "./types.js";
