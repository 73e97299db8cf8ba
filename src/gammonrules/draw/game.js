// A match with its history for JavaScript, of gammonrules: docs/reference/match-js.md

"use strict";

const GAME = (() => {
  const { apply, GammonError, internals, legalActions, legalPlays, newMatch } = MATCH;
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
  const LARGEST_POWER = 12; // of the cube beside a board
  const MOST_BORNE_OFF = 4; // checkers of one roll
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
  const checkersOn = (points, sign) => points.reduce((sum, count) => sum + Math.max(sign * count, 0), 0);
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
    const games = gamesOf(states, events).map((game) => ({ ...game, cells: cellsOf(game.states, game.events, names) }));
    const rest = games.flatMap((game) => linesOfGame(game, names));
    const lines = [...head, ...(head.length ? [""] : []), ` ${length ?? 0} point match`, ...rest];
    const other = games.find((game) => !isTold(game, game === games.at(-1)));
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

  function linesOfGame({ number, states, events, cells }, names) {
    const [start] = states;
    const [left, right] = PLAYERS.map((player, seat) => `${names[player]} : ${start.score[seat]}`);
    const heading = ["", ` Game ${number}`, ` ${padded(left, 30)}  ${right}`];
    // a board without a row after it would not say whose turn it is
    const boards = cells.length ? boardsSet(states, events).map(lineOfBoard) : [];
    const cube = cubeStated(states);
    const rows = rowsOf(cells);
    const end = endOf(states, rows, names);
    return [...heading, ...boards, ...(cube > 1 ? [`; Set Cube=${cube}`] : []), ...rows.map(lineOfRow), ...end];
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
    addToRows(rows, opponentOf(result.winner), ` Losses ${counted(points, "point")}`);
    if (result.winner === "white") return [below(points), ...lines];
    addToRows(rows, "black", ` ${wordsOfEnd(points, isWon)}`);
    return lines;
  }

  const wordsOfEnd = (points, isWon) => `Wins ${counted(points, "point")}${isWon ? " and the match" : ""}`;

  // --- what is set by hand before the first roll ---

  const usualStart = ({ rules }) => newMatch({ rules }).position;

  /** The states whose boards are written, of which a reader takes the last. */
  function boardsSet(states, events) {
    const [start] = states;
    const isUnusual = !isSamePosition(view(start, "white"), usualStart(start)) || start.cube.owner;
    // a double without a board before it would be illegal, since nobody doubles before a first roll
    const isDoubled = doubleOf(start) || beginsWithDouble(start, events);
    const isSet = ({ type }, at) => type === "SetPosition" && phase(states[at]) === "opening";
    return states.filter((_, at) => (at ? isSet(events[at - 1], at - 1) : isUnusual || isDoubled));
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

  /** How often the cube was turned, if somebody owns it. */
  const powerOf = ({ cube: { value, owner } }) => (owner ? Math.log2(value) : 0);

  /** The board as White sees it, and the cube; a centered one is not in it. */
  function lineOfBoard(state) {
    const letters = view(state, "white").points.map(letterOf);
    return `; Set Pos=${letters.join("")}/${state.cube.owner === "white" ? "-" : ""}${powerOf(state)}`;
  }

  /** The centered cube after automatic doubles, which a board cannot have beside it. */
  function cubeStated(states) {
    const { cube } = states.find((state) => phase(state) !== "opening") ?? states.at(-1);
    return cube.owner ? 1 : cube.value;
  }

  // --- cells: of whom, with what text, and what that says ---

  function rowsOf(cells) {
    const rows = [];
    for (const { player, text } of cells) addToRows(rows, player, text);
    return rows;
  }

  /** Rows have one or two cells, the left one first. */
  function addToRows(rows, player, text) {
    if (player === "black" && rows.at(-1)?.length === 1) rows.at(-1).push(text);
    else rows.push(player === "white" ? [text] : ["", text]);
  }

  function cellsOf(states, events, names) {
    const cells = [];
    const [start] = states;
    if (start.dice) addRoll(cells, start);
    addPendingDouble(cells, doubleOf(start));
    const isResigned = states.at(-1).result?.end === "resigned";
    const accepted = isResigned ? events.length - 2 : -1;
    const lastRoll = events.findLastIndex(({ action }) => action === "roll" || action === "opening_roll");
    for (const [at, event] of events.entries()) {
      const [before, after] = [states[at], states[at + 1]];
      // an offer to resign that was not accepted cannot be written
      const isDeclined = event.action === "resign" && at !== accepted;
      if (event.type === "SetPosition") addBoard(cells, event, before, after, names);
      else if (event.type === "Event" && !isDeclined) addAction(cells, event, before, after, at < lastRoll);
    }
    return cells;
  }

  const addRoll = (cells, { on_roll: player, dice }) => cells.push({ player, dice, text: `${dice.join("")}:` });

  function addToLast(cells, text, said) {
    const last = cells.at(-1);
    Object.assign(last, said, { text: last.text + text });
  }

  /** The double, and the beavers, with which a record begins. */
  function addPendingDouble(cells, double) {
    if (!double) return;
    let { by: player, value } = double;
    value /= 2 ** double.beavers; // each beaver has doubled it
    for (let beavers = 0; beavers <= double.beavers; beavers += 1) {
      cells.push({ player, action: beavers ? "beaver" : "double", text: offerText({ value, beavers }) });
      value *= 2;
      player = opponentOf(player);
    }
  }

  function offerText({ value, beavers }) {
    if (!beavers) return ` Doubles => ${value}`;
    return ` ${beavers % 2 ? "Beavers" : "Raccoons"} => ${value}`;
  }

  function addAction(cells, { action, by: player }, before, after, aRollFollows) {
    const actor = toAct(before);
    const add = (text) => cells.push({ player: actor, action, text });
    // programs do not write that a beaver was taken: the roll after it shows that
    const isShownByRoll = aRollFollows && before.offer?.by === actor;
    if (action === "opening_roll" || action === "roll") after.dice && addRoll(cells, after);
    else if (action === "play") addPlay(cells, before, after);
    else if (action === "double" || action === "beaver") add(offerText(after.offer));
    else if (action === "take") isShownByRoll || add(" Takes");
    else if (action === "drop") add(" Drops");
    // by the player who has rolled: another resignation leaves no sign but the end line
    else if (action === "resign" && before.dice && player === before.on_roll) addToLast(cells, " ????", { isResigned: true });
  }

  /** The moves of a play, die by die. */
  function addPlay(cells, { position, dice }, after) {
    const { points, checkers } = position;
    const { moves } = legalPlays(points, dice, { checkers }).find((play) => isSame(play.points, after.position.points));
    const texts = marked(points, moves).map(([from, to, isHit]) => ` ${from}/${to}${isHit ? "*" : ""}`);
    addToLast(cells, texts.join(""), { moves });
  }

  // --- what a reader makes of the cells: records/formats/mat/, a second time ---

  /** A reader of one game; what the cells cannot mean is a GammonError. */
  class Reader {
    constructor({ length, rules, score, crawford }, cube) {
      const start = newMatch({ length, rules, score, crawford });
      this.states = [readState({ ...start, cube: { ...start.cube, value: cube } })];
    }

    get state() {
      return this.states.at(-1);
    }

    apply(event) {
      this.states.push(apply(this.state, event));
    }

    setBoard(points, player, cube = null) {
      const position = { points, checkers: this.state.position.checkers };
      this.apply({ type: "SetPosition", position, on_roll: player, cube });
    }

    giveTurn(player) {
      this.setBoard(view(this.state, player).points, player);
    }

    /** The board with which a game begins, for whoever acts first. */
    begin(board, player) {
      if (powerOf(board) > LARGEST_POWER) fail("no such cube");
      const { cube } = board.cube.owner ? board : this.state;
      this.setBoard(view(board, player).points, player, cube);
    }

    read({ player, dice, action, ...rest }) {
      const isOpening = phase(this.state) === "opening";
      const isReroll = this.state.rules.opening === "reroll";
      if (isOpening && (dice ? isReroll || dice[0] === dice[1] : isReroll && action === "double")) this.giveTurn(player);
      if (dice) this.#readRoll(player, dice, rest);
      else if (action) this.apply({ action, by: player });
      else this.#pass(player);
    }

    #readRoll(player, dice, { moves, board }) {
      const { offer } = this.state;
      if (offer?.beavers && offer.by === player) this.apply({ action: "take" });
      const faces = player === "white" ? dice : dice.toReversed();
      const isFirst = phase(this.state) === "opening";
      this.apply(isFirst ? { action: "opening_roll", argument: faces } : { action: "roll", by: player, argument: dice });
      if (moves) this.apply({ action: "play", argument: moves });
      else if (board) this.setBoard(board, opponentOf(player));
    }

    #pass(player) {
      const { state } = this;
      const isDue = phase(state) === "to_roll" && state.on_roll === player;
      if (!isDue || !mayDance(state.position)) fail("this turn cannot be passed");
      this.giveTurn(opponentOf(player));
    }

    /** A last roll without its play is that of the play that wins as stated, if there is one. */
    win(player, points) {
      const { position, dice, length, score } = this.state;
      if (!dice || checkersOn(position.points, 1) > MOST_BORNE_OFF) return;
      const caps = length ? [length, length - score[PLAYERS.indexOf(player)]] : [];
      const isStated = (won) => won === points || (caps.includes(points) && won > points);
      const plays = legalPlays(position.points, dice, { checkers: position.checkers });
      const after = plays.map(({ moves }) => apply(this.state, { action: "play", argument: moves }));
      this.states.push(after.find(({ result }) => result?.winner === player && isStated(result.points)) ?? this.state);
    }

    /** The end as it is stated: points that no resignation gives were awarded. */
    end(player, points, isForfeited, isLastGame) {
      const { length, score, rules } = this.state;
      const loser = opponentOf(player);
      const award = (won) => this.apply({ type: "Forfeit", loser, points: won });
      if (isForfeited) return award(points);
      const needed = length - score[PLAYERS.indexOf(player)];
      const levels = rules.scoring === "pips" ? ["single"] : ["single", "gammon", "backgammon"];
      const resigned = phase(this.state) === "opening" ? [] : levels.map((win) => resignedAt(this.state, loser, win));
      const most = resigned.at(-1)?.result.points ?? 0;
      const isMore = length !== null && points > most;
      if (isMore && (points === length || points === needed)) return award(points);
      if (isMore && isLastGame && points > needed && needed > most) return award(needed);
      const counting = (won) => Math.min(won, length ?? won);
      this.states.push(resigned.find(({ result }) => counting(result.points) === counting(points)) ?? this.state);
    }
  }

  const resignedAt = (state, by, win) => apply(apply(state, { action: "resign", by, argument: win }), { action: "accept" });

  /** Whether there is a roll that cannot be played. */
  function mayDance({ points, checkers }) {
    const faces = [1, 2, 3, 4, 5, 6];
    const isDance = (dice) => legalPlays(points, dice, { checkers })[0].moves.length === 0;
    return faces.some((first) => faces.some((second) => isDance([first, second])));
  }

  /** Whether a cell has a roll and nothing else. */
  const isAlone = (cell) => cell?.dice && !cell.moves && !cell.board && !cell.isResigned;

  /** The states to which a reader of a game comes. */
  function readBack({ states, events, cells }, isLastGame) {
    const { result, length } = states.at(-1);
    const reader = new Reader(states[0], cubeStated(states));
    const board = boardsSet(states, events).at(-1);
    for (const [at, cell] of cells.entries()) {
      try {
        if (!at && board) reader.begin(board, cell.player);
        reader.read(cell);
      } catch (error) {
        if (!(error instanceof GammonError)) throw error;
        // the end is taken even if the last cell cannot be read
        const isEnd = result && at === cells.length - 1 && phase(reader.state) !== "opening";
        if (!isEnd) return reader.states;
      }
    }
    if (!result || reader.state.result) return reader.states;
    const { winner: player, points, end } = result;
    const isForfeited = end === "forfeited" || !cells.length;
    const stated = isForfeited ? Math.min(points, length ?? points) : points;
    if (isAlone(cells.at(-1))) reader.win(player, stated);
    if (!reader.state.result) reader.end(player, stated, isForfeited, isLastGame);
    return reader.states;
  }

  /** What is seen where a roll is to be played, without repetition, which an offer to resign causes. */
  function rolledOn(states) {
    const rolled = states.filter(({ dice, result }) => dice && !result);
    const tables = rolled.map(({ dice, on_roll, position, cube }) => JSON.stringify([dice, on_roll, position, cube]));
    return tables.filter((table, at) => table !== tables[at - 1]);
  }

  /** Whether a reader comes to the same boards and the same end: records/formats/round_trip.py. */
  function isTold(game, isLastGame) {
    const { result, position, length } = game.states.at(-1);
    if (result?.points > MOST_POINTS || isReadAsStart(game)) return false;
    const read = readBack(game, isLastGame);
    const [rolls, rollsRead] = [rolledOn(game.states), rolledOn(read)];
    if (rolls.some((table, at) => table !== rollsRead[at])) return false;
    if (!result) return true;
    const { result: other, position: last } = read.at(-1);
    const counting = ({ points }) => Math.min(points, length ?? points);
    const isSameEnd = other?.winner === result.winner && counting(other) === counting(result);
    return isSameEnd && rolls.length === rollsRead.length && (result.end !== "played" || isSamePosition(position, last));
  }

  /** Whether a reader takes the board in place of the first play for the start: board_before_first_roll of board_texts.py. */
  function isReadAsStart({ states, events, cells: [first] }) {
    if (!first?.board || boardsSet(states, events).length) return false;
    const { points: usual, checkers } = usualStart(states[0]);
    const isInGame = (sign) => isWhole(checkersOn(first.board, sign), 1, checkers);
    // a play does not add to the other points of the next player
    const isOther = first.board.slice(1, 25).some((count, at) => count > Math.max(0, usual[at + 1]));
    return isInGame(1) && isInGame(-1) && isOther;
  }

  /** The board after an illegal play, or a turn passed without a roll; one before the first roll has a line of its own. */
  function addBoard(cells, event, before, after, names) {
    const player = before.on_roll;
    const next = player && opponentOf(player);
    const moment = phase(before);
    const isPassed = moment === "to_roll" && event.on_roll === next && isOnlyATurn(event, before);
    if (moment === "to_play") addToLast(cells, ` ${illegalPlay(after, next, names)}`, { board: view(after, next).points });
    else if (isPassed) cells.push({ player, text: " Cannot Move" });
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
