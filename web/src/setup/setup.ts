/** The board on which a person sets up a position. It knows no rules but the number of checkers: what else is wrong with a
 * position, the library says. */

import { fill } from "../board/checkers.js";
import { checked, mergeTranslations } from "../board/checks.js";
import { ARROW_KEYS, Drag, GammonElement, type Heard, send, step } from "../board/element.js";
import { turn } from "../board/flip.js";
import { labelOf, PLACE_LABELS } from "../board/labels.js";
import { signedCount, type Position } from "../board/position.js";
import { BAR, checkersIn, copyOf, groupsOf, partOf, type Player } from "../board/svg.js";
import { PLAYERS } from "../match/terms.js";
import { fillFields } from "../rules/messages.js";
import { turned } from "../rules/rolls.js";
import { blankOf, checkerOf, drawnOn } from "./drawing.js";
import { colorOf, offOf, toPosition, readXgid, ROLLS, SIGNS, type Table, xgidOf } from "./xgid.js";
import style from "./style.css";
import type { SetupLabels } from "./types.js";

const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";

const LABELS: SetupLabels = {
  ...PLACE_LABELS,
  missing: "All {player} checkers are on the board.",
  brush: "Click",
  remove: "Remove",
  turn: "On roll",
  dice: "Dice",
  cube: "Cube",
  owner: "Owner",
  centered: "Centered",
  clear: "Clear",
  start: "Start",
};

type Brush = Player | "remove";
const isPlayer = (place: string | null): place is Player => place === "white" || place === "black";
const placeOf = (target: Element) => target.closest<SVGElement>("[data-place]")?.dataset.place ?? null;

export class GammonSetup extends GammonElement {
  /** @internal */
  static override readonly name: string = "GammonSetup"; // minified, it would be shorter
  static override readonly observedAttributes: readonly string[] = ["flip", "theme", "xgid", "look", "layout"];
  /** @internal */
  static override readonly properties: readonly string[] = ["translations", "flip", "theme", "xgid"];
  /** @internal */
  static override readonly css: string = style;

  #blank = blankOf();
  #state = readXgid(START);
  #svg = this.#blank;
  #brush: Brush = "white"; // what a click adds, or "remove"
  #here = "24"; // the place to which Tab leads
  #drag: Drag<string> | null = null;
  #labels = LABELS;
  #parts = {
    frame: this.#part("frame", "div"),
    controls: this.#part("controls", "div"),
    reason: this.#part("reason", "p"),
    status: this.#part("status", "p"),
  };

  constructor() {
    super();
    const { frame, controls, reason, status } = this.#parts;
    reason.role = "alert";
    status.role = "status";
    const on = <Name extends keyof HTMLElementEventMap>(names: Name[], act: (event: Heard<HTMLElementEventMap[Name]>) => unknown) =>
      names.forEach((name) => frame.addEventListener(name, act as (event: HTMLElementEventMap[Name]) => unknown));
    on(["pointerdown"], (event) => this.#press(event));
    on(["pointermove"], (event) => this.#pull(event));
    on(["pointerup"], (event) => this.#release(event));
    on(["pointercancel", "lostpointercapture"], ({ pointerId }) => this.#drag?.press.pointerId === pointerId && this.#draw());
    on(["contextmenu", "mousedown"], (event) => event.preventDefault());
    // Screen readers click without a pointer, whose clicks are known when it is released.
    on(["click"], (event) => event.detail === 0 && this.#click(placeOf(event.target)));
    on(["keydown"], (event) => this.#key(event));
    on(["focusin"], (event) => this.#goTo(placeOf(event.target)));
    controls.addEventListener("change", (event) => this.#choose(event.target as HTMLInputElement | HTMLSelectElement));
    controls.addEventListener("click", (event) => this.#replace((event.target as HTMLButtonElement).name));
    this.#showControls();
    this.#show();
  }

  #part(id: string, name: string): HTMLElement {
    return this.shadowRoot.appendChild(Object.assign(document.createElement(name), { id, part: id }));
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    checked(name, value);
    if (name === "look" || name === "layout") this.#blank = blankOf(this.getAttribute("layout"), this.getAttribute("look"));
    if (name === "xgid" && value !== null) this.xgid = value;
    else this.#draw();
  }

  disconnectedCallback(): void {
    if (this.#drag) this.#draw();
  }

  // --- what a page calls ---

  /** The position with cube, dice and player on roll; assigning shows another, and raises a TypeError for what is none. */
  get xgid(): string {
    return xgidOf(this.#state);
  }

  set xgid(xgid: string) {
    this.#state = readXgid(xgid);
    this.#show();
  }

  /** 26 counts, as `Position.from_points` takes them: seen by the player on roll, their checkers positive. */
  get points(): number[] {
    return [...this.#position.points];
  }

  get #position(): Position {
    const { counts, turn } = this.#state;
    return toPosition(colorOf(turn), turn > 0 ? counts : turned(counts));
  }

  get translations(): SetupLabels {
    return this.#labels;
  }

  set translations(translations: Partial<SetupLabels> | null | undefined) {
    this.#labels = mergeTranslations(this.#labels, translations);
    this.#showControls();
    this.#show();
  }

  // --- what is shown ---

  #showControls(): void {
    const labels = this.#labels;
    const element = (name: string, fields: object, ...parts: (Node | string)[]) => {
      const element = Object.assign(document.createElement(name), fields);
      element.append(...parts);
      return element;
    };
    const brush = (value: Brush) => element("label", {}, element("input", { type: "radio", name: "brush", value }), labels[value]);
    const select = (name: "turn" | "dice" | "cube" | "owner", choices: string[][]) => {
      const options = choices.map(([value, text]) => new Option(text, value));
      return element("label", {}, labels[name], element("select", { name }, ...options));
    };
    const button = (name: "start" | "clear") => element("button", { type: "button", name, part: "button" }, labels[name]);
    const players = PLAYERS.map((player) => [`${SIGNS[player]}`, labels[player]]);
    this.#parts.controls.replaceChildren(
      element("fieldset", {}, element("legend", {}, labels.brush), ...PLAYERS.map(brush), brush("remove")),
      select("turn", players),
      select("dice", [["00", "\u2013"], ...ROLLS.map((roll) => [roll, [...roll].join("-")])]),
      select("cube", Array.from({ length: 11 }, (_, power) => [`${power}`, `${2 ** power}`])),
      select("owner", [["0", labels.centered], ...players]),
      button("start"),
      button("clear"),
    );
  }

  #show(): void {
    const shown: Readonly<Record<string, unknown>> = { ...this.#state };
    for (const select of this.#parts.controls.querySelectorAll("select")) select.value = `${shown[select.name]}`;
    for (const radio of this.#parts.controls.querySelectorAll("input")) radio.checked = radio.value === this.#brush;
    this.#parts.reason.textContent = "";
    this.#draw();
  }

  #draw(): void {
    const position = this.#position;
    const { dice } = this.#state;
    const faces = ROLLS.includes(dice) ? [...dice].map(Number) : [];
    const svg = drawnOn(this.#blank, position, faces, this.#state);
    groupsOf(svg).forEach((group, at) => {
      group.dataset.place = `${[0, BAR, "black", "white"][at - 24] ?? at + 1}`; // as White numbers them
    });
    if (this.flip) turn(svg, position);
    this.#describe(svg, position);
    const isFocused = this.#svg.contains(this.shadowRoot.activeElement);
    this.#svg = svg;
    this.#drag = null;
    this.#parts.frame.replaceChildren(svg);
    if (isFocused) this.#groupOf(this.#here).focus({ preventScroll: true });
  }

  #describe(svg: SVGElement, position: Position): void {
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", this.#labels.board);
    Object.assign(svg.style, { display: "block", overflow: "visible" });
    for (const group of groupsOf(svg)) {
      const { place } = group.dataset;
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", labelOf(group, position, this.#labels));
      group.tabIndex = place === this.#here ? 0 : -1;
      // An inline element, as these are by default, has no touch-action.
      Object.assign(group.style, { display: "block", touchAction: signedCount(position, group) ? "none" : "manipulation" });
    }
  }

  #groupOf(place: string): SVGElement {
    return partOf(this.#svg, `[data-place="${place}"]`);
  }

  /** The place to which Tab leads: the last that had the focus. */
  #goTo(place: string | null): void {
    if (place === null) return;
    this.#groupOf(this.#here).tabIndex = -1;
    this.#here = place;
    this.#groupOf(place).tabIndex = 0;
  }

  // --- what a person does ---

  /** Whose checkers are on a place, or who owns this tray; null: nobody's. */
  #ownerAt(place: string): Player | null {
    if (isPlayer(place)) return place;
    return PLAYERS.find((player) => SIGNS[player] * this.#state.counts[Number(place)] > 0) ?? null;
  }

  #change(changes: Partial<Table>, place: string | null = null): void {
    Object.assign(this.#state, changes);
    this.#show();
    const { points, xgid } = this;
    const { reason, status } = this.#parts;
    if (place) status.textContent = this.#groupOf(place).ariaLabel;
    const explain = (text: string) => { if (this.xgid === xgid) reason.textContent = text; };
    send(this, "gammon-setup", { points, xgid, explain });
  }

  #choose({ name, value }: HTMLInputElement | HTMLSelectElement): void {
    if (name === "brush") this.#brush = isPlayer(value) ? value : "remove";
    else this.#change({ [name]: name === "dice" ? value : Number(value) });
  }

  #replace(name: string): void {
    if (name === "start") this.#change({ counts: readXgid(START).counts });
    if (name === "clear") this.#change({ counts: Array(26).fill(0) });
  }

  /** Change the board, if the places and the checkers of these players allow it. */
  #put(counts: number[], place: string | null, player: Player): void {
    if (offOf(counts, player) < 0) this.#parts.reason.textContent = fillFields(this.#labels.missing, { player: this.#labels[player] });
    if (offOf(counts, player) < 0 || counts[0] > 0 || counts[BAR] < 0) return this.#draw();
    this.#change({ counts }, place);
  }

  /** Move a checker; what is no place on the board is the tray. */
  #move(player: Player, from: string | null, to: string | null): void {
    const { counts } = this.#state;
    const sign = SIGNS[player];
    const isFree = to === null || isPlayer(to) || counts[Number(to)] * sign >= 0;
    const by = (at: string) => sign * (Number(at === to) - Number(at === from));
    if (isFree) this.#put(counts.map((count, at) => count + by(`${at}`)), to ?? from, player);
    else this.#draw();
  }

  #remove(place: string): void {
    const owner = isPlayer(place) ? null : this.#ownerAt(place);
    if (owner) this.#move(owner, place, null);
  }

  #click(place: string | null): void {
    if (place === null) return;
    const [owner, brush] = [this.#ownerAt(place), this.#brush];
    if (isPlayer(place)) this.#parts.controls.querySelector<HTMLInputElement>(`input[value="${place}"]`)?.click();
    else if (isPlayer(brush) && (owner ?? brush) === brush) this.#move(brush, null, place);
    else this.#remove(place);
  }

  /** The element there. The target of a touch may be another that is near. */
  #below({ clientX, clientY }: PointerEvent): Element {
    return this.shadowRoot.elementFromPoint(clientX, clientY) ?? this;
  }

  #press(event: PointerEvent): void {
    const { button, isPrimary, pointerId } = event;
    const target = this.#below(event);
    const place = placeOf(target);
    if (!isPrimary || this.#drag || place === null) return;
    this.#groupOf(place).focus({ preventScroll: true });
    if (button === 2) this.#remove(place);
    if (button !== 0) return;
    this.#drag = new Drag(event, place, target);
    this.#parts.frame.setPointerCapture(pointerId);
  }

  #pull(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.press.pointerId !== event.pointerId) return;
    if (!drag.piece) {
      const group = this.#groupOf(drag.from);
      const checkers = checkersIn(group);
      const player = this.#ownerAt(drag.from);
      if (drag.isClick(event) || !checkers.length || !player) return;
      drag.lift(this.#svg, copyOf(checkerOf(this.#blank, player)));
      fill(this.#svg, group, checkers.length - 1, checkers[0]);
    }
    drag.follow(this.#svg, event);
  }

  #release(event: PointerEvent): void {
    const drag = this.#drag;
    if (drag?.press.pointerId !== event.pointerId) return;
    this.#drag = null;
    if (!drag.piece) return this.#click(drag.from);
    const target = this.#below(event);
    const to = this.#svg.contains(target) ? placeOf(target) ?? drag.from : null; // beside the board: off
    const owner = this.#ownerAt(drag.from);
    if (!owner || to === drag.from || (isPlayer(drag.from) && (to === null || isPlayer(to)))) this.#draw();
    else this.#move(owner, drag.from, to);
  }

  #key(event: Heard<KeyboardEvent>): void {
    const { key } = event;
    const place = placeOf(event.target);
    if (place === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const arrow = ARROW_KEYS[key];
    if (arrow) step(this.#svg, this.#groupOf(place), ...arrow);
    else if (event.repeat) return;
    else if (key === "Enter" || key === " ") this.#click(place);
    else if (key === "Delete" || key === "Backspace") this.#remove(place);
    else if (/^\d$/.test(key)) this.#count(place, Number(key));
    else return;
    event.preventDefault();
  }

  /** So many checkers of those that a click adds, or of those that are there. */
  #count(place: string, count: number): void {
    const player = isPlayer(this.#brush) ? this.#brush : this.#ownerAt(place);
    if (player && !isPlayer(place)) this.#put(this.#state.counts.with(Number(place), SIGNS[player] * count || 0), place, player);
  }
}
