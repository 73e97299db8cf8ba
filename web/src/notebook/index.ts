/** What draws each widget of gammonrules.notebook, by its class. */

export { Board } from "./board.js";
export { BoardGrid, Viewer } from "./viewer.js";
