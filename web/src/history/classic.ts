/** The script for pages without modules, after match-board-classic.js. */

import { MatchHistory } from "./index.js";

Object.assign(globalThis.gammonBoard, { MatchHistory });
