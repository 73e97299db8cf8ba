/** The board that needs no server: it has the rules, and draws the table itself. */

import { CLOSE, DECORATE, GammonBoard as Board, IS_AUTOMATIC, RENAMED } from "../board/board.js";
import { needed, textsOf } from "../board/checks.js";
import { define, send } from "../board/element.js";
import { partsOf, present } from "../board/svg.js";
import type { BoardEvents, BoardView, GammonIllegalEvent, PlayedTurn, PlayerTexts } from "../board/types.js";
import { isolated } from "../board/labels.js";
import * as rules from "../match/index.js";
import { opponentOf, PLAYERS } from "../match/terms.js";
import type { Action, MatchState, Player, ReceiveResult, WinKind } from "../match/types.js";
import type { Strength } from "../opponent/types.js";
import type { Dice, DiceRoll, Die, Messages, Move } from "../rules/types.js";
import { fillFields } from "../rules/messages.js";
import { blankOf } from "../setup/drawing.js";
import { MAX_CHECKERS } from "../setup/xgid.js";
import { type Hint, hintOf, loadedOpponent, type Mistake, mistakeIn } from "./advice.js";
import { type Act, Buttons, type Choices } from "./buttons.js";
import { pictureOf } from "./drawing.js";
import { continued, type Course, type Last, lastPlayOf, leadsTo, readLast } from "./last_play.js";
import { offerOf, recentMessages, sceneOf } from "./scene.js";
import style from "./style.css";
import {
  type BegunTurn, CHOICES, keyOf, NAMES, ONE_EACH, playBetween, readCheckers, readChoice, readDice, readPosition,
  readState, readTurn, type TableTurn, turnIn,
} from "./turns.js";
import type { ActionMessage, GammonTutorEvent, MatchBoardProperties, MatchBoardTranslations, MatchLabels } from "./types.js";
import { MATCH_LABELS, type MatchBoardLabels, type Names, translatorOf } from "./labels.js";

const { GammonError, internals } = rules;
const { refuse, unfit } = internals;

const noRoll = () => null as never; // which `receive` refuses
const MAX_REASON_LENGTH = 300; // characters

/** Why the page has not done something. */
const reasonOf = (error: unknown) => String((error as { message?: unknown } | null)?.message ?? error ?? "").slice(0, MAX_REASON_LENGTH);

/** The properties that a page has set, as they were read. */
interface Settings {
  dice?: [high: Die, low: Die] | null;
  checkers?: number;
  side?: Player | null;
  player?: Player | "none" | null;
  opponent?: Strength | null;
  look?: "flat" | "depth" | null;
  layout?: "landscape" | "portrait" | null;
  numbers?: "turning" | "fixed" | null;
  roll?: (() => DiceRoll) | null;
  send?: MatchBoardProperties["send"];
}

/** What the board shows, and whether the play that led to it is on its way. */
interface Shown {
  turn?: TableTurn | null;
  blank?: SVGElement | null;
  play?: readonly Move[] | null;
  isComing?: boolean;
}

const isOf = <Name extends keyof BoardEvents>(name: Name, event: Event): event is BoardEvents[Name] => event.type === name;
/** Pages can send events of these names too. */
const hasMoves = ({ detail }: CustomEvent<{ moves: unknown } | null>) => Array.isArray(detail?.moves);

/** Assigning what is wrong changes nothing. The properties that this class adds throw a GammonError. Those of board.js,
 *  `translations` and `clocks` throw what they throw there, mostly a TypeError; but an invalid message of a reason throws a
 *  GammonError. */
export class GammonBoard extends Board {
  /** @internal */
  static override readonly name: string = "GammonBoard"; // minified, it would be shorter
  static override readonly observedAttributes: readonly string[] = [...Board.observedAttributes, ...NAMES];
  /** @internal */
  static override readonly properties: readonly string[] = [...NAMES, "last", "roll", "send", "tutor", "clocks", ...Board.properties];
  /** @internal */
  static override readonly css: string = Board.css + style;

  #settings: Settings = {};
  #reasons: Partial<Messages> = {}; // its messages of reasons
  #matchLabels: MatchLabels = MATCH_LABELS; // labels of the match
  #turn: TableTurn | null = null; // null: the page shows views
  #blank = blankOf();
  #shown: Shown = {};
  #wrong = ""; // what is wrong with an attribute
  #complaint = ""; // what the board says of it
  #isDue = false;
  #last: Course | null = null; // how the state came about
  #isLastNew = false; // whether the page has said so since the last painting
  #sent: object | null = null; // what the page has yet to answer
  #rejected: TableTurn | null = null; // the turn in which it has rejected something
  #clocks = textsOf(null, "clocks");
  #announced: string[] = []; // of score and cube, by the board
  #asked: TableTurn | null = null; // what the opponent thinks about, or has answered
  #hint: Hint | null = null;
  #question: GammonTutorEvent["detail"] | null = null;
  #isAsking = false; // whether the board asks it, and not the page
  #buttons = new Buttons(this, (act, win) => this.#choose(act, win));

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
      if (error.message !== this.#complaint) send(this, "gammon-error", { error });
    }
  }

  // --- what a page calls ---

  /** The position as the player on roll sees it; null: there is none, or the page shows views. */
  get position(): number[] | null {
    return this.#turn && [...this.#turn.points];
  }

  set position(position: MatchBoardProperties["position"]) {
    if (position === null || position === undefined) return; // a framework has none yet
    const { checkers = MAX_CHECKERS } = this.#settings;
    const read = readPosition(position, { checkers });
    this.#sent = null;
    const { side = this.#settings.side ?? PLAYERS[0], rolled = null, cube = null } = read;
    this.#begin({ ...read, isFixed: read.side !== undefined, checkers, side, rolled, cube, dice: this.#settings.dice ?? rolled });
  }

  /** The match as it is now; null: there is none. */
  get state(): MatchState | null {
    return this.#turn?.state ?? null;
  }

  set state(state: MatchBoardProperties["state"]) {
    if ((state ?? null) === null) return;
    const read = readState(state);
    const fits = this.#last && leadsTo(this.#last, read);
    if (!fits && !this.#isLastNew) this.#last = null; // what the page has just said may wait for its state
    if (fits) this.#isLastNew = false;
    this.#unlock();
    this.#take(read);
  }

  /** How the state came about, as the page has said it, and what has been done here since; null: it is not known. */
  get last(): Last | null {
    return this.#last && { start: this.#last.start, events: this.#last.events };
  }

  set last(last: MatchBoardProperties["last"]) {
    const [read, before] = [readLast(last), JSON.stringify(this.last)];
    this.#last = read;
    if (JSON.stringify(this.last) === before) return;
    this.#isLastNew = true;
    this.#change();
  }

  /** What throws the dice. */
  get roll(): (() => DiceRoll) | null {
    return this.#settings.roll ?? null;
  }

  set roll(roll: MatchBoardProperties["roll"]) {
    this.#employ("roll", roll);
  }

  /** What has somebody else do what a player wants. */
  get send(): MatchBoardProperties["send"] {
    return this.#settings.send ?? null;
  }

  set send(send: MatchBoardProperties["send"]) {
    this.#employ("send", send);
  }

  get player(): Player | "none" | null {
    return this.#settings.player ?? null;
  }

  set player(player: MatchBoardProperties["player"]) {
    this.#dress("player", player);
  }

  get opponent(): Strength | null {
    return this.#settings.opponent ?? null;
  }

  set opponent(opponent: MatchBoardProperties["opponent"]) {
    const before = this.opponent;
    this.#dress("opponent", opponent);
    if (before !== this.opponent) this.#asked = null; // so it thinks anew
  }

  /** The attribute. */
  get tutor(): boolean {
    return this.hasAttribute("tutor");
  }

  set tutor(tutor: MatchBoardProperties["tutor"]) {
    if (typeof (tutor ?? false) !== "boolean") refuse([unfit("tutor", "type", "boolean", tutor)]);
    this.toggleAttribute("tutor", tutor ?? false);
  }

  get dice(): [high: Die, low: Die] | null {
    return structuredClone(this.#turn ? this.#turn.dice : this.#settings.dice ?? null);
  }

  set dice(dice: MatchBoardProperties["dice"]) {
    const read = dice === null || dice === undefined ? null : readDice(dice);
    if (this.#turn && !this.state) this.#begin({ ...this.#turn, dice: read ?? this.#turn.rolled });
    this.#settings.dice = read;
  }

  get checkers(): number {
    return this.state?.position.checkers ?? this.#settings.checkers ?? MAX_CHECKERS;
  }

  set checkers(checkers: MatchBoardProperties["checkers"]) {
    const read = readCheckers(checkers);
    if (this.#turn && !this.state) this.#begin({ ...this.#turn, checkers: read });
    this.#settings.checkers = read;
  }

  /** Who is on roll. */
  override get side(): "white" | "black" | null {
    return this.#turn?.side ?? super.side;
  }

  override set side(side: MatchBoardProperties["side"]) {
    const read = readChoice("side", side);
    if (this.#turn && !this.#turn.isFixed) this.#begin({ ...this.#turn, side: read ?? PLAYERS[0] });
    this.#settings.side = read;
  }

  get look(): "flat" | "depth" {
    return this.#settings.look ?? CHOICES.look[0];
  }

  set look(look: MatchBoardProperties["look"]) {
    this.#dress("look", look);
  }

  get numbers(): "turning" | "fixed" {
    return this.#settings.numbers ?? CHOICES.numbers[this.state && this.#seat ? 1 : 0];
  }

  set numbers(numbers: MatchBoardProperties["numbers"]) {
    this.#dress("numbers", numbers);
  }

  get clocks(): PlayerTexts {
    return { ...this.#clocks };
  }

  set clocks(clocks: MatchBoardProperties["clocks"]) {
    const before = this.#clockLength;
    this.#clocks = textsOf(clocks, "clocks");
    if (before !== this.#clockLength) this.#change();
    this.#writeClocks(this);
  }

  get #clockLength(): number {
    return Math.max(this.#clocks.white.length, this.#clocks.black.length);
  }

  get layout(): "landscape" | "portrait" {
    return this.#settings.layout ?? CHOICES.layout[0];
  }

  set layout(layout: MatchBoardProperties["layout"]) {
    this.#dress("layout", layout);
  }

  override get translations(): MatchBoardLabels {
    return { ...this.#reasons, ...super.translations, ...this.#matchLabels };
  }

  /** A translation is of the board, of a reason or of the match; a few are of two of these. */
  override set translations(translations: MatchBoardTranslations | null | undefined) {
    const all = Object.entries(translations ?? {});
    const before = this.translations as object as Record<string, unknown>;
    const of = <Names extends object>(names: Names): Partial<Names> =>
      Object.fromEntries(all.filter(([name]) => Object.hasOwn(names, name))) as Partial<Names>;
    const [reasons, matchLabels] = [of(rules.MESSAGES), of<MatchLabels>(MATCH_LABELS)];
    const isElsewhere = (name: string) => [reasons, matchLabels].some((labels) => Object.hasOwn(labels, name));
    const others = all.filter(([name]) => !isElsewhere(name) || Object.hasOwn(super.translations, name));
    for (const [name, label] of Object.entries(matchLabels)) needed(["string", "function"].includes(typeof label), `translations.${name}`);
    rules.find(ONE_EACH, "11", "1/off", { translations: reasons }); // which rejects an invalid message
    super.translations = typeof translations === "object" ? translations && Object.fromEntries(others) : translations;
    Object.assign(this.#reasons, reasons);
    this.#matchLabels = { ...this.#matchLabels, ...matchLabels };
    if (all.some(([name, label]) => before[name] !== label)) this.#change();
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

  /** Show the best plays at the beginning of the turn, or the better action, until somebody acts. It does nothing in a turn that
   *  nobody has here. */
  hint(): void {
    const { state } = this;
    if (!state || this.#question || this.#sent || !rules.toAct(state) || !this.#actorIn(state)) return;
    const hint = hintOf(state, this.translations);
    this.#reopen();
    this.#hint = hint;
    this.#buttons.show(this.#choices);
    this.#announce(hint.message, ...hint.plays.map(({ label }) => label));
  }

  // --- the game ---

  /** A turn that is there already goes on. */
  #begin(turn: BegunTurn): void {
    const read = readTurn(turn);
    if (this.#turn && keyOf(this.#turn) === keyOf(read)) Object.assign(this.#turn, read);
    else this.#turn = read;
    if (this.#turn === read) this.#forget();
    this.#paintLater();
  }

  /** Take a function of the page; only whether there is one can be seen. */
  #employ<Name extends "roll" | "send">(name: Name, act: Settings[Name]): void {
    if ((act ?? null) !== null && typeof act !== "function") refuse([unfit(name, "type", "function", act)]);
    const isOther = !act !== !this.#settings[name];
    this.#settings[name] = act;
    if (isOther) this.#change();
  }

  #dress<Name extends "look" | "layout" | "numbers" | "player" | "opponent">(name: Name, value: unknown): void {
    const read: Settings[Name] = readChoice(name, value);
    if (read !== (this.#settings[name] ?? null)) {
      this.#settings[name] = read;
      this.#blank = blankOf(this.layout, this.look);
    }
    this.#paintLater();
  }

  /** What board.js tells, with what only rules know. Of a match that is an event of it. */
  override dispatchEvent(event: Event): boolean {
    const turn = this.#turn;
    if ((this.#hint ?? this.#question) && isOf("gammon-move", event)) {
      this.#forget();
      this.#paintLater();
    }
    if (turn?.state && isOf("gammon-play", event)) return this.#act("play", event.detail.moves);
    if (turn?.state && isOf("gammon-action", event)) return this.#act(event.detail.action);
    if (turn?.dice && isOf("gammon-illegal", event) && hasMoves(event)) return this.#explain(turn, turn.dice, event);
    if (turn?.dice && isOf("gammon-play", event) && hasMoves(event)) this.#pass(turn, turn.dice, event.detail);
    return super.dispatchEvent(event);
  }

  /** The turn is over, and the other side's begins without dice. */
  #pass({ points, checkers, side, cube }: TableTurn, dice: Dice, detail: PlayedTurn): void {
    const { text, points: after } = rules.find(points, dice, detail.moves, { checkers });
    Object.assign(detail, { play: text, position: after, outcome: rules.outcome(after, { checkers }) });
    this.#settings.dice = null;
    this.#begin({ points: after, checkers, side: opponentOf(side), cube: cube && { ...cube, offers: 0 }, rolled: null, dice: null });
  }

  /** The page's reason, or else that of the rules. */
  #explain({ points, checkers }: TableTurn, dice: Dice, event: GammonIllegalEvent): boolean {
    const { from, to, moves, explain } = event.detail;
    let isExplained = false;
    event.detail.explain = (text: string) => {
      isExplained = true;
      explain(text);
    };
    const isLeft = super.dispatchEvent(event);
    const why = isExplained ? null : rules.why(points, dice, moves, from, to, { translations: this.#reasons, checkers });
    if (why) explain(why.message);
    return isLeft;
  }

  // --- a match ---

  /** Whose side this is; null: both play here. */
  get #seat(): Player | "none" | null {
    return this.player ?? (this.opponent && PLAYERS[0]);
  }

  /** Who may act here: the player who is to act, but either of them before an opening roll, and after a game. */
  #actorIn(state: MatchState): Player | null {
    const seat = this.#seat;
    if (seat === "none") return null;
    const toAct = rules.toAct(state);
    if (!toAct) return seat ?? PLAYERS[0];
    return seat && seat !== toAct ? null : toAct;
  }

  /** Go on with a state; the play that led to it is shown, if it is not on the board already. */
  #take(state: MatchState): void {
    const before = this.#turn;
    const isThere = String(before?.points) === String(state.position.points);
    const led = before?.state ? playBetween(before.state, state) : null;
    this.#begin({ ...turnIn(state), play: led ?? (isThere ? before?.play : null) });
  }

  /** What a button says. */
  #choose(act: Act, win?: WinKind): void {
    if (act === "take_back") this.#question?.takeBack();
    else if (act === "confirm") this.#question?.confirm();
    else this.#act(act, win);
  }

  /** Do what the person wants; of a play that loses much the person is asked first. */
  #act(action: Action, argument: Move[] | WinKind | null = null): boolean {
    if (this.#sent) return true;
    const state = present(this.state);
    const actor = this.#actorIn(state);
    if (!actor) return true; // a page can tell the board of acts that nobody has here
    const message = { action, ...(argument && { argument }) };
    const act = () => void (this.send ? this.#deliver(message, actor) : this.#carryOut(message, actor));
    let mistake: Mistake | null = null;
    if (action === "play" && this.tutor) {
      this.#attempt(() => { mistake = mistakeIn(state, argument as Move[], this.translations); });
    }
    if (mistake) this.#ask(mistake, act);
    else act();
    return true;
  }

  /** Ask whether a play stands, unless the page does. */
  #ask(mistake: Mistake, confirm: () => void): void {
    const once = (answer: () => void) => () => {
      if (this.#question !== question) return;
      this.#question = null;
      answer();
    };
    const question = { ...mistake, takeBack: once(() => this.#reopen()), confirm: once(confirm) };
    this.#question = question;
    const asked = new CustomEvent("gammon-tutor", { detail: question, bubbles: true, composed: true, cancelable: true });
    const isTaken = super.dispatchEvent(asked); // so the board asks
    if (this.#question !== question) return; // the page has answered, or gone on
    this.#isAsking = isTaken;
    this.#buttons.show(this.#choices);
    if (isTaken) this.#announce(mistake.message);
    this.#buttons.focus();
  }

  /** The same turn, from its beginning. */
  #reopen(): void {
    super.view = super.view;
    for (const _ of this.moves) this.undo();
    this.#paintLater();
  }

  /** The opponent acts, after a time in which people can follow. */
  #answer(turn: TableTurn): void {
    const { state } = turn;
    if (!state || !this.opponent || this.send || this.player === "none" || this.#actorIn(state) || this.#asked === turn) return;
    this.#asked = turn;
    setTimeout(() => {
      if (this.#asked !== turn || this.#turn !== turn) return;
      this.#attempt(() => this.#carryOut(loadedOpponent().decide(state, { strength: this.opponent }), rules.toAct(state)));
    }, 3 * +(this.speed ?? 250)); // flights of a checker
  }

  /** Do what a player wants, unless the page refuses it: then the turn is open again. */
  #carryOut(message: object, player: Player | null): void {
    const turn = this.#turn;
    const state = present(turn?.state);
    this.#attempt(() => {
      const actor = player as Player; // what is nobody's is refused
      const detail = rules.receive(state, message, actor, { roll: this.roll ?? noRoll });
      const change = new CustomEvent("gammon-change", { detail, bubbles: true, composed: true, cancelable: true });
      const isTaken = super.dispatchEvent(change);
      if (this.#turn !== turn) return; // the page has gone on
      if (isTaken) this.#goOn(detail);
      else super.view = super.view;
      this.#paintLater();
    });
  }

  /** Have the page do it; until it answers nothing can be done here. */
  async #deliver(message: ActionMessage, player: Player): Promise<void> {
    [this.#sent, this.#rejected] = [message, null];
    this[CLOSE]();
    this.#change();
    try {
      await this.send?.(message, player);
    } catch (error) {
      if (this.#sent !== message) return; // the page has gone on
      this.#rejected = this.#turn;
      this.#unlock();
      this.#wrong = reasonOf(error) || translatorOf(this.translations)("not_done");
    }
  }

  /** What has been refused is not done by itself again. @internal */
  override [IS_AUTOMATIC](): boolean {
    return !this.#sent && (!this.#rejected || this.#rejected !== this.#turn);
  }

  /** The page has answered: the turn is open again, with its moves. */
  #unlock(): void {
    if (!this.#sent) return;
    this.#sent = null;
    super.view = super.view;
    this.#change();
  }

  #goOn(received: ReceiveResult): void {
    this.#last = continued(this.#last, present(this.state), received);
    this.#take(received.state);
    this.#change(); // also where dice that tie lead nowhere
  }

  /** What was said of the turn is over. */
  #forget(): void {
    if (this.#hint) this.arrows = [];
    this.#hint = this.#question = null;
  }

  /** @internal */
  override [RENAMED](): void {
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
    this.#turn = this.#sent = null;
    this.#forget();
    this.#buttons.show(this.#choices);
  }

  /** What may be done here; but no roll where the page has no dice. */
  get #choices(): Choices {
    const { state, translations: labels } = this;
    const { plays, message = this.#recentMessages().join(". ") }: Partial<Hint> = this.#hint ?? {};
    const shown = { state, labels, plays, offer: state && offerOf(state, labels, this.#playerNames) };
    const nothing = { ...shown, actions: [], wins: [] };
    if (this.#sent) return { ...nothing, note: translatorOf(labels)("sending") };
    if (this.#question) {
      return this.#isAsking ? { ...nothing, actions: ["confirm", "take_back"], note: this.#question.message } : { ...nothing, note: "" };
    }
    const actor = state && this.#actorIn(state);
    const legal = state && actor ? rules.legalActions(state, actor) : [];
    const actions = legal.filter((action) => this.roll || this.send || !action.includes("roll"));
    const wins = state && actor && legal.includes("resign") ? rules.possibleWins(state, opponentOf(actor)) : [];
    const note = actions.length < legal.length ? translatorOf(labels)("no_dice") : message;
    return { ...shown, actions, wins, note };
  }

  /** Who plays. */
  get #playerNames(): Names {
    const { translations: labels, names: { white, black } } = this;
    return { white: white || labels.white, black: black || labels.black };
  }

  /** How the state came about, where that is known. */
  get #course(): Course | null {
    const { state } = this;
    return state && this.#last && leadsTo(this.#last, state) ? this.#last : null;
  }

  #recentMessages(hasDice = false): string[] {
    const last = this.#course;
    return last ? recentMessages(last, present(this.state), this.translations, this.#playerNames, hasDice) : [];
  }

  /** When the picture is there. */
  async #showButtons(shown: Promise<void> | null): Promise<void> {
    const last = this.#shown;
    if (shown && last.play) {
      this.#buttons.show({ ...this.#choices, actions: [], wins: [] });
      last.isComing = true;
      await shown;
      last.isComing = false;
    }
    if (this.#shown !== last || last.isComing) return;
    this.#buttons.show(this.#choices);
    if (shown && this.state) this.#announceState(this.state);
    if (last.turn && last.turn === this.#turn) this.#answer(last.turn);
  }

  #announce(...messages: string[]): void {
    present(this.shadowRoot.getElementById("status")).textContent = messages.filter(Boolean).join(". ");
  }

  /** What a screen reader says of the table: of kind, cube and score what is new. */
  #announceState(state: MatchState): void {
    const { translations: labels } = this;
    const names = this.#playerNames;
    const { kind, standing, cube, ...sides } = sceneOf(state, labels, names);
    const status = present(this.shadowRoot.getElementById("status"));
    const messagesOf = (what: "points" | "doing") => PLAYERS.map((player) => {
      const play = sides[player][what];
      return play && fillFields(labels.played, { player: isolated(names[player]), play });
    });
    const { note, offer, actions } = this.#choices;
    const came = this.#recentMessages(true);
    const lasting = [...came, ...standing, kind, cube, ...messagesOf("points")];
    const heard = this.#shown.play?.length ? came.slice(0, 1) : []; // while the play was being shown
    const before = [...this.#announced, ...heard];
    const fresh = lasting.filter((message) => !before.includes(message) && !status.textContent.includes(message));
    this.#announced = lasting;
    const stakes = actions.length && offer ? offer.stakes : "";
    this.#announce(status.textContent, ...messagesOf("doing"), note === this.#recentMessages().join(". ") ? "" : note, stakes, ...fresh);
  }

  // --- what is shown ---

  /** @internal */
  override [DECORATE](svg: SVGElement): void {
    this.#buttons.placeOffer(svg);
    this.#writeClocks(svg); // they may have gone on
  }

  #writeClocks(svg: ParentNode): void {
    for (const clock of partsOf(svg, ".clock")) clock.textContent = this.#clocks[clock.dataset.player as Player];
  }

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
    if (this.#isLastNew && this.state && this.#last && !this.#course) this.#wrong = "last: its events do not lead to the state";
    if (this.state) this.#isLastNew = false;
    const still = this.#shown.turn === turn;
    let shown: Promise<void> | null = null;
    if (turn ? !still || this.#shown.blank !== blank : this.#wrong && !this.view) {
      const empty = { points: Array(26).fill(0), side: PLAYERS[0] };
      const { translations: labels } = this;
      const isFixed = this.numbers === "fixed";
      const isFlipped = this.#seat === PLAYERS[1];
      const around = { labels, names: this.#playerNames, clockLength: this.#clockLength, last: this.#course, isFixed, isFlipped };
      const svg = pictureOf(blank, turn ?? empty, around);
      const { tree = null, state = null } = turn ?? {};
      const play = still ? null : turn?.play ?? this.#ledHere();
      const isBusy = this.#question ?? this.#sent;
      const actions: readonly string[] = state && !isBusy ? this.#choices.actions : ["play"];
      const moves = still ? this.moves : [];
      this.#shown = { turn, blank, play };
      shown = super.show({ svg, tree: actions.includes("play") ? tree : null, moves, still, play, actions });
      if (this.#sent) this[CLOSE]();
    }
    this.#showButtons(shown);
    this.#complain();
  }

  /** The last play, if the board shows what was before it. */
  #ledHere(): Move[] | null {
    const { state } = this.#shown.turn ?? {};
    const last = this.#course && lastPlayOf(this.#course);
    if (!state || !last) return null;
    const isShown = String(rules.view(state, last.player).points) === String(last.start.position.points);
    return isShown ? playBetween(last.start, last.end) : null;
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

/** Define the element, or report in the console that it was too late. */
export function register(): void {
  const earlier = define("gammon-board", GammonBoard);
  if (earlier && !("state" in earlier.prototype)) {
    globalThis.console.error("board.js was loaded before match-board.js, so no <gammon-board> of this page takes a position or a state");
  }
}
