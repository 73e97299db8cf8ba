/** A press, of which only a motion tells whether it is a click or drags a checker. */

import { place } from "./checkers.js";
import { spotOf } from "./places.js";

export class Drag {
  piece = null; // the checker that is dragged
  #slack;

  /** From a place, or null; a click is one on the target. */
  constructor({ pointerId, pointerType, clientX, clientY }, from, target = null) {
    Object.assign(this, { id: pointerId, x: clientX, y: clientY, from, target });
    this.#slack = pointerType === "mouse" ? 4 : 10;
  }

  isClick({ clientX, clientY }) {
    return Math.hypot(clientX - this.x, clientY - this.y) < this.#slack;
  }

  lift(svg, checker) {
    this.piece = svg.appendChild(checker);
    this.piece.setAttribute("pointer-events", "none");
  }

  follow(svg, event) {
    place(this.piece, spotOf(svg, event));
  }
}
