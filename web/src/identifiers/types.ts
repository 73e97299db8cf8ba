/** What the functions of XGIDs take and give: docs/reference/match-js.md. */

import type { DiceRoll } from "../rules/types.js";
import type { Cube, MatchState, Player, Rules } from "../match/types.js";

export interface XgidOptions {
  /** What the text does not say, as in `newMatch`. If there are none, those of tournaments, or of money play. */
  rules?: Partial<Rules> | null;
  /** How many each side has; as many as in the start of the rules, usually 15, unless it is given. */
  checkers?: number | null;
  /** Whose turn the text shows while a double is pending. */
  doubledTurn?: "doubler" | "responder";
}

/** What an XGID describes. */
export interface XgidResult {
  readonly state: MatchState;
  /** A message for each guess. */
  readonly warnings: readonly string[];
}

/** What the fields of an XGID say. @internal */
export interface XgidFields {
  /** As White sees them. */
  readonly points: readonly number[];
  readonly cube: Cube;
  readonly turn: Player;
  readonly dice: DiceRoll | null;
  /** Those of a double that is pending. */
  readonly beavers?: number;
  readonly score: readonly [white: number, black: number];
  readonly length: number | null;
  /** Whether it is the Crawford game, or in money play 1 for the Jacoby rule and 2 for beavers. */
  readonly rule: number;
  /** The power of two at which the cube ends. */
  readonly limit: number;
  /** A message, or an empty string. */
  readonly doubt: string;
}
