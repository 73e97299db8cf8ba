/** setup.js: <gammon-setup>, which docs/reference/board.md describes. */

import { define } from "../board/element.js";
import { GammonSetup } from "./setup.js";

export { GammonSetup };
export type * from "./types.js";

define("gammon-setup", GammonSetup);
