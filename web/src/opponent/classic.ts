/** The script for pages without modules, after alone-classic.js. */

import * as opponent from "./index.js";

Object.assign(globalThis.gammonBoard, { opponent });
