/** match-board-classic.js: the same for pages without modules. */

import * as rules from "../match/index.js";
import { GammonBoard, register } from "./board.js";

globalThis.gammonBoard ??= { GammonBoard, rules } as GammonBoardScripts; // to which other scripts add theirs
register();
