/** board.js: <gammon-board>, which docs/reference/board.md describes. */

import { GammonBoard } from "./board.js";
import { define } from "./element.js";

export { GammonBoard };
export type * from "./types.js";

define("gammon-board", GammonBoard);
