// <gammon-setup> of gammonrules: docs/reference/board.md

"use strict";

{
  "BOARD"; // board.js as far as its arrows

  // --- as in alone.js ---

  const DASHES = new RegExp("[\u2010-\u2015\u2212]", "g");
  const LABEL = "^[^-\\w]*(?:[Xx][Gg][Ii][Dd][^-\\w]*)?"; // with the quotes and Markdown in which people paste it
  const FORM = new RegExp(`${LABEL}([-a-oA-O]{26}):(\\d\\d?):(-1|0|1):(-1|1):([1-6]{2}|00|[DBR])((?::\\d{1,9}){5})[^-\\w:]*$`);
  const MOST = 15; // checkers of each player
  const SIGNS = { white: 1, black: -1 };
  const PLAYERS = Object.keys(SIGNS);
  const ROLLS = Array.from("123456", (high) => Array.from("123456".slice(0, high), (low) => high + low)).flat();
  const SPOTS = ["", "e", "ai", "aei", "acgi", "acegi", "acdfgi"]; // of a face, in three rows from a to i

  /** The elements of a picture, which pages that trust no text can have too. */
  function built(text) {
    const path = [];
    for (const [, end, name, attributes, alone, content] of text.matchAll(/<(\/?)(\w+)([^>]*?)(\/?)>([^<]*)/g)) {
      if (end && path.length > 1) path.pop();
      if (end) continue;
      const pairs = [...attributes.matchAll(/([\w-]+)='([^']*)/g)].map(([, key, value]) => [key, value]);
      const element = made(name, Object.fromEntries(pairs), content.trim());
      path.at(-1)?.append(element);
      if (!alone) path.push(element);
    }
    return path[0];
  }

  /** What the text says of board, cube, player on roll and dice; the rest stays as it is. */
  function readXgid(text) {
    const [, board = "", cube, owner, turn, dice, rest] = FORM.exec(String(text).replace(DASHES, "-")) ?? [];
    const counts = [...board].map((sign) => (sign === "-" ? 0 : (parseInt(sign, 36) - 9) * (sign < "a" ? 1 : -1)));
    const isFull = PLAYERS.some((player) => offOf(counts, player) < 0);
    if (!board || isFull || counts[0] > 0 || counts[25] < 0) {
      throw new TypeError(`xgid is not an XGID with at most ${MOST} checkers a side`);
    }
    const roll = [...dice].sort().reverse().join("");
    return { counts, cube: Number(cube), owner: Number(owner), turn: Number(turn), dice: roll, rest };
  }

  const offOf = (counts, player, checkers = MOST) => counts.reduce((off, count) => off - Math.max(SIGNS[player] * count, 0), checkers);

  /** A picture with all its points, which has two of each row; __init__.py has left out the others. */
  function withPoints([start, end, pitch, gap, ...pairs]) {
    const rows = pairs.flatMap((pair, row) => [10, 8, 6, 4, 2, 0].map((back) => {
      const by = (back * pitch + (back > 4 ? gap : 0)) * (row ? -1 : 1);
      return pair.replace(/~(\d+)/g, (all, point) => point - back).replace(/@([\d.]+)/g, (all, x) => Number(x) + by);
    }));
    return start + rows.join("") + end;
  }

  /** A board with the cube and a checker of each player. The pictures have depth; without their veils they are flat. */
  function blankOf(layout, look) {
    const svg = painted(built(withPoints("BLANKS"[layout === "portrait" ? 1 : 0])));
    if (look === "depth") return svg;
    svg.classList.remove("depth");
    wipe(svg, "[opacity]");
    for (const checker of checkersIn(svg)) {
      const [circle] = checker.children;
      for (const { name, value } of checker.attributes) circle.setAttribute(name, value);
      checker.replaceWith(circle);
    }
    return svg;
  }

  const cubeIn = (svg) => boxOf(svg.querySelector(".cube rect[class]"));

  function dieOf(svg, x, face, player) {
    const { width: size } = cubeIn(svg);
    const { y } = frameOf(svg).middle;
    const area = { x: x - size / 2, y: y - size / 2, width: size, height: size };
    const look = { class: player, rx: 6, "stroke-width": 1.5, ...colors(svg, player, `${player}-rim`) };
    const pitch = (9 * size) / 32;
    const spots = [...SPOTS[face]].map((spot) => {
      const at = spot.charCodeAt() - 97;
      const [cx, cy] = [x + pitch * ((at % 3) - 1), y + pitch * (Math.floor(at / 3) - 1)];
      return made("circle", { cx, cy, r: pitch / 3, ...colors(svg, `${player}-ink`) });
    });
    const parts = [...lit(svg.matches(".depth"), { ...area, ...look }), ...spots];
    return made("g", { class: "die", "data-player": player, "data-value": face }, ...parts);
  }

  function drawDice(svg, dice, player) {
    const faces = ROLLS.includes(dice) ? [...dice].map(Number) : [];
    if (faces[0] === faces[1]) faces.push(...faces);
    const [middle, pitch] = [handOf(svg, player), 1.25 * cubeIn(svg).width];
    svg.append(...faces.map((face, at) => dieOf(svg, middle + pitch * (at - (faces.length - 1) / 2), face, player)));
  }

  function drawCube(svg, { cube, owner }) {
    const group = svg.querySelector(".cube");
    const face = group.lastElementChild;
    const { width: size, middle } = cubeIn(svg);
    group.dataset.value = 2 ** cube;
    if (owner) group.dataset.player = colorOf(owner);
    if (cube || owner) {
      face.textContent = 2 ** cube < 1e5 ? 2 ** cube : `2^${cube}`;
      const height = Math.floor((Math.min(18, Math.floor(46 / face.textContent.length)) * size) / 32);
      face.setAttribute("font-size", height);
      face.setAttribute("y", middle.y + Math.floor((height * 3) / 8));
    }
    const tray = areaOf(groupOf(svg, 0, "white"));
    if (tray.width < tray.height) shift(group, 0, owner * (tray.y + tray.height - size / 2 - 4 - middle.y));
    else if (owner) shift(group, size / 2 + 8 - middle.x, owner * (tray.middle.y - middle.y));
  }

  const checkerOf = (svg, player) => svg.querySelector(`.checker[data-player="${player}"]`);

  const colorOf = (sign) => (sign < 0 ? "black" : "white");

  /** A position on a blank board; the player on roll numbers the points. */
  function drawnOn(blank, state) {
    const svg = blank.cloneNode(true);
    const groups = groupsOf(svg);
    const { counts, checkers, dice, turn: sign } = state;
    for (const group of sign < 0 ? groups.slice(0, 24) : []) {
      group.dataset.point = group.querySelector(".number:not(.count)").textContent = 25 - group.dataset.point;
    }
    const put = (group, place, player, count) => {
      group.dataset.place = place;
      fill(svg, group, Array(count).fill(checkerOf(blank, player)));
    };
    counts.forEach((count, at) => put(groups[at % BAR ? at - 1 : at || 24], at, colorOf(count), Math.abs(count)));
    for (const player of PLAYERS) put(groupOf(svg, 0, player), player, player, offOf(counts, player, checkers));
    drawCube(svg, state);
    drawDice(svg, dice, colorOf(sign));
    return svg;
  }

  // ---

  // It knows no rules but the number of checkers: what else is wrong with a position, the library says.
  const START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
  const PROPERTIES = ["words", "flip", "theme", "xgid"];
  Object.assign(FORMS, { look: "flat|depth", layout: "landscape|portrait" });

  const WORDS = {
    board: "Backgammon board",
    point: "point {point}",
    bar: "bar",
    off: "off",
    white: "White",
    black: "Black",
    empty: "empty",
    checkers: "{count} {player}",
    owned: "{place} of {player}",
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

  function xgidOf({ counts, cube, owner, turn, dice, rest }) {
    const letter = (count) => (count ? (Math.abs(count) + 9).toString(36) : "-");
    const board = counts.map((count) => (count > 0 ? letter(count).toUpperCase() : letter(count))).join("");
    return `XGID=${board}:${cube}:${owner}:${turn}:${dice}${rest}`;
  }

  const placeOf = (target) => target.closest("[data-place]")?.dataset.place ?? null;

  // --- the element ---

  class GammonSetup extends (globalThis.HTMLElement ?? Object) {
    static observedAttributes = ["flip", "theme", "xgid", "look", "layout"];
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
      const root = this.attachShadow({ mode: "open" });
      for (const [id, name] of Object.entries({ frame: "div", controls: "div", reason: "p", status: "p" })) {
        this.#parts[id] = root.appendChild(Object.assign(document.createElement(name), { id, part: id }));
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
      this.adoptedCallback();
    }

    connectedCallback() {
      this.#takeOver();
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

    "BOTH"; // of board.js

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
        group.setAttribute("aria-label", this.#labelOf(group));
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
      if (place) status.textContent = this.#labelOf(this.#groupOf(place));
      const explain = (text) => { if (this.xgid === xgid) reason.textContent = text; };
      const detail = { points, xgid, explain };
      this.dispatchEvent(new CustomEvent("gammon-setup", { detail, bubbles: true, composed: true }));
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
      const { button, isPrimary, pointerId: id, pointerType, clientX: x, clientY: y } = event;
      const place = placeOf(this.#below(event));
      if (!isPrimary || this.#drag || place === null) return;
      this.#groupOf(place).focus({ preventScroll: true });
      if (button === 2) this.#remove(place);
      if (button !== 0) return;
      this.#drag = { id, x, y, place, slack: pointerType === "mouse" ? 4 : 10, piece: null };
      this.#parts.frame.setPointerCapture(id);
    }

    #pull({ pointerId, clientX, clientY }) {
      const drag = this.#drag;
      if (drag?.id !== pointerId) return;
      if (!drag.piece) {
        const group = this.#groupOf(drag.place);
        const checkers = checkersIn(group);
        if (Math.hypot(clientX - drag.x, clientY - drag.y) < drag.slack || !checkers.length) return;
        drag.piece = this.#svg.appendChild(checkerOf(this.#blank, checkers[0].dataset.player).cloneNode(true));
        drag.piece.setAttribute("pointer-events", "none");
        fill(this.#svg, group, checkers.slice(1));
      }
      place(drag.piece, new DOMPoint(clientX, clientY).matrixTransform(this.#svg.getScreenCTM().inverse()));
    }

    #release(event) {
      const drag = this.#drag;
      if (drag?.id !== event.pointerId) return;
      this.#drag = null;
      if (!drag.piece) return this.#click(drag.place);
      const target = this.#below(event);
      const to = this.#svg.contains(target) ? placeOf(target) ?? drag.place : null; // beside the board: off
      if (to === drag.place || (drag.place in SIGNS && !/\d/.test(to))) this.#draw();
      else this.#move(this.#ownerAt(drag.place), drag.place, to);
    }

    #key(event) {
      const { key, target } = event;
      const place = placeOf(target);
      if (place === null || event.altKey || event.ctrlKey || event.metaKey) return;
      if (ARROWS[key]) step(this.#svg, this.#groupOf(place), ...ARROWS[key]);
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

  // Servers that render pages import this too, without a DOM; and a page may load it twice.
  const { customElements } = globalThis;
  if (customElements && !customElements.get("gammon-setup")) customElements.define("gammon-setup", GammonSetup);
}
