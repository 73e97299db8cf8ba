  /** What `<gammon-board>` says of a match, and draws around the board: whose turn it is, score, pips, results, and the
   * buttons. It is what draw.svg.table draws besides, and a translation of draw/_scene.py and draw/svg/_words.py; the tests
   * compare the two. This is a part of alone.js. */

  /** A page may have functions of the fields instead. */
  const SAYINGS = {
    money: "Money play",
    match: "{count} point match",
    crawford: "{kind} (Crawford game)",
    post_crawford: "{kind}, post-Crawford",
    no_cube: "{kind} (no cube)",
    crawford_sign: "Cr",
    one_point: "{count} point",
    points: "{count} points",
    pip: "{count} pip",
    pips: "{count} pips",
    on_roll: "on roll",
    rolled: "rolled {dice}",
    offered: "cube offered at {value}",
    beavered: "cube offered at {value} (beaver)",
    raccoon: "cube offered at {value} (raccoon)",
    beavers: "cube offered at {value} (beaver {number})",
    resigns: "resigns {level}",
    single: "a single game",
    gammon: "a gammon",
    backgammon: "a backgammon",
    dropped: "{level} (double dropped)",
    resigned: "{level} (resigned)",
    forfeit: "by forfeit",
    won: "{player} wins {how}: {points}",
    match_won: "{player} wins the match",
    position_id: "Position ID: {id}",
    one_each: "({count} checker a side)",
    each: "({count} checkers a side)",
    centered: "Cube at {value}, centered",
    cube_owned: "Cube at {value}, owned by {player}",
    tie: "{dice}: roll again",
    no_dice: "There are no dice here: board.roll is not set",
    opening_roll: "Opening roll",
    drop: "Drop",
    beaver: "Beaver at {value}",
    accept: "Accept {level}",
    decline: "Decline",
    resign: "Resign",
    resign_level: "Resign {level}",
    play_on: "Play on",
    next_game: "Next game",
  };

  /** The buttons, in their order: what is done most often is on the right. */
  const BUTTONS = ["decline", "drop", "beaver", "double", "accept", "take", "opening_roll", "roll", "next_game"];

  const OFFERS = ["offered", "beavered", "raccoon", "beavers"]; // by the number of beavers

  /** Fields in a text of these words. */
  const sayingOf = (words) => (key, fields = {}) => {
    const word = words[key];
    return typeof word === "function" ? String(word(fields)) : filled(word, fields);
  };

  const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

  // --- what is said ---

  /** Who must answer a double: the doubler, if the beavers are odd. */
  const answererOf = ({ by, beavers }) => (beavers % 2 ? by : otherThan(by));

  /** Everything that is said of a state: { kind, standing, cube, white, black }. */
  function sceneOf(state, words) {
    const say = sayingOf(words);
    const [white, black] = PLAYERS.map((player) => sideIn(state, player, say));
    return { kind: kindOf(state, say), standing: standingOf(state, say), cube: cubeOf(state, say), white, black };
  }

  function kindOf(state, say) {
    const { length, crawford, rules } = state;
    const kind = length === null ? say("money") : say("match", { count: length });
    if (crawford) return say("crawford", { kind });
    if (!rules.cube) return say("no_cube", { kind });
    const isPast = rules.crawford && length > 1 && scoreBefore(state).includes(length - 1);
    return isPast ? say("post_crawford", { kind }) : kind;
  }

  /** What concerns both sides: an opening roll, or a result. */
  function standingOf(state, say) {
    const { on_roll, result } = state;
    if (!result) return on_roll ? [] : [say("opening_roll")];
    const { winner: player, win, end, points } = result;
    const short = cutTo(say(player), 18, ({ length }) => length);
    const level = win ? say(win) : say("forfeit");
    const how = ["dropped", "resigned"].includes(end) ? say(end, { level }) : level;
    const won = say("won", { player: short, how, points: countOf(say, "one_point", "points", points) });
    return RULES.winner(state) ? [won, say("match_won", { player: short })] : [won];
  }

  const countOf = (say, one, several, count) => say(count === 1 ? one : several, { count });

  function cubeOf(state, say) {
    const { value, owner } = state.cube;
    if (doubleOf(state) || !hasCube(state)) return "";
    return owner ? say("cube_owned", { value, player: say(owner) }) : say("centered", { value });
  }

  const hasCube = ({ rules, crawford, length }) => rules.cube && !crawford && length !== 1;

  /** A player, and what stands beside them. */
  function sideIn(state, player, say) {
    const points = countOf(say, "one_point", "points", state.score[PLAYERS.indexOf(player)]);
    const { points: counts } = RULES.view(state, player);
    const pips = counts.reduce((sum, count, point) => sum + point * Math.max(count, 0), 0);
    const score = `${points} · ${countOf(say, "pip", "pips", pips)}`;
    return { player, name: say(player), points, score, doing: doingOf(state, player, say) };
  }

  function doingOf(state, player, say) {
    const { on_roll, dice, offer, result } = state;
    if (result) return "";
    const doing = [];
    const double = doubleOf(state);
    if (double && answererOf(double) === player) {
      const { value, beavers: number } = double;
      doing.push(say(OFFERS[Math.min(number, 3)], { value, number }));
    }
    if (!double && on_roll === player) doing.push(dice ? say("rolled", { dice: dice.join("") }) : say("on_roll"));
    if (offer && offer.by === player && offer !== double) doing.push(say("resigns", { level: say(offer.win) }));
    return doing.join(", ");
  }

  /** The words on a button. */
  function labelOf(action, state, say) {
    const { value, win = "single" } = state.offer ?? state.cube;
    return say(action, { value: action === "beaver" ? 2 * value : value, level: say(win) });
  }

  // --- what is drawn ---

  const NARROW = "fijlrtIJ .,:;'!|()[]-";
  const WIDE = "mwMW@%";

  /** The width of a text in a wide bold font, at most. */
  const widthOf = (text) => [...text].reduce((sum, letter) => sum + widest(letter), 0);

  function widest(letter) {
    if (NARROW.includes(letter)) return 7;
    if (WIDE.includes(letter) || letter > "\u1100") return 15;
    return letter === letter.toLowerCase() ? 10 : 11;
  }

  /** A name, or its beginning. */
  function cutTo(name, most, length) {
    if (length(name) <= most) return name;
    const letters = [...name];
    while (length(letters.join("")) > most - length("…")) letters.pop();
    return `${letters.join("")}…`;
  }

  /** Draw around the board what is said of a state. */
  function drawScene(svg, state, words) {
    const { kind, standing, white, black } = sceneOf(state, words);
    const [, top, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const whole = height + 2 * top + 14; // with the lines below
    const paper = svg.querySelector(".paper");
    svg.setAttribute("viewBox", `0 0 ${width} ${whole}`);
    paper.setAttribute("y", 0);
    paper.setAttribute("height", whole);
    const word = (x, y, look, end, text, more = {}) => {
      const anchor = end ? { "text-anchor": end } : {};
      return made("text", { x, y, class: look, ...colors(svg, look.split(" ").at(-1)), ...anchor, ...more }, text);
    };
    const below = (x, end, text) => word(x, whole - 8, "faint", end, text, { "font-size": 12 });
    svg.append(
      lineOf(svg, black, 18, width, word),
      lineOf(svg, white, whole - 32, width, word),
      below(8, "start", kind),
      below(width - 8, "end", identityOf(state.position, sayingOf(words))),
      ...plateOf(svg, standing, word),
    );
  }

  function identityOf({ points, checkers }, say) {
    const identity = say("position_id", { id: RULES.positionId(points, { checkers }) });
    return checkers === MOST ? identity : `${identity} ${countOf(say, "one_each", "each", checkers)}`;
  }

  const BOLD = { "font-weight": "bold" };

  /** The line of a player. */
  function lineOf(svg, { player, name: whole, score, doing }, y, width, word) {
    const left = width - 66 - widthOf(score) - widthOf(doing);
    const name = cutTo(whole, Math.max(160, left), widthOf);
    const wide = widthOf(name);
    const parts = [
      made("circle", { cx: 18, cy: y, r: 8, class: player, ...colors(svg, player, `${player}-rim`) }),
      made("svg", { x: 34, y: y - 12, width: wide, height: 24 }, word(0, 17, "name ink", "start", name, BOLD)),
      word(46 + wide, y + 5, "score ink", "start", score),
    ];
    if (doing) parts.push(word(width - 8, y + 5, "doing ink", "end", capitalized(doing), BOLD));
    return made("g", { class: "player", "data-player": player }, ...parts);
  }

  /** Texts in a box between the stacks. */
  function plateOf(svg, texts, word) {
    if (!texts.length) return [];
    const { middle, width } = frameOf(svg);
    const isUpright = svg.matches(".portrait");
    const most = Math.min(500, (isUpright ? width : width + 16) - 32);
    const lines = texts.flatMap((text) => broken(text, most));
    const wide = Math.max(...lines.map(widthOf)) + 24;
    const y = middle.y + (isUpright ? 40 : 0);
    const height = 8 + 16 * lines.length;
    const area = { x: middle.x - Math.floor(wide / 2), y: y - height / 2, width: wide, height, rx: 6, class: "plate" };
    const written = lines.map((line, at) => word(middle.x, y - 8 * (lines.length - 1) + 5 + 16 * at, "standing ink", "", line, BOLD));
    return [made("rect", { ...area, ...colors(svg, "paper", "frame") }), ...written];
  }

  /** A text in lines of at most this width, if it has spaces, and of about the same. */
  function broken(text, most) {
    const rows = Math.ceil(widthOf(text) / most);
    const longest = rows > 1 ? Math.floor(widthOf(text) / rows) + 40 : most;
    const lines = [""];
    for (const word of text.split(" ")) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (!lines.at(-1) || widthOf(longer) <= longest) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }

  // --- the buttons ---

  /** What may be done is in a row of buttons; below it is how to resign, which asks how much, and what is said. */
  class Buttons {
    #choices = {}; // what was shown last: { state, words, actions, levels, note }
    #isAsking = false;
    #key = ""; // of the buttons, to be compared
    #root;
    #act;
    #parts = {};

    constructor(root, act) {
      const part = (name, id) => (this.#parts[id] = Object.assign(document.createElement(name), { id, part: id }));
      const controls = root.getElementById("controls");
      controls.append(part("div", "acts"), part("div", "more"));
      part("p", "note");
      // A key that is held presses once.
      controls.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
      Object.assign(this.#parts, { controls });
      this.#root = root;
      this.#act = act;
    }

    show(choices) {
      const { state, note } = choices;
      if (state !== this.#choices.state) this.#isAsking = false;
      this.#choices = choices;
      this.#parts.note.textContent = note;
      if (state) this.#parts.controls.hidden = false;
      const [acts, more] = [this.#row, this.#resigning];
      const key = JSON.stringify([acts, more]);
      if (key !== this.#key) this.#fill(acts, more);
      this.#key = key;
    }

    /** After a game, the next one; before anything that decides about points nobody is led. */
    focus() {
      const root = this.#root;
      if (root.activeElement?.id === "frame") root.getElementById("next_game")?.focus();
    }

    /** The name and the words of each in the row. */
    get #row() {
      const { state, words, actions } = this.#choices;
      return BUTTONS.filter((action) => actions.includes(action)).map((action) => [action, labelOf(action, state, sayingOf(words))]);
    }

    get #resigning() {
      const { words, levels } = this.#choices;
      const say = sayingOf(words);
      if (!levels.length) return [];
      const asked = this.#isAsking ? levels : [];
      return [["resign", say(this.#isAsking ? "play_on" : "resign")], ...asked.map((win) => [win, say("resign_level", { level: say(win) })])];
    }

    /** What had the focus has it again; or else what can be done now. */
    #fill(row, below) {
      const { acts, more, note } = this.#parts;
      const root = this.#root;
      const held = root.activeElement?.id;
      acts.replaceChildren(...row.map(([id, label]) => this.#button(id, label, () => this.#act(id))));
      more.replaceChildren(...below.map(([id, label]) => this.#button(id, label, () => this.#resign(id))), note);
      if (held && !root.activeElement) (root.getElementById(held) ?? root.host).focus();
      this.focus();
    }

    #button(id, textContent, act) {
      const button = Object.assign(document.createElement("button"), { id, type: "button", part: `button ${id}`, textContent });
      button.addEventListener("click", ({ detail }) => detail < 2 && act()); // the second of a double click is none
      return button;
    }

    /** Ask, or do not; or else resign this level. */
    #resign(id) {
      this.#isAsking = id === "resign" && !this.#isAsking;
      if (id !== "resign") this.#act("resign", id);
      this.show(this.#choices);
    }
  }
