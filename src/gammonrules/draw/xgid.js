// XGIDs for JavaScript, of gammonrules: docs/reference/match-js.md

"use strict";

const XGID = (() => {
  const { GammonError, internals, newMatch, readState } = MATCH;
  const { asInPython, doubleOf, entriesOf, fail, guarded, isWhole, letterOf, opponentOf, shown, stateOf } = internals;
  const { turned, unwrapped } = internals;

  const FIELDS = ["board", "cube", "cube owner", "turn", "dice", "score", "opponent's score", "rule", "length", "max cube"];
  const BAR = 25;
  const LONGEST = 10_000; // characters of a text around one
  const LARGEST = 1e9;
  const POWERS = [0, 24]; // of a cube
  const NO_LIMIT = 10; // the power where the cube has no limit
  const OFFERS = ["D", "B", "R"]; // in place of the dice: a double, a beaver, a raccoon
  const MOST_SHOWN = 2; // beavers
  const SIGNS = { white: 1, black: -1 };
  const PLAYERS = { 1: "white", "-1": "black" };
  const OPENING = "[ *_\x60\x22'<([|]*"; // around a label and its sign
  const LABELS = {
    XGID: "XGID",
    OGID: "OGID",
    "gnubg ID": "GNU[ _-]?(?:BG|Backgammon)?[ _-]?ID",
    "Position ID": "Pos(?:ition)?[ _-]?ID",
    "Match ID": "Match[ _-]?ID",
  };
  const label = (pattern) => `(?:${pattern})(?![A-Z0-9+/-])(?=(?<sign>${OPENING}[:=]?${OPENING}))\\k<sign>`;
  const ANY_LABEL = label(Object.values(LABELS).join("|"));
  // all fields, whatever they say, with the same blanks around each colon
  const FORM = "[-A-O]{26}(?<colon> ?: ?)(?:[-0-9A-Z]{0,10}\\k<colon>){8}\\d{1,10}(?![0-9A-Z])";
  const WHOLE = new RegExp(`(?:(?:^|[^A-Z0-9])(?<label>${ANY_LABEL})|^|[^A-Z0-9-])(?<form>${FORM})(?<rest>(?::[-0-9A-Z:]*)?)`, "gi");
  const BEGINNING = new RegExp(`(?<before>^|[^A-Z0-9])${label(LABELS.XGID)}[^ :=]{9,60} ?:`, "i");
  // codes, tags and words around one: _shared/pasted_text.py and identifier_text.py
  const IN_TAGS = new RegExp("[\x22'<>[\\]]", "g");
  const WORD = new RegExp("^[^ \x22'\x60<>()[\\]{}#|,;]*");
  const DASHED = new RegExp("[-a-oA-O\u2013\u2014]{9,26}(?= ?:)", "g"); // a board in which some dashes stand for several hyphens
  const ENTITIES = {
    amp: "&", apos: "'", colon: ":", equals: "=", gt: ">", lt: "<", mdash: "\u2014", minus: "-", nbsp: " ", ndash: "\u2013", plus: "+",
    quot: "\x22", sol: "/",
  };
  const NUMBER = "#0{0,5}(\\d{2,4})|#x0{0,5}(2?[0-9a-f]{2,3})";
  const ENTITY = new RegExp(`&(?:amp;)*(?:(${Object.keys(ENTITIES).join("|")})|${NUMBER});`, "gi");
  const TAG_NAME = "[a-z](?:[a-z0-9]{0,9}|[a-z0-9]{0,20}-[a-z0-9-]{0,20})";
  const TAG = new RegExp(`<[!/]?${TAG_NAME}(?: [^<>]*)?/?>|\\[/?[a-z]{1,10}(?:=[^[\\]]*)?\\]`, "gi");
  const INSTEAD = {
    doubler: "the turn is read as that of the player who must answer, since they cannot have doubled",
    responder: "the turn is read as that of the doubler, since the opponent cannot have doubled",
  };

  // --- writing ---

  /** The XGID of a state without its result and an offer to resign; White is the bottom player. */
  const xgid = guarded((value) => {
    const { position, on_roll, cube, dice, offer, score, length, crawford, rules } = readState(value);
    refuseLarge(score);
    const turn = on_roll ?? "white";
    const board = (turn === "white" ? position.points : turned(position.points)).map(letterOf).join("");
    const double = doubleOf({ offer });
    const [cubeShown, rolled] = double ? offerShown(cube.value, double.beavers) : [cube.value, dice?.join("") ?? "00"];
    const rule = length === null ? rules.jacoby + 2 * (rules.beavers > 0) : +crawford;
    const limit = rules.cube ? powerOf(rules.max_cube ?? 2 ** NO_LIMIT) : 0;
    const fields = [board, powerOf(cubeShown), SIGNS[cube.owner] ?? 0, SIGNS[turn], rolled, ...score, rule, length ?? 0, limit];
    return `XGID=${fields.join(":")}`;
  });

  const powerOf = (value) => Math.log2(value);

  function refuseLarge(score) {
    for (const [seat, points] of score.entries()) {
      const name = FIELDS[5 + seat];
      if (points > LARGEST) fail(`XGID, ${name}: ${LARGEST} is the most that it can hold, not ${points}`);
    }
  }

  /** The cube and a letter; of more than two beavers as many are left out as leave the answer to the same player. */
  function offerShown(cube, beavers) {
    const most = beavers % 2 ? 1 : MOST_SHOWN;
    const fewer = beavers > MOST_SHOWN ? most : beavers;
    return [cube * 2 ** (beavers - fewer), OFFERS[fewer]];
  }

  // --- reading ---

  const fromXgid = guarded((text, options = {}) => {
    entriesOf(options, "options", ["rules", "checkers", "doubledTurn"]);
    const { rules = null, checkers = null, doubledTurn = "doubler" } = options;
    if (rules !== null) newMatch({ rules });
    if (!["doubler", "responder"].includes(doubledTurn)) {
      fail(`doubledTurn must be "doubler" or "responder", not ${asInPython(doubledTurn)}`);
    }
    const said = read(text);
    if (checkers !== null && !isWhole(checkers, 1, 15)) {
      fail(`checkers must be a whole number from 1 to 15, not ${asInPython(checkers)}`);
    }
    const { state, doubt } = stateSaid(said, rules, checkers, doubledTurn);
    const doubts = [said.doubt, doubt, unusual(state)].filter(Boolean);
    return Object.freeze({ state, warnings: Object.freeze(doubts.map((sentence) => `XGID: ${sentence}`)) });
  });

  /** What the fields say, before anything is checked that is not of the form. */
  function read(text) {
    const values = valuesIn(text);
    const rest = values.slice(FIELDS.length).join(":");
    const fields = Object.fromEntries(FIELDS.map((name, at) => [name, values[at]]));
    const number = (name, least, most) => wholeField(name, fields[name], least, most);
    const value = 2 ** number("cube", ...POWERS);
    const owner = PLAYERS[number("cube owner", -1, 1)] ?? null;
    const cube = Object.freeze({ value, owner });
    const turn = PLAYERS[number("turn", -1, 1)];
    const score = Object.freeze([number("score", 0, LARGEST), number("opponent's score", 0, LARGEST)]);
    const length = number("length", 0, LARGEST) || null;
    const limit = number("max cube", ...POWERS);
    const points = pointsIn(fields.board);
    const rule = ruleIn(fields.rule, length);
    const { dice, beavers } = diceIn(fields.dice);
    if (beavers > 0 && !(length === null && rule > 1)) refuseBeaver(fields.dice, length);
    const doubt = rest && `${shown(rest)} after the tenth field is not read`;
    return { points, cube, turn, dice, beavers, score, length, rule, limit, doubt };
  }

  function valuesIn(text) {
    if (typeof text !== "string") fail(`XGID: expected a string, not ${asInPython(text)}`);
    const count = text.length > LONGEST ? [...text].length : 0;
    if (count > LONGEST) fail(`XGID: the text has ${count.toLocaleString("en")} characters, more than 10,000`);
    const word = wordIn(text);
    const values = word ? word.split(":") : [];
    if (values.length >= FIELDS.length) return values;
    return fail(`XGID: expected ${FIELDS.length} fields with colons between them, not ${values.length}`);
  }

  /** The XGID of a text without blanks; the first word if there is no whole one. */
  function wordIn(text) {
    const words = wordsAround(text);
    const found = [...words.matchAll(WHOLE)];
    const forms = found.map(({ groups }) => groups.form.replaceAll(" ", ""));
    const [first, second] = new Set(forms);
    if (second) fail(`XGID: the text has several that differ: ${asInPython(first, 60)} and ${asInPython(second, 60)}`);
    const [whole] = found;
    const begun = BEGINNING.exec(words);
    const isFirst = whole && !(begun?.index < whole.index);
    if (isFirst) return withoutLabel((whole.groups.label ?? "") + first + whole.groups.rest);
    const start = begun ? begun.index + begun.groups.before.length : 0;
    const [word] = WORD.exec(withoutLabel(words.slice(start)));
    return unwrapped(`x${word}`).slice(1); // only its end
  }

  /** The text in plain signs, without the codes and tags of pages; one that has the XGID in an attribute stays. */
  function wordsAround(text) {
    const plain = unwrapped(`x${uncoded(text).replace(DASHED, withHyphens)}x`).slice(1, -1); // with what is around it
    const isKept = (tag) => tag.search(WHOLE) >= 0 || BEGINNING.test(tag);
    const bare = plain.replace(TAG, (tag) => (isKept(tag) ? tag.replace(IN_TAGS, " ") : " "));
    return unwrapped(bare.trim() ? bare : plain);
  }

  function uncoded(text) {
    return text
      .replace(/%(?:25)*([0-7][0-9A-F])/gi, (all, code) => String.fromCharCode(parseInt(code, 16)))
      .replace(ENTITY, (all, name, decimal, code) => (
        name ? ENTITIES[name.toLowerCase()] : String.fromCharCode(decimal ?? parseInt(code, 16))))
      .replaceAll("&", " ");
  }

  /** A board with the hyphens for which its dashes stand, if there is one way in which these make it complete. */
  function withHyphens(dashed) {
    const boards = new Set();
    for (const short of ["-", "--"]) {
      for (const long of ["-", "--", "---"]) {
        boards.add(dashed.replaceAll("\u2013", short).replaceAll("\u2014", long));
      }
    }
    const whole = [...boards].filter((board) => board.length === BAR + 1);
    return whole.length === 1 ? whole[0] : dashed;
  }

  function withoutLabel(text) {
    for (const [name, pattern] of Object.entries(LABELS)) {
      const begun = new RegExp(`^(?:GNU Backgammon )?${label(pattern)}`, "i").exec(text);
      if (begun && name !== "XGID") fail(`XGID: by its label the text is another identifier, ${name}`);
      if (begun) return text.slice(begun[0].length);
    }
    return text;
  }

  function wholeField(name, text, least, most) {
    const isNumber = /^-?\d{1,12}$/.test(text);
    const few = name === "turn" ? "-1 or 1" : "-1, 0 or 1";
    const needed = most > 1 ? `a whole number from ${least} to ${most}` : few;
    const value = Number(text) + 0; // not -0
    const isRight = isNumber && isWhole(value, least, most) && (value !== 0 || name !== "turn");
    return isRight ? value : fail(`XGID, ${name}: expected ${needed}, not ${shown(text)}`);
  }

  /** The board as White sees it. */
  function pointsIn(board) {
    const signs = [...board];
    if (signs.length !== BAR + 1) fail(`XGID, board: expected 26 characters, but ${shown(board)} has ${signs.length}`);
    return signs.map((sign, place) => {
      if (sign === "-") return 0;
      const code = sign.codePointAt();
      if (isWhole(code - 64, 1, 15) && place > 0) return code - 64;
      return isWhole(code - 96, 1, 15) && place < BAR ? 96 - code : refuseSign(sign, place);
    });
  }

  function refuseSign(sign, place) {
    const names = { 0: "on the top player's bar (-, a to o)", [BAR]: "on the bottom player's bar (-, A to O)" };
    const name = names[place] ?? `on the ${place} point (-, A to O, a to o)`;
    return fail(`XGID, board: ${shown(sign)} cannot be ${name}`);
  }

  /** Whether it is the Crawford game, or in money play 1 for the Jacoby rule and 2 for beavers. */
  function ruleIn(text, length) {
    const highest = length === null ? 3 : 1;
    const kind = length === null ? "money play" : "a match";
    const isRight = text.length === 1 && text >= "0" && text <= String(highest);
    return isRight ? Number(text) : fail(`XGID, rule: expected 0 to ${highest} in ${kind}, not ${shown(text)}`);
  }

  function diceIn(text) {
    if (OFFERS.includes(text)) return { dice: null, beavers: OFFERS.indexOf(text) };
    if (text === "00") return { dice: null };
    if (/^[1-6]{2}$/.test(text)) return { dice: Object.freeze([...text].map(Number).sort().reverse()) };
    return fail(`XGID, dice: expected 00, two faces from 1 to 6, D, B or R, not ${shown(text)}`);
  }

  function refuseBeaver(letter, length) {
    const where = length === null ? "a game under this rule" : "a match";
    fail(`XGID, dice: ${letter} is a ${letter === "B" ? "beaver" : "raccoon"}, which ${where} does not have`);
  }

  // --- what is read, as a state ---

  /** The state; while a double is pending, with the turn read in the other way if only this is possible. */
  function stateSaid(said, rules, checkers, doubledTurn) {
    const stateFor = (player) => stateOf(fieldsOf(said, player, rules, checkers));
    const { turn } = said;
    if (said.beavers === undefined) return { state: stateFor(turn) };
    const usual = doubledTurn === "doubler" ? turn : opponentOf(turn);
    try {
      return { state: stateFor(usual) };
    } catch (error) {
      const state = unlessRefused(() => stateFor(opponentOf(usual)));
      if (!state) throw error;
      return { state, doubt: INSTEAD[doubledTurn] };
    }
  }

  function unlessRefused(call) {
    try {
      return call();
    } catch (error) {
      if (error instanceof GammonError) return null;
      throw error;
    }
  }

  /** The fields of the state in which this player is on roll, and has doubled if somebody has. */
  function fieldsOf(said, player, base, checkers) {
    const { points, cube, dice, beavers, score, length, rule } = said;
    const usual = newMatch(base === null && length !== null ? { length } : { rules: base }).rules;
    const rules = rulesSaid(usual, said);
    const seen = Object.freeze(player === "white" ? points : turned(points));
    const usualCheckers = newMatch({ rules }).position.checkers;
    const position = Object.freeze({ points: seen, checkers: checkers ?? usualCheckers });
    const double = { type: "Double", by: player, value: cube.value * 2 ** (1 + beavers), beavers };
    const offer = beavers === undefined ? null : Object.freeze(double);
    const fields = { position, on_roll: player, dice, cube, offer, score, length, rules, result: null };
    return { ...fields, crawford: length !== null && rule === 1 };
  }

  /** The rules to start from, with what the text says about them. */
  function rulesSaid(rules, { length, rule, limit, beavers = 0 }) {
    const said = { ...rules, cube: limit > 0 };
    if (limit) said.max_cube = limit === NO_LIMIT ? null : 2 ** limit;
    if (length !== null && rule) said.crawford = true;
    if (length === null) {
      said.jacoby = rule % 2 === 1;
      said.beavers = rule > 1 ? Math.max(1, rules.beavers, beavers) : 0;
    }
    return newMatch({ rules: said }).rules;
  }

  /** What is possible but unlikely. */
  function unusual({ cube, rules }) {
    const isOdd = !cube.owner && cube.value > 2 ** rules.auto_doubles;
    return isOdd && `a centered cube of ${cube.value}, though only automatic doubles turn a centered cube`;
  }

  return { xgid, fromXgid };
})();
