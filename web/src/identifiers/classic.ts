/** The script for pages without modules, after match-board-classic.js. */

import { fromXgid, xgid } from "./index.js";

Object.assign(globalThis.gammonBoard, { xgid, fromXgid });
