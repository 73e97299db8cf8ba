/** board.js: <gammon-board>, which docs/reference/board.md describes. */
import { GammonBoard } from "./board.js";
export { GammonBoard };
export type * from "./types.js";
