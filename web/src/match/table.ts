/** The match in WebAssembly, which has its rules: a state is written there for each question, and read from there after
 * each action. */

import { core, type RulesExports, SLOTS } from "../rules/compiled.js";
import { isSame } from "../rules/rolls.js";
import type { Thrown } from "../rules/types.js";
import { frozen, numbersOf } from "../rules/values.js";
import { ENDS, levelNumber, LEVELS, PLAYERS, seatOf, VERSION } from "./terms.js";
import type { Double, MatchState, Offer, Player, Position } from "./types.js";

/** What match.wasm exports besides, by the names of docs/reference/abi.md. */
interface MatchExports extends RulesExports {
  match(): number;
  phase(): number;
  to_act(): number;
  winner(): number;
  actions(seat: number): number;
  possible_wins(seat: number): number;
  why_not(action: number, seat: number): number;
  act(action: number, seat: number, first?: number, second?: number): number;
  forfeit(seat: number, points: number): number;
  problems(): number;
  problem_numbers(): number;
}

/** A state that may be impossible, or its fields. */
export type Fields = Omit<MatchState, "version" | "type">;

const FIELDS = 29; // numbers of the match in WebAssembly, before its board

/** A class whose constructor gives what it is given, so that one derived from it adds a private field to any object. */
class Given {
  constructor(value: object) {
    return value;
  }
}

/** The states that were made here, which are frozen and possible: their private field is in no copy, and takes no time to
 * look up, unlike a WeakSet. */
export class Known extends Given {
  #isKnown = true;

  static has(value: unknown): value is MatchState {
    return typeof value === "object" && value !== null && #isKnown in value;
  }
}

export function made(fields: Fields): MatchState {
  const { position, on_roll, dice, cube, offer, score, length, crawford, rules, result } = fields;
  const state: MatchState = {
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
  };
  new Known(state);
  return frozen(state);
}

/** The score when the game began. */
export function scoreBefore({ score, result }: Pick<Fields, "score" | "result">): readonly [white: number, black: number] {
  const before = (seat: 0 | 1) => (result && seatOf(result.winner) === seat ? score[seat] - result.points : score[seat]);
  return [before(0), before(1)];
}

export const doubleOf = ({ offer }: Pick<Fields, "offer">): Double | null =>
  (offer?.type === "Resignation" ? offer.double : offer);

/** What match.wasm has, views of its match, and the state that was made here and is there, if there is one. */
interface Table {
  readonly exports: MatchExports;
  readonly numbers: Int32Array;
  readonly points: Int8Array;
  state: MatchState | null;
}

let place: Table | null = null;

function table(): Table {
  if (place) return place;
  const exports = core().exports as MatchExports;
  const { buffer } = exports.memory;
  const numbers = new Int32Array(buffer, exports.match(), FIELDS);
  const points = new Int8Array(buffer, exports.match() + 4 * FIELDS, SLOTS);
  place = { exports, numbers, points, state: null };
  return place;
}

/** Write a state there, unless it is there, and give the exports that say what may be done. */
export function write(state: Fields): MatchExports {
  const there = table();
  const { exports, numbers, points } = there;
  if (state === there.state) return exports;
  const { position, dice, cube, offer, score, rules, result } = state;
  const double = doubleOf(state);
  const resignation = offer?.type === "Resignation" ? offer : null;
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
  for (let at = 0; at < FIELDS; at += 1) numbers[at] = +(fields[at] ?? 0);
  points.set(position.points);
  there.state = Known.has(state) ? state : null;
  return exports;
}

/** The state that is there, after one that shares what has not changed. */
export function stateAfter(before: Fields): MatchState {
  const there = table();
  const { numbers, points } = there;
  const seat = (at: number): Player | null => PLAYERS[numbers[at]] ?? null;
  const cube = frozen({ value: numbers[3], owner: seat(4) });
  const isSameCube = cube.value === before.cube.value && cube.owner === before.cube.owner;
  const [doubler, resigner, victor] = [seat(5), seat(8), seat(14)];
  const double = doubler && { by: doubler, value: numbers[6], beavers: numbers[7] };
  const offer: Offer | null = resigner
    ? { type: "Resignation", by: resigner, win: LEVELS[numbers[9] - 1], double: double && frozen(double) }
    : double && { type: "Double", ...double };
  const result = victor && { winner: victor, win: LEVELS[numbers[15] - 1] ?? null, points: numbers[16], end: ENDS[numbers[17]] };
  const score = [numbers[10], numbers[11]] as const;
  const state = made({
    position: positionAfter(before.position, points, numbers[FIELDS - 1]),
    on_roll: seat(0),
    dice: numbers[1] ? frozen([numbers[1], numbers[2]] as const as Thrown) : null,
    cube: isSameCube ? before.cube : cube,
    offer: offer && frozen(offer),
    score: isSame(before.score, score) ? before.score : frozen(score),
    length: before.length,
    crawford: numbers[13] === 1,
    rules: before.rules,
    result: result && frozen(result),
  });
  there.state = state;
  return state;
}

function positionAfter(before: Position, points: Int8Array, checkers: number): Position {
  if (checkers === before.checkers && isSame(before.points, points)) return before;
  return frozen({ points: frozen(numbersOf(points, 0, SLOTS)), checkers });
}

export const playerToAct = (state: Fields): Player | null => PLAYERS[write(state).to_act()] ?? null;
export const matchWinner = (state: Fields): Player | null => PLAYERS[write(state).winner()] ?? null;
