/** The names, options and starts of the library. `python generate.py typescript` writes this file: do not edit it. */

export type Player =
  "white" | "black";

export type WinKind =
  "single" | "gammon" | "backgammon";

export type Phase =
  "opening" | "to_roll" | "to_play" | "doubled" | "resigned" | "over";

export type Action =
  "opening_roll" | "roll" | "play" | "double" | "take" | "drop" | "beaver" | "resign" | "accept" | "decline" | "next_game";

/** How a game ended. */
export type End =
  "played" | "dropped" | "resigned" | "forfeited";

/** Why an action is illegal: Python's `IllegalActionReason`. */
export type IllegalActionReason =
  "unknown_player" | "not_your_turn" | "opening_roll_first" | "opening_roll_made" | "already_rolled" | "not_rolled" |
  "double_pending" | "no_double_pending" | "resignation_pending" | "no_resignation_pending" | "game_over" |
  "game_not_over" | "match_over" | "score_limit" | "no_cube" | "crawford_game" | "opponent_owns_cube" | "dead_cube" |
  "cube_limit" | "no_beavers_in_match" | "too_many_beavers" | "pips_are_single";

/** The rule that an illegal play breaks: Python's `IllegalPlayReason`. */
export type IllegalPlayReason =
  "blocked_point" | "bar_first" | "not_all_home" | "higher_checker_first" | "both_dice" | "higher_die" | "more_of_doublet" |
  "die_not_rolled" | "no_such_checker" | "moves_backward" | "nothing_hit" | "must_play" | "game_over" | "other_order" |
  "ambiguous" | "other_position";

/** The names of the start positions. */
export type StartName =
  "standard" | "nackgammon" | "longgammon" | "hypergammon" | "hypergammon2" | "hypergammon1";

/** The colors; "auto" follows the reader. */
export type BoardTheme =
  "light" | "dark" | "print" | "colorblind" | "auto";

/** How well an opponent plays, the worst first. */
export type Strength =
  "beginner" | "casual" | "club" | "strong";

/** The version of the library's JSON. */
export type Version = 3;

/** The versions that are read. */
export type ReadableVersion = 1 | 2 | 3;

/** The options of a game: `Rules` in Python. */
export interface Rules {
  readonly crawford: boolean;
  readonly jacoby: boolean;
  readonly beavers: number;
  readonly auto_doubles: number;
  readonly max_cube: number | null;
  readonly cube: boolean;
  readonly gammons: boolean;
  readonly backgammons: boolean;
  readonly scoring: "points" | "pips";
  readonly opening: "shared" | "reroll";
  readonly start: StartName;
}

/** @internal */
export const VERSION: Version = 3;

/** @internal */
export const MAX_POINTS: number = 1_000_000_000;

/** @internal */
export const MAX_CUBE: number = 16_777_216;

/** The most beavers, and the most automatic doubles. @internal */
export const MAX_IN_A_ROW: number = 1_000;

/** @internal */
export const PLAYERS: readonly Player[] = [
  "white", "black",
];

/** @internal */
export const WIN_KINDS: readonly WinKind[] = [
  "single", "gammon", "backgammon",
];

/** @internal */
export const ENDS: readonly End[] = [
  "played", "dropped", "resigned", "forfeited",
];

/** @internal */
export const PHASES: readonly Phase[] = [
  "opening", "to_roll", "to_play", "doubled", "resigned", "over",
];

/** @internal */
export const ACTIONS: readonly Action[] = [
  "opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept", "decline", "next_game",
];

/** By their numbers, of which the first is 1. @internal */
export const ACTION_REASONS: readonly IllegalActionReason[] = [
  "unknown_player", "not_your_turn", "opening_roll_first", "opening_roll_made", "already_rolled", "not_rolled",
  "double_pending", "no_double_pending", "resignation_pending", "no_resignation_pending", "game_over",
  "game_not_over", "match_over", "score_limit", "no_cube", "crawford_game", "opponent_owns_cube", "dead_cube",
  "cube_limit", "no_beavers_in_match", "too_many_beavers", "pips_are_single",
];

/** @internal */
export const STRENGTHS: readonly Strength[] = [
  "beginner", "casual", "club", "strong",
];

/** The checkers of a side by points. @internal */
export const STARTS: Readonly<Record<StartName, Readonly<Record<number, number>>>> = {
  standard: { 24: 2, 13: 5, 8: 3, 6: 5 },
  nackgammon: { 24: 2, 23: 2, 13: 4, 8: 3, 6: 4 },
  longgammon: { 24: 15 },
  hypergammon: { 24: 1, 23: 1, 22: 1 },
  hypergammon2: { 24: 1, 23: 1 },
  hypergammon1: { 24: 1 },
};

/** The options of a match. @internal */
export const DEFAULTS: Readonly<Rules> = {
  crawford: true,
  jacoby: false,
  beavers: 0,
  auto_doubles: 0,
  max_cube: null,
  cube: true,
  gammons: true,
  backgammons: true,
  scoring: "points",
  opening: "shared",
  start: "standard",
};

/** What differs in money play. @internal */
export const MONEY: Readonly<Partial<Rules>> = {
  jacoby: true,
  beavers: 1,
};

/** The words of options; those of the start are the keys of `STARTS`. @internal */
export const CHOICES: readonly [keyof Rules, readonly string[]][] = [
  ["scoring", ["points", "pips"]],
  ["opening", ["shared", "reroll"]],
];

/** The starts in `.mat` files. @internal */
export const VARIATIONS: Readonly<Record<StartName, string>> = {
  standard: "Backgammon",
  nackgammon: "NackGammon",
  longgammon: "LongGammon",
  hypergammon: "HyperGammon (3)",
  hypergammon2: "HyperGammon (2)",
  hypergammon1: "HyperGammon (1)",
};

/** The tags of `.mat` files that state rules. @internal */
export const RULE_TAGS: readonly string[] = [
  "autodoubles", "backgammons", "beaver", "beavers", "crawford", "cubelimit", "gammons", "jacoby", "maxcube",
  "openingroll", "scoring", "variation",
];
