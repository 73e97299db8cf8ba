/** The messages of the library. `python generate.py typescript` writes this file: do not edit it. */

import type { Messages } from "../rules/types.js";
import type { Action, IllegalActionReason } from "./names.js";

/** Why an action is illegal. @internal */
export const FORBIDDEN: Readonly<Record<Exclude<IllegalActionReason, "unknown_player">, string>> = {
  not_your_turn: "{opponent} is to act",
  opening_roll_first: "the game must begin with the opening roll",
  opening_roll_made: "the opening roll has already been made",
  already_rolled: "the dice have already been rolled",
  not_rolled: "the dice have not been rolled yet",
  double_pending: "{answerer} has yet to take or drop a double",
  no_double_pending: "no double is pending",
  resignation_pending: "{answerer} has yet to accept or decline a resignation",
  no_resignation_pending: "nobody has offered to resign",
  game_over: "the game is over, and {winner} has won it",
  game_not_over: "the game is not over",
  match_over: "{winner} has won the match",
  score_limit: "a game can begin with at most 1,000,000,000 points",
  no_cube: "this game is played without a cube",
  crawford_game: "the Crawford game is played without doubling",
  opponent_owns_cube: "{opponent} owns the cube",
  dead_cube: "the cube is dead, {points} and a cube of {cube} already reach the match length of {length}",
  cube_limit: "the cube ends at {highest}",
  no_beavers_in_match: "beavers are for money play only",
  too_many_beavers: "the rules allow {allowed} in a row",
  pips_are_single: "only a single game can be resigned with pip scoring",
};

/** The same for the player who must answer. @internal */
export const TO_ANSWERER: Readonly<Partial<Record<IllegalActionReason, string>>> = {
  double_pending: "a double has yet to be taken or dropped",
  resignation_pending: "a resignation has yet to be accepted or declined",
};

/** How messages about actions of nobody begin. @internal */
export const NEUTRAL: Readonly<{ readonly [action in Action]?: string }> = {
  opening_roll: "no opening roll now",
  next_game: "no next game",
};

/** How messages about other actions begin. @internal */
export const OTHER: string = "{player} cannot {action}";

/** The same where nobody is to act. @internal */
export const NOBODY: string = "nobody can {action} now";

/** The names of messages about plays, and of the words in them. */
export type MessageName =
  "bar" | "off" | "or" | "pip" | "pips" | "illegal_play" | "game_over" | "must_play" | "none_left" | "moves_backward" |
  "no_die" | "no_sum" | "die_played" | "die_left" | "one_left" | "some_left" | "nothing_hit" | "die_not_rolled" |
  "opponent_there" | "none_on_bar" | "no_such_checker" | "bar_first" | "blocked_point" | "not_all_home" |
  "higher_checker_first" | "no_pass" | "more_of_doublet" | "both_dice" | "higher_die" | "too_long" | "unreadable" | "roll" |
  "two_signs" | "no_point" | "early_star" | "repeats" | "other_position" | "ambiguous" | "other_order";

/** The messages in English, most of them by the reason that they give. A page may give functions of the fields
 * instead. */
export const MESSAGES: Messages = {
  bar: "bar",
  off: "off",
  or: " or ",
  pip: "{count} pip",
  pips: "{count} pips",
  illegal_play: "\"{play}\" with {dice}: {message}",
  game_over: "the game is over",
  must_play: "you must play, since there is a legal play ({play})",
  none_left: "the turn is complete: all dice have been played",
  moves_backward: "{move} does not move forward, from a higher to a lower point",
  no_die: "{move} is {pips}, which neither die of {dice} gives",
  no_sum: "{move} is {pips}, which a roll of {dice} does not give",
  die_played: "the {die} has been played already",
  die_left: "{move} is {pips}, but only the {die} is left",
  one_left: "{move} is {pips}, but only {count} {die} is left",
  some_left: "{move} is {pips}, but only {count} {die}s are left",
  nothing_hit: "no checker is hit on {point}, where the opponent has no blot",
  die_not_rolled: "a roll of {dice} does not give all of these moves together",
  opponent_there: "{move} cannot be played, since the opponent is on {point}",
  none_on_bar: "{move} cannot be played, since there is no checker on the bar",
  no_such_checker: "{move} cannot be played, since there is no checker on {point}",
  bar_first: "{move} must wait, since a checker is on the bar and must enter first",
  blocked_point: "{move} is blocked, since the opponent holds the {point} point with {count} checkers",
  not_all_home: "{move} must wait, since not all checkers are in the home board (one is on {point})",
  higher_checker_first: "{move} with a {die} is not allowed, since the higher checker on {point} must move first",
  no_pass: "\"pass\" is not allowed, since all dice have been played",
  more_of_doublet: "{possible} {die}s can be played ({play}), but this plays only {count}",
  both_dice: "both dice can be played ({play}), but this plays only one",
  higher_die: "only one die can be played, and it must be the higher, the {die} ({play})",
  too_long: "a play has at most {limit} characters, but this text has {count}",
  unreadable: "cannot read {text}: a move is written \"13/7\", \"bar/22*\", \"6/4(2)\" or \"2/off\"",
  roll: "cannot read {text}: it may be a roll or a score; a move is written \"13/7\"",
  two_signs: "cannot read {text}: moves are written with \"/\" or with \"-\", not with both",
  no_point: "cannot read {text}: there is no point {point}",
  early_star: "cannot read {text}: a star must follow the point where a checker is hit",
  repeats: "cannot read {text}: a move can be repeated 1 to 15 times",
  other_position: "this is a play of another roll",
  ambiguous: "several plays fit, which hit different checkers: {plays}",
  other_order: "it cannot be played at this point of the turn",
  numbers: ["none", "one", "two", "three", "four"],
};

/** Why an opponent has no answer, where no action is illegal. */
export type OpponentReason =
  "unknown_scoring" | "unknown_checkers" | "unknown_crawford" | "beyond_equity_table";

/** What an opponent does not know, by the numbers that begin here. @internal */
export const UNKNOWN: Readonly<Record<OpponentReason, string>> = {
  unknown_scoring: "it does not know pip scoring",
  unknown_checkers: "it does not know games with {checkers} checkers a side",
  unknown_crawford: "it does not know matches without the Crawford rule, unless a player needs only one point",
  beyond_equity_table: "it does not know what matches are worth in which a player needs more than 25 points",
};

/** @internal */
export const FIRST_UNKNOWN: number = 33;
