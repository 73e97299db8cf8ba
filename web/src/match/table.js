/** The match in WebAssembly, which has its rules: a state is written there for each question, and read from there after
 * each action. */

import { core, SLOTS } from "../rules/compiled.js";
import { isSame } from "../rules/rolls.js";
import { frozen, numbersOf } from "../rules/values.js";
import { ENDS, levelNumber, LEVELS, PLAYERS, seatOf, VERSION } from "./terms.js";

const FIELDS = 29; // numbers of the match in WebAssembly, before its board

/** A class whose constructor gives what it is given, so that one derived from it adds a private field to any object. */
class Given {
  constructor(value) {
    return value;
  }
}

/** The states that were made here, which are frozen and possible: their private field is in no copy, and takes no time to
 * look up, unlike a WeakSet. */
export class Known extends Given {
  #isKnown = true;

  static has(value) {
    return typeof value === "object" && value !== null && #isKnown in value;
  }
}

export function made(fields) {
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

/** The score when the game began. */
export function scoreBefore({ score, result }) {
  return score.map((points, seat) => (result && seatOf(result.winner) === seat ? points - result.points : points));
}

export const doubleOf = ({ offer }) => (offer?.type === "Resignation" ? offer.double : offer);

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
export function write(state) {
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
export function stateAfter(before) {
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

export const playerToAct = (state) => PLAYERS[write(state).to_act()] ?? null;
export const matchWinner = (state) => PLAYERS[write(state).winner()] ?? null;
