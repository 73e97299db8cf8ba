// <gammon-board> of gammonrules that needs no server: docs/reference/board.md

"use strict";

{
  "RULES"; // rules.js
  "BOARD"; // board.js, as the class Board
  "DRAWING"; // of setup.js

  const { GammonError } = RULES;
  const CHOICES = { side: PLAYERS, look: ["flat", "depth"], layout: ["landscape", "portrait"] };
  const NAMES = ["position", "dice", "checkers", ...Object.keys(CHOICES)];
  PROPERTIES.unshift(...NAMES);

  const NO_CUBE = { cube: 0, owner: 0 };
  const CRAWFORD = { ...NO_CUBE, isSign: true }; // "Cr" in its place

  const START = "4HPwATDgc/ABMA";
  const ONE_EACH = Object.assign(Array(26).fill(0), { 1: 1, 24: -1 });

  const readDice = (dice) => RULES.turn(RULES.fromPositionId(START), dice).dice;
  const mirrored = (points) => points.map((count) => 0 - count).reverse();
  const asNumber = (text) => (text.trim() ? Number(text) : NaN);

  function readCheckers(value) {
    const checkers = typeof value === "string" ? asNumber(value) : value ?? MOST;
    RULES.pips(ONE_EACH, { checkers });
    return checkers;
  }

  /** What points, a Position ID or an XGID say: { points }, and of an XGID also { side, rolled, cube }. */
  function readPosition(value, options) {
    if (typeof value !== "string") return { points: value };
    if (value.length < 200 && value.includes(",")) return { points: value.replace(/[[\]]/g, "").split(",").map(asNumber) };
    return value.split(":").length > 2 ? readTable(value.trim()) : { points: RULES.fromPositionId(value, options) };
  }

  function readTable(xgid) {
    try {
      const { counts, turn: sign, dice, rest, ...cube } = readXgid(xgid);
      const [, , , crawford, length, limit] = rest.split(":").map(Number);
      const points = sign < 0 ? mirrored(counts) : counts;
      const rolled = ROLLS.includes(dice) ? [...dice].map(Number) : null;
      const offered = { ...cube, offers: "DBR".indexOf(dice) + 1 }; // doubled, beavered, and once more
      return { points, side: colorOf(sign), rolled, cube: length && crawford ? CRAWFORD : limit && length !== 1 ? offered : null };
    } catch {
      throw new GammonError(`position is no XGID with at most ${MOST} checkers a side`);
    }
  }

  function readChoice(name, value) {
    const choices = CHOICES[name];
    if (choices.includes(value ?? choices[0])) return value ?? null;
    throw new GammonError(`${name} must be "${choices.join('" or "')}"`);
  }

  /** The beginning of a turn, checked: { points, checkers, side, rolled, cube, dice, tree }. A game that is over takes no dice. */
  function readTurn({ points, dice, checkers, ...rest }) {
    const tree = RULES.outcome(points, { checkers }) || !dice ? null : RULES.turn(points, dice, { checkers });
    return { ...rest, points: Array.from(points), checkers, dice: tree && tree.dice, tree };
  }

  const keyOf = ({ points, checkers, side, dice, cube }) => JSON.stringify([points, checkers, side, dice, cube]);

  function pictureOf(blank, { points, checkers, side, dice, cube }) {
    const counts = side === "black" ? mirrored(points) : points;
    const { offers = 0, isSign, ...owned } = cube ?? NO_CUBE;
    const isOffered = offers && !dice;
    const table = isOffered ? { cube: owned.cube + offers, owner: 0 } : owned;
    const svg = drawnOn(blank, { counts, checkers, turn: SIGNS[side], dice: (dice ?? []).join(""), ...table });
    if (isOffered) offer(svg, offers % 2 ? otherThan(side) : side);
    if (isSign) svg.append(...signOf(svg));
    if (isSign || !cube) wipe(svg, ".cube");
    return svg;
  }

  /** The cube beside the player who must answer. */
  function offer(svg, answerer) {
    const group = svg.querySelector(".cube");
    const { x, y } = cubeIn(svg).middle;
    group.classList.add("offered");
    group.dataset.player = answerer;
    shift(group, handOf(svg, answerer) - x, frameOf(svg).middle.y - y);
  }

  function signOf(svg) {
    const { x, y } = cubeIn(svg).middle;
    const { fill: stroke } = colors(svg, "number");
    const box = { x: x - 15, y: y - 15, width: 30, height: 30, rx: 5, "stroke-dasharray": 3, class: "sign", fill: "none", stroke };
    return [made("rect", box), made("text", { x, y: y + 5, class: "number", fill: stroke, "font-size": 15 }, "Cr")];
  }

  // --- the element ---

  class GammonBoard extends Board {
    static observedAttributes = [...Board.observedAttributes, ...NAMES];

    #said = {}; // by the page, as it was read
    #reasons = {}; // its words of reasons
    #turn = null; // null: the page shows views
    #blank = blankOf();
    #shown = {}; // turn and blank of the picture
    #wrong = ""; // what is wrong with an attribute
    #told = ""; // what the board says of it
    #isDue = false;

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
      const { checkers } = this;
      const read = readPosition(position, { checkers });
      const { side = this.#said.side ?? PLAYERS[0], rolled = null, cube = null } = read;
      this.#begin({ ...read, isFixed: "side" in read, checkers, side, rolled, cube, dice: this.#said.dice ?? rolled });
    }

    get dice() {
      return structuredClone(this.#turn ? this.#turn.dice : this.#said.dice ?? null);
    }

    set dice(dice) {
      const read = dice === null || dice === undefined ? null : readDice(dice);
      if (this.#turn) this.#begin({ ...this.#turn, dice: read ?? this.#turn.rolled });
      this.#said.dice = read;
    }

    get checkers() {
      return this.#said.checkers ?? MOST;
    }

    set checkers(checkers) {
      const read = readCheckers(checkers);
      if (this.#turn) this.#begin({ ...this.#turn, checkers: read });
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
      return { ...super.words, ...this.#reasons };
    }

    /** Some words are of the board, some of reasons; "bar" and "off" are of both. */
    set words(words) {
      const all = Object.entries(words ?? {});
      const of = (names) => Object.fromEntries(all.filter(([name]) => Object.hasOwn(names, name)));
      const [reasons, others] = [of(RULES.WORDS), all.filter(([name]) => !Object.hasOwn(RULES.WORDS, name) || Object.hasOwn(super.words, name))];
      RULES.find(ONE_EACH, "11", "1/off", { words: reasons }); // which refuses what is none
      super.words = typeof words === "object" ? words && Object.fromEntries(others) : words;
      Object.assign(this.#reasons, reasons);
    }

    get view() {
      return super.view;
    }

    set view(view) {
      super.view = view;
      if (view) this.#turn = null;
    }

    show(view) {
      const shown = super.show(view);
      this.#turn = null;
      return shown;
    }

    focus() {
      this.#paint();
      super.focus();
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

    /** What board.js tells, with what only rules know. */
    dispatchEvent(event) {
      const { type, detail } = event;
      if (!this.#turn?.dice || !Array.isArray(detail?.moves)) return super.dispatchEvent(event);
      if (type === "gammon-refuse") return this.#refuse(event);
      if (type === "gammon-play") this.#pass(detail);
      return super.dispatchEvent(event);
    }

    /** The turn is over, and the other side's begins without dice. */
    #pass(detail) {
      const { points, checkers, dice, side, cube } = this.#turn;
      const { text, points: after } = RULES.find(points, dice, detail.moves, { checkers });
      Object.assign(detail, { play: text, position: after, outcome: RULES.outcome(after, { checkers }) });
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
      const why = isExplained ? null : RULES.whyNot(points, dice, moves, from, to, { words: this.#reasons, checkers });
      if (why) explain(why.sentence);
      return isLeft;
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
      if (turn ? !still || this.#shown.blank !== blank : this.#wrong && !this.view) {
        const empty = { points: Array(26).fill(0), side: PLAYERS[0] };
        super.show({ svg: pictureOf(blank, turn ?? empty), tree: turn && turn.tree, moves: still ? this.moves : [], still });
        this.#shown = { turn, blank };
      }
      this.#complain();
    }

    /** Of what was wrong before, nothing stays. */
    #complain() {
      const reason = this.shadowRoot.getElementById("reason");
      if (this.#wrong || this.#told === reason.textContent) {
        reason.textContent = this.#wrong;
        reason.hidden = !this.#wrong;
        Object.assign(reason.style, { left: "50%", top: "50%", translate: "-50% -50%" });
      }
      [this.#told, this.#wrong] = [this.#wrong, ""];
    }
  }

  // Servers that render pages import this too, without a DOM; and a page may load it twice, or board.js as well.
  const { customElements } = globalThis;
  if (customElements && !customElements.get("gammon-board")) customElements.define("gammon-board", GammonBoard);
}
