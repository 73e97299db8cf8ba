/** The terms of a match, and how messages write numbers.
 *
 * A player is "white" or "black", in WebAssembly a seat, 0 or 1; -1 is nobody, or whoever is to act. */

import { ACTION_REASONS, PLAYERS, WIN_KINDS } from "../generated/names.js";
import type { IllegalActionReason, Player, WinKind } from "./types.js";

export { ACTIONS, ENDS, MAX_CUBE, MAX_POINTS, PHASES, PLAYERS, VERSION, WIN_KINDS } from "../generated/names.js";
export const TITLES: Readonly<Record<Player, string>> = { white: "White", black: "Black" };
/** What match.wasm gives as a reason, but for an unknown player, whom no reader lets in. */
export type Forbidden = Exclude<IllegalActionReason, "unknown_player">;
export const reasonOf = (number: number): Forbidden => ACTION_REASONS[number - 1] as Forbidden;

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
