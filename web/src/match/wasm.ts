/** The match in WebAssembly, which has its rules: a state is written there for each question, and read from there after
 * each action. */

import { CHOICES, DEFAULTS } from "../generated/names.js";
import { core, type RulesExports, SLOTS } from "../rules/wasm.js";
import { isSame } from "../rules/rolls.js";
import type { DiceRoll } from "../rules/types.js";
import { frozen, numbersOf } from "../rules/values.js";
import { ENDS, PLAYERS, seatOf, VERSION, WIN_KINDS, winNumber } from "./terms.js";
import type { Double, MatchState, Offer, Player, Position, Rules } from "./types.js";

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

/** Where the numbers of a match stand in WebAssembly: the `GammonrulesMatch` of gammonrules.h, before its board. */
const AT = {
  onRoll: 0, high: 1, low: 2, cube: 3, owner: 4, doubler: 5, offered: 6, beavers: 7, resigner: 8, resigned: 9, white: 10,
  black: 11, length: 12, crawford: 13, winner: 14, win: 15, points: 16, end: 17, rules: 18,
} as const;
/** The options that stand there, in this order: all but the start. */
const OPTIONS = (Object.keys(DEFAULTS) as (keyof Rules)[]).filter((name) => name !== "start");
const CHECKERS = AT.rules + OPTIONS.length;
const NUMBERS = CHECKERS + 1;
const WORDS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(CHOICES);

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
  const numbers = new Int32Array(buffer, exports.match(), NUMBERS);
  const points = new Int8Array(buffer, exports.match() + 4 * NUMBERS, SLOTS);
  place = { exports, numbers, points, state: null };
  return place;
}

/** Write a state there, unless it is there, and return the exports that say what may be done. */
export function write(state: Fields): MatchExports {
  const there = table();
  const { exports, numbers, points } = there;
  if (state === there.state) return exports;
  const { position, dice, cube, offer, score, rules, result } = state;
  const double = doubleOf(state);
  const resignation = offer?.type === "Resignation" ? offer : null;
  numbers[AT.onRoll] = seatOf(state.on_roll);
  numbers[AT.high] = dice?.[0] ?? 0;
  numbers[AT.low] = dice?.[1] ?? 0;
  numbers[AT.cube] = cube.value;
  numbers[AT.owner] = seatOf(cube.owner);
  numbers[AT.doubler] = seatOf(double?.by ?? null);
  numbers[AT.offered] = double?.value ?? 0;
  numbers[AT.beavers] = double?.beavers ?? 0;
  numbers[AT.resigner] = seatOf(resignation?.by ?? null);
  numbers[AT.resigned] = winNumber(resignation?.win ?? null);
  numbers[AT.white] = score[0];
  numbers[AT.black] = score[1];
  numbers[AT.length] = state.length ?? 0;
  numbers[AT.crawford] = +state.crawford;
  numbers[AT.winner] = seatOf(result?.winner ?? null);
  numbers[AT.win] = winNumber(result?.win ?? null);
  numbers[AT.points] = result?.points ?? 0;
  numbers[AT.end] = result ? ENDS.indexOf(result.end) : 0;
  numbers.set(numbersOfRules(rules), AT.rules);
  numbers[CHECKERS] = position.checkers;
  points.set(position.points);
  there.state = Known.has(state) ? state : null;
  return exports;
}

/** A match as it is written there: a `GammonrulesMatch`. */
export function bytesOf(state: Fields): Uint8Array {
  const { memory, match } = write(state);
  return new Uint8Array(memory.buffer, match(), 4 * NUMBERS + SLOTS);
}

/** The options as numbers: a word by its place among those of its option, and no limit as 0. */
const numbersOfRules = (rules: Rules): number[] => OPTIONS.map((name) => {
  const value = rules[name];
  return typeof value === "string" ? WORDS[name].indexOf(value) : Number(value);
});

/** The state that is there, after one that shares what has not changed. */
export function stateAfter(before: Fields): MatchState {
  const there = table();
  const { numbers, points } = there;
  const seat = (at: number): Player | null => PLAYERS[numbers[at]] ?? null;
  const cube = frozen({ value: numbers[AT.cube], owner: seat(AT.owner) });
  const isSameCube = cube.value === before.cube.value && cube.owner === before.cube.owner;
  const [doubler, resigner, winner] = [seat(AT.doubler), seat(AT.resigner), seat(AT.winner)];
  const double = doubler && { by: doubler, value: numbers[AT.offered], beavers: numbers[AT.beavers] };
  const offer: Offer | null = resigner
    ? { type: "Resignation", by: resigner, win: WIN_KINDS[numbers[AT.resigned] - 1], double: double && frozen(double) }
    : double && { type: "Double", ...double };
  const win = WIN_KINDS[numbers[AT.win] - 1] ?? null;
  const result = winner && { winner, win, points: numbers[AT.points], end: ENDS[numbers[AT.end]] };
  const score = [numbers[AT.white], numbers[AT.black]] as const;
  const state = made({
    position: positionAfter(before.position, points, numbers[CHECKERS]),
    on_roll: seat(AT.onRoll),
    dice: numbers[AT.high] ? frozen([numbers[AT.high], numbers[AT.low]] as const as DiceRoll) : null,
    cube: isSameCube ? before.cube : cube,
    offer: offer && frozen(offer),
    score: isSame(before.score, score) ? before.score : frozen(score),
    length: before.length,
    crawford: numbers[AT.crawford] === 1,
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
