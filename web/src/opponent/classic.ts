/** The script for pages without modules, after match-board-classic.js. */

import * as opponent from "./index.js";

Object.assign(globalThis.gammonBoard, { opponent });
