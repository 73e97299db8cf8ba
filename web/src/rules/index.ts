/** The rules for JavaScript: docs/reference/rules-js.md. */

import code from "rules.wasm";
import { setCode } from "./wasm.js";

setCode(code);

export * from "./exports.js";
