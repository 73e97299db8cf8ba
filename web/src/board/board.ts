/** The board on which a person plays. It knows no rules: it shows the library's picture, walks the tree of the turn, and
 * sends events. */

import { drawPosition, fill } from "./checkers.js";
import { checked, listed, mergeTranslations, movesOf, needed, pointsOf, textsOf } from "./checks.js";
import { painted } from "./colors.js";
import { explain, partsIn, showButtons } from "./controls.js";
import { ARROW_KEYS, Drag, GammonElement, type Heard, reflect, send, step } from "./element.js";
import { turn as turned, unturned } from "./flip.js";
import { type Action, describe, describeTurn, isolated, offer, PLACE_LABELS } from "./labels.js";
import { aim, Arrows, highlight, type Stroke } from "./marks.js";
import { Motion } from "./motion.js";
import { afterMove, type Position, readPosition, seenBy } from "./position.js";
import {
  BAR, checkersIn, DICE, groupOf, groupsOf, isOther, numberAt, numberBelow, partsOf, type Player, present,
} from "./svg.js";
import style from "./style.css";
import { type Branch, readTree, type Step, Turn } from "./turn.js";
import type { BoardAuto, BoardLabels, BoardView, GammonSoundEvent, Move, PlayerTexts, TurnTree } from "./types.js";
import { opponentOf } from "../match/terms.js";
import { fillFields } from "../rules/messages.js";

const LABELS: BoardLabels = {
  ...PLACE_LABELS,
  movable: "can move",
  swap: "play the {die} first",
  turn: "your turn: {dice}",
  roll: "Roll",
  double: "Double to {to}",
  take: "Take at {value}",
  played: "{player}: {play}",
  prompt: "{action}? Once more, then it is done.",
  undo: "Undo",
  done: "Done",
  dance: "No play",
};

type Sound = GammonSoundEvent["detail"]["sound"];

/** What only the board of match-board.js calls, or does in its own way. @internal */
export const CLOSE: unique symbol = Symbol("close");
/** @internal */
export const DECORATE: unique symbol = Symbol("decorate");
/** @internal */
export const RENAMED: unique symbol = Symbol("renamed");
/** @internal */
export const IS_AUTOMATIC: unique symbol = Symbol("is automatic");

/** The position of a board that shows none yet. */
const NOTHING: Position = { player: "white", points: [], off: [] };

/** The SVG that a page gives. */
function pictureIn(svg: string | object): SVGElement {
  const element = svg instanceof Element ? svg : new DOMParser().parseFromString(svg as string, "image/svg+xml").documentElement;
  const isPicture = element.matches("svg.gammonrules") && groupsOf(element).length > 27;
  return present(isPicture ? (element as SVGElement) : null);
}

export class GammonBoard extends GammonElement {
  /** @internal */
  static override readonly name: string = "GammonBoard"; // minified, it would be shorter
  static override readonly observedAttributes: readonly string[] = ["flip", "theme", "speed", "auto"];
  /** @internal */
  static override readonly properties: readonly string[] = [
    "translations", "names", "flip", "theme", "speed", "auto", "view", "tree", "highlight", "arrows", "playedArrows",
  ];
  /** @internal */
  static override readonly css: string = style;

  #picture: SVGElement | null = null; // as it came: the board at the beginning of the turn
  #start = NOTHING; // what the picture shows
  #svg: SVGElement | null = null; // as it is shown: a copy of the picture, after the moves
  #view: BoardView | null = null; // what a page has shown
  #same = ""; // picture, tree and actions of it, to be compared
  #turn = new Turn(NOTHING); // of who moves here
  #actions: string[] = []; // what the person may do on the board besides: "roll", "double", "take"
  #wait = 0; // until then no action is sent again
  #asked: Element | null = null; // the cube, while it asks
  #pressed = 0; // when a pointer was pressed last
  #isSecond = false; // whether that was the second of a double click
  #played = ""; // the play of the other side, as text
  #drag: Drag<number | null> | null = null;
  #highlight: number[] | null = null; // points that the page has named; null: those that can move
  #arrows = new Arrows();
  #next: (() => void) | null = null; // shows what a play leads to that is being shown
  #clicked: string | null = null; // the selector of what was clicked, from where keys go on; null: something has the focus
  #labels = LABELS;
  #names = textsOf(null, "names");
  #parts = partsIn(this.shadowRoot);
  #motion = new Motion(this);
  #watch = new MutationObserver((records) => this.#takeIn(records.some(({ type }) => type === "attributes")));

  constructor() {
    super();
    const { frame, undo, done } = this.#parts;
    undo.addEventListener("click", () => this.undo());
    // The second of a double click on "Done" must not end the next turn.
    done.addEventListener("click", ({ detail }) => (detail < 2 || this.#turn.moves.length) && this.endTurn());
    const on = <Name extends keyof HTMLElementEventMap>(name: Name, act: (event: Heard<HTMLElementEventMap[Name]>) => unknown) =>
      frame.addEventListener(name, act as (event: HTMLElementEventMap[Name]) => unknown);
    on("pointerdown", (event) => this.#press(event));
    on("pointermove", (event) => this.#pull(event));
    on("pointerup", (event) => this.#release(event));
    const drop = ({ pointerId }: PointerEvent) => {
      if ([this.#drag?.press.pointerId, this.#arrows.stroke?.id].includes(pointerId)) this.#draw();
    };
    on("pointercancel", drop);
    on("lostpointercapture", drop);
    // Of what scrolls nothing browsers make a fling all the same, which the next touch would only stop.
    on("touchstart", (event) => event.target.closest("[style*=none]") && event.preventDefault());
    // That of a long touch, and where the right button draws arrows.
    on("contextmenu", (event) => (this.#drag || (event.button === 2 && this.#svg)) && event.preventDefault());
    const hover = ({ type, pointerType, target }: Heard<PointerEvent>) => {
      if (pointerType === "mouse" && !this.#drag) this.#aim(type === "pointerover" ? this.#numberAt(target) : null);
    };
    on("pointerleave", hover);
    on("pointerover", hover);
    on("focusin", ({ target }) => {
      this.#clicked = this.#asked = null;
      if (target.matches(":focus-visible")) this.#aim(this.#numberAt(target));
    });
    // Screen readers click without a pointer, whose clicks are known when it is released.
    on("click", (event) => event.detail === 0 && !this.#end() && this.#click(event.target));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("mousedown", (event) => {
      this.#isSecond = event.detail > 1;
      event.preventDefault(); // nothing is selected, and no picture dragged
      const isButton = event.target === this;
      if (!this.#isUsed || (isButton && this.contains((this.getRootNode() as Document | ShadowRoot).activeElement))) return;
      frame.focus({ preventScroll: true }); // which shows no ring
      this.#clicked = `[data-point="${(event.target as Element).closest<SVGElement>(".movable")?.dataset.point}"].movable`;
    });
    this.#watch.observe(this, { childList: true, attributeFilter: ["tree"] });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#takeIn(false);
    this.#sayWhatIsMissing();
  }

  /** What only the board of match-board.js takes. */
  #sayWhatIsMissing(): void {
    const { observedAttributes: taken } = this.constructor;
    const name = ["position", "state"].find((attribute) => this.hasAttribute(attribute) && !taken.includes(attribute));
    if (name && !this.#svg) this.textContent = `"${name}" needs match-board.js, not board.js.`;
  }

  attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    checked(name, value);
    if (this.#svg && old !== value) this.#draw({ still: true });
  }

  disconnectedCallback(): void {
    if (this.#drag || this.#arrows.stroke) this.#draw();
  }

  /** Show what a server or framework has written: a picture inside, the attribute `tree`. */
  #takeIn(isTreeNew: boolean): void {
    if (document.readyState === "loading") {
      document.addEventListener("DOMContentLoaded", () => this.#takeIn(isTreeNew), { once: true });
      return;
    }
    this.#next?.();
    const svg = this.querySelector<SVGElement>("svg.gammonrules");
    const isOwn = svg === this.#svg;
    if (!svg || (isOwn && !isTreeNew)) return;
    try {
      const isCopied = !isOwn && svg.dataset.shown; // with its element: a picture of a turn that is played elsewhere
      this.view = { svg: (isOwn && this.#picture) || svg, tree: isCopied ? null : this.getAttribute("tree") };
    } finally {
      if (this.#svg && !this.contains(this.#svg)) this.replaceChildren(this.#svg);
    }
  }

  // --- what a page calls ---

  /** What it shows; assigning does what `show` does, but keeps the turn of an equal view, open again if it was ended. */
  get view(): BoardView | null {
    return this.#view;
  }

  set view(view: BoardView | null | undefined) {
    if (view) this.#show(view, true); // before a framework has one there is nothing to show
  }

  /** The promise is kept when all of it is on the board. */
  show(view: BoardView): Promise<void> {
    return this.#show(view, false);
  }

  /** What is there already stays as it is, if the page wants that: of a turn that was ended its moves, to go on. */
  #show(view: BoardView, isKept: boolean): Promise<void> {
    const { svg, tree, play } = view;
    const still = view.still ?? false;
    needed(typeof still === "boolean", "still");
    const moves = listed(view.moves ?? [], Array.isArray, "moves", "pairs");
    const picture = pictureIn(svg);
    const named = listed(view.actions ?? [], (action) => typeof action === "string", "actions", "words");
    const before = movesOf(play, "play");
    const start = readPosition(picture);
    const copy = painted(unturned(picture, start));
    const walked = tree ? readTree(tree, start, copy) : null;
    const key = JSON.stringify([new XMLSerializer().serializeToString(copy), walked?.data, named]);
    const isSame = isKept && key === this.#same && (!view.moves || String(moves) === String(this.#view?.moves));
    this.#view = view;
    if (isSame) return this.#reopen();
    this.#next?.();
    this.#same = key;
    return this.#follow(this.#svg && !still ? before : [], start, copy, () => {
      [this.#turn, this.#picture, this.#start, this.#actions] = [new Turn(start, walked), copy, start, named];
      this.#begin(moves, still);
    });
  }

  undo(): void {
    if (this.#turn.isOpen && this.#turn.moves.length) this.#goTo(this.#turn.moves.slice(0, -1));
  }

  endTurn(): void {
    if (!this.isComplete) return;
    this[CLOSE]();
    send(this, "gammon-play", { moves: this.moves });
  }

  /** Nothing moves until there is a view, or the same one again. @internal */
  [CLOSE](): void {
    this.#turn.isOver = true;
    this.#draw();
  }

  swapDice(): void {
    if (!this.#turn.canSwapDice) return;
    this.#turn.isSwapped = !this.#turn.isSwapped;
    this.#draw();
  }

  override focus(): void {
    if (this.#svg) this.#focus();
  }

  get moves(): Move[] {
    return this.#turn.moves.map(({ from, to }) => [from, to]);
  }

  get isComplete(): boolean {
    return this.#turn.isComplete;
  }

  /** Who numbers the points: the player on roll, before the opening roll White; null before there is a picture. */
  get side(): "white" | "black" | null {
    return this.#svg && this.#player;
  }

  /** The turn of the player who moves here, as it was given; assigning sets the attribute. */
  get tree(): TurnTree | null {
    return this.#turn.tree?.data ?? null;
  }

  set tree(tree: TurnTree | string | null | undefined) {
    reflect(this, "tree", typeof tree === "object" && tree ? JSON.stringify(tree) : tree);
  }

  get speed(): string | null {
    return this.getAttribute("speed");
  }

  /** Milliseconds for one checker. */
  set speed(speed: number | `${number}` | null | undefined) {
    reflect(this, "speed", speed);
  }

  get auto(): string | null {
    return this.getAttribute("auto");
  }

  set auto(auto: BoardAuto | null | undefined) {
    reflect(this, "auto", auto);
  }

  /** The points that stand out; null: those whose checkers can move. */
  get highlight(): number[] | null {
    return structuredClone(this.#highlight);
  }

  set highlight(points: readonly number[] | null | undefined) {
    const named = (points ?? null) !== null ? pointsOf(points, "highlight") : null;
    if (String(named) === String(this.#highlight)) return;
    this.#highlight = named;
    if (this.#svg) this.#draw({ still: true });
  }

  /** Arrows of the page. */
  get arrows(): Move[] {
    return structuredClone(this.#arrows.best);
  }

  set arrows(moves: readonly Readonly<Move>[] | null | undefined) {
    this.#arrows.best = movesOf(moves, "arrows");
    if (this.#svg) this.#drawArrows();
  }

  /** Dashed arrows of a play that was made where that of the arrows was best. */
  get playedArrows(): Move[] {
    return structuredClone(this.#arrows.played);
  }

  set playedArrows(moves: readonly Readonly<Move>[] | null | undefined) {
    this.#arrows.played = movesOf(moves, "playedArrows");
    if (this.#svg) this.#drawArrows();
  }

  /** Arrows that the person has drawn with the right button. */
  get userArrows(): Move[] {
    return structuredClone(this.#arrows.user);
  }

  /** Who plays, where they are not called by their colors. */
  get names(): PlayerTexts {
    return { ...this.#names };
  }

  set names(names: PlayerTexts | null | undefined) {
    const read = textsOf(names, "names");
    const isNew = JSON.stringify(read) !== JSON.stringify(this.#names);
    this.#names = read;
    if (isNew) this[RENAMED]();
  }

  /** The names are others. @internal */
  [RENAMED](): void {}

  get translations(): BoardLabels {
    return this.#labels;
  }

  set translations(translations: Partial<BoardLabels> | null | undefined) {
    const all = mergeTranslations(this.#labels, translations);
    const isNew = JSON.stringify(all) !== JSON.stringify(this.#labels);
    this.#labels = all;
    if (this.#svg && isNew) this.#draw();
  }

  // --- the turn ---

  /** Who numbers the points. */
  get #player(): Player {
    return this.#turn.start.player;
  }

  /** The picture that is shown, where there is one. */
  get #board(): SVGElement {
    return present(this.#svg);
  }

  /** Whether a person does more here than look. */
  get #isUsed(): boolean {
    return this.#turn.tree !== null || this.#actions.length > 0;
  }

  #begin(moves: readonly (readonly unknown[])[], still: boolean): void {
    const old = this.#svg;
    const turn = this.#turn;
    this.#next = null;
    this.#arrows.user = [];
    this.#wait = 0;
    turn.walk(moves);
    this.#draw({ roll: true, still });
    const yours = turn.tree && fillFields(this.#labels.turn, { dice: turn.tree.dice.join("-") });
    const offers = partsOf(this.#board, "[data-action]").map(({ ariaLabel }) => ariaLabel);
    this.#translate(this.#played, yours, ...offers);
    const cases = this[IS_AUTOMATIC]() ? (this.auto ?? "").split(" ") : [];
    const series = turn.tree && !moves.length && turn.automatic(cases);
    if (series) this.#playAutomatically(series);
    if (cases.includes("roll") && !turn.tree) this.#rollAutomatically(turn);
    if (!old || still) return;
    if (isOther(old, this.#board, DICE)) this.#sound("dice");
    if (isOther(old, this.#board, ".cube")) this.#sound("cube");
  }

  /** Whether anything is done by itself. @internal */
  [IS_AUTOMATIC](): boolean {
    return true;
  }

  async #reopen(): Promise<void> {
    if (!this.#turn.isOver) return;
    this.#turn.isOver = false;
    this.#draw({ still: true });
  }

  /** Another player's play to this end, move by move on the board that is shown, as far as it has the checkers; then what is
   * next. */
  async #follow(play: readonly Move[], end: Position, copy: SVGElement, next: () => void): Promise<void> {
    this.#next = next;
    const player = opponentOf(end.player);
    let position = seenBy(this.#turn.position, player);
    [this.#turn, this.#actions] = [new Turn(this.#turn.position), []];
    const shown = String(position.points) === String(seenBy(end, player).points) ? [] : play; // it may have been shown before
    const text = shown.map((move) => this.#written(move)).join(" ");
    const roll = partsOf(copy, ".die.last").map(({ dataset }) => dataset.value).join("");
    const name = isolated(this.#names[player] || this.#labels[player]);
    this.#played = text && fillFields(this.#labels.played, { player: name, play: roll ? `${text} (${roll})` : text });
    for (const [from, to] of shown) {
      if (position.points[from] <= 0) break;
      const step = afterMove(position, { from, to });
      ({ position } = step);
      this.#turn = new Turn(seenBy(position, this.#player));
      this.#draw();
      this.#translate(this.#played);
      await this.#sound(step.sound);
      if (this.#next !== next) return;
    }
    next();
  }

  #goTo(moves: readonly Step[]): void {
    const made = moves.slice(this.#turn.moves.length);
    this.#turn.moves = moves;
    this.#draw();
    const last = moves.at(-1);
    this.#translate(last ? this.#written([last.from, last.to]) : this.#labels.undo);
    send(this, "gammon-move", { moves: this.moves, isComplete: this.isComplete });
    this.#sound(...made.map(({ sound }) => sound));
  }

  #translate(...texts: (string | null)[]): void {
    this.#parts.status.textContent = texts.filter(Boolean).join(". ");
  }

  /** A move as text, as its player numbers the points. */
  #written(ends: Move): string {
    const { bar, off } = this.#labels;
    return ends.map((number) => (number % BAR ? number : number ? bar : off)).join("/");
  }

  /** When the checker has arrived. */
  async #sound(...sounds: Sound[]): Promise<void> {
    await this.#motion.rest(1);
    for (const sound of sounds) send(this, "gammon-sound", { sound });
  }

  /** Move by move, unless the person or the page goes on. */
  async #playAutomatically(series: readonly Branch[]): Promise<void> {
    const turn = this.#turn;
    for (const move of [...series, null]) {
      const before = turn.moves;
      await this.#motion.rest(2);
      if (this.#turn !== turn || turn.isOver || turn.moves !== before || this.#drag || !this.isConnected) return;
      if (move) this.#goTo(turn.with(move));
      else this.endTurn();
    }
  }

  /** Roll where nothing else can be done, unless the page goes on. */
  async #rollAutomatically(turn: Turn): Promise<void> {
    if (!this.#actions.includes("roll") || this.#actions.includes("double")) return;
    await this.#motion.rest(2);
    const dice = this.#board.querySelector<SVGElement>("[data-action=roll]");
    if (this.#turn === turn && dice && this.isConnected) this.#act(dice);
  }

  /** Play a checker with this die, or with the first of those left that it can play. */
  #playFrom(from: number, die?: number): void {
    const turn = this.#turn;
    const branch = turn.branchFrom(from, die);
    if (branch) this.#goTo(turn.with(branch));
    else this.#reject(from, Math.max(from - (die ?? turn.diceLeft[0] ?? present(turn.tree).dice[0]), 0), from);
  }

  /** A page that knows why calls `explain`, now or later; the reason is shown where the person has clicked or let go. */
  #reject(from: number, to: number, at = to): void {
    this.#draw();
    const shown = this.#board;
    send(this, "gammon-illegal", {
      from,
      to,
      moves: this.moves,
      explain: (text) => shown === this.#svg && explain(this.#parts, text, groupOf(shown, at, this.#player)),
    });
  }

  // --- what is shown ---

  /** Draw the picture after the moves; what has moved flies. */
  #draw({ roll = false, still = false } = {}): void {
    const [old, turn] = [this.#svg, this.#turn];
    const { position } = turn;
    const svg = document.importNode(present(this.#picture), true);
    const focus = this.#whereFocusIs();
    if (this.hasAttribute("theme")) svg.classList.replace("auto", "light"); // the page's stylesheet would decide
    if (this.flip) turned(svg, this.#start);
    svg.dataset.shown = this.flip ? "turned" : "unturned";
    drawPosition(svg, position, this.#start);
    Object.assign(svg.style, { display: "block", overflow: "visible" });
    this.#svg = svg;
    this.#drag = this.#arrows.stroke = null;
    // What describes the beginning of the turn is true no more.
    describe(svg, position, this.#labels, turn.moves.length > 0 || this.#next !== null || (this.flip && svg.dataset.numbers === "fixed"));
    if (turn.tree) describeTurn(svg, turn, this.#labels);
    offer(svg, position.player, this.#actions, this.#labels);
    if (turn.tree || this.#highlight) highlight(svg, position, this.#highlight ?? turn.branches().map(({ from }) => from));
    this.#drawArrows();
    this[DECORATE](svg);
    this.replaceChildren(svg);
    this.#watch.takeRecords();
    showButtons(this.#parts, turn, this.#labels);
    if (focus) this.#focus(focus);
    if (old && !still) this.#motion.show(old, svg, roll);
  }

  /** What else is drawn on each picture. @internal */
  [DECORATE](_svg: SVGElement): void {}

  #drawArrows(): void {
    this.#arrows.show(this.#board, this.#turn.position);
  }

  #aim(point: number | null): void {
    const turn = this.#turn;
    if (turn.isOpen) aim(this.#board, turn.position, point, point === null ? [] : [...turn.waysFrom(point).keys()]);
  }

  #whereFocusIs(): string | null {
    const focused = (this.getRootNode() as Document | ShadowRoot).activeElement;
    if (!focused || !this.contains(focused) || this.#clicked) return null;
    const place = focused.closest<SVGElement>(".movable")?.dataset.point;
    const action = focused.getAttribute("data-action");
    if (action) return `[data-action=${action}]`;
    return place ? `[data-point="${place}"].movable` : focused.matches(".die") ? ".die[tabindex]" : ".movable";
  }

  /** Focus this, or what can be done now. */
  #focus(selector = ".movable, .roll"): void {
    const svg = this.#board;
    const { frame, undo, done } = this.#parts;
    const button = this.shadowRoot.activeElement;
    if (button && button !== frame && !button.hasAttribute("hidden")) return;
    const next = svg.querySelector<SVGElement>(selector) ?? svg.querySelector<SVGElement>(".movable, .roll");
    const stop = svg.tabIndex ? frame : svg;
    (next ?? [done, undo].find(({ hidden }) => !hidden) ?? stop).focus({ preventScroll: true });
  }

  // --- what the player does ---

  #numberAt(target: Element): number | null {
    return this.#svg?.contains(target) ? numberAt(target, this.#player) : null;
  }

  #click(target: Element, number = this.#numberAt(target)): void {
    const group = target.closest<SVGElement>("[data-action]");
    if (group && this.#board.contains(target)) return this.#act(group);
    if (!this.#turn.isOpen) return;
    if (target.closest(DICE)) this.isComplete ? this.endTurn() : this.swapDice();
    else if (number) this.#playAt(number);
  }

  /** What decides about points asks once. */
  #act(group: SVGElement): void {
    const action = group.dataset.action as Action; // as offer() has it
    if (Date.now() < this.#wait) return;
    if (!action.endsWith("roll") && this.#labels.prompt && this.#asked !== group) {
      this.#asked = group;
      return explain(this.#parts, fillFields(this.#labels.prompt, { action: group.ariaLabel }), group);
    }
    this.#wait = Date.now() + 1000;
    send(this, "gammon-action", { action });
  }

  /** A checker that is there; or two that make the point. */
  #playAt(number: number): void {
    const turn = this.#turn;
    const count = turn.position.points[number];
    const pair = turn.pairTo(number);
    if (pair && count <= 0) this.#goTo(turn.with(...pair));
    else if (count) this.#playFrom(number);
  }

  #press(event: Heard<PointerEvent>): void {
    if (event.button === 2) return this.#startArrow(event);
    if (event.button !== 0) return;
    this.#setUserArrows([]);
    if (this.#drag || !event.isPrimary || this.#end() || !this.#isUsed) return;
    this.#isSecond = event.pointerType !== "mouse" && event.timeStamp - this.#pressed < 300;
    this.#pressed = event.timeStamp;
    this.#parts.reason.hidden = true;
    for (const motion of this.#board.getAnimations({ subtree: true })) motion.finish();
    // Dice are where they were rolling to.
    const target = (this.getRootNode() as Document | ShadowRoot).elementFromPoint(event.clientX, event.clientY) ?? this;
    if (!this.#asked?.contains(target)) this.#asked = null;
    this.#drag = new Drag(event, this.#turn.isOpen ? this.#numberAt(target) : null, target);
    this.#parts.frame.setPointerCapture(event.pointerId);
  }

  /** End the play of the other side that is being shown, if there is one. */
  #end(): boolean {
    const next = this.#next;
    next?.();
    return next !== null;
  }

  #startArrow(event: Heard<PointerEvent>): void {
    const id = event.pointerId;
    const from = this.#numberAt(event.target);
    if (from === null || this.#drag) return;
    this.#arrows.stroke = { id, from, to: null };
    this.#parts.frame.setPointerCapture(id);
  }

  #pullArrow(stroke: Stroke, event: PointerEvent): void {
    const to = numberBelow(this.#board, event, this.#player);
    stroke.to = to === stroke.from ? null : to;
    this.#drawArrows();
  }

  #setUserArrows(moves: Move[]): void {
    if (String(moves) === String(this.#arrows.user)) return;
    this.#arrows.user = moves;
    this.#drawArrows();
    send(this, "gammon-draw", { arrows: this.userArrows });
  }

  #pull(event: PointerEvent): void {
    const { stroke } = this.#arrows;
    if (stroke?.id === event.pointerId) return this.#pullArrow(stroke, event);
    const drag = this.#drag;
    if (drag?.press.pointerId !== event.pointerId) return;
    const svg = this.#board;
    if (!drag.piece) {
      if (drag.isClick(event) || !drag.from || this.#turn.position.points[drag.from] <= 0) return;
      const group = groupOf(svg, drag.from, this.#player);
      const checkers = checkersIn(group);
      const piece = checkers[0];
      fill(svg, group, checkers.length - 1, piece);
      drag.lift(svg, piece);
      this.#aim(drag.from);
    }
    drag.follow(svg, event);
    const to = numberBelow(svg, event, this.#player);
    for (const ring of partsOf(svg, ".target")) {
      ring.setAttribute("fill", ring.getAttribute("stroke") ?? "");
      ring.setAttribute("fill-opacity", numberAt(ring, this.#player) === to ? "0.5" : "0");
    }
  }

  #release(event: PointerEvent): void {
    if (this.#arrows.stroke?.id === event.pointerId) return this.#setUserArrows(this.#arrows.afterStroke());
    const drag = this.#drag;
    if (drag?.press.pointerId !== event.pointerId) return;
    this.#drag = null;
    if (this.#asked && (this.#isSecond || !drag.isClick(event))) return;
    if (drag.from === null || !drag.piece) return this.#click(drag.target, drag.from);
    const to = numberBelow(this.#board, event, this.#player);
    const way = this.#turn.waysFrom(drag.from).get(to ?? NaN);
    if (way) this.#goTo(this.#turn.with(...way));
    else if (to === null || to === drag.from || to === BAR) this.#draw();
    else this.#reject(drag.from, to);
  }

  #key(event: KeyboardEvent): void {
    const { key, repeat } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isEnter = key === "Enter" || key === " ";
    if (isEnter && !repeat && this.#end()) return event.preventDefault();
    if (!this.#isUsed) return;
    if (key === "Escape" && (this.#drag?.piece ?? this.#asked)) {
      this.#asked = null;
      this.#draw(); // so the checker is back
      return event.preventDefault();
    }
    const clicked = this.#clicked;
    const place = clicked && this.#board.querySelector<SVGElement>(clicked);
    const target = place || (event.target as Element);
    if (place) place.focus({ preventScroll: true });
    this.#clicked = null;
    const number = this.#turn.isOpen ? this.#numberAt(target) : null;
    const arrow = ARROW_KEYS[key];
    if (arrow) step(this.#board, target, ...arrow);
    else if (repeat) return;
    else if (isEnter && target !== this) this.#click(target, number);
    else if (key === "Enter" && clicked) this.endTurn();
    else if (/^[1-6]$/.test(key) && number) this.#playFrom(number, Number(key));
    else if (key === "Backspace" || key === "u") this.undo();
    else if (key === "x") this.swapDice();
    else return;
    event.preventDefault();
  }
}
