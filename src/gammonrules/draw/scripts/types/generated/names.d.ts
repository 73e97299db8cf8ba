/** The names, options and starts of the library. `python generate.py typescript` writes this file: do not edit it. */
export type Player = "white" | "black";
export type WinKind = "single" | "gammon" | "backgammon";
export type Phase = "opening" | "to_roll" | "to_play" | "doubled" | "resigned" | "over";
export type Action = "opening_roll" | "roll" | "play" | "double" | "take" | "drop" | "beaver" | "resign" | "accept" | "decline" | "next_game";
/** How a game ended. */
export type End = "played" | "dropped" | "resigned" | "forfeited";
/** Why an action is illegal: Python's `IllegalActionReason`. */
export type IllegalActionReason = "unknown_player" | "not_your_turn" | "opening_roll_first" | "opening_roll_made" | "already_rolled" | "not_rolled" | "double_pending" | "no_double_pending" | "resignation_pending" | "no_resignation_pending" | "game_over" | "game_not_over" | "match_over" | "score_limit" | "no_cube" | "crawford_game" | "opponent_owns_cube" | "dead_cube" | "cube_limit" | "no_beavers_in_match" | "too_many_beavers" | "pips_are_single";
/** The rule that an illegal play breaks: Python's `IllegalPlayReason`. */
export type IllegalPlayReason = "blocked_point" | "bar_first" | "not_all_home" | "higher_checker_first" | "both_dice" | "higher_die" | "more_of_doublet" | "die_not_rolled" | "no_such_checker" | "moves_backward" | "nothing_hit" | "must_play" | "game_over" | "other_order" | "ambiguous" | "other_position";
/** The names of the start positions. */
export type StartName = "standard" | "nackgammon" | "longgammon" | "hypergammon" | "hypergammon2" | "hypergammon1";
/** The colors; "auto" follows the reader. */
export type BoardTheme = "light" | "dark" | "print" | "colorblind" | "auto";
/** How well an opponent plays, the worst first. */
export type Strength = "beginner" | "casual" | "club" | "strong";
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
