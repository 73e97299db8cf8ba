/** The rules for JavaScript: docs/reference/rules-js.md. */
export * from "./exports.js";
