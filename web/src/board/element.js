/** What <gammon-board> and <gammon-setup> have in common. */

import { place } from "./checkers.js";
import { checked, needed } from "./checks.js";
import { themes } from "./colors.js";
import { areaOf, frameOf, spotOf } from "./pictures.js";

/** A subclass has its stylesheet as the static `css`, and as `properties` the names of what a page may assign. */
export class GammonElement extends (globalThis.HTMLElement ?? Object) {
  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this.adoptedCallback();
  }

  adoptedCallback() {
    const { defaultView } = this.ownerDocument;
    if (!defaultView) return;
    const sheet = new defaultView.CSSStyleSheet();
    sheet.replaceSync(this.constructor.css + themes());
    this.shadowRoot.adoptedStyleSheets = [sheet];
  }

  /** Take what a framework has assigned before this script was there. */
  connectedCallback() {
    for (const name of this.constructor.properties) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }

  get theme() {
    return this.getAttribute("theme");
  }

  set theme(theme) {
    reflect(this, "theme", theme);
  }

  get flip() {
    return this.hasAttribute("flip");
  }

  set flip(flip) {
    needed(typeof (flip ?? false) === "boolean", "flip");
    this.toggleAttribute("flip", flip ?? false);
  }
}

/** Set an attribute, or remove it. */
export function reflect(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, checked(name, value));
}

/** Tell the page, and with it frameworks. */
export function send(element, name, detail) {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}

// --- keys ---

export const ARROW_KEYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** Focus the nearest place in this direction. */
export function step(svg, target, right, down) {
  const places = [...svg.querySelectorAll("[tabindex]")];
  const here = places.includes(target) ? areaOf(target).middle : frameOf(svg).middle;
  const cost = (place) => {
    const { x, y } = areaOf(place).middle;
    const ahead = right * (x - here.x) + down * (y - here.y);
    return ahead > 0 ? ahead + 3 * Math.abs(right * (y - here.y) + down * (x - here.x)) : Infinity;
  };
  const [next] = places.sort((place, other) => cost(place) - cost(other));
  if (next && cost(next) < Infinity) next.focus();
}

// --- pointers ---

/** A press, of which only a motion tells whether it is a click or drags a checker. */
export class Drag {
  piece = null; // the checker that is dragged
  #press;

  /** From a place, or null; a click is one on the target. */
  constructor(press, from, target = null) {
    Object.assign(this, { id: press.pointerId, from, target });
    this.#press = press;
  }

  isClick({ clientX, clientY }) {
    const { pointerType, clientX: x, clientY: y } = this.#press;
    return Math.hypot(clientX - x, clientY - y) < (pointerType === "mouse" ? 4 : 10);
  }

  lift(svg, checker) {
    this.piece = svg.appendChild(checker);
    this.piece.setAttribute("pointer-events", "none");
  }

  follow(svg, event) {
    place(this.piece, spotOf(svg, event));
  }
}
