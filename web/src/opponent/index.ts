/** Somebody to play against, and what plays and doubles are worth, for JavaScript: docs/reference/match-js.md. */
/*! With the match equity table Kazaross-XG2: Copyright (C) 2011 Neil Kazaross. Copying and distribution of this file, with or
 * without modification, are permitted in any medium without royalty provided the copyright notice and this notice are
 * preserved. This file is offered as-is, without any warranty. */

import { type MatchState, toAct } from "../match/index.js";
import { asked } from "./wasm.js";
import { ACTIONS, isSame, playMeant, rollOn, stateFrom, withText } from "./internals.js";
import { mannerIn, searchLevelIn, STRENGTHS, wantedIn } from "./options.js";
import { NAME as name, refuseUnasked } from "./refusals.js";
import type {
  Candidate, CandidatesOptions, Chances, CubeAnalysis, CubeOptions, DecideOptions, Decision, Opponent,
} from "./types.js";

export { name, STRENGTHS };
export type * from "./types.js";

const CHANCES = 5;
/** The smallest difference of equities that is visible in three decimals. */
const MIN_SEEN = 0.0005;

/** What the player does who is to act. */
export function decide(state: MatchState, options: DecideOptions = {}): Decision {
  const before = stateFrom(state);
  const { level, strength, random } = mannerIn(options);
  const exports = asked(before);
  const number = exports.decide(level, strength, random);
  refuseUnasked(number, before, "play", "decide");
  const action = ACTIONS[number];
  const by = toAct(before);
  const argument = action === "play" ? playOn(before, new Int8Array(exports.memory.buffer, exports.board())) : null;
  return Object.freeze(argument ? { action, by, argument } : { action, by }) as Decision;
}

/** The text of the play that leads to a board. */
function playOn({ position, dice }: MatchState, after: Int8Array): string {
  const roll = rollOn(position, dice);
  return withText(roll, roll.plays.find(({ points }) => isSame(points, after))!).text;
}

/** The plays of a roll, best first. */
export function candidates(state: MatchState, options: CandidatesOptions = {}): readonly Candidate[] {
  const before = stateFrom(state);
  const { limit, level, also } = wantedIn(options);
  if (!before.dice) refuseUnasked(asked(before).candidates(level), before, "play"); // always
  const roll = rollOn(before.position, before.dice!);
  const numbers = also.map((play, at) => roll.plays.indexOf(playMeant(roll, play, `options.also[${at}]`)));
  const exports = asked(before);
  const { buffer } = exports.memory;
  const isWanted = new Uint8Array(buffer, exports.also(), roll.plays.length);
  for (const number of isWanted.keys()) isWanted[number] = +numbers.includes(number);
  const count = exports.candidates(level);
  refuseUnasked(count, before, "play");
  const lookedAt = exports.looked_at();
  const order = new Uint16Array(buffer, exports.order(), count);
  const equities = new Float64Array(buffer, exports.equities(), count);
  const all = Array.from(order, (number, rank): Candidate | null => {
    if (rank >= limit && !numbers.includes(number)) return null;
    const equity = equities[rank];
    const loss = Math.max(0, equities[0] - equity);
    const chances = chancesIn(buffer, exports.chances(), rank);
    return Object.freeze({ ...withText(roll, roll.plays[number]), equity, loss, chances, level: rank < lookedAt ? level : 1 });
  });
  return Object.freeze(all.filter((candidate) => candidate !== null));
}

/** What doubling is worth, where a player may double or has just doubled. */
export function cube(state: MatchState, options: CubeOptions = {}): CubeAnalysis {
  const before = stateFrom(state);
  const level = searchLevelIn(options);
  const exports = asked(before);
  refuseUnasked(exports.cube(level), before, "double");
  const { buffer } = exports.memory;
  const [no_double, double_take, double_drop] = new Float64Array(buffer, exports.equities(), 3);
  const best = Math.min(double_take, double_drop) > no_double ? "double" : "roll";
  const best_answer = double_take > double_drop ? "drop" : "take";
  const isTooGood = no_double - double_drop >= MIN_SEEN; // at a tie a double wins as much
  const unlessDropped = best === "roll" ? "no double, take" : "double, take";
  const ifDropped = isTooGood ? "too good, drop" : "double, drop";
  const verdict = best_answer === "drop" ? ifDropped : unlessDropped;
  const chances = chancesIn(buffer, exports.chances(), 0);
  return Object.freeze({ no_double, double_take, double_drop, best, best_answer, verdict, chances, level } as CubeAnalysis);
}

function chancesIn(buffer: ArrayBuffer, at: number, rank: number): Chances {
  const five = new Float32Array(buffer, at + 4 * CHANCES * rank, CHANCES);
  const [win, win_gammon, win_backgammon, lose_gammon, lose_backgammon] = five;
  return Object.freeze({ win, win_gammon, win_backgammon, lose_gammon, lose_backgammon });
}

declare global {
  /** What scripts without `export` have. */
  interface GammonBoardScripts {
    readonly opponent: typeof import("./index.js");
  }
}

/** Boards find it here. */
(globalThis as { [name: symbol]: unknown })[Symbol.for("gammon-board/opponent")] =
  Object.freeze<Opponent>({ name, STRENGTHS, decide, candidates, cube });
