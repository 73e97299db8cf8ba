/** The terms of a match, and how messages write numbers.
 *
 * A player is "white" or "black", in WebAssembly a seat, 0 or 1; -1 is nobody, or whoever is to act. */

import type { Action, IllegalActionReason, Phase, Player, Result, WinKind } from "./types.js";

export const VERSION = 3; // of the JSON
export const PLAYERS: readonly Player[] = ["white", "black"];
export const TITLES: Readonly<Record<Player, string>> = { white: "White", black: "Black" };
export const WIN_KINDS: readonly WinKind[] = ["single", "gammon", "backgammon"];
export const ENDS: readonly Result["end"][] = ["played", "dropped", "resigned", "forfeited"];
export const PHASES: readonly Phase[] = ["opening", "to_roll", "to_play", "doubled", "resigned", "over"];
export const ACTIONS: readonly Action[] = [
  "opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept", "decline", "next_game",
];
/** What match.wasm gives as a reason, but for an unknown player, whom no reader lets in. */
export type Forbidden = Exclude<IllegalActionReason, "unknown_player">;
const FIRST_REASON = 2;
const REASONS: readonly Forbidden[] = [
  "not_your_turn", "opening_roll_first", "opening_roll_made", "already_rolled", "not_rolled",
  "double_pending", "no_double_pending", "resignation_pending", "no_resignation_pending", "game_over", "game_not_over",
  "match_over", "score_limit", "no_cube", "crawford_game", "opponent_owns_cube", "dead_cube", "cube_limit",
  "no_beavers_in_match", "too_many_beavers", "pips_are_single",
];
export const reasonOf = (number: number): Forbidden => REASONS[number - FIRST_REASON];

export const MAX_POINTS = 1e9;
export const MAX_CUBE = 2 ** 24;

export const opponentOf = (player: Player): Player => (player === "white" ? "black" : "white");
/** -1 unless it is a player. */
export const seatOf = (player: Player | "to_act" | null): number => (PLAYERS as readonly unknown[]).indexOf(player);
/** 1 to 3, or 0 for none. */
export const winNumber = (win: WinKind | null): number => 1 + (WIN_KINDS as readonly unknown[]).indexOf(win);

export const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
export const grouped = (number: number): string => String(number).replace(/\B(?=(\d\d\d)+$)/g, ",");
export const winName = (win: WinKind): string => (win === "single" ? "single game" : win);

/** A count in XGIDs and `.mat` texts: A to O are White's checkers, a to o are Black's. */
export const letterOf = (count: number): string => (count ? String.fromCharCode((count > 0 ? 64 : 96) + Math.abs(count)) : "-");
