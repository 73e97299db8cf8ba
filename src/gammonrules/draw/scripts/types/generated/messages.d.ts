/** The messages of the library. `python generate.py typescript` writes this file: do not edit it. */
import type { Messages } from "../rules/types.js";
/** The names of messages about plays, and of the words in them. */
export type MessageName = "bar" | "off" | "or" | "pip" | "pips" | "illegal_play" | "game_over" | "must_play" | "none_left" | "moves_backward" | "no_die" | "no_sum" | "die_played" | "die_left" | "one_left" | "some_left" | "nothing_hit" | "die_not_rolled" | "opponent_there" | "none_on_bar" | "no_such_checker" | "bar_first" | "blocked_point" | "not_all_home" | "higher_checker_first" | "no_pass" | "more_of_doublet" | "both_dice" | "higher_die" | "too_long" | "unreadable" | "roll" | "two_signs" | "no_point" | "early_star" | "repeats" | "other_position" | "ambiguous" | "other_order";
/** The messages in English, most of them by the reason that they give. A page may give functions of the fields
 * instead. */
export declare const MESSAGES: Messages;
/** Why an opponent has no answer, where no action is illegal. */
export type OpponentReason = "unknown_scoring" | "unknown_checkers" | "unknown_crawford" | "beyond_equity_table";
