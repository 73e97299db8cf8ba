/** The board that needs no server: it has the rules, and draws the table itself. */

import { GammonBoard as Board } from "../board/board.js";
import { needed } from "../board/checks.js";
import { present } from "../board/present.js";
import type { BoardEvents, BoardView, GammonRefuseEvent, Played } from "../board/types.js";
import * as rules from "../match/index.js";
import { opponentOf } from "../match/terms.js";
import type { Action, Level, MatchState, Player, Received } from "../match/types.js";
import type { Dice, Die, Move, Thrown, Words } from "../rules/types.js";
import { filled } from "../rules/words.js";
import { blankOf } from "../setup/drawing.js";
import { MOST, PLAYERS } from "../setup/states.js";
import { Buttons, type Choices } from "./buttons.js";
import { pictureOf } from "./drawing.js";
import { sceneOf } from "./scene.js";
import style from "./style.css";
import {
  type BegunTurn, CHOICES, keyOf, NAMES, ONE_EACH, playBetween, readCheckers, readChoice, readDice, readPosition,
  readState, readTurn, type TableTurn, turnIn,
} from "./turns.js";
import type { AloneWords, MatchWords, TableProperties } from "./types.js";
import { sayingOf, SAYINGS, type TableWords } from "./words.js";

const { GammonError, internals } = rules;
const { refuse, unfit } = internals;

const noRoll = () => null as never; // which `receive` refuses

/** What a page has said of the table, as it was read. */
interface Said {
  dice?: [high: Die, low: Die] | null;
  checkers?: number;
  side?: Player | null;
  player?: Player | null;
  look?: "flat" | "depth" | null;
  layout?: "landscape" | "portrait" | null;
  roll?: (() => Thrown) | null;
}

/** What the board shows, and whether the play that led to it is on its way. */
interface Shown {
  turn?: TableTurn | null;
  blank?: SVGElement | null;
  isComing?: boolean;
}

const isOf = <Name extends keyof BoardEvents>(name: Name, event: Event): event is BoardEvents[Name] => event.type === name;
/** Pages can send events of these names too. */
const hasMoves = ({ detail }: CustomEvent<{ moves: unknown } | null>) => Array.isArray(detail?.moves);

/** Assigning what is wrong changes nothing. The properties that this class adds throw a GammonError. Those of board.js, and
 *  `words`, throw what they throw there, mostly a TypeError; but a word of a reason is refused with a GammonError. */
export class GammonBoard extends Board {
  /** @internal */
  static override readonly name: string = "GammonBoard"; // minified, it would be shorter
  static override readonly observedAttributes: readonly string[] = [...Board.observedAttributes, ...NAMES];
  /** @internal */
  static override readonly properties: readonly string[] = [...NAMES, "roll", ...Board.properties];
  /** @internal */
  static override readonly css: string = Board.css + style;

  #said: Said = {};
  #reasons: Partial<Words> = {}; // its words of reasons
  #sayings: MatchWords = SAYINGS; // words of the table
  #turn: TableTurn | null = null; // null: the page shows views
  #blank = blankOf();
  #shown: Shown = {};
  #wrong = ""; // what is wrong with an attribute
  #complaint = ""; // what the board says of it
  #isDue = false;
  #note = ""; // what is said beside the buttons
  #told: string[] = []; // of score and cube, by the board
  #buttons = new Buttons(this, (action, level) => this.#act(action, level));

  override connectedCallback(): void {
    if (document.readyState !== "loading") this.#paint(); // what is inside is not the page's then
    this.#attempt(() => super.connectedCallback());
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    if (!NAMES.includes(name)) return super.attributeChangedCallback(name, old, value);
    this.#attempt(() => Object.assign(this, { [name]: value }));
    this.#paintLater();
  }

  /** Where no page can catch the error, the board shows it. */
  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof GammonError)) throw error;
      this.#wrong = error.message;
      this.#paintLater();
    }
  }

  // --- what a page calls ---

  /** The position as the player on roll sees it; null: there is none, or the page shows views. */
  get position(): number[] | null {
    return this.#turn && [...this.#turn.points];
  }

  set position(position: TableProperties["position"]) {
    if (position === null || position === undefined) return; // a framework has none yet
    const { checkers = MOST } = this.#said;
    const read = readPosition(position, { checkers });
    const { side = this.#said.side ?? PLAYERS[0], rolled = null, cube = null } = read;
    this.#begin({ ...read, isFixed: read.side !== undefined, checkers, side, rolled, cube, dice: this.#said.dice ?? rolled });
  }

  /** The match as it is now; null: there is none. */
  get state(): MatchState | null {
    return this.#turn?.state ?? null;
  }

  set state(state: TableProperties["state"]) {
    if ((state ?? null) !== null) this.#take(readState(state));
  }

  /** What throws the dice. */
  get roll(): (() => Thrown) | null {
    return this.#said.roll ?? null;
  }

  set roll(roll: TableProperties["roll"]) {
    if ((roll ?? null) !== null && typeof roll !== "function") refuse([unfit("roll", "type", "function", roll)]);
    this.#said.roll = roll;
    this.#change();
  }

  get player(): Player | null {
    return this.#said.player ?? null;
  }

  set player(player: TableProperties["player"]) {
    this.#said.player = readChoice("player", player);
    this.#change();
  }

  get dice(): [high: Die, low: Die] | null {
    return structuredClone(this.#turn ? this.#turn.dice : this.#said.dice ?? null);
  }

  set dice(dice: TableProperties["dice"]) {
    const read = dice === null || dice === undefined ? null : readDice(dice);
    if (this.#turn && !this.state) this.#begin({ ...this.#turn, dice: read ?? this.#turn.rolled });
    this.#said.dice = read;
  }

  get checkers(): number {
    return this.state?.position.checkers ?? this.#said.checkers ?? MOST;
  }

  set checkers(checkers: TableProperties["checkers"]) {
    const read = readCheckers(checkers);
    if (this.#turn && !this.state) this.#begin({ ...this.#turn, checkers: read });
    this.#said.checkers = read;
  }

  /** Who is on roll. */
  override get side(): "white" | "black" | null {
    return this.#turn?.side ?? super.side;
  }

  override set side(side: TableProperties["side"]) {
    const read = readChoice("side", side);
    if (this.#turn && !this.#turn.isFixed) this.#begin({ ...this.#turn, side: read ?? PLAYERS[0] });
    this.#said.side = read;
  }

  get look(): "flat" | "depth" {
    return this.#said.look ?? CHOICES.look[0];
  }

  set look(look: TableProperties["look"]) {
    this.#dress("look", look);
  }

  get layout(): "landscape" | "portrait" {
    return this.#said.layout ?? CHOICES.layout[0];
  }

  set layout(layout: TableProperties["layout"]) {
    this.#dress("layout", layout);
  }

  override get words(): TableWords {
    return { ...this.#reasons, ...super.words, ...this.#sayings };
  }

  /** Some words are of the board, some of reasons, some of a match; a few are of two of these. */
  override set words(words: AloneWords | null | undefined) {
    const all = Object.entries(words ?? {});
    const of = <Names extends object>(names: Names): Partial<Names> =>
      Object.fromEntries(all.filter(([name]) => Object.hasOwn(names, name))) as Partial<Names>;
    const [reasons, sayings] = [of(rules.WORDS), of<MatchWords>(SAYINGS)];
    const isElsewhere = (name: string) => [reasons, sayings].some((words) => Object.hasOwn(words, name));
    const others = all.filter(([name]) => !isElsewhere(name) || Object.hasOwn(super.words, name));
    for (const [name, word] of Object.entries(sayings)) needed(["string", "function"].includes(typeof word), `words.${name}`);
    rules.find(ONE_EACH, "11", "1/off", { words: reasons }); // which refuses what is none
    super.words = typeof words === "object" ? words && Object.fromEntries(others) : words;
    Object.assign(this.#reasons, reasons);
    this.#sayings = { ...this.#sayings, ...sayings };
    this.#change();
  }

  override get view(): BoardView | null {
    return super.view;
  }

  override set view(view: BoardView | null | undefined) {
    super.view = view;
    if (view) this.#leave();
  }

  override show(view: BoardView): Promise<void> {
    const shown = super.show(view);
    this.#leave();
    return shown;
  }

  override focus(): void {
    this.#paint();
    super.focus();
    this.#buttons.focus();
  }

  // --- the game ---

  /** A turn that is there already goes on. */
  #begin(turn: BegunTurn): void {
    const read = readTurn(turn);
    if (this.#turn && keyOf(this.#turn) === keyOf(read)) Object.assign(this.#turn, read);
    else this.#turn = read;
    this.#paintLater();
  }

  #dress<Name extends "look" | "layout">(name: Name, value: unknown): void {
    const read: Said[Name] = readChoice(name, value);
    if (read !== this.#said[name]) {
      this.#said[name] = read;
      this.#blank = blankOf(this.layout, this.look);
    }
    this.#paintLater();
  }

  /** What board.js tells, with what only rules know. Of a match that is an event of it. */
  override dispatchEvent(event: Event): boolean {
    const turn = this.#turn;
    if (turn?.state && isOf("gammon-play", event)) return this.#act("play", event.detail.moves);
    if (turn?.state && isOf("gammon-action", event)) return this.#act(event.detail.action);
    if (turn?.dice && isOf("gammon-refuse", event) && hasMoves(event)) return this.#refuse(turn, turn.dice, event);
    if (turn?.dice && isOf("gammon-play", event) && hasMoves(event)) this.#pass(turn, turn.dice, event.detail);
    return super.dispatchEvent(event);
  }

  /** The turn is over, and the other side's begins without dice. */
  #pass({ points, checkers, side, cube }: TableTurn, dice: Dice, detail: Played): void {
    const { text, points: after } = rules.find(points, dice, detail.moves, { checkers });
    Object.assign(detail, { play: text, position: after, outcome: rules.outcome(after, { checkers }) });
    this.#said.dice = null;
    this.#begin({ points: after, checkers, side: opponentOf(side), cube: cube && { ...cube, offers: 0 }, rolled: null, dice: null });
  }

  /** The page's reason, or else that of the rules. */
  #refuse({ points, checkers }: TableTurn, dice: Dice, event: GammonRefuseEvent): boolean {
    const { from, to, moves, explain } = event.detail;
    let isExplained = false;
    event.detail.explain = (text: string) => {
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
  #actorIn(state: MatchState): Player | null {
    const { player } = this;
    const toAct = rules.toAct(state);
    if (!toAct) return player ?? PLAYERS[0];
    return player && player !== toAct ? null : toAct;
  }

  /** Go on with a state; the play that led to it is shown, if it is not on the board already. */
  #take(state: MatchState): void {
    const before = this.#turn;
    const isThere = String(before?.points) === String(state.position.points);
    const led = before?.state ? playBetween(before.state, state) : null;
    this.#note = "";
    this.#begin({ ...turnIn(state), play: led ?? (isThere ? before?.play : null) });
  }

  /** Do what the person wants, unless the page refuses it: then the turn is open again. */
  #act(action: Action, argument: Move[] | Level | null = null): boolean {
    const turn = this.#turn;
    const state = present(turn?.state);
    const done = action === "roll" && !state.on_roll ? "opening_roll" : action;
    this.#attempt(() => {
      const actor = this.#actorIn(state) as Player; // what is nobody's is refused
      const detail = rules.receive(state, { action: done, argument }, actor, { roll: this.roll ?? noRoll });
      const told = new CustomEvent("gammon-event", { detail, bubbles: true, composed: true, cancelable: true });
      const isTaken = super.dispatchEvent(told);
      if (this.#turn !== turn) return; // the page has gone on
      if (isTaken) this.#goOn(detail);
      else super.view = super.view;
      this.#paintLater();
    });
    return true;
  }

  #goOn({ event, state }: Received): void {
    this.#take(state);
    if (event.action !== "opening_roll" || event.argument[0] !== event.argument[1]) return;
    this.#note = sayingOf(this.words)("tie", { dice: event.argument.join("-") });
    this.#change();
  }

  /** Draw it again, with the moves made so far. */
  #change(): void {
    if (!this.state) return;
    this.#shown.blank = null;
    this.#paintLater();
  }

  /** A page that shows views has no turn. */
  #leave(): void {
    this.#turn = null;
    this.#buttons.show(this.#choices);
  }

  /** What may be done here; but no roll where the page has no dice. */
  get #choices(): Choices {
    const { state, words } = this;
    const actor = state && this.#actorIn(state);
    const legal = state && actor ? rules.legalActions(state, actor) : [];
    const actions = legal.filter((action) => this.roll || !action.includes("roll"));
    const levels = state && actor && legal.includes("resign") ? rules.possibleWins(state, opponentOf(actor)) : [];
    return { state, words, actions, levels, note: actions.length < legal.length ? sayingOf(words)("no_dice") : this.#note };
  }

  /** When the picture is there. */
  async #showButtons(shown: Promise<void> | null): Promise<void> {
    const last = this.#shown;
    if (shown && last.turn?.play) {
      this.#buttons.show({ ...this.#choices, actions: [], levels: [] });
      last.isComing = true;
      await shown;
      last.isComing = false;
    }
    if (this.#shown !== last || last.isComing) return;
    this.#buttons.show(this.#choices);
    if (shown && this.state) this.#tell(this.state);
  }

  /** What a screen reader says of the table: of kind, cube and score what is new. */
  #tell(state: MatchState): void {
    const { words } = this;
    const { kind, standing, cube, ...sides } = sceneOf(state, words);
    const status = present(this.shadowRoot.getElementById("status"));
    const said = (what: "points" | "doing") => PLAYERS.map((player) => {
      const play = sides[player][what];
      return play && filled(words.told, { player: words[player], play });
    });
    const lasting = [kind, cube, ...said("points")];
    const fresh = lasting.filter((sentence) => !this.#told.includes(sentence));
    const sentences = [status.textContent, ...standing, ...said("doing"), this.#choices.note, ...fresh];
    this.#told = lasting;
    status.textContent = sentences.filter(Boolean).join(". ");
  }

  // --- what is shown ---

  /** Once, after all that a page assigns, and instead of what stands inside. */
  async #paintLater(): Promise<void> {
    if (this.#isDue) return;
    this.#isDue = true;
    await null;
    if (document.readyState === "loading") {
      await new Promise((go) => document.addEventListener("DOMContentLoaded", go, { once: true }));
    }
    this.#paint();
  }

  #paint(): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    const [turn, blank] = [this.#turn, this.#blank];
    const still = this.#shown.turn === turn;
    let shown: Promise<void> | null = null;
    if (turn ? !still || this.#shown.blank !== blank : this.#wrong && !this.view) {
      const empty = { points: Array(26).fill(0), side: PLAYERS[0] };
      const svg = pictureOf(blank, turn ?? empty, this.words);
      const { tree = null, play = null, state = null } = turn ?? {};
      const possible: readonly string[] = state ? this.#choices.actions : ["play"];
      const actions = possible.map((action) => action.replace("opening_", ""));
      const moves = still ? this.moves : [];
      this.#shown = { turn, blank };
      shown = super.show({ svg, tree: possible.includes("play") ? tree : null, moves, still, play: still ? null : play, actions });
    }
    this.#showButtons(shown);
    this.#complain();
  }

  /** Of what was wrong before, nothing stays. */
  #complain(): void {
    const reason = present(this.shadowRoot.getElementById("reason"));
    if (this.#wrong || this.#complaint === reason.textContent) {
      reason.textContent = this.#wrong;
      reason.hidden = !this.#wrong;
      Object.assign(reason.style, { left: "50%", top: "50%", translate: "-50% -50%" });
    }
    [this.#complaint, this.#wrong] = [this.#wrong, ""];
  }
}
