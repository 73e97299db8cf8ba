/** The script for pages without modules, after alone-classic.js. */

import { Game } from "./index.js";

Object.assign(globalThis.gammonBoard, { Game });
