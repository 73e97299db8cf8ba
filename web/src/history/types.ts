/** What a match with its history takes: docs/reference/match-js.md. */

import type { DiceRoll, Move } from "../rules/types.js";
import type { AnyLoggedEvent, MatchState, Player } from "../match/types.js";

export interface MatOptions {
  /** The names of the players. */
  white?: string;
  black?: string;
  /** What the head says of the match, such as `{ Event: "Nordic Open" }`; the tags of the rules are written anyway. */
  tags?: Readonly<Record<string, string>>;
  /** Lines of the head that are for people. */
  comments?: readonly string[];
}

/** @internal */
export type Names = Readonly<Record<Player, string>>;

/** One cell of a record: a roll with its play or the board after an illegal one, another action, or a turn passed.
 *  @internal */
export interface Cell {
  readonly player: Player;
  readonly text: string;
  readonly dice?: DiceRoll;
  readonly moves?: readonly Move[];
  readonly board?: readonly number[];
  /** An offer to resign after the roll, which was accepted. */
  readonly isResigned?: boolean;
  readonly action?: "double" | "beaver" | "take" | "drop";
}

/** The events of one game, and the states from its start. @internal */
export interface GameOfRecord {
  readonly number: number;
  readonly states: readonly MatchState[];
  readonly events: readonly AnyLoggedEvent[];
}

/** The same, as it is to be written. @internal */
export interface GameInCells extends GameOfRecord {
  readonly cells: readonly Cell[];
}
