import { define } from "../board/element.js";
import { GammonBoard } from "./board.js";

/** Define the element, or report in the console that it was too late. */
export function register(): void {
  const earlier = define("gammon-board", GammonBoard);
  if (earlier && !("state" in earlier.prototype)) {
    globalThis.console.error("board.js was loaded before match-board.js, so no <gammon-board> of this page takes a position or a state");
  }
}
