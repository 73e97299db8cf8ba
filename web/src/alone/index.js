/** alone.js: <gammon-board> that needs no server, which docs/reference/board.md describes. */

import { register } from "./register.js";

export * as rules from "../match/index.js";
export { GammonBoard } from "./board.js";

register();
