/** What draws each widget of gammonrules.notebook, by its class. */

export { Board } from "./play.js";
export { BoardGrid, Viewer } from "./viewer.js";
