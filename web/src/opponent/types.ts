/** What an opponent is asked, and what it answers: docs/reference/match-js.md. */

import type { OpponentReason } from "../generated/messages.js";
import type { Strength } from "../generated/names.js";
import type { MatchState, Player } from "../match/index.js";
import type { Move, WrittenPlay } from "../rules/types.js";

export type { Strength } from "../generated/names.js";

/** How deep it looks: 1 judges each play as it is, 2 looks one roll ahead. */
export type SearchLevel = 1 | 2;

export interface DecideOptions {
  /** Level 1 with mistakes; null, or nothing: none. */
  strength?: Strength | null;
  /** 1 unless it is given. */
  level?: SearchLevel;
  /** A number from 0 up to 1, as `Math.random`, which it is unless it is given; only a strength asks for it. */
  random?: () => number;
}

export interface CandidatesOptions {
  /** How many at most; null, or nothing: all legal plays. */
  limit?: number | null;
  /** 2 unless it is given. */
  level?: SearchLevel;
  /** Plays that are listed in any case, and looked at as deeply as the best: texts or moves. */
  also?: readonly (string | readonly Readonly<Move>[])[];
}

export interface CubeOptions {
  /** 2 unless it is given. */
  level?: SearchLevel;
}

/** What a player does next: a message for `receive`, which throws the dice for "roll". */
export type Decision = { readonly by: Player } & (
  | { readonly action: "roll" | "double" | "take" | "drop" | "beaver" | "accept" | "decline" }
  | { readonly action: "play"; readonly argument: string }
);

/** How the game ends, each from 0 to 1: wins include gammons, and gammons include backgammons. */
export interface Chances {
  readonly win: number;
  readonly win_gammon: number;
  readonly win_backgammon: number;
  readonly lose_gammon: number;
  readonly lose_backgammon: number;
}

/** A legal play, for the player who makes it. */
export interface Candidate extends Readonly<WrittenPlay> {
  /** In points for the cube as it is, at the score. */
  readonly equity: number;
  /** How much less that is than of the best play. */
  readonly loss: number;
  readonly chances: Chances;
  readonly level: SearchLevel;
}

/** A double and its answer, for the player who may double: equities in points for the cube before it, at the score. */
export interface CubeAnalysis {
  readonly no_double: number;
  readonly double_take: number;
  readonly double_drop: number;
  readonly best: "roll" | "double";
  readonly best_answer: "take" | "drop";
  readonly verdict: "no double, take" | "double, take" | "double, drop" | "too good, drop";
  readonly chances: Chances;
  readonly level: SearchLevel;
}

export type { OpponentReason } from "../generated/messages.js";

declare module "../rules/types.js" {
  interface Reasons {
    opponent: OpponentReason;
  }
}

/** What the module exports, and `gammonBoard.opponent` has. A page that has loaded it has it under
 *  `Symbol.for("gammon-board/opponent")`, where boards look for it. */
export interface Opponent {
  /** The network, with the version of its weights. */
  readonly name: string;
  /** The worst first. */
  readonly STRENGTHS: readonly Strength[];
  /** What the player does who is to act. */
  decide(state: MatchState, options?: DecideOptions): Decision;
  /** The plays of a roll, best first. */
  candidates(state: MatchState, options?: CandidatesOptions): readonly Candidate[];
  /** What doubling is worth, where a player may double or has just doubled. */
  cube(state: MatchState, options?: CubeOptions): CubeAnalysis;
}
