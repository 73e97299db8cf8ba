/** What moves: checkers that fly to their places, and dice that roll. */

import {
  centerOf, copyOf, DICE, diceOf, distance, groupAt, groupOf, isOther, MARKS, markOf, partsOf, present, spotIn,
} from "./svg.js";

export class Motion {
  #element: HTMLElement;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  /** Milliseconds for one checker. */
  get #time() {
    const speed = this.#element.getAttribute("speed");
    if (this.#calm.matches || document.hidden) return 0;
    return speed === null ? 250 : Math.min(Math.max(Number(speed) || 0, 0), 5000);
  }

  /** So many times as long as a checker flies. */
  async rest(times: number): Promise<void> {
    if (this.#time) await new Promise((go) => setTimeout(go, times * this.#time));
  }

  /** From one picture to the next, which is shown: its checkers come from where they were. */
  show(old: SVGElement, svg: SVGElement, roll: boolean): void {
    const [was, is] = [old, svg].map((board) => spotIn(groupOf(board, 0, "white"), 0, 1));
    if (!this.#time || distance(was, is)) return; // a board seen from elsewhere
    const [before, after] = [old, svg].map((board) => partsOf(board, ".checker:not(.flying)"));
    const [were, are] = [before, after].map((checkers) => new Set(checkers.map(markOf)));
    const gone = before.filter((checker) => !are.has(markOf(checker)));
    const come = after.filter((checker) => !were.has(markOf(checker)));
    // The nearest pairs first: stacks close up, and one checker makes the way.
    const pairs = gone
      .flatMap((start) => come.map((end) => ({ start, end, way: distance(centerOf(start), centerOf(end)) })))
      .filter(({ start, end }) => start.dataset.player === end.dataset.player)
      .sort((pair, next) => pair.way - next.way);
    const taken = new Set<SVGElement>();
    for (const { start, end } of pairs) {
      if (taken.has(start) || taken.has(end)) continue;
      taken.add(start).add(end);
      this.#fly(svg, start, end);
    }
    if (roll && isOther(old, svg, DICE)) diceOf(svg).forEach((die) => this.#roll(die));
  }

  /** A copy flies, above everything else; the marks around its end wait for it. */
  #fly(svg: SVGElement, start: SVGElement, end: SVGElement): void {
    const [from, to] = [centerOf(start), centerOf(end)];
    const ghost = svg.appendChild(copyOf(end));
    ghost.setAttribute("pointer-events", "none");
    ghost.classList.add("flying");
    const waiting = [end, ...partsOf(present(groupAt(end)), `${MARKS}, .chosen`)];
    for (const part of waiting) part.style.visibility = "hidden";
    const motion = this.#move(ghost, `translate(${from.x - to.x}px, ${from.y - to.y}px)`, 1);
    motion.onfinish = motion.oncancel = () => {
      ghost.remove();
      for (const part of waiting) part.style.visibility = "";
    };
  }

  #roll(die: SVGElement): void {
    Object.assign(die.style, { transformBox: "fill-box", transformOrigin: "center" });
    this.#move(die, "translate(70px, 30px) rotate(400deg)", 2);
  }

  #move(element: SVGElement, transform: string, times: number): Animation {
    return element.animate([{ transform }, { transform: "none" }], { duration: times * this.#time, easing: "ease-out" });
  }
}
