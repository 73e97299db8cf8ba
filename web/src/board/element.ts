/** What <gammon-board> and <gammon-setup> have in common. */

import { place } from "./checkers.js";
import { checked, needed } from "./checks.js";
import { themes } from "./colors.js";
import { areaOf, frameOf, partsOf, type Pointer, spotOf } from "./svg.js";
import type { BoardTheme } from "./types.js";

/** A subclass has its stylesheet as the static `css`, and as `properties` the names of what a page may assign. */
export class GammonElement extends (globalThis.HTMLElement ?? Object) {
  /** @internal */
  declare static readonly css: string;
  /** @internal */
  declare static readonly properties: readonly string[];
  declare static readonly observedAttributes: readonly string[];
  /** @internal */
  declare readonly ["constructor"]: typeof GammonElement;
  declare readonly shadowRoot: ShadowRoot;

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this.adoptedCallback();
  }

  adoptedCallback(): void {
    const { defaultView } = this.ownerDocument;
    if (!defaultView) return;
    const sheet = new defaultView.CSSStyleSheet();
    sheet.replaceSync(this.constructor.css + themes());
    this.shadowRoot.adoptedStyleSheets = [sheet];
  }

  /** Take what a framework has assigned before this script was there. */
  connectedCallback(): void {
    const own = this as object as Record<string, unknown>;
    for (const name of this.constructor.properties) {
      if (!Object.hasOwn(this, name)) continue;
      const value = own[name];
      delete own[name];
      own[name] = value;
    }
  }

  /** The attribute. */
  get theme(): string | null {
    return this.getAttribute("theme");
  }

  set theme(theme: BoardTheme | null | undefined) {
    reflect(this, "theme", theme);
  }

  /** Whether the picture is turned, so that its other side is at the bottom. */
  get flip(): boolean {
    return this.hasAttribute("flip");
  }

  set flip(flip: boolean) {
    needed(typeof (flip ?? false) === "boolean", "flip");
    this.toggleAttribute("flip", flip ?? false);
  }
}

/** Define an element, unless a script before this one has: that one's class is returned. Servers that render pages import this
 *  too, without a DOM.
 *  @internal */
export function define(name: string, element: CustomElementConstructor): CustomElementConstructor | undefined {
  const earlier = globalThis.customElements?.get(name);
  if (!earlier) globalThis.customElements?.define(name, element);
  return earlier;
}

/** Set an attribute, or remove it.
 *  @internal */
export function reflect(element: Element, name: string, value: unknown): void {
  if (value === null || value === undefined) element.removeAttribute(name);
  else element.setAttribute(name, `${checked(name, value)}`);
}

type Detail<Type> = Type extends CustomEvent<infer Value> ? Value : never;
type EventName = keyof GlobalEventHandlersEventMap & `gammon-${string}`;

/** Tell the page, and with it frameworks.
 *  @internal */
export function send<Name extends EventName>(
  element: HTMLElement, name: Name, detail: Detail<GlobalEventHandlersEventMap[Name]>,
): void {
  element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}

/** An event of which it is known that it is one of an element.
 *  @internal */
export type Heard<Type extends Event> = Type & { readonly target: Element };

// --- keys ---

/** @internal */
export const ARROW_KEYS: Readonly<Record<string, readonly [right: number, down: number] | undefined>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Focus the nearest place in this direction.
 *  @internal */
export function step(svg: SVGElement, target: Element, right: number, down: number): void {
  const places = partsOf(svg, "[tabindex]");
  const here = places.includes(target as SVGElement) ? areaOf(target).middle : frameOf(svg).middle;
  const cost = (place: SVGElement) => {
    const { x, y } = areaOf(place).middle;
    const ahead = right * (x - here.x) + down * (y - here.y);
    return ahead > 0 ? ahead + 3 * Math.abs(right * (y - here.y) + down * (x - here.x)) : Infinity;
  };
  const [next] = places.sort((place, other) => cost(place) - cost(other));
  if (next && cost(next) < Infinity) next.focus();
}

// --- pointers ---

/** A press, of which only a motion tells whether it is a click or drags a checker.
 *  @internal */
export class Drag<From> {
  piece: SVGElement | null = null; // the checker that is dragged
  readonly press: PointerEvent;
  readonly from: From;
  readonly target: Element;

  /** From a place; a click is one on the target. */
  constructor(press: PointerEvent, from: From, target: Element) {
    this.press = press;
    this.from = from;
    this.target = target;
  }

  isClick({ clientX, clientY }: Pointer): boolean {
    const { pointerType, clientX: x, clientY: y } = this.press;
    return Math.hypot(clientX - x, clientY - y) < (pointerType === "mouse" ? 4 : 10);
  }

  lift(svg: SVGElement, checker: SVGElement): void {
    this.piece = svg.appendChild(checker);
    this.piece.setAttribute("pointer-events", "none");
  }

  follow(svg: SVGElement, event: Pointer): void {
    if (this.piece) place(this.piece, spotOf(svg, event));
  }
}
