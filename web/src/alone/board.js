/** The board that needs no server: it has the rules, and draws the table itself. */

import { GammonBoard as Board } from "../board/board.js";
import { needed } from "../board/checks.js";
import { otherThan } from "../board/pictures.js";
import { filled } from "../board/words.js";
import * as rules from "../match/index.js";
import { blankOf } from "../setup/drawing.js";
import { MOST, PLAYERS } from "../setup/states.js";
import { Buttons } from "./buttons.js";
import { pictureOf } from "./drawing.js";
import { sayingOf, SAYINGS, sceneOf } from "./scene.js";
import {
  CHOICES, keyOf, NAMES, ONE_EACH, playBetween, readCheckers, readChoice, readDice, readPosition, readState, readTurn,
  turnIn,
} from "./turns.js";

const { GammonError } = rules;

const noRoll = () => null;

export class GammonBoard extends Board {
  static name = "GammonBoard"; // minified, it would be shorter
  static observedAttributes = [...Board.observedAttributes, ...NAMES];
  static properties = [...NAMES, "roll", ...Board.properties];
  static css = `${Board.css}
  #undo, #done, #acts { grid-area: 1 / 1 }
  #controls:not([hidden]) { display: grid; grid-template-columns: 1fr }
  #undo { justify-self: start }
  #done { justify-self: end }
  #acts, #more { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem }
  #acts { justify-content: space-between; pointer-events: none }
  #acts > * { pointer-events: auto }
  #acts button:last-child { margin-inline-start: auto }
  #note { margin: 0 }`;

  #said = {}; // by the page, as it was read
  #reasons = {}; // its words of reasons
  #sayings = SAYINGS; // words of the table
  #turn = null; // null: the page shows views
  #blank = blankOf();
  #shown = {}; // turn and blank of the picture
  #wrong = ""; // what is wrong with an attribute
  #complaint = ""; // what the board says of it
  #isDue = false;
  #note = ""; // what is said beside the buttons
  #told = []; // of score and cube, by the board
  #buttons = new Buttons(this.shadowRoot, (action, argument) => this.#act(action, argument));

  connectedCallback() {
    if (document.readyState !== "loading") this.#paint(); // what is inside is not the page's then
    this.#attempt(() => super.connectedCallback());
  }

  attributeChangedCallback(name, old, value) {
    if (!NAMES.includes(name)) return super.attributeChangedCallback(name, old, value);
    this.#attempt(() => { this[name] = value; });
    this.#paintLater();
  }

  /** Where no page can catch the error, the board shows it. */
  #attempt(act) {
    try {
      act();
    } catch (error) {
      if (!(error instanceof GammonError)) throw error;
      this.#wrong = error.message;
      this.#paintLater();
    }
  }

  // --- what a page calls ---

  get position() {
    return this.#turn && [...this.#turn.points];
  }

  set position(position) {
    if (position === null || position === undefined) return; // a framework has none yet
    const { checkers = MOST } = this.#said;
    const read = readPosition(position, { checkers });
    const { side = this.#said.side ?? PLAYERS[0], rolled = null, cube = null } = read;
    this.#begin({ ...read, isFixed: "side" in read, checkers, side, rolled, cube, dice: this.#said.dice ?? rolled });
  }

  get state() {
    return this.#turn?.state ?? null;
  }

  set state(state) {
    if ((state ?? null) !== null) this.#take(readState(state));
  }

  /** What throws the dice. */
  get roll() {
    return this.#said.roll ?? null;
  }

  set roll(roll) {
    if ((roll ?? null) !== null && typeof roll !== "function") throw new GammonError("roll must be a function");
    this.#said.roll = roll;
    this.#change();
  }

  get player() {
    return this.#said.player ?? null;
  }

  set player(player) {
    this.#said.player = readChoice("player", player);
    this.#change();
  }

  get dice() {
    return structuredClone(this.#turn ? this.#turn.dice : this.#said.dice ?? null);
  }

  set dice(dice) {
    const read = dice === null || dice === undefined ? null : readDice(dice);
    if (this.#turn && !this.state) this.#begin({ ...this.#turn, dice: read ?? this.#turn.rolled });
    this.#said.dice = read;
  }

  get checkers() {
    return this.state?.position.checkers ?? this.#said.checkers ?? MOST;
  }

  set checkers(checkers) {
    const read = readCheckers(checkers);
    if (this.#turn && !this.state) this.#begin({ ...this.#turn, checkers: read });
    this.#said.checkers = read;
  }

  get side() {
    return this.#turn?.side ?? super.side;
  }

  set side(side) {
    const read = readChoice("side", side);
    if (this.#turn && !this.#turn.isFixed) this.#begin({ ...this.#turn, side: read ?? PLAYERS[0] });
    this.#said.side = read;
  }

  get look() {
    return this.#said.look ?? CHOICES.look[0];
  }

  set look(look) {
    this.#dress("look", look);
  }

  get layout() {
    return this.#said.layout ?? CHOICES.layout[0];
  }

  set layout(layout) {
    this.#dress("layout", layout);
  }

  get words() {
    return { ...super.words, ...this.#reasons, ...this.#sayings };
  }

  /** Some words are of the board, some of reasons, some of a match; a few are of two of these. */
  set words(words) {
    const all = Object.entries(words ?? {});
    const of = (names) => Object.fromEntries(all.filter(([name]) => Object.hasOwn(names, name)));
    const [reasons, sayings] = [rules.WORDS, SAYINGS].map(of);
    const isElsewhere = (name) => [reasons, sayings].some((words) => Object.hasOwn(words, name));
    const others = all.filter(([name]) => !isElsewhere(name) || Object.hasOwn(super.words, name));
    for (const name in sayings) needed(["string", "function"].includes(typeof sayings[name]), `words.${name}`);
    rules.find(ONE_EACH, "11", "1/off", { words: reasons }); // which refuses what is none
    super.words = typeof words === "object" ? words && Object.fromEntries(others) : words;
    Object.assign(this.#reasons, reasons);
    this.#sayings = { ...this.#sayings, ...sayings };
    this.#change();
  }

  get view() {
    return super.view;
  }

  set view(view) {
    super.view = view;
    if (view) this.#leave();
  }

  show(view) {
    const shown = super.show(view);
    this.#leave();
    return shown;
  }

  focus() {
    this.#paint();
    super.focus();
    this.#buttons.focus();
  }

  // --- the game ---

  /** A turn that is there already goes on. */
  #begin(turn) {
    const read = readTurn(turn);
    if (this.#turn && keyOf(this.#turn) === keyOf(read)) Object.assign(this.#turn, read);
    else this.#turn = read;
    this.#paintLater();
  }

  #dress(name, value) {
    const read = readChoice(name, value);
    if (read !== this.#said[name]) {
      this.#said[name] = read;
      this.#blank = blankOf(this.layout, this.look);
    }
    this.#paintLater();
  }

  /** What board.js tells, with what only rules know. Of a match that is an event of it. */
  dispatchEvent(event) {
    const { type, detail } = event;
    if (this.state && type === "gammon-play") return this.#act("play", detail.moves);
    if (this.state && type === "gammon-action") return this.#act(detail.action);
    if (!this.#turn?.dice || !Array.isArray(detail?.moves)) return super.dispatchEvent(event);
    if (type === "gammon-refuse") return this.#refuse(event);
    if (type === "gammon-play") this.#pass(detail);
    return super.dispatchEvent(event);
  }

  /** The turn is over, and the other side's begins without dice. */
  #pass(detail) {
    const { points, checkers, dice, side, cube } = this.#turn;
    const { text, points: after } = rules.find(points, dice, detail.moves, { checkers });
    Object.assign(detail, { play: text, position: after, outcome: rules.outcome(after, { checkers }) });
    this.#said.dice = null;
    this.#begin({ points: after, checkers, side: otherThan(side), cube: cube && { ...cube, offers: 0 }, rolled: null, dice: null });
  }

  /** The page's reason, or else that of the rules. */
  #refuse(event) {
    const { points, checkers, dice } = this.#turn;
    const { from, to, moves, explain } = event.detail;
    let isExplained = false;
    event.detail.explain = (text) => {
      isExplained = true;
      explain(text);
    };
    const isLeft = super.dispatchEvent(event);
    const why = isExplained ? null : rules.whyNot(points, dice, moves, from, to, { words: this.#reasons, checkers });
    if (why) explain(why.sentence);
    return isLeft;
  }

  // --- a match ---

  /** Who may act here: the player who is to act, but either of them before an opening roll, and after a game. */
  get #actor() {
    const { player } = this;
    const toAct = rules.toAct(this.state);
    if (!toAct) return player ?? PLAYERS[0];
    return player && player !== toAct ? null : toAct;
  }

  /** Go on with a state; the play that led to it is shown, if it is not on the board already. */
  #take(state) {
    const { state: before, points, play } = this.#turn ?? {};
    const isThere = String(points) === String(state.position.points);
    const led = before ? playBetween(before, state) : null;
    this.#note = "";
    this.#begin({ ...turnIn(state), play: led ?? (isThere ? play : null) });
  }

  /** Do what the person wants, unless the page refuses it: then the turn is open again. */
  #act(action, argument = null) {
    const turn = this.#turn;
    const { state } = turn;
    const done = action === "roll" && !state.on_roll ? "opening_roll" : action;
    this.#attempt(() => {
      const detail = rules.receive(state, { action: done, argument }, this.#actor, { roll: this.roll ?? noRoll });
      const told = new CustomEvent("gammon-event", { detail, bubbles: true, composed: true, cancelable: true });
      const isTaken = super.dispatchEvent(told);
      if (this.#turn !== turn) return; // the page has gone on
      if (isTaken) this.#goOn(detail);
      else super.view = super.view;
      this.#paintLater();
    });
    return true;
  }

  #goOn({ event: { action, argument }, state }) {
    this.#take(state);
    if (action !== "opening_roll" || argument[0] !== argument[1]) return;
    this.#note = sayingOf(this.words)("tie", { dice: argument.join("-") });
    this.#change();
  }

  /** Draw it again, with the moves made so far. */
  #change() {
    if (!this.state) return;
    this.#shown.blank = null;
    this.#paintLater();
  }

  /** A page that shows views has no turn. */
  #leave() {
    this.#turn = null;
    this.#buttons.show(this.#choices);
  }

  /** What may be done here; but no roll where the page has no dice. */
  get #choices() {
    const { state, words } = this;
    const actor = state && this.#actor;
    const legal = actor ? rules.legalActions(state, actor) : [];
    const actions = legal.filter((action) => this.roll || !action.includes("roll"));
    const levels = legal.includes("resign") ? rules.possibleWins(state, otherThan(actor)) : [];
    return { state, words, actions, levels, note: actions.length < legal.length ? sayingOf(words)("no_dice") : this.#note };
  }

  /** When the picture is there. */
  async #showButtons(shown) {
    const last = this.#shown;
    if (shown && last.turn?.play) {
      this.#buttons.show({ ...this.#choices, actions: [], levels: [] });
      last.isComing = true;
      await shown;
      last.isComing = false;
    }
    if (this.#shown !== last || last.isComing) return;
    this.#buttons.show(this.#choices);
    if (shown && this.state) this.#tell();
  }

  /** What a screen reader says of the table: of kind, cube and score what is new. */
  #tell() {
    const { words } = this;
    const { kind, standing, cube, ...sides } = sceneOf(this.state, words);
    const status = this.shadowRoot.getElementById("status");
    const said = (what) => PLAYERS.map((player) => sides[player][what] && filled(words.told, { player: words[player], play: sides[player][what] }));
    const lasting = [kind, cube, ...said("points")];
    const fresh = lasting.filter((sentence) => !this.#told.includes(sentence));
    const sentences = [status.textContent, ...standing, ...said("doing"), this.#choices.note, ...fresh];
    this.#told = lasting;
    status.textContent = sentences.filter(Boolean).join(". ");
  }

  // --- what is shown ---

  /** Once, after all that a page assigns, and instead of what stands inside. */
  async #paintLater() {
    if (this.#isDue) return;
    this.#isDue = true;
    await null;
    if (document.readyState === "loading") {
      await new Promise((go) => document.addEventListener("DOMContentLoaded", go, { once: true }));
    }
    this.#paint();
  }

  #paint() {
    if (!this.#isDue) return;
    this.#isDue = false;
    const [turn, blank] = [this.#turn, this.#blank];
    const still = this.#shown.turn === turn;
    let shown = null;
    if (turn ? !still || this.#shown.blank !== blank : this.#wrong && !this.view) {
      const empty = { points: Array(26).fill(0), side: PLAYERS[0] };
      const svg = pictureOf(blank, turn ?? empty, this.words);
      const { tree = null, play = null, state = null } = turn ?? {};
      const possible = state ? this.#choices.actions : ["play"];
      const actions = possible.map((action) => action.replace("opening_", ""));
      const moves = still ? this.moves : [];
      this.#shown = { turn, blank };
      shown = super.show({ svg, tree: possible.includes("play") ? tree : null, moves, still, play: still ? null : play, actions });
    }
    this.#showButtons(shown);
    this.#complain();
  }

  /** Of what was wrong before, nothing stays. */
  #complain() {
    const reason = this.shadowRoot.getElementById("reason");
    if (this.#wrong || this.#complaint === reason.textContent) {
      reason.textContent = this.#wrong;
      reason.hidden = !this.#wrong;
      Object.assign(reason.style, { left: "50%", top: "50%", translate: "-50% -50%" });
    }
    [this.#complaint, this.#wrong] = [this.#wrong, ""];
  }
}
