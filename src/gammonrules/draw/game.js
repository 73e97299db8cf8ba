// A match with its history for JavaScript, of gammonrules: docs/reference/match-js.md

"use strict";

const GAME = (() => {
  const { apply, internals, legalActions, legalPlays, newMatch } = MATCH;
  const { phase, readState, receive, toAct, view, winner } = MATCH;
  const { counted, entriesOf, fail, guarded, isList, isSame, isWhole, letterOf, opponentOf } = internals;
  const { doubleOf, marked, PLAYERS, recorded, scoreBefore, shown, TITLES } = internals;

  /** A match that keeps its states and what led to them: from one step to the next it is match.js. */
  class Game {
    #events = [];
    #states = [];

    /** The options of `newMatch`, or a state; then the events that have happened since. */
    constructor(start = {}, events = []) {
      this.#states.push(startFrom(start));
      for (const [at, event] of eventsFrom(events).entries()) this.#replay(event, at + 1);
    }

    #replay(event, number) {
      try {
        this.apply(event);
      } catch (cause) {
        fail(`event ${number} of the log: ${cause.message}`, { ...factsOf(cause), cause });
      }
    }

    #add(event, state) {
      this.#events.push(event);
      this.#states.push(state);
      return event;
    }

    get start() {
      return this.#states[0];
    }

    get state() {
      return this.#states[this.#events.length];
    }

    get turn() {
      return toAct(this.state);
    }

    get phase() {
      return phase(this.state);
    }

    get winner() {
      return winner(this.state);
    }

    legalActions(player) {
      return legalActions(this.state, player);
    }

    apply(event) {
      const { event: logged, state } = recorded(this.state, event);
      return this.#add(logged, state);
    }

    receive(message, player, options) {
      const before = this.state;
      const { event, state } = receive(before, message, player, options);
      // the page threw the dice in between
      if (this.state !== before) fail("the game has gone on while the dice were thrown");
      return this.#add(event, state);
    }

    undo() {
      if (!this.#events.length) return null;
      this.#states.pop();
      return this.#events.pop();
    }

    history() {
      return Object.freeze([...this.#events]);
    }

    /** The record of the match as text; the names of the players, and tags and comments for its head, are free. */
    mat(options) {
      return matOf(this.#states, this.#events, options);
    }
  }

  const factsOf = ({ name, cause, ...facts }) => facts;

  const startFrom = guarded((value) => (Object.hasOwn(value ?? {}, "type") ? readState(value) : newMatch(value)));

  const eventsFrom = guarded((events) => {
    return isList(events) ? [...events] : fail(`the events of a log must be an array, not ${shown(events)}`);
  });

  // --- the record: records/formats/mat/mat_writer.py, a second time; the tests compare the two ---

  const CANNOT = "this record cannot be written in this format";
  const NOT_COMMENTS = ["[", "set pos=", "set cube="];
  const LONGEST_LINE = 2_000;
  const LONGEST_MATCH = 999_999;
  const MOST_POINTS = 999_999_999;
  const LEFT_WIDTH = 27;
  const END_COLUMN = { white: 6, black: 34 };
  const NO_LIMIT = 1024;
  const NO_CUBE = 1;
  const VARIATIONS = {
    nackgammon: "NackGammon",
    longgammon: "LongGammon",
    hypergammon: "HyperGammon (3)",
    hypergammon2: "HyperGammon (2)",
    hypergammon1: "HyperGammon (1)",
  };
  const RULE_TAGS = [
    "beavers", "maxcube", "autodoubles", "gammons", "backgammons", "scoring", "openingroll", "crawford", "jacoby",
    "beaver", "cubelimit", "variation",
  ];

  const isSamePosition = (position, other) => position.checkers === other.checkers && isSame(position.points, other.points);
  const isSameCube = (cube, other) => cube.value === other.value && cube.owner === other.owner;

  /** A text with a blank for each sign that does not print. */
  const printable = (text) => text.replace(/[\p{C}\p{Z}]/gu, " ");

  const padded = (text, width) => text + " ".repeat(Math.max(0, width - [...text].length));

  const matOf = guarded((states, events, options = {}) => {
    entriesOf(options, "options", ["white", "black", "tags", "comments"]);
    const { white = "", black = "", tags = {}, comments = [] } = options;
    const names = { white: nameFrom("white", white), black: nameFrom("black", black) };
    const { length, rules } = states[0];
    if (length > LONGEST_MATCH) fail(`${CANNOT}: the record holds no match: the line "N point match" is missing`);
    const tagLines = [...tagsFrom(tags), ...tagsOfRules(rules, length)].map(([name, value]) => `; [${name} "${value}"]`);
    const head = [...tagLines, ...commentsFrom(comments)];
    const games = gamesOf(states, events);
    const rest = games.flatMap((game) => linesOfGame(game, names));
    const lines = [...head, ...(head.length ? [""] : []), ` ${length ?? 0} point match`, ...rest];
    const other = games.find((game) => !isTold(game));
    if (other) fail(`game ${other.number} cannot be written in this format: it would be read back as a different game`);
    if (lines.some((line) => line.length > LONGEST_LINE && [...line].length > LONGEST_LINE)) {
      fail(`${CANNOT}: a name, a tag or a comment is too long`);
    }
    return `${lines.join("\n")}\n`;
  });

  function textFrom(what, value) {
    return typeof value === "string" ? printable(value) : fail(`${what} must be a string, not ${shown(value)}`);
  }

  /** A name that does not break its line, nor is blank, where some importers stop. */
  const nameFrom = (player, name) => textFrom(player, name).replaceAll(":", ".").trim() || TITLES[player];

  function tagsFrom(tags) {
    const entries = entriesOf(tags, "tags", Object.keys(tags ?? {}));
    const stated = entries.find(([name]) => RULE_TAGS.includes(name.toLowerCase()));
    if (stated) fail(`the tag ${shown(stated[0])} states a rule, and the match has its rules already`);
    return entries.map(([name, value]) => [printable(name), textFrom(`the tag ${shown(name)}`, value)]);
  }

  /** Comments as lines; a second sign keeps one from being read as a tag or as what is set by hand. */
  function commentsFrom(comments) {
    if (!isList(comments)) fail(`comments must be an array of strings, not ${shown(comments)}`);
    return Array.from(comments, (comment) => {
      const text = textFrom("a comment", comment);
      const isDoubtful = NOT_COMMENTS.some((sign) => text.trimStart().toLowerCase().startsWith(sign));
      return isDoubtful ? `;; ${text}` : `; ${text}`;
    });
  }

  // --- the rules, as tags: records/transcript/header_tags.py ---

  function tagsOfRules(rules, length) {
    const isMoney = length === null;
    const isOwnLimit = rules.cube && rules.max_cube !== null && !isWhole(rules.max_cube, 2, NO_LIMIT - 1);
    const usualLimit = isOwnLimit ? NO_LIMIT : rules.max_cube ?? NO_LIMIT;
    const limit = rules.cube ? usualLimit : NO_CUBE;
    const tags = [
      ["Crawford", onOff(rules.crawford), !isMoney],
      ["Jacoby", onOff(rules.jacoby), isMoney],
      ["Beaver", onOff(rules.beavers), isMoney],
      ["Variation", VARIATIONS[rules.start], rules.start !== "standard"],
      ["CubeLimit", limit, true],
      ["MaxCube", rules.max_cube, isOwnLimit],
      ["Gammons", "Off", !rules.gammons],
      ["Backgammons", "Off", rules.gammons && !rules.backgammons],
      ["OpeningRoll", "Reroll", rules.opening === "reroll"],
      ["Scoring", "Pips", isMoney && rules.scoring === "pips"],
      ["Beavers", rules.beavers, isMoney && rules.beavers > 1],
      ["AutoDoubles", rules.auto_doubles, isMoney && rules.cube && rules.auto_doubles],
    ];
    const needed = tags.filter(([, , isNeeded]) => isNeeded);
    // readers know the usual rules of a match
    const isUsual = !isMoney && rules.crawford && limit === NO_LIMIT && needed.length === 2;
    return isUsual ? [] : needed;
  }

  const onOff = (value) => (value ? "On" : "Off");

  // --- games ---

  /** The events of each game, and the states from its start. */
  function gamesOf(states, events) {
    if (states[0].result) fail("impossible game: start is a game that is already over");
    const games = [];
    let first = 0;
    for (let at = 0; at <= events.length; at += 1) {
      if (at < events.length && events[at].action !== "next_game") continue;
      games.push({ number: games.length + 1, states: states.slice(first, at + 1), events: events.slice(first, at) });
      first = at + 1;
    }
    return games;
  }

  function linesOfGame({ number, states, events }, names) {
    const [start] = states;
    const [left, right] = PLAYERS.map((player, seat) => `${names[player]} : ${start.score[seat]}`);
    const heading = ["", ` Game ${number}`, ` ${padded(left, 30)}  ${right}`];
    const rows = rowsOf(states, events, names);
    // a board without a row after it would not say whose turn it is
    const boards = rows.length ? linesOfBoards(states, events) : [];
    const end = endOf(states, rows, names);
    return [...heading, ...boards, ...linesOfCube(states), ...rows.map(lineOfRow), ...end];
  }

  /** Importers look for two blanks between the columns, before an empty cell too. */
  function lineOfRow([left, right = ""], at) {
    const number = String(at + 1).padStart(3);
    return `${number}) ${padded(left, Math.max(LEFT_WIDTH, [...left].length + 1))} ${right}`;
  }

  /** How the game ended: lines below the rows, and perhaps words in the last of these. */
  function endOf(states, rows, names) {
    const final = states.at(-1);
    const { result, length } = final;
    if (!result) return [];
    const isWon = winner(final) !== null;
    const below = (points) => " ".repeat(END_COLUMN[result.winner]) + wordsOfEnd(points, isWon);
    const isForfeited = result.end === "forfeited";
    // a reader takes a game without a row, in which nobody can resign, for a forfeit by the loser's words
    if (!isForfeited && rows.length) return [below(result.points)];
    const lines = isForfeited ? [`; ${names[result.winner]} wins by forfeit`] : [];
    const points = length === null ? result.points : Math.min(result.points, length);
    addCell(rows, opponentOf(result.winner), ` Losses ${counted(points, "point")}`);
    if (result.winner === "white") return [below(points), ...lines];
    addCell(rows, "black", ` ${wordsOfEnd(points, isWon)}`);
    return lines;
  }

  const wordsOfEnd = (points, isWon) => `Wins ${counted(points, "point")}${isWon ? " and the match" : ""}`;

  // --- what is set by hand before the first roll ---

  const usualStart = ({ rules }) => newMatch({ rules }).position;

  function linesOfBoards(states, events) {
    const [start] = states;
    const isUnusual = !isSamePosition(view(start, "white"), usualStart(start)) || start.cube.owner;
    // a double without a board before it would be illegal, since nobody doubles before a first roll
    const isDoubled = doubleOf(start) || beginsWithDouble(start, events);
    const lines = isUnusual || isDoubled ? [lineOfBoard(start)] : [];
    const isSet = (event, at) => event.type === "SetPosition" && phase(states[at]) === "opening";
    for (const [at, event] of events.entries()) if (isSet(event, at)) lines.push(lineOfBoard(states[at + 1]));
    return lines;
  }

  /** Whether the first event of a game that starts in a turn is a double, but for resignations that were declined. */
  function beginsWithDouble({ on_roll }, events) {
    const first = events.find(({ action }) => action !== "resign" && action !== "decline");
    return on_roll !== null && first?.action === "double";
  }

  /** Whether it changes nothing but whose turn it is. */
  function isOnlyATurn({ type, position, on_roll, cube }, state) {
    return type === "SetPosition" && isSamePosition(position, view(state, on_roll)) && isSameCube(cube, state.cube);
  }

  /** The board as White sees it, and the cube; a centered one is not in it. */
  function lineOfBoard(state) {
    const letters = view(state, "white").points.map(letterOf);
    const { value, owner } = state.cube;
    const power = owner ? Math.log2(value) : 0;
    return `; Set Pos=${letters.join("")}/${owner === "white" ? "-" : ""}${power}`;
  }

  /** The centered cube after automatic doubles, which a board cannot have beside it. */
  function linesOfCube(states) {
    const { cube } = states.find((state) => phase(state) !== "opening") ?? states.at(-1);
    return !cube.owner && cube.value > 1 ? [`; Set Cube=${cube.value}`] : [];
  }

  // --- rows: one or two cells each, the left one first ---

  function addCell(rows, player, text) {
    if (player === "black" && rows.at(-1)?.length === 1) rows.at(-1).push(text);
    else rows.push(player === "white" ? [text] : ["", text]);
  }

  function addToLast(rows, text) {
    const last = rows.at(-1);
    last[last.length - 1] += text;
  }

  function rowsOf(states, events, names) {
    const rows = [];
    const [start] = states;
    if (start.dice && start.on_roll) addCell(rows, start.on_roll, rollText(start));
    addPendingDouble(rows, doubleOf(start));
    const isResigned = states.at(-1).result?.end === "resigned";
    const accepted = isResigned ? events.length - 2 : -1;
    const lastRoll = events.findLastIndex(({ action }) => action === "roll" || action === "opening_roll");
    for (const [at, event] of events.entries()) {
      const [before, after] = [states[at], states[at + 1]];
      // an offer to resign that was not accepted cannot be written
      const isDeclined = event.action === "resign" && at !== accepted;
      if (event.type === "SetPosition") addBoard(rows, event, before, after, names);
      else if (event.type === "Event" && !isDeclined) addAction(rows, event, before, after, at < lastRoll);
    }
    return rows;
  }

  const rollText = ({ dice }) => `${dice.join("")}:`;

  /** The double, and the beavers, with which a record begins. */
  function addPendingDouble(rows, double) {
    if (!double) return;
    let { by: player, value } = double;
    value /= 2 ** double.beavers; // each beaver has doubled it
    for (let beavers = 0; beavers <= double.beavers; beavers += 1) {
      addCell(rows, player, offerText({ value, beavers }));
      value *= 2;
      player = opponentOf(player);
    }
  }

  function offerText({ value, beavers }) {
    if (!beavers) return ` Doubles => ${value}`;
    return ` ${beavers % 2 ? "Beavers" : "Raccoons"} => ${value}`;
  }

  function addAction(rows, { action, by: player }, before, after, aRollFollows) {
    const actor = action === "opening_roll" ? after.on_roll : toAct(before);
    if (!actor) return;
    const add = (text) => addCell(rows, actor, text);
    // programs do not write that a beaver was taken: the roll after it shows that
    const isShownByRoll = aRollFollows && before.offer?.by === actor;
    if (action === "opening_roll" || action === "roll") after.dice && add(rollText(after));
    else if (action === "play") addToLast(rows, playText(before, after));
    else if (action === "double" || action === "beaver") add(offerText(after.offer));
    else if (action === "take") isShownByRoll || add(" Takes");
    else if (action === "drop") add(" Drops");
    // by the player who has rolled: another resignation leaves no sign but the end line
    else if (action === "resign" && before.dice && player === before.on_roll) addToLast(rows, " ????");
  }

  /** The moves of a play, die by die. */
  function playText({ position, dice }, after) {
    const { points, checkers } = position;
    const { moves } = legalPlays(points, dice, { checkers }).find((play) => isSame(play.points, after.position.points));
    return marked(points, moves).map(([from, to, isHit]) => ` ${from}/${to}${isHit ? "*" : ""}`).join("");
  }

  // --- positions set by hand ---

  /** Whether a reader comes to the same boards and the same end, of which the text does not say all. */
  function isTold({ states, events }) {
    const [start] = states;
    const lastRoll = states.findLastIndex(({ dice }) => dice);
    const { result } = states.at(-1);
    if (result?.points > MOST_POINTS) return false;
    if (lastRoll >= 0 && start.position.checkers !== usualStart(start).checkers) return false;
    // the points of a forfeit are stated, whatever the cube shows
    const isPlayedOut = result && result.end !== "forfeited";
    const matters = ({ type }, at) => type === "SetPosition" && (at < lastRoll || isPlayedOut);
    return events.every((event, at) => !matters(event, at) || isBoardTold(states[at], states[at + 1]));
  }

  function isBoardTold(before, after) {
    const { checkers } = before.position;
    if (after.position.checkers !== checkers) return false;
    const moment = phase(before);
    if (moment === "opening") return !after.result;
    if (moment === "to_roll") return mayDance(before.position);
    // after an illegal play the text has neither the cube nor whose turn it is
    const reader = opponentOf(before.on_roll);
    const read = apply(before, { type: "SetPosition", position: view(after, reader), on_roll: reader });
    if (after.result) return isSameEnd(read, after);
    return read.on_roll === after.on_roll && isSameCube(read.cube, after.cube);
  }

  /** Whether the same player wins as many points, as far as they count. */
  function isSameEnd({ result, length }, { result: other }) {
    const counting = ({ points }) => Math.min(points, length ?? points);
    return result.winner === other.winner && counting(result) === counting(other);
  }

  /** Whether there is a roll that cannot be played. */
  function mayDance({ points, checkers }) {
    const faces = [1, 2, 3, 4, 5, 6];
    const isDance = (dice) => legalPlays(points, dice, { checkers })[0].moves.length === 0;
    return faces.some((first) => faces.some((second) => isDance([first, second])));
  }

  /** The board after an illegal play, or a turn passed without a roll; one before the first roll has a line of its own. */
  function addBoard(rows, event, before, after, names) {
    const player = before.on_roll;
    const moment = phase(before);
    const isPassed = moment === "to_roll" && event.on_roll !== player && isOnlyATurn(event, before);
    if (moment === "to_play") addToLast(rows, ` ${illegalPlay(after, opponentOf(player), names)}`);
    else if (isPassed) addCell(rows, player, " Cannot Move");
    else if (moment !== "opening") fail("a position set by hand where no play is due cannot be written in this format");
  }

  /** The state after an illegal play, in the forty fields that other programs write, as the next player sees it. */
  function illegalPlay(after, player, names) {
    const opponent = opponentOf(player);
    const { cube, crawford, length, rules } = after;
    const score = scoreBefore(after);
    const points = (side) => score[PLAYERS.indexOf(side)];
    const owner = { [player]: 1, [opponent]: -1 }[cube.owner] ?? 0;
    const name = (side) => names[side].replace(/[;()]/g, ".");
    // the numbers 1 and 0 after the Jacoby rule have no known meaning: those programs write them in all games
    const fields = [
      length ?? 0, +(rules.jacoby && length === null), 1, 0, +(player === "white"), name(player), name(opponent),
      +crawford, points(player), points(opponent), cube.value, owner, ...view(after, player).points, 0, 0,
    ];
    return `Illegal play (${fields.join(";")};)`;
  }

  return { Game };
})();
