/** The board on which a person sets up a position. It knows no rules but the number of checkers: what else is wrong with a
 * position, the library says. */

import { fill } from "../board/checkers.js";
import { checked, reworded } from "../board/checks.js";
import { ARROW_KEYS, Drag, GammonElement, send, step } from "../board/element.js";
import { turn } from "../board/flip.js";
import { BAR, checkersIn } from "../board/pictures.js";
import { filled, labelOf, WORDS_OF_PLACES } from "../board/words.js";
import { blankOf, checkerOf, drawnOn } from "./drawing.js";
import { offOf, PLAYERS, readXgid, ROLLS, SIGNS, xgidOf } from "./states.js";

const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";

const WORDS = {
  ...WORDS_OF_PLACES,
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

const STYLE = `
  :host { display: block }
  :host([hidden]) { display: none }
  #frame { direction: ltr; user-select: none; -webkit-user-select: none }
  #controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; padding-block: .5rem }
  fieldset { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: 0; padding: 0; border: 0 }
  legend { float: left; padding: 0; line-height: 44px }
  label { display: flex; align-items: center; gap: .4rem; min-height: 44px }
  select, button { min-height: 44px; font: inherit }
  input { width: 1.25rem; height: 1.25rem; margin: 0 }
  #reason { min-height: 1.5em; margin: 0; unicode-bidi: plaintext }
  #status { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%) }
  [data-place] { cursor: pointer }`;

const placeOf = (target) => target.closest("[data-place]")?.dataset.place ?? null;

export class GammonSetup extends GammonElement {
  static name = "GammonSetup"; // minified, it would be shorter
  static observedAttributes = ["flip", "theme", "xgid", "look", "layout"];
  static properties = ["words", "flip", "theme", "xgid"];
  static css = STYLE;

  #blank = blankOf();
  #state = readXgid(START);
  #svg = null;
  #brush = "white"; // what a click adds, or "remove"
  #here = "24"; // the place to which Tab leads
  #drag = null;
  #words = WORDS;
  #parts = {};

  constructor() {
    super();
    for (const [id, name] of Object.entries({ frame: "div", controls: "div", reason: "p", status: "p" })) {
      this.#parts[id] = this.shadowRoot.appendChild(Object.assign(document.createElement(name), { id, part: id }));
    }
    const { frame, controls, reason, status } = this.#parts;
    reason.role = "alert";
    status.role = "status";
    const on = (names, act) => names.split(" ").forEach((name) => frame.addEventListener(name, act));
    on("pointerdown", (event) => this.#press(event));
    on("pointermove", (event) => this.#pull(event));
    on("pointerup", (event) => this.#release(event));
    on("pointercancel lostpointercapture", ({ pointerId }) => this.#drag?.id === pointerId && this.#draw());
    on("contextmenu mousedown", (event) => event.preventDefault());
    // Screen readers click without a pointer, whose clicks are known when it is released.
    on("click", (event) => event.detail === 0 && this.#click(placeOf(event.target)));
    on("keydown", (event) => this.#key(event));
    on("focusin", ({ target }) => this.#goTo(placeOf(target)));
    controls.addEventListener("change", ({ target: { name, value } }) => this.#choose(name, value));
    controls.addEventListener("click", ({ target: { name } }) => this.#replace(name));
    this.#showControls();
    this.#show();
  }

  attributeChangedCallback(name, old, value) {
    checked(name, value);
    if (name === "look" || name === "layout") this.#blank = blankOf(this.getAttribute("layout"), this.getAttribute("look"));
    if (name === "xgid" && value !== null) this.xgid = value;
    else this.#draw();
  }

  disconnectedCallback() {
    if (this.#drag) this.#draw();
  }

  // --- what a page calls ---

  get xgid() {
    return xgidOf(this.#state);
  }

  set xgid(xgid) {
    this.#state = readXgid(xgid);
    this.#show();
  }

  get points() {
    const { counts, turn } = this.#state;
    return turn > 0 ? [...counts] : counts.map((count) => 0 - count).reverse();
  }

  get words() {
    return this.#words;
  }

  set words(words) {
    this.#words = reworded(this.#words, words);
    this.#showControls();
    this.#show();
  }

  // --- what is shown ---

  #showControls() {
    const words = this.#words;
    const element = (name, fields, ...parts) => {
      const element = Object.assign(document.createElement(name), fields);
      element.append(...parts);
      return element;
    };
    const brush = (value) => element("label", {}, element("input", { type: "radio", name: "brush", value }), words[value]);
    const select = (name, choices) => {
      const options = choices.map(([value, text]) => new Option(text, value));
      return element("label", {}, words[name], element("select", { name }, ...options));
    };
    const button = (name) => element("button", { type: "button", name, part: "button" }, words[name]);
    const players = PLAYERS.map((player) => [SIGNS[player], words[player]]);
    this.#parts.controls.replaceChildren(
      element("fieldset", {}, element("legend", {}, words.brush), ...[...PLAYERS, "remove"].map(brush)),
      select("turn", players),
      select("dice", [["00", "\u2013"], ...ROLLS.map((roll) => [roll, [...roll].join("-")])]),
      select("cube", Array.from({ length: 11 }, (_, power) => [power, 2 ** power])),
      select("owner", [[0, words.centered], ...players]),
      button("start"),
      button("clear"),
    );
  }

  #show() {
    for (const select of this.#parts.controls.querySelectorAll("select")) select.value = this.#state[select.name];
    for (const radio of this.#parts.controls.querySelectorAll("input")) radio.checked = radio.value === this.#brush;
    this.#parts.reason.textContent = "";
    this.#draw();
  }

  #draw() {
    const svg = drawnOn(this.#blank, this.#state);
    if (this.flip) turn(svg);
    this.#describe(svg);
    const isFocused = this.#svg?.contains(this.shadowRoot.activeElement);
    this.#svg = svg;
    this.#drag = null;
    this.#parts.frame.replaceChildren(svg);
    if (isFocused) this.#groupOf(this.#here).focus({ preventScroll: true });
  }

  #describe(svg) {
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", this.#words.board);
    Object.assign(svg.style, { display: "block", overflow: "visible" });
    for (const group of svg.querySelectorAll("[data-place]")) {
      const { place, count } = group.dataset;
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", labelOf(group, this.#words));
      group.tabIndex = place === this.#here ? 0 : -1;
      // An inline element, as these are by default, has no touch-action.
      Object.assign(group.style, { display: "block", touchAction: count === "0" ? "manipulation" : "none" });
    }
  }

  #groupOf(place) {
    return this.#svg.querySelector(`[data-place="${place}"]`);
  }

  /** The place to which Tab leads: the last that had the focus. */
  #goTo(place) {
    this.#groupOf(this.#here).tabIndex = -1;
    this.#here = place;
    this.#groupOf(place).tabIndex = 0;
  }

  // --- what a person does ---

  /** Whose checkers are on a place, or who owns this tray; null: nobody's. */
  #ownerAt(place) {
    return place in SIGNS ? place : PLAYERS.find((player) => SIGNS[player] * this.#state.counts[place] > 0) ?? null;
  }

  #change(changes, place) {
    Object.assign(this.#state, changes);
    this.#show();
    const { points, xgid } = this;
    const { reason, status } = this.#parts;
    if (place) status.textContent = labelOf(this.#groupOf(place), this.#words);
    const explain = (text) => { if (this.xgid === xgid) reason.textContent = text; };
    send(this, "gammon-setup", { points, xgid, explain });
  }

  #choose(name, value) {
    if (name === "brush") this.#brush = value;
    else this.#change({ [name]: name === "dice" ? value : Number(value) });
  }

  #replace(name) {
    if (name === "start") this.#change({ counts: readXgid(START).counts });
    if (name === "clear") this.#change({ counts: Array(26).fill(0) });
  }

  /** Change the board, if the places and the checkers of these players allow it. */
  #put(counts, place, player) {
    if (offOf(counts, player) < 0) this.#parts.reason.textContent = filled(this.#words.missing, { player: this.#words[player] });
    if (offOf(counts, player) < 0 || counts[0] > 0 || counts[BAR] < 0) return this.#draw();
    this.#change({ counts }, place);
  }

  /** Move a checker; what is no place on the board is the tray. */
  #move(player, from, to) {
    const { counts } = this.#state;
    const sign = SIGNS[player];
    const isFree = !(to in counts) || counts[to] * sign >= 0;
    if (isFree) this.#put(counts.map((count, at) => count + sign * ((`${at}` === to) - (`${at}` === from))), to ?? from, player);
    else this.#draw();
  }

  #remove(place) {
    const owner = place in SIGNS ? null : this.#ownerAt(place);
    if (owner) this.#move(owner, place, null);
  }

  #click(place) {
    const owner = this.#ownerAt(place);
    if (place in SIGNS) this.#parts.controls.querySelector(`input[value="${place}"]`).click();
    else if (owner ? owner !== this.#brush : !(this.#brush in SIGNS)) this.#remove(place);
    else this.#move(this.#brush, null, place);
  }

  /** The element there. The target of a touch may be another that is near. */
  #below({ clientX, clientY }) {
    return this.shadowRoot.elementFromPoint(clientX, clientY) ?? this;
  }

  #press(event) {
    const { button, isPrimary, pointerId } = event;
    const place = placeOf(this.#below(event));
    if (!isPrimary || this.#drag || place === null) return;
    this.#groupOf(place).focus({ preventScroll: true });
    if (button === 2) this.#remove(place);
    if (button !== 0) return;
    this.#drag = new Drag(event, place);
    this.#parts.frame.setPointerCapture(pointerId);
  }

  #pull(event) {
    const drag = this.#drag;
    if (drag?.id !== event.pointerId) return;
    if (!drag.piece) {
      const group = this.#groupOf(drag.from);
      const checkers = checkersIn(group);
      if (drag.isClick(event) || !checkers.length) return;
      drag.lift(this.#svg, checkerOf(this.#blank, checkers[0].dataset.player).cloneNode(true));
      fill(this.#svg, group, checkers.slice(1));
    }
    drag.follow(this.#svg, event);
  }

  #release(event) {
    const drag = this.#drag;
    if (drag?.id !== event.pointerId) return;
    this.#drag = null;
    if (!drag.piece) return this.#click(drag.from);
    const target = this.#below(event);
    const to = this.#svg.contains(target) ? placeOf(target) ?? drag.from : null; // beside the board: off
    if (to === drag.from || (drag.from in SIGNS && !/\d/.test(to))) this.#draw();
    else this.#move(this.#ownerAt(drag.from), drag.from, to);
  }

  #key(event) {
    const { key, target } = event;
    const place = placeOf(target);
    if (place === null || event.altKey || event.ctrlKey || event.metaKey) return;
    if (ARROW_KEYS[key]) step(this.#svg, this.#groupOf(place), ...ARROW_KEYS[key]);
    else if (event.repeat) return;
    else if (key === "Enter" || key === " ") this.#click(place);
    else if (key === "Delete" || key === "Backspace") this.#remove(place);
    else if (/^\d$/.test(key)) this.#count(place, Number(key));
    else return;
    event.preventDefault();
  }

  /** So many checkers of those that a click adds, or of those that are there. */
  #count(place, count) {
    const player = this.#brush in SIGNS ? this.#brush : this.#ownerAt(place);
    if (player && !(place in SIGNS)) this.#put(this.#state.counts.with(place, SIGNS[player] * count || 0), place, player);
  }
}
