/** Plays as text, and why moves are illegal: a second statement of board/notation.py and board/refusals.py, and a
 * translation of these; the tests compare the two. It has no rules: which plays are legal, and from where a die can be
 * played, says rules.js, of which this is a part.
 *
 * A roll is { points, dice, text, plays, words, table }: the board, the numbers to play, the faces as text, the legal
 * plays, the words of sentences, and how many checkers a side has, as an option. A chain is the path of one checker: { stops, hits }; one without stops is a dance after
 * moves. */

const LONGEST_PLAY = 200; // characters
const DANCES = ["", "no play", "no move", "cannot move", "pass"];
const STATED = new RegExp("^\\**([1-6]) ?-? ?([1-6])\\**:\\** ?");
const PLACES = { bar: BAR, b: BAR, off: 0, o: 0 };
const PLACE = "(?:bar|off|b|o|\\d{1,2})";
const PATH = new RegExp(`^(${PLACE}(?:\\*?[-/]${PLACE})+)(\\*)?(?:\\((\\d{1,2})\\))?(\\*)?$`);

/** The sentences, most of them by the reason that they give. A page may have functions of the fields instead. */
const WORDS = {
  bar: "bar",
  off: "off",
  or: " or ",
  pip: "{count} pip",
  pips: "{count} pips",
  numbers: ["none", "one", "two", "three", "four"],
  refused: `"{play}" with {dice}: {sentence}`,
  blocked_point: "{move} is blocked, since the opponent holds the {point} point with {count} checkers",
  bar_first: "{move} must wait, since a checker is on the bar and must enter first",
  not_all_home: "{move} must wait, since not all checkers are in the home board (one is on {point})",
  higher_checker_first: "{move} with a {die} is not allowed, since the higher checker on {point} must move first",
  both_dice: "both dice can be played ({play}), but this plays only one",
  higher_die: "only one die can be played, and it must be the higher, the {die} ({play})",
  more_of_doublet: "{most} {die}s can be played ({play}), but this plays only {count}",
  die_not_rolled: "a roll of {dice} does not give all of these moves together",
  no_die: "{move} is {pips}, which neither die of {dice} gives",
  no_sum: "{move} is {pips}, which a roll of {dice} does not give",
  die_played: "the {die} has been played already",
  die_left: "{move} is {pips}, but only the {die} is left",
  one_left: "{move} is {pips}, but only {count} {die} is left",
  some_left: "{move} is {pips}, but only {count} {die}s are left",
  none_left: "the turn is complete: all dice have been played",
  no_pass: `"pass" is not allowed, since all dice have been played`,
  no_such_checker: "{move} cannot be played, since there is no checker on {point}",
  none_on_bar: "{move} cannot be played, since there is no checker on the bar",
  opponent_there: "{move} cannot be played, since the opponent is on {point}",
  moves_backward: "{move} does not move forward, from a higher to a lower point",
  nothing_hit: "no checker is hit on {point}, where the opponent has no blot",
  must_play: "you must play, since there is a legal play ({play})",
  game_over: "the game is over",
  other_order: "it cannot be played at this point of the turn",
  other_position: "this is a play of another roll",
  ambiguous: "several plays fit, which hit different checkers: {plays}",
  too_long: "a play has at most {most} characters, but this text has {count}",
  unreadable: `cannot read {text}: a move is written "13/7", "bar/22*", "6/4(2)" or "2/off"`,
  roll: `cannot read {text}: it may be a roll or a score; a move is written "13/7"`,
  two_signs: `cannot read {text}: moves are written with "/" or with "-", not with both`,
  no_point: "cannot read {text}: there is no point {point}",
  early_star: "cannot read {text}: a star must follow the point where a checker is hit",
  repeats: "cannot read {text}: a move can be repeated 1 to 15 times",
};

/** The words of a call: others in the place of some. */
function readWords(others = {}) {
  for (const [name, word] of entriesOf(others, "words", Object.keys(WORDS))) {
    const isRight = Array.isArray(WORDS[name])
      ? Array.isArray(word) && word.every((text) => typeof text === "string")
      : ["string", "function"].includes(typeof word);
    if (!isRight) fail(`words.${name} cannot be ${shown(word)}`);
  }
  return { ...WORDS, ...others };
}

function told(words, key, fields) {
  const word = words[key];
  if (typeof word === "function") return String(word(fields));
  return String(word).replace(/\{(\w+)\}/g, (whole, name) => fields[name] ?? whole);
}


/** --- boards and dice --- */

const isPlace = (number) => isWhole(number, 0, BAR);
const turned = (points) => points.map((count) => 0 - count).reverse();
const isHit = (points, target) => target > 0 && points[target] < 0;

function moved(points, source, target) {
  const after = [...points];
  after[source] -= 1;
  if (isHit(points, target)) {
    after[target] = 0;
    after[0] -= 1;
  }
  if (target) after[target] += 1;
  return after;
}

function without(die, dice) {
  const at = dice.indexOf(die);
  return dice.filter((_, index) => index !== at);
}

function rollOf(board, dice, options) {
  const table = { checkers: readCheckers(options, "words") };
  const { points } = readBoard(board, table);
  const faces = readDice(dice);
  const [high, low] = faces;
  const plays = legalPlays(points, faces, table);
  const words = readWords(options?.words);
  return { points, dice: high === low ? [high, high, high, high] : faces, text: faces.join(""), plays, words, table };
}

/** --- writing --- */

const placeName = (place, words) => (place === BAR ? words.bar : place === 0 ? words.off : place);
const inWords = (count, { numbers }) => numbers?.[count] ?? count;
const moveName = ([source, target], words) => `${placeName(source, words)}/${placeName(target, words)}`;

/** The moves with a third item: whether they hit. */
function marked(points, moves) {
  let board = points;
  return moves.map(([source, target]) => {
    const hit = isHit(board, target);
    board = moved(board, source, target);
    return [source, target, hit];
  });
}

const spelled = (moves, words) => moves.map((move) => moveName(move, words) + (move[2] ? "*" : "")).join(" ");

/** The canonical text of the moves of a play, which are in the order of the library. */
function canonicalText(moves, words) {
  const paths = [];
  const unmarked = new Set();
  for (const [source, target, hit] of moves) {
    if (hit) unmarked.add(target);
    const path = paths.find((path) => path.at(-1) === source); // a checker that came here goes on, the rearmost first
    if (path) path.push(target);
    else paths.push([source, target]);
  }
  const counts = new Map();
  for (const path of paths) counts.set(String(path), (counts.get(String(path)) ?? 0) + 1);
  const texts = Array.from(counts, ([path, count]) => {
    const stops = path.split(",").map(Number);
    const names = stops.map((stop, at) => {
      const star = unmarked.delete(stop) ? "*" : "";
      return star || at === 0 || at === stops.length - 1 ? placeName(stop, words) + star : "";
    });
    return names.filter(Boolean).join("/") + (count > 1 ? `(${count})` : "");
  });
  return texts.join(" ") || "no play";
}

const textOf = (roll, { moves }, words) => canonicalText(marked(roll.points, moves), words);
const withText = (roll, play) => ({ ...play, text: textOf(roll, play, WORDS) });

/** --- reading --- */

const legsOf = (chains) => chains.flatMap(({ stops }) => stops.slice(1).map((target, at) => [stops[at], target]));
const chainOf = ([source, target]) => ({ stops: [source, target], hits: [] });

/** A play without the quotes, brackets, Markdown and end of a sentence around it. */
function bareOf(text) {
  const inner = within(text, MARKS.slice(3)); // stars and parentheses may be the play's own
  const pair = inner.length > 1 ? inner[0] + inner.at(-1) : "";
  return pair === "()" || pair === "**" ? bareOf(inner.slice(1, -1)) : inner;
}

/** The chains of a text, none for a dance, and the faces of the roll that it begins with. */
function readPlay(text, words) {
  const refuseText = (key, part, fields) => fail(told(words, key, { text: quoted(part), ...fields }));
  const count = [...text].length;
  if (count > LONGEST_PLAY) refuseText("too_long", text, { most: LONGEST_PLAY, count });
  const plain = plainSigns(text).toLowerCase();
  const bare = bareOf(plain);
  const [prefix, ...faces] = STATED.exec(bare) ?? [""];
  const rest = prefix ? bareOf(bare.slice(prefix.length)) : bare;
  if (plain && !rest) refuseText("unreadable", text);
  return { chains: chainsIn(rest, text, refuseText), stated: faces.sort().reverse().join("") };
}

function chainsIn(bare, text, refuseText) {
  const plain = plainSigns(bare.replace(/[,;]/g, " ")).replaceAll(" (", "(");
  if (DANCES.includes(plain)) return [];
  if (/^\d-\d$/.test(plain)) refuseText("roll", text);
  if (plain.includes("-") && plain.includes("/")) refuseText("two_signs", text);
  const parts = plain.split(" ");
  const passes = parts.at(-1) === "pass" ? [{ stops: [], hits: [] }] : [];
  return [...parts.slice(0, parts.length - passes.length).flatMap((part) => readChains(part, refuseText)), ...passes];
}

function readChains(part, refuseText) {
  const [, path, star, repeats = 1, lateStar] = PATH.exec(part) ?? refuseText("unreadable", part);
  const stops = [];
  const hits = [];
  const names = path.split(/[-/]/);
  for (const name of names) {
    const plain = name.replace("*", "");
    const stop = PLACES[plain] ?? Number(plain);
    if (stop > BAR) refuseText("no_point", part, { point: stop });
    stops.push(stop);
    if (name !== plain) hits.push(stop);
  }
  if (names[0].endsWith("*")) refuseText("early_star", part);
  if (star || lateStar) hits.push(stops.at(-1));
  if (repeats < 1 || repeats > 15) refuseText("repeats", part);
  return Array(Number(repeats)).fill({ stops, hits });
}

/** The moves of a list; of one that is too long for any roll only the beginning. */
function readMoves(moves, name, kind = "a list of moves") {
  if (!Array.isArray(moves)) fail(`${name} must be ${kind}, not ${shown(moves)}`);
  return Array.from(moves.slice(0, 5), (move, at) => {
    const isMove = isList(move) && move.length === 2 && [...move].every(isPlace);
    return isMove ? [...move] : fail(`${name}[${at}] must be [from, to], from 25 (bar) to 0 (off), not ${shown(move)}`);
  });
}

/** The legal plays that the chains may mean; `byDie`: each leg uses one die. */
function matching({ points, dice, plays }, chains, byDie) {
  if (!chains.length) return plays.filter(({ moves }) => !moves.length);
  if (falseStar(points, chains) !== undefined) return [];
  const passes = !chains.at(-1).stops.length;
  const named = chains.flatMap(({ stops }) => stops);
  const quiet = new Map(); // of each play, whether every hit on the way is written
  for (const { board, landings, left } of attempts(points, dice, chains, byDie)) {
    const result = turned(board);
    const play = plays.find(({ points }) => isSame(points, result));
    if (!play || left.length || (passes && landings.length === dice.length)) continue;
    quiet.set(play, !landings.some(([stop, hit]) => hit && !named.includes(stop)));
  }
  const fitting = [...quiet.keys()];
  const best = fitting.filter((play) => quiet.get(play));
  return best.length ? best : fitting;
}

const isSame = (points, others) => points.every((count, at) => count === others[at]);

/** A starred point where there is no blot to hit. */
function falseStar(points, chains) {
  return chains.flatMap(({ hits }) => hits).find((stop) => stop === 0 || stop === BAR || points[stop] !== -1);
}

/** Every way to play the chains with these dice: moves as [source, die]. */
function waysOf(chains, dice, byDie) {
  const legs = legsOf(chains);
  const ways = [];
  const play = (number, at, left, moves) => {
    if (number === legs.length) ways.push(moves);
    for (const die of number < legs.length ? new Set(left) : []) {
      const landing = Math.max(at - die, 0);
      const [target, longer, rest] = [legs[number][1], [...moves, [at, die]], without(die, left)];
      if (landing === target) play(number + 1, legs[number + 1]?.[0], rest, longer);
      else if (landing > target && !byDie) play(number, landing, rest, longer);
    }
  };
  play(0, legs[0][0], dice, []);
  return ways;
}

/** How far each way to play the chains gets, from the rear, since no move depends on one from a lower point. */
function attempts(points, dice, chains, byDie) {
  return waysOf(chains, dice, byDie).map((moves) => {
    const left = moves.sort(([source], [other]) => other - source);
    const landings = [];
    let board = points;
    while (left.length && playable(board, left[0][1]).includes(left[0][0])) {
      const [source, die] = left.shift();
      const target = Math.max(source - die, 0);
      landings.push([target, isHit(board, target)]);
      board = moved(board, source, target);
    }
    return { board, landings, left };
  });
}

function find(points, dice, play, options) {
  const roll = rollOf(points, dice, options);
  return withText(roll, playMeant(roll, play, "play"));
}

function notation(points, dice, moves, options) {
  const roll = rollOf(points, dice, options);
  return textOf(roll, playMeant(roll, moves, "moves"), WORDS);
}

/** The legal play that a text or moves mean; matches need no more of it. */
function playMeant(roll, play, name) {
  const byDie = typeof play !== "string";
  const { chains, stated } = byDie
    ? { chains: readMoves(play, name, "a text or a list of moves").map(chainOf) }
    : readPlay(play, roll.words);
  const text = byDie ? spelled(legsOf(chains), WORDS) : plainSigns(play);
  if (stated && stated !== roll.text) refuse(roll, text, refusal(roll, "other_position"));
  return playOf(roll, chains, byDie, text);
}

function playOf(roll, chains, byDie, text) {
  const results = matching(roll, chains, byDie);
  if (results.length === 1) return results[0];
  if (!results.length) refuse(roll, text, whyIllegal(roll, chains, byDie));
  const plays = results.map((result) => textOf(roll, result, roll.words)).join(roll.words.or);
  const candidates = results.map((result) => withText(roll, result));
  refuse(roll, text, refusal(roll, "ambiguous", { candidates }, { plays }));
}

function refuse({ words, text: dice }, play, { sentence, ...facts }) {
  fail(told(words, "refused", { play, dice, sentence }), facts);
}

/** --- why a play is illegal --- */

function refusal({ words, text }, reason, facts = {}, fields = {}, key = reason) {
  const move = facts.move && moveName(facts.move, words);
  const point = placeName(facts.point, words);
  return { reason, sentence: told(words, key, { ...facts, move, point, dice: text, ...fields }), ...facts };
}

/** Why these chains are not a legal play, after `matching` has found none. */
function whyIllegal(roll, chains, byDie) {
  const { points, dice, plays } = roll;
  if (!plays.length) return refusal(roll, "game_over");
  if (!chains.length) {
    const play = textOf(roll, plays[0], roll.words);
    return refusal(roll, "must_play", { witness: withText(roll, plays[0]) }, { play });
  }
  for (const leg of legsOf(chains)) {
    const reason = impossibleLeg(roll, dice, leg, byDie);
    if (reason) return reason;
  }
  const point = falseStar(points, chains);
  if (point !== undefined) return refusal(roll, "nothing_hit", { point });
  return brokenRule(roll, attempts(points, dice, chains, byDie));
}

/** A leg that the dice left cannot make on any board. */
function impossibleLeg(roll, left, leg, byDie) {
  const { dice, words } = roll;
  const [source, target] = leg;
  const count = source - target;
  const move = moveName(leg, words);
  if (count <= 0) return refusal(roll, "moves_backward", {}, { move });
  if (waysOf([chainOf(leg)], left, byDie).length) return null;
  const pips = told(words, count === 1 ? "pip" : "pips", { count });
  const fields = { pips, die: left[0], count: inWords(left.length, words) };
  let key = dice[0] !== dice[1] ? "die_left" : left.length > 1 ? "some_left" : "one_left";
  if (left.length === dice.length) key = byDie ? "no_die" : "no_sum";
  else if (dice.includes(count) && !left.includes(count)) [key, fields.die] = ["die_played", count];
  return refusal(roll, "die_not_rolled", { move: leg, pips: count, dice: left }, fields, key);
}

/** The rule that forbids what was tried, from the attempt that got farthest. */
function brokenRule(roll, tried) {
  if (!tried.length) return refusal(roll, "die_not_rolled", { dice: roll.dice });
  const best = tried.reduce((best, other) => (other.left.length < best.left.length ? other : best));
  return best.left.length ? impossibleMove(roll, best.board, ...best.left[0]) : unusedDie(roll, best);
}

/** Why no checker can leave this point. */
function noChecker(roll, board, leg) {
  const [point, target] = leg;
  const [move, count] = [point > target ? leg : undefined, 0 - board[point]];
  const fields = { move: moveName(leg, roll.words) };
  if (count >= 0) {
    const key = count ? "opponent_there" : point === BAR ? "none_on_bar" : "no_such_checker";
    return refusal(roll, "no_such_checker", { move, point, count }, fields, key);
  }
  return target < point && point < BAR && board[BAR] > 0 ? refusal(roll, "bar_first", { move }) : null;
}

/** Why one move cannot be made. */
function impossibleMove(roll, board, source, die) {
  const target = Math.max(source - die, 0);
  const move = [source, target];
  const reason = noChecker(roll, board, move);
  if (reason) return reason;
  if (target) return refusal(roll, "blocked_point", { move, point: target, count: 0 - board[target] });
  const point = board.findLastIndex((count) => count > 0);
  if (point > 6) return refusal(roll, "not_all_home", { move, point });
  return refusal(roll, "higher_checker_first", { move, dice: [die], point }, { die });
}

/** Why a series of possible moves is not a legal way to use the dice. */
function unusedDie(roll, { board, landings }) {
  const { dice, plays, words } = roll;
  const count = landings.length;
  if (count === dice.length) return refusal(roll, "die_not_rolled", { dice: [] }, {}, "no_pass");
  const result = turned(board);
  const likeness = ({ points }) => points.filter((count, at) => count === result[at]).length;
  const nearest = plays.reduce((best, other) => (likeness(other) > likeness(best) ? other : best));
  const witness = withText(roll, nearest);
  const moves = marked(roll.points, nearest.moves);
  // A play with the same end is usually written as what was tried.
  const play = (isSame(nearest.points, result) ? spelled : canonicalText)(moves, words);
  const [most, die] = [moves.length, dice[0]];
  if (die === dice[1]) {
    const fields = { play, die, most: inWords(most, words), count: inWords(count, words) };
    return refusal(roll, "more_of_doublet", { dice: dice.slice(0, most), count, witness }, fields);
  }
  // One die alone takes the last checker off.
  if (most > count || playable(board, die).length) return refusal(roll, "both_dice", { dice, witness }, { play });
  return refusal(roll, "higher_die", { dice: [die], witness }, { play, die });
}

/** --- in the middle of a turn --- */

function whyNot(points, dice, made, from, to, options) {
  const roll = rollOf(points, dice, options);
  const move = [from, to];
  const wrong = move.filter((place) => !isPlace(place)).map(shown);
  if (wrong.length) fail(`from and to must be 25 (bar) to 0 (off), not ${wrong.join(" and ")}`);
  const { nodes } = turn(roll.points, roll.dice.slice(0, 2), roll.table);
  const { board, left, node } = stageAfter(roll, nodes, readMoves(made, "made"));
  const leaving = (node, at) => branchesOf(nodes[node]).filter(([source]) => source === at);
  const goesOn = (node, at) => leaving(node, at).some(([, target, , next]) => target === to || goesOn(next, target));
  if (leaving(node, from).some(([, target]) => target === to)) return null;
  if (!goesOn(node, from)) return whyNotNow(roll, board, left, move);
  return to || from > left[0] ? null : whyIllegal(roll, [chainOf(move)], true); // one die would waste the other
}

const branchesOf = (flat) => Array.from({ length: flat.length / 4 }, (_, at) => flat.slice(4 * at, 4 * at + 4));

function whyNotNow(roll, board, left, leg) {
  if (!roll.plays.length || !board.some((count) => count > 0)) return refusal(roll, "game_over");
  if (!left.length) return refusal(roll, "die_not_rolled", { dice: left }, {}, "none_left");
  const reason = (leg[0] && noChecker(roll, board, leg)) || impossibleLeg(roll, left, leg, false);
  return reason ?? brokenRule(roll, attempts(board, left, [chainOf(leg)], false));
}

/** The board, the dice left and the node after some moves. */
function stageAfter(roll, nodes, made) {
  let [board, left, node] = [roll.points, roll.dice, 0];
  for (const [at, [from, to]] of made.entries()) {
    const branch = branchesOf(nodes[node]).find(([source, target]) => source === from && target === to);
    if (!branch) refusePath(roll, made.slice(0, at + 1));
    board = moved(board, from, to);
    left = without(branch[2], left);
    node = branch[3];
  }
  return { board, left, node };
}

/** Say what is wrong with a series of moves. */
function refusePath(roll, made) {
  const { moves } = playMeant(roll, made, "made");
  if (made.length < moves.length) refuse(roll, spelled(made, WORDS), whyIllegal(roll, made.map(chainOf), true));
  const move = made.at(-1);
  refuse(roll, moveName(move, WORDS), refusal(roll, "other_order", { move }));
}
