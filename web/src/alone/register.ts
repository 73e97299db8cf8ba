import { GammonBoard } from "./board.js";

/** Define the element. Servers that render pages import this too, without a DOM; and a page may load it twice, or board.js as
 * well. */
export function register(): void {
  const { customElements, console } = globalThis;
  const earlier = customElements?.get("gammon-board");
  if (customElements && !earlier) customElements.define("gammon-board", GammonBoard);
  if (earlier && !("state" in earlier.prototype)) {
    console.error("board.js was loaded before alone.js, so no <gammon-board> of this page takes a position or a state");
  }
}
