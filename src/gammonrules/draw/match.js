/** Matches: states and events as in the library's JSON, and what leads from one state to the next. It has no rules, which
 * are those of match.wasm; a state is written there for each question. The sentences are a second statement of those in
 * match/ and json/, and a translation of these; the tests compare the two. This is a part of rules.js.
 *
 * A player is "white" or "black", in WebAssembly a seat, 0 or 1; -1 is nobody, or whoever is to act. */

const VERSION = 3; // of the JSON
const PLAYERS = ["white", "black"];
const TITLES = { white: "White", black: "Black" };
const LEVELS = ["single", "gammon", "backgammon"];
const ENDS = ["played", "dropped", "resigned", "forfeited"];
const PHASES = ["opening", "to_roll", "to_play", "doubled", "resigned", "over"];
const ACTIONS = [
  "opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept", "decline", "next_game",
];
const REASONS = [
  null, "unknown_player", "not_your_turn", "opening_roll_first", "opening_roll_made", "already_rolled", "not_rolled",
  "double_pending", "no_double_pending", "resignation_pending", "no_resignation_pending", "game_over", "game_not_over",
  "match_over", "score_limit", "no_cube", "crawford_game", "opponent_owns_cube", "dead_cube", "cube_limit",
  "no_beavers_in_match", "too_many_beavers", "pips_are_single",
];
const STARTS = {
  standard: { 24: 2, 13: 5, 8: 3, 6: 5 },
  nackgammon: { 24: 2, 23: 2, 13: 4, 8: 3, 6: 4 },
  longgammon: { 24: 15 },
  hypergammon: { 24: 1, 23: 1, 22: 1 },
  hypergammon2: { 24: 1, 23: 1 },
  hypergammon1: { 24: 1 },
};
const DEFAULTS = {
  crawford: true, jacoby: false, beavers: 0, auto_doubles: 0, max_cube: null, cube: true, gammons: true,
  backgammons: true, scoring: "points", opening: "shared", start: "standard",
};
const CHOICES = { scoring: ["points", "pips"], opening: ["shared", "reroll"], start: Object.keys(STARTS) };
const FIELDS = 29; // numbers of the match in WebAssembly, before its board
const MOST_POINTS = 1e9;
const LARGEST_CUBE = 2 ** 24;
const MOST_IN_A_ROW = 1000;
const MOST_MOVES = 4;
const MOST_SECONDS = 1e12;
const MOST_NAMED = 10; // problems of one error
const LONGEST_MESSAGE = 500;

const opponentOf = (player) => PLAYERS[1 - PLAYERS.indexOf(player)];
const seatOf = (player) => PLAYERS.indexOf(player);
/** 1 to 3, or 0 for none. */
const levelNumber = (win) => 1 + LEVELS.indexOf(win);

/** --- sentences --- */

const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
const grouped = (number) => String(number).replace(/\B(?=(\d\d\d)+$)/g, ",");
const levelName = (win) => (win === "single" ? "single game" : win);

const quotedBy = (sign, words) => words.map((word) => `"${word}"`).join(sign);
const oneOf = (choices) => `${quotedBy(", ", choices.slice(0, -1))} or ${quotedBy("", choices.slice(-1))}`;

/** Of several sentences up to ten, as many as fit into one message. */
function fitting(sentences) {
  let length = -2;
  return frozen(sentences.filter((sentence, at) => {
    length += 2 + sentence.length;
    return at === 0 || (at < MOST_NAMED && length <= LONGEST_MESSAGE);
  }));
}

function listed(sentences) {
  const named = fitting(sentences);
  return named.join("; ") + (named.length < sentences.length ? "; and more" : "");
}

/** A value in terms of JSON, without its contents. */
function described(value) {
  if (isList(value)) return value.length ? `an array of ${value.length}` : "an empty array";
  if (value === null || value === undefined) return "null";
  if (typeof value === "boolean") return String(value);
  return isObject(value) ? "an object" : asInPython(value);
}

/** Everything that is wrong with a document, each with its path; what cannot be read comes first. */
class Faults {
  unreadable = [];
  rejected = [];
  facts = {}; // those of the first that is rejected, where it is a play

  get count() {
    return this.unreadable.length + this.rejected.length;
  }

  refuse() {
    const sentences = [...this.unreadable, ...this.rejected];
    const facts = this.unreadable.length ? {} : this.facts;
    if (sentences.length) fail(listed(sentences), { ...facts, problems: fitting(sentences) });
  }
}

/** --- reading JSON. A reader takes a value, its path, and the faults, to which it adds. --- */

const cannotRead = (sentence, path, faults) => { faults.unreadable.push(`${path}: ${sentence}`); };

function whole(value, path, faults) {
  if (!Number.isInteger(value)) cannotRead(`expected a whole number, not ${described(value)}`, path, faults);
  else if (!Number.isSafeInteger(value)) cannotRead(`numbers go up to ${Number.MAX_SAFE_INTEGER}`, path, faults);
  return value + 0; // not -0
}

function truth(value, path, faults) {
  if (typeof value !== "boolean") cannotRead(`expected true or false, not ${described(value)}`, path, faults);
  return value;
}

function text(value, path, faults) {
  if (typeof value !== "string") cannotRead(`expected a string, not ${described(value)}`, path, faults);
  return value;
}

const memberOf = (words) => (value, path, faults) => {
  if (!words.includes(value)) cannotRead(`expected ${quotedBy(" or ", words)}, not ${described(value)}`, path, faults);
  return value;
};

const orNull = (read) => (value, path, faults) => (value === null ? null : read(value, path, faults));

const arrayOf = (read, least, most) => (value, path, faults) => {
  const sizes = least === most ? most : `${least} to ${most}`;
  const expected = isList(value) ? `an array of ${sizes}` : "an array";
  const length = isList(value) ? value.length : -1;
  if (isWhole(length, least, most)) {
    return frozen(Array.from({ length }, (_, at) => read(value[at], `${path}[${at}]`, faults)));
  }
  cannotRead(`expected ${expected}, not ${described(value)}`, path, faults);
  return null;
};

/** The fields of an object, each read once, but those that are undefined, which JSON has not. */
function fieldsOf(value) {
  const fields = {};
  for (const name of Object.keys(value)) {
    const item = value[name];
    // an assignment to this name would be something else
    if (name === "__proto__") Object.defineProperty(fields, name, { value: item, enumerable: true });
    else if (item !== undefined) fields[name] = item;
  }
  return fields;
}

function membersOf(value, path, faults) {
  if (isObject(value)) return fieldsOf(value);
  cannotRead(`expected an object, not ${described(value)}`, path, faults);
  return null;
}

const isName = (name) => name.length <= 40 && /^[A-Za-z_]\w*$/.test(name);
const fieldOf = (path, name) => (isName(name) ? `${path}.${name}` : `${path}[${asInPython(name)}]`);

/** What readers make of the fields of an object, which are exactly these; null if anything is wrong. */
function readObject(value, path, faults, readers) {
  const before = faults.count;
  const fields = membersOf(value, path, faults);
  if (!fields) return null;
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(readers, name));
  for (const name of unknown.slice(0, MOST_NAMED + 1)) cannotRead("there is no such field", fieldOf(path, name), faults);
  if (unknown.length) return null;
  const names = Object.keys(readers);
  for (const name of names) if (!Object.hasOwn(fields, name)) cannotRead("this field is missing", `${path}.${name}`, faults);
  if (faults.count > before) return null;
  const read = {};
  for (const name of names) read[name] = readers[name](fields[name], `${path}.${name}`, faults);
  return faults.count > before ? null : read;
}

/** A value that was read, if it is possible. */
function possible(what, value, problems, path, faults) {
  if (value && problems.length) faults.rejected.push(`${path}: impossible ${what}: ${listed(problems)}`);
  return value && frozen(value);
}

/** The kind that the field "type" names, and the other fields. */
function tagged(value, kinds, path, faults) {
  const fields = membersOf(value, path, faults);
  if (!fields) return {};
  const { type: kind, ...others } = fields;
  if (kind === undefined) cannotRead("this field is missing", `${path}.type`, faults);
  else memberOf(kinds)(kind, `${path}.type`, faults);
  return { kind, others };
}

/** --- values --- */

const PAIR = arrayOf(whole, 2, 2);
const COUNTS = arrayOf(whole, SLOTS, SLOTS);
const PLAYER = memberOf(PLAYERS);
const LEVEL = memberOf(LEVELS);
const ACTOR = memberOf([...PLAYERS, "to_act"]);
const unread = (value) => value;

function readPosition(value, path, faults) {
  const position = readObject(value, path, faults, { points: COUNTS, checkers: whole });
  return possible("position", position, position ? problemsOfPosition(position) : [], path, faults);
}

function problemsOfPosition({ points, checkers }) {
  const problems = [];
  const most = isWhole(checkers, 1, MOST) ? checkers : MOST;
  if (points[BAR] < 0) problems.push(`index 25 is my bar, not a place for ${points[BAR]}`);
  if (points[0] > 0) problems.push(`index 0 is the opponent's bar, not a place for ${points[0]}`);
  if (most !== checkers) problems.push(`each side must have 1 to ${MOST} checkers, not ${checkers}`);
  for (const [side, counts] of Object.entries({ mine: points.slice(1), theirs: turned(points).slice(1) })) {
    const total = counts.reduce((sum, count) => sum + Math.max(count, 0), 0);
    if (total > most) problems.push(`${side}: ${total} checkers, but the game has ${most}`);
  }
  if (problems.length) return problems;
  const { board, exports } = core();
  board.set(points);
  const wrong = exports.wrong(checkers);
  if (wrong > 4) problems.push("both sides are on the bar against a closed board, so neither can ever move");
  else if (wrong) problems.push("both sides have borne off everything");
  return problems;
}

/** White's first board. */
function startOf(name) {
  const points = Array(SLOTS).fill(0);
  let checkers = 0;
  for (const [point, count] of Object.entries(STARTS[name])) {
    points[point] += count;
    points[BAR - point] -= count;
    checkers += count;
  }
  return frozen({ points: frozen(points), checkers });
}

const sorted = ([first, second]) => frozen(first < second ? [second, first] : [first, second]);

function readRoll(value, path, faults) {
  const before = faults.count;
  const faces = PAIR(value, path, faults);
  if (faults.count > before) return null;
  const problem = problemOfDice(faces);
  if (problem) faults.rejected.push(`${path}: ${problem}`);
  return sorted(faces);
}

const isCubeValue = (value) => isWhole(value, 1, LARGEST_CUBE) && Number.isInteger(Math.log2(value));

function readCube(value, path, faults) {
  const cube = readObject(value, path, faults, { value: whole, owner: orNull(PLAYER) });
  return possible("cube", cube, cube ? problemsOfCube(cube) : [], path, faults);
}

function problemsOfCube({ value, owner }) {
  if (!isCubeValue(value)) return [`a cube shows a power of two up to ${grouped(LARGEST_CUBE)}, not ${value}`];
  return owner && value === 1 ? ["an owned cube has been turned, so it shows at least 2"] : [];
}

/** What is wrong with a number that has bounds. */
function problemsOfNumber(name, value, least, most, nothing = "") {
  if (isWhole(value, least, most) || (nothing && value === null)) return [];
  const bounds = `${grouped(least)} to ${grouped(most)}`;
  const isBeyond = most !== MOST_POINTS && Number.isInteger(value) && Math.abs(value) > MOST_POINTS;
  const beyond = isBeyond ? `, beyond ${grouped(MOST_POINTS)}` : "";
  return [`${name} must be a whole number from ${bounds}${nothing}, not ${asInPython(value, 60)}${beyond}`];
}

function readDouble(value, path, faults, tag = {}) {
  const double = readObject(value, path, faults, { by: PLAYER, value: whole, beavers: whole });
  return possible("double", double && { ...tag, ...double }, double ? problemsOfDouble(double) : [], path, faults);
}

function problemsOfDouble({ value, beavers }) {
  const problems = problemsOfNumber("beavers", beavers, 0, 23);
  const turns = problems.length ? 1 : beavers + 1;
  const isPossible = isCubeValue(value) && value >= 2 ** turns;
  return isPossible ? problems : [...problems, `a cube that was turned ${counted(turns, "time")} cannot be at ${value}`];
}

function readOffer(value, path, faults) {
  const { kind, others } = tagged(value, ["Double", "Resignation"], path, faults);
  if (kind === "Double") return readDouble(others, path, faults, { type: kind });
  if (kind !== "Resignation") return null;
  const offer = readObject(others, path, faults, { by: PLAYER, win: LEVEL, double: orNull(readDouble) });
  return offer && frozen({ type: kind, ...offer });
}

function readResult(value, path, faults) {
  const readers = { winner: PLAYER, win: orNull(LEVEL), points: whole, end: memberOf(ENDS) };
  const result = readObject(value, path, faults, readers);
  const problems = [];
  if (result && (result.end === "forfeited") === (result.win !== null)) {
    const member = result.win && `<Win.${result.win.toUpperCase()}: ${levelNumber(result.win)}>`;
    const noLevel = `a forfeited game has no level, so win must be None, not ${member}`;
    problems.push(result.win ? noLevel : "win must be a Win, not None");
  }
  if (result && !isWhole(result.points, 1, MOST_POINTS)) {
    problems.push(`a win counts 1 to ${grouped(MOST_POINTS)} points, not ${result.points}`);
  }
  return possible("result", result, problems, path, faults);
}

/** An option is read as what it usually is; one that is null usually is a number otherwise. */
function readerLike(usual) {
  if (usual === null) return orNull(whole);
  return { boolean: truth, string: text, number: whole }[typeof usual];
}

const RULES_READERS = Object.fromEntries(
  Object.entries(DEFAULTS).map(([name, usual]) => [name, readerLike(usual)]),
);

function readRules(value, path, faults) {
  const rules = readObject(value, path, faults, RULES_READERS);
  return possible("rules", rules, rules ? problemsOfRules(rules) : [], path, faults);
}

function problemsOfRules(rules) {
  const { beavers, max_cube: highest, gammons, backgammons, scoring } = rules;
  const switches = Object.keys(DEFAULTS).filter((name) => typeof DEFAULTS[name] === "boolean");
  const problems = switches
    .filter((name) => typeof rules[name] !== "boolean")
    .map((name) => `${name} must be True or False, not ${asInPython(rules[name], 60)}`);
  for (const name of ["beavers", "auto_doubles"]) problems.push(...problemsOfNumber(name, rules[name], 0, MOST_IN_A_ROW));
  if (highest !== null && !isCubeValue(highest)) {
    problems.push(`max_cube must be a power of two up to ${grouped(LARGEST_CUBE)}, or None, not ${asInPython(highest)}`);
  }
  for (const [name, choices] of Object.entries(CHOICES)) {
    if (!choices.includes(rules[name])) problems.push(`${name} must be ${oneOf(choices)}, not ${asInPython(rules[name], 60)}`);
  }
  if (backgammons === true && gammons === false) {
    problems.push("a game without gammons has no backgammons either, so set backgammons=False");
  }
  if (scoring !== "pips") return problems;
  if (rules.cube === true) problems.push("pip scoring has no cube, so set cube=False");
  if (Number.isInteger(beavers) && beavers) problems.push("pip scoring has no beavers");
  if (Number.isInteger(rules.auto_doubles) && rules.auto_doubles) problems.push("pip scoring has no automatic doubles");
  if (rules.jacoby === true) problems.push("pip scoring has no gammons, so it has no Jacoby rule");
  return problems;
}

/** --- states --- */

const STATE_READERS = {
  position: readPosition,
  on_roll: orNull(PLAYER),
  dice: orNull(readRoll),
  cube: readCube,
  offer: orNull(readOffer),
  score: PAIR,
  length: orNull(whole),
  crawford: truth,
  rules: readRules,
  result: orNull(readResult),
};

/** A class whose constructor gives what it is given, so that one derived from it adds a private field to any object. */
class Given {
  constructor(value) {
    return value;
  }
}

/** The states that were made here, which are frozen and possible: their private field is in no copy, and takes no time to
 * look up, unlike a WeakSet. */
class Known extends Given {
  #isKnown = true;

  static has(value) {
    return typeof value === "object" && value !== null && #isKnown in value;
  }
}

const readState = guarded((value) => {
  const faults = new Faults();
  const { version, ...document } = membersOf(value, `$`, faults) ?? {};
  if (!faults.count) readVersion(version, faults);
  faults.refuse();
  const { others } = tagged(document, ["MatchState"], `$`, faults);
  faults.refuse();
  const current = version === 1 ? { ...others, result: renewed(others.result) } : others;
  const fields = readObject(current, `$`, faults, STATE_READERS);
  faults.refuse();
  return checkedState(fields, `$: `);
});

function readVersion(version, faults) {
  if (version === undefined) cannotRead("this field is missing", `$.version`, faults);
  else if (!isWhole(version, 1, VERSION)) cannotRead(wrongVersion(version), `$.version`, faults);
}

const wrongVersion = (version) => `expected version 1 to ${VERSION}, not ${described(version)}`;

/** The result of a document of version 1, in which its `end` was first called `by`. */
function renewed(result) {
  if (!isObject(result) || !Object.hasOwn(result, "by") || Object.hasOwn(result, "end")) return result;
  const { by: end, ...others } = result;
  return { ...others, end };
}

const stateFrom = (value) => (Known.has(value) ? value : readState(value));

/** A state of values that are known to be possible, if they fit each other. */
function checkedState(fields, path = "") {
  refuseProblems("match state", problemsOfTypes(fields), path);
  refuseProblems("match state", contradictionsOf(fields), path);
  return made(fields);
}

/** A state of values of the right types, if these are possible, and fit each other. */
function stateOf(fields) {
  const { position, cube, offer } = fields;
  refuseProblems("position", problemsOfPosition(position));
  if (offer) refuseProblems("double", problemsOfDouble(offer));
  refuseProblems("cube", problemsOfCube(cube));
  return checkedState(fields);
}

function refuseProblems(what, problems, path = "") {
  if (problems.length) fail(`${path}impossible ${what}: ${listed(problems)}`, { problems: fitting(problems) });
}

function made(fields) {
  const { position, on_roll, dice, cube, offer, score, length, crawford, rules, result } = fields;
  return frozen(new Known({
    version: VERSION,
    type: "MatchState",
    position,
    on_roll,
    dice,
    cube,
    offer,
    score,
    length,
    crawford,
    rules,
    result,
  }));
}

/** Scores that are too large for any other check, and lengths that are none. */
function problemsOfTypes(fields) {
  const problems = [];
  for (const [seat, points] of scoreBefore(fields).entries()) {
    if (Math.abs(points) > MOST_POINTS) {
      problems.push(
        `${TITLES[PLAYERS[seat]]} has ${points} points before this game, but a game begins with ${grouped(MOST_POINTS)} at most`,
      );
    }
  }
  return [...problems, ...problemsOfNumber("length", fields.length, 1, MOST_POINTS, " or None")];
}

/** The score when the game began. */
function scoreBefore({ score, result }) {
  return score.map((points, seat) => (result && seatOf(result.winner) === seat ? points - result.points : points));
}

const doubleOf = ({ offer }) => (offer?.type === "Resignation" ? offer.double : offer);

let place = null;

/** What match.wasm has, views of its match, and the state that was made here and is there, if there is one. */
function table() {
  if (place) return place;
  const { exports } = core();
  const { buffer } = exports.memory;
  const numbers = new Int32Array(buffer, exports.match(), FIELDS);
  const points = new Int8Array(buffer, exports.match() + 4 * FIELDS, SLOTS);
  place = { exports, numbers, points, state: null };
  return place;
}

/** Write a state there, unless it is there, and give the exports that say what may be done. */
function write(state) {
  const { exports, numbers, points, state: present } = table();
  if (state === present) return exports;
  const { position, dice, cube, offer, score, rules, result } = state;
  const double = doubleOf(state);
  const resignation = offer === double ? null : offer;
  const doubled = double ? [seatOf(double.by), double.value, double.beavers] : [-1, 0, 0];
  const resigned = resignation ? [seatOf(resignation.by), levelNumber(resignation.win)] : [-1, 0];
  const ended = result
    ? [seatOf(result.winner), levelNumber(result.win), result.points, ENDS.indexOf(result.end)]
    : [-1, 0, 0, 0];
  const fields = [
    seatOf(state.on_roll), dice?.[0], dice?.[1], cube.value, seatOf(cube.owner), ...doubled, ...resigned,
    score[0], score[1], state.length, state.crawford, ...ended,
    rules.crawford, rules.jacoby, rules.beavers, rules.auto_doubles, rules.max_cube, rules.cube, rules.gammons,
    rules.backgammons, rules.scoring === "pips", rules.opening === "reroll", position.checkers,
  ];
  for (let at = 0; at < FIELDS; at += 1) numbers[at] = fields[at] ?? 0;
  points.set(position.points);
  place.state = Known.has(state) ? state : null;
  return exports;
}

/** The state that is there, after one that shares what has not changed. */
function stateAfter(before) {
  const { numbers, points } = table();
  const seat = (at) => PLAYERS[numbers[at]] ?? null;
  const cube = frozen({ value: numbers[3], owner: seat(4) });
  const isSameCube = cube.value === before.cube.value && cube.owner === before.cube.owner;
  const double = seat(5) && { by: seat(5), value: numbers[6], beavers: numbers[7] };
  const offer = seat(8)
    ? { type: "Resignation", by: seat(8), win: LEVELS[numbers[9] - 1], double: double && frozen(double) }
    : double && { type: "Double", ...double };
  const result = { winner: seat(14), win: LEVELS[numbers[15] - 1] ?? null, points: numbers[16], end: ENDS[numbers[17]] };
  place.state = made({
    position: positionAfter(before.position, points, numbers[FIELDS - 1]),
    on_roll: seat(0),
    dice: numbers[1] ? frozen([numbers[1], numbers[2]]) : null,
    cube: isSameCube ? before.cube : cube,
    offer: offer && frozen(offer),
    score: isSame(before.score, [numbers[10], numbers[11]]) ? before.score : frozen([numbers[10], numbers[11]]),
    length: before.length,
    crawford: numbers[13] === 1,
    rules: before.rules,
    result: result.winner && frozen(result),
  });
  return place.state;
}

function positionAfter(before, points, checkers) {
  if (checkers === before.checkers && isSame(before.points, points)) return before;
  return frozen({ points: frozen(numbersOf(points, 0, SLOTS)), checkers });
}

/** --- what makes a state impossible, in the order of match.wasm --- */

const FIRST_CONTRADICTION = 15;
const CRAWFORD_PROBLEMS = [20, 21, 22]; // those of the score, the length and the rules alone

function belowZero(state, seat) {
  const points = scoreBefore(state)[seat];
  const what = isSame(scoreBefore(state), state.score) ? "score" : "score before this game";
  return `${TITLES[PLAYERS[seat]]}'s ${what} is ${points}`;
}

function hadWon(state, seat) {
  const points = counted(scoreBefore(state)[seat], "point");
  return `${TITLES[PLAYERS[seat]]} had won the match to ${state.length} before this game, with ${points}`;
}

const CLAUSES = [
  (state) => belowZero(state, 0),
  (state) => belowZero(state, 1),
  (state) => hadWon(state, 0),
  (state) => hadWon(state, 1),
  () => "pip scoring belongs to single games, not to a match",
  () => "a Crawford game under rules without the Crawford rule",
  () => "a Crawford game in money play",
  (state) => {
    const areBoth = scoreBefore(state).every((points) => points === state.length - 1);
    return `a Crawford game needs exactly one side one point from winning, not ${areBoth ? "both" : "none"}`;
  },
  () => "a turned cube in the Crawford game (set crawford=False if that game is past)",
  () => "a turned cube in a game without a cube",
  ({ cube, rules }) => `a cube of ${cube.value}, though it ends at ${rules.max_cube}`,
  ({ cube }) => `a centered cube of ${cube.value} in a match`,
  () => "dice before the opening roll",
  () => "an offer before the opening roll",
  () => "an owned cube before the opening roll",
  () => "a result before the opening roll",
  () => "dice while a double is pending",
  () => "dice after the end of the game",
  () => "one side has borne off everything, but there is no result",
  (state) => `a double by ${TITLES[doubleOf(state).by]}, who is not on roll`,
  (state) => {
    const { value, beavers } = doubleOf(state);
    return `a cube of ${state.cube.value} cannot be offered at ${value} after ${counted(beavers, "beaver")}`;
  },
  (state) => {
    const { by: player } = doubleOf(state);
    return `a double by ${TITLES[player]}, though ${whyNotDoubled(state, player) ?? cubeLimit(state)}`;
  },
  () => "a beaver in a match",
  (state) => `${counted(doubleOf(state).beavers, "beaver")}, but the rules allow ${state.rules.beavers}`,
  () => ONLY_SINGLE,
  () => "an offer after the end of the game",
  () => "a game played, though nobody has borne off everything",
  ({ result }) => `a game ${result.end}, though one side has borne off everything`,
  () => "after the last play the loser is on roll, but here it is the winner",
  ({ result }) => `a ${levelName(result.win)} on a board that shows another win`,
  () => "a drop loses a single game",
  (state) => `a drop, though ${whyNoDrop(state)}`,
  ({ length, result }) => wrongAward(length, result.points),
  ({ result }) => `a ${levelName(result.win)} where it does not count`,
  (state) => `${counted(state.result.points, "point")} where the win counts ${pointsOf(state)}`,
];
const ONLY_SINGLE = "only a single game can be resigned with pip scoring";

const wrongAward = (length, points) => `a match to ${length} is won with ${counted(length, "point")}, not ${points}`;

/** The numbers of the problems of a state. */
function problemNumbers(state) {
  const exports = write(state);
  const count = exports.problems();
  return numbersOf(new Int32Array(exports.memory.buffer, exports.problem_numbers(), count), 0, count);
}

const contradictionsOf = (state) => problemNumbers(state).map((number) => CLAUSES[number - FIRST_CONTRADICTION](state));

/** Why a player cannot have doubled in this game, if they cannot. */
function whyNotDoubled(state, player) {
  const begun = { ...state, on_roll: player, dice: null, offer: null, score: scoreBefore(state), result: null };
  const reason = write(begun).why_not(ACTIONS.indexOf("double"), seatOf(player));
  return reason ? whyForbidden(REASONS[reason], begun, player) : null;
}

function whyNoDrop(state) {
  const { cube, rules, result, on_roll: player } = state;
  if (state.length === null && rules.beavers && cube.owner === opponentOf(player)) {
    const isRaccoonPossible = rules.beavers >= 2 && cube.value >= 4;
    if (result.winner !== player || isRaccoonPossible) return cubeLimit(state);
    return `${TITLES[player]} cannot have answered a beaver with a raccoon`;
  }
  return whyNotDoubled(state, player) ?? "the player on roll has doubled";
}

/** What a win counts. */
function pointsOf({ position, on_roll, cube, rules, result }) {
  if (rules.scoring !== "pips") return levelNumber(result.win) * cube.value;
  const isSeenByWinner = (on_roll ?? "white") === result.winner;
  return pips(position.points, { checkers: position.checkers })[isSeenByWinner ? 1 : 0];
}

/** --- what forbids an action --- */

const cubeLimit = ({ rules }) => `the cube ends at ${grouped(rules.max_cube ?? LARGEST_CUBE)}`;

/** An answer that is missing; the message begins with the player already, if it is theirs. */
function pending(state, player, what, answered, answer) {
  const answerer = playerToAct(state);
  return player === answerer ? `${what} has yet to be ${answered}` : `${TITLES[answerer]} has yet to ${answer} ${what}`;
}

const FORBIDDEN = {
  not_your_turn: (state, player) => `${TITLES[opponentOf(player)]} is to act`,
  opening_roll_first: () => "the game must begin with the opening roll",
  opening_roll_made: () => "the opening roll has already been made",
  already_rolled: () => "the dice have already been rolled",
  not_rolled: () => "the dice have not been rolled yet",
  double_pending: (state, player) => pending(state, player, "a double", "taken or dropped", "take or drop"),
  no_double_pending: () => "no double is pending",
  resignation_pending: (state, player) => pending(state, player, "a resignation", "accepted or declined", "accept or decline"),
  no_resignation_pending: () => "nobody has offered to resign",
  game_over: ({ result }) => `the game is over, and ${TITLES[result.winner]} has won it`,
  game_not_over: () => "the game is not over",
  match_over: (state) => `${TITLES[matchWinner(state)]} has won the match`,
  score_limit: () => `a game can begin with at most ${grouped(MOST_POINTS)} points`,
  no_cube: () => "this game is played without a cube",
  crawford_game: () => "the Crawford game is played without doubling",
  opponent_owns_cube: (state, player) => `${TITLES[opponentOf(player)]} owns the cube`,
  dead_cube: ({ cube, length, score }, player) => {
    const points = counted(score[seatOf(player)], "point");
    return `the cube is dead, ${points} and a cube of ${cube.value} already reach the match length of ${length}`;
  },
  cube_limit: cubeLimit,
  no_beavers_in_match: () => "beavers are for money play only",
  too_many_beavers: ({ rules }) => `the rules allow ${rules.beavers ? counted(rules.beavers, "beaver") : "no beavers"} in a row`,
  pips_are_single: () => ONLY_SINGLE,
};
const NEUTRAL = { opening_roll: "no opening roll now", next_game: "no next game" };

const whyForbidden = (reason, state, player) => FORBIDDEN[reason](state, player);

/** Throw what forbids an action, if the number of its reason is not 0. */
function refuseIllegal(number, state, action, by, what = action) {
  if (!number) return;
  const reason = REASONS[number];
  const player = by === "to_act" ? playerToAct(state) : by;
  const told = NEUTRAL[action] ?? (player ? `${TITLES[player]} cannot ${what}` : `nobody can ${what} now`);
  fail(`${told}: ${whyForbidden(reason, state, player)}`, { reason });
}

const playerToAct = (state) => PLAYERS[write(state).to_act()] ?? null;
const matchWinner = (state) => PLAYERS[write(state).winner()] ?? null;

/** --- events --- */

/** A move as { from_point, to_point, hit }, or [from, to], as three values. */
function readMove(value, path, faults) {
  const move = isList(value) && value.length === 2 ? readPair(value, path, faults) : readWholeMove(value, path, faults);
  const problem = move && problemOfMove({ from_point: move[0], to_point: move[1], hit: move[2] });
  if (problem) faults.rejected.push(`${path}: ${problem}`);
  return move;
}

function readPair(value, path, faults) {
  const before = faults.count;
  const points = PAIR(value, path, faults);
  return faults.count > before ? null : [points[0], points[1], false];
}

function readWholeMove(value, path, faults) {
  const move = readObject(value, path, faults, { from_point: whole, to_point: whole, hit: truth });
  return move && [move.from_point, move.to_point, move.hit];
}

function problemOfMove({ from_point: source, to_point: target, hit }) {
  if (isWhole(source, 1, BAR) && isWhole(target, 0, BAR - 1) && target < source && typeof hit === "boolean") return "";
  const problems = [...problemsOfNumber("from_point", source, 1, BAR), ...problemsOfNumber("to_point", target, 0, BAR - 1)];
  if (typeof hit !== "boolean") problems.push(`hit must be True or False, not ${asInPython(hit, 60)}`);
  if (problems.length) return `impossible move: ${listed(problems)}`;
  return `impossible move: ${spelled([[source, target, hit]], WORDS)} does not go forward, from a higher to a lower point`;
}

const MOVES = arrayOf(readMove, 0, MOST_MOVES);

/** A play of any board and roll: { before, dice, moves }, as the library writes it. */
function readWholePlay(value, path, faults) {
  const play = readObject(value, path, faults, { before: readPosition, dice: readRoll, moves: MOVES });
  if (!play) return null;
  const { before, dice, moves } = play;
  try {
    return { before, ...withText(rollOn(before, dice), playOfMoves(before, dice, moves)) };
  } catch (error) {
    if (!(error instanceof GammonError)) throw error;
    const { name, ...facts } = error;
    if (!faults.rejected.length) faults.facts = facts;
    faults.rejected.push(`${path}: ${error.message}`);
    return null;
  }
}

const rollOn = ({ points, checkers }, dice) => rollOf(points, dice, { checkers });

/** The legal play that these moves are, in any order. */
function playOfMoves(position, dice, moves) {
  const chains = moves.map(([source, target, hit]) => ({ stops: [source, target], hits: hit ? [target] : [] }));
  return playOf(rollOn(position, dice), chains, true, spelled(moves, WORDS));
}

function readPlayed(value, path, faults) {
  if (isObject(value)) return readWholePlay(value, path, faults);
  if (isList(value)) return MOVES(value, path, faults);
  if (typeof value !== "string") {
    cannotRead(`expected a string, an array of moves or a play, not ${described(value)}`, path, faults);
  } else if (isTooLong(value)) {
    faults.rejected.push(`$: ${tooLong(value)}`);
  }
  return value;
}

const isTooLong = (played) => played.length > LONGEST_PLAY && [...played].length > LONGEST_PLAY;
const tooLong = (played) => told(WORDS, "too_long", { most: LONGEST_PLAY, count: [...played].length });

function readOpening(value, path, faults) {
  const before = faults.count;
  const faces = PAIR(value, path, faults);
  const problem = faults.count > before ? "" : problemOfDice(faces);
  if (problem) faults.rejected.push(`$: ${problem}`);
  return faces;
}

function readNothing(value, path, faults) {
  if (value !== null) cannotRead(`expected null, since this action has no argument, not ${described(value)}`, path, faults);
  return null;
}

const ARGUMENTS = {
  opening_roll: readOpening,
  roll: readRoll,
  play: readPlayed,
  resign: LEVEL,
  next_game: orNull((value, path, faults) => (isObject(value) ? readPosition : PLAYER)(value, path, faults)),
};

function readTime(value, path, faults) {
  if (typeof value === "number" && Math.abs(value) <= MOST_SECONDS) return;
  const needed = `a number of seconds up to ${grouped(MOST_SECONDS)} of either sign`;
  faults.rejected.push(`${path}: now must be ${needed}, not ${asInPython(value, 60)}`);
}

/** An event, of which a program may leave out what is null, and `by`. */
function readEvent(value) {
  const faults = new Faults();
  const { version = VERSION, type: kind = "Event", ...fields } = membersOf(value, `$`, faults) ?? {};
  if (!faults.count) readVersion(version, faults);
  if (!faults.count) memberOf(["Event", "SetPosition", "Forfeit"])(kind, `$.type`, faults);
  faults.refuse();
  const event = { Event: readAction, SetPosition: readSetPosition, Forfeit: readForfeit }[kind](fields, faults);
  faults.refuse();
  return { type: kind, ...event };
}

function readAction({ time, ...fields }, faults) {
  const isAction = ACTIONS.includes(fields.action); // which says what the argument is
  const readArgument = (isAction && ARGUMENTS[fields.action]) || readNothing;
  const usual = { by: "to_act", argument: fields.action === "resign" ? "single" : null };
  const readers = {
    action: memberOf(ACTIONS),
    by: isAction ? ACTOR : unread,
    argument: isAction ? readArgument : unread,
  };
  const event = readObject({ ...usual, ...fields }, `$`, faults, readers);
  if (!event || time === undefined) return event;
  readTime(time, `$.time`, faults);
  return { ...event, time };
}

function readSetPosition(fields, faults) {
  return readObject({ cube: null, ...fields }, `$`, faults, { position: readPosition, on_roll: PLAYER, cube: orNull(readCube) });
}

function readForfeit(fields, faults) {
  const event = readObject({ points: null, ...fields }, `$`, faults, { loser: PLAYER, points: orNull(whole) });
  return possible("forfeit", event, event ? problemsOfNumber("points", event.points, 1, MOST_POINTS, " or None") : [], `$`, faults);
}

/** --- what leads to the next state --- */

function applied(state, event) {
  if (event.type === "SetPosition") return setByHand(state, event);
  return event.type === "Forfeit" ? forfeited(state, event) : acted(state, event);
}

function acted(state, { action, by: player, argument }) {
  const exports = write(state);
  const [number, seat] = [ACTIONS.indexOf(action), seatOf(player)];
  refuseIllegal(exports.why_not(number, seat), state, action, player);
  const prepare = { play: putPlay, resign: levelOf, next_game: putStart }[action];
  const [first, second] = prepare ? prepare(state, argument) : argument ?? [];
  const reason = exports.act(number, seat, first, second);
  if (reason) refuseIllegal(reason, state, action, player, `resign a ${levelName(argument)}`);
  const after = stateAfter(state);
  if (action === "next_game") refuseProblems("match state", contradictionsOf(after));
  return after;
}

const levelOf = (state, win) => [levelNumber(win), 0];

/** Put the board after a play where `act` looks for it. */
function putPlay({ position, dice }, argument) {
  const after = boardAfter(position, dice, argument);
  core().board.set(after);
  return [0, 0];
}

function boardAfter(position, dice, argument) {
  const { points, checkers } = position;
  if (typeof argument === "string") return playMeant(rollOn(position, dice), argument, "play").points;
  if (isList(argument)) return boardAsListed(position, dice, argument) ?? playOfMoves(position, dice, argument).points;
  const { before, points: after, text: played } = argument;
  const isOfBoard = before.checkers === checkers && isSame(before.points, points);
  if (isOfBoard && legalPlays(points, dice, { checkers }).some((play) => isSame(play.points, after))) return after;
  return fail(`"${played}" with ${dice.join("")}: this play belongs to another position or roll`, { reason: "other_position" });
}

/** The board after moves that stand among the legal plays as they are, which is the usual case. */
function boardAsListed({ points }, [high, low], made) {
  const { exports, board, boards, moves } = core();
  if (made.some((move) => move[2] && !isHit(points, move[1]))) return null;
  board.set(points);
  const count = exports.plays(high, low);
  const flat = made.flatMap((move) => move.slice(0, 2));
  for (let play = 0; play < count; play += 1) {
    let at = 0;
    while (at < flat.length && moves[8 * play + at] === flat[at]) at += 1;
    const isWholePlay = at === flat.length && (at === 8 || moves[8 * play + at] < 0);
    if (isWholePlay) return boards.subarray(SLOTS * play, SLOTS * (play + 1));
  }
  return null;
}

/** Put the first board of the next game there. */
function putStart({ position, rules }, start) {
  const first = isObject(start) ? start : startOf(rules.start);
  if (!isObject(start) && first.checkers !== position.checkers) {
    const why = `the ${rules.start} start has ${counted(first.checkers, "checker")} a side, this game ${position.checkers}`;
    fail(`no next game: ${why}: pass position=...`, { problems: frozen([why]) });
  }
  core().board.set(first.points);
  return [seatOf(start), first.checkers];
}

/** A finished board ends the game as if the loser had resigned what it shows. */
function setByHand(state, { position, on_roll: player, cube }) {
  const ended = outcome(position.points, { checkers: position.checkers });
  const fields = { ...state, position, on_roll: player, dice: null, cube: cube ?? state.cube, offer: null };
  const begun = { ...fields, score: frozen(scoreBefore(state)), result: null };
  if (!ended) return checkedState(begun);
  if (ended.won) {
    begun.position = frozen({ ...position, points: frozen(turned(position.points)) });
    begun.on_roll = opponentOf(player);
  }
  const offer = { type: "Resignation", by: begun.on_roll, win: LEVELS[ended.win - 1], double: null };
  write({ ...begun, offer }).act(ACTIONS.indexOf("accept"), -1, 0, 0);
  const after = stateAfter(begun);
  return checkedState({ ...after, result: frozen({ ...after.result, end: "played" }) });
}

function forfeited(state, { loser, points }) {
  const { length, result } = state;
  if (result) fail(`${TITLES[loser]} cannot forfeit: ${whyForbidden("game_over", state, loser)}`, { reason: "game_over" });
  if (points === null && length === null) fail("in money play a forfeit needs the points that are awarded");
  if (write(state).forfeit(seatOf(loser), points ?? 0)) fail(`no such forfeit: ${wrongAward(length, points)}`);
  return stateAfter(state);
}

/** --- what players send --- */

const MESSAGE_FIELDS = ["type", "version", "action", "by", "argument", "time"];
const THROWN = ": the server throws the dice";
const DECIDED_BY_SERVER = {
  roll: THROWN,
  opening_roll: THROWN,
  next_game: ": the server says who starts, and on which board",
};

const NOBODY = { reason: "unknown_player" };
const playerIn = (value, name) => (PLAYERS.includes(value) ? value : fail(notPlayer(value, name)));
const notPlayer = (value, name) => `${name} must be "white" or "black", not ${asInPython(value)}`;

/** What a player wants to do, and with which argument, which has yet to be checked. */
function readMessage(message, sender) {
  if (!isObject(message)) fail(`a message must be an Event or an object, not ${asInPython(message)}`);
  const fields = fieldsOf(message);
  const unknown = Object.keys(fields).find((name) => !MESSAGE_FIELDS.includes(name));
  if (unknown !== undefined) fail(`a message has no field ${asInPython(unknown)}`);
  const { type: kind = "Event", version = VERSION, action, by: actor = "to_act", argument = null } = fields;
  if (kind !== "Event") fail(`the type of a message must be "Event", not ${described(kind)}`);
  if (!isWhole(version, 1, VERSION)) fail(wrongVersion(version));
  if (!ACTIONS.includes(action)) fail(`there is no action ${asInPython(action)}`);
  if (actor !== sender && actor !== "to_act") {
    fail(`${TITLES[sender]} cannot act as ${asInPython(actor)}: everybody acts for themselves`, NOBODY);
  }
  if (argument !== null && action !== "play" && action !== "resign") {
    fail(`${action} takes no argument, not ${asInPython(argument)}${DECIDED_BY_SERVER[action] ?? ""}`);
  }
  return { action, argument };
}

/** Who starts the next game, or its board, if the program says so. */
function startAgreed({ starter = null, position = null }, isOver) {
  if (starter === null && position === null) return null;
  if (starter !== null && position !== null) fail("a next game takes a starter or a position, not both");
  if (!isOver) fail("starter and position are those of a next game, but this game is not over");
  return starter === null ? positionFrom(position, "position") : playerIn(starter, "starter");
}

function positionFrom(value, path) {
  const faults = new Faults();
  const position = readPosition(value, path, faults);
  faults.refuse();
  return position;
}

/** The fields of an object that has exactly these. */
function exactly(value, kind, names) {
  const fields = isObject(value) ? fieldsOf(value) : {};
  const isExact = Object.keys(fields).length === names.length && names.every((name) => Object.hasOwn(fields, name));
  return isExact ? fields : fail(`a ${kind} must be an object with ${names.join(", ")}, not ${asInPython(value)}`);
}

function playSent(argument) {
  if (isObject(argument)) return wholePlaySent(argument);
  if (typeof argument === "string") return isTooLong(argument) ? fail(tooLong(argument)) : argument;
  return movesSent(argument) ?? fail(`a play must be a string, a Play or moves, not ${asInPython(argument)}`);
}

/** A play of any board and roll, each in any form that the functions take. */
function wholePlaySent(value) {
  const { before, dice, moves } = exactly(value, "Play", ["before", "dice", "moves"]);
  const position = positionFrom(before, "argument.before");
  const roll = rollOn(position, dice);
  if (typeof moves === "string") return { before: position, ...withText(roll, playMeant(roll, moves, "moves")) };
  const made = movesSent(moves) ?? fail(`a play must be a string or a series of moves, not ${asInPython(moves, 60)}`);
  return { before: position, ...withText(roll, playOfMoves(position, dice, made)) };
}

/** The moves of a list; null for anything else. */
function movesSent(list) {
  const items = isList(list) ? Array.from(list.slice(0, MOST_MOVES + 1)) : [null];
  const moves = items.filter((item) => !isUnused(item)).map(moveSent);
  if (moves.includes(null)) return null;
  return moves.length > MOST_MOVES ? fail(`a play has at most ${MOST_MOVES} moves, but this series has more`) : moves;
}

/** [-1, -1], which stands in arrays of Python where a play has no more moves. */
function isUnused(item) {
  const [source, target, hit = false] = isList(item) && item.length < 4 ? item : [];
  return source === -1 && target === -1 && typeof hit === "boolean";
}

/** A move as an object, or [from, to], perhaps with whether it hits; null for anything else. */
function moveSent(value) {
  if (isObject(value)) {
    const { from_point, to_point, hit } = exactly(value, "Move", ["from_point", "to_point", "hit"]);
    const problem = problemOfMove({ from_point, to_point, hit });
    return problem ? fail(problem) : [from_point, to_point, hit];
  }
  if (!isList(value) || !isWhole(value.length, 2, 3)) return null;
  const [source, target, hit = false] = value;
  return problemOfMove({ from_point: source, to_point: target, hit }) ? null : [source, target, hit];
}

function levelSent(argument) {
  const win = isWhole(argument, 1, 3) ? LEVELS[argument - 1] : argument ?? "single";
  const forms = `a Win, its number or its word, "single", "gammon" or "backgammon"`;
  return LEVELS.includes(win) ? win : fail(`the level of a win must be ${forms}, not ${asInPython(argument)}`);
}

/** Two faces in the order in which they were thrown. */
function facesThrown(thrown) {
  const isPair = isList(thrown) && thrown.length === 2;
  if (!isPair) fail(`roll() must give two ints, in the order thrown, not ${asInPython(thrown)}`);
  return toDice(thrown[0], thrown[1]);
}

/** The event in the form that a log has, which says everything. */
function canonicalEvent(before, event, after) {
  const { type, action, by, argument, time } = event;
  const head = { version: VERSION, type };
  if (type === "SetPosition") return frozen({ ...head, position: after.position, on_roll: after.on_roll, cube: after.cube });
  if (type === "Forfeit") return frozen({ ...head, loser: event.loser, points: after.result.points });
  const player = by === "to_act" ? playerToAct(before) : by;
  const actor = action in NEUTRAL ? "to_act" : player;
  const played = action === "play" ? textTo(before, after.position.points) : argument;
  const said = { ...head, action, by: actor, argument: played };
  return frozen(time === undefined ? said : { ...said, time });
}

/** The play that leads to a board, as text. */
function textTo({ position, dice }, after) {
  const roll = rollOn(position, dice);
  return textOf(roll, roll.plays.find(({ points }) => isSame(points, after)), WORDS);
}

/** --- what the module exports --- */

const newMatch = guarded((options = {}) => {
  entriesOf(options, "options", ["length", "rules", "score", "crawford", "position"]);
  const { length = null, rules: chosen = null, score = [0, 0], crawford = null, position = null } = options;
  const rules = rulesFrom(chosen, length);
  const first = position === null ? startOf(rules.start) : positionFrom(position, "position");
  const pair = isList(score) && score.length === 2 ? [score[0], score[1]] : [];
  const isPair = pair.length === 2 && pair.every(Number.isInteger);
  const problems = [];
  if (crawford !== null && typeof crawford !== "boolean") {
    problems.push(`crawford must be True, False or None, not ${asInPython(crawford, 60)}`);
  }
  if (!isPair) problems.push(`score must be a pair of whole numbers, White's and Black's, not ${asInPython(score)}`);
  const points = frozen(isPair ? pair.map((number) => number + 0) : [0, 0]); // not -0
  const nothing = { on_roll: null, dice: null, cube: frozen({ value: 1, owner: null }), offer: null, result: null };
  const fields = { ...nothing, position: first, score: points, length, crawford: crawford ?? true, rules };
  problems.push(...problemsOfTypes(fields));
  refuseProblems("match state", problems);
  if (crawford === null) fields.crawford = !problemNumbers(fields).some((number) => CRAWFORD_PROBLEMS.includes(number));
  return checkedState(fields);
});

/** Some options; those of a match or of money play if there are none. */
function rulesFrom(chosen, length) {
  const different = chosen ?? (length === null ? { jacoby: true, beavers: 1 } : {});
  const rules = { ...DEFAULTS };
  for (const [name, value] of entriesOf(different, "rules", Object.keys(DEFAULTS))) {
    if (value !== undefined) rules[name] = value === 0 ? 0 : value; // not -0
  }
  refuseProblems("rules", problemsOfRules(rules));
  return frozen(rules);
}

const apply = guarded((state, event) => applied(stateFrom(state), readEvent(event)));

/** An event in the form that a log has, and the state after it. */
const recorded = guarded((state, event) => {
  const before = stateFrom(state);
  const read = readEvent(event);
  const after = applied(before, read);
  return { event: canonicalEvent(before, read, after), state: after };
});

const canonical = (state, event) => recorded(state, event).event;

const phase = guarded((state) => PHASES[write(stateFrom(state)).phase()]);
const toAct = guarded((state) => playerToAct(stateFrom(state)));
const winner = guarded((state) => matchWinner(stateFrom(state)));

const membersIn = (bits, words) => frozen(words.filter((_, at) => (bits >> at) & 1));

const legalActions = guarded((state, player) => {
  const seat = player === undefined ? -1 : seatOf(playerIn(player, "player"));
  return membersIn(write(stateFrom(state)).actions(seat), ACTIONS);
});

const possibleWins = guarded((state, player) => {
  const seat = seatOf(playerIn(player, "player"));
  return membersIn(write(stateFrom(state)).possible_wins(seat), LEVELS);
});

const view = guarded((state, player) => {
  const { position, on_roll } = stateFrom(state);
  if (playerIn(player, "player") === (on_roll ?? "white")) return position;
  return frozen({ ...position, points: frozen(turned(position.points)) });
});

/** What `roll` throws itself is passed on. */
function receive(state, message, player, options) {
  const { before, sender, action, argument, roll } = sent(state, message, player, options);
  const needsDice = action === "roll" || action === "opening_roll";
  return answered(before, sender, action, needsDice ? roll() : argument);
}

const sent = guarded((state, message, player, options = {}) => {
  const before = stateFrom(state);
  if (!PLAYERS.includes(player)) fail(`${notPlayer(player, "player")}: only they can act`, NOBODY);
  entriesOf(options, "options", ["roll", "starter", "position"]);
  const { roll } = options;
  if (typeof roll !== "function") fail(`roll must be a function, not ${asInPython(roll, 60)}`);
  const start = startAgreed(options, before.result !== null);
  const { action, argument } = readMessage(message, player);
  refuseIllegal(write(before).why_not(ACTIONS.indexOf(action), seatOf(player)), before, action, player);
  const decided = { play: playSent, resign: levelSent, next_game: () => start }[action]?.(argument) ?? null;
  return { before, sender: player, action, argument: decided, roll };
});

const answered = guarded((before, sender, action, argument) => {
  const faces = action === "roll" || action === "opening_roll" ? facesThrown(argument) : null;
  const wanted = { type: "Event", action, by: sender, argument: action === "roll" ? sorted(faces) : faces ?? argument };
  const after = acted(before, wanted);
  return frozen({ event: canonicalEvent(before, wanted, after), state: after });
});

/** A count in XGIDs and `.mat` texts: A to O are White's checkers, a to o are Black's. */
const letterOf = (count) => (count ? String.fromCharCode((count > 0 ? 64 : 96) + Math.abs(count)) : "-");

/** What other files of the library use. */
const internals = frozen({
  asInPython, counted, doubleOf, entriesOf, fail, guarded, isList, isSame, isWhole, letterOf, marked, opponentOf, PLAYERS,
  recorded, scoreBefore, shown, stateOf, TITLES, turned, unwrapped,
});

return { newMatch, readState, legalActions, apply, canonical, receive, view, possibleWins, phase, toAct, winner, internals };
