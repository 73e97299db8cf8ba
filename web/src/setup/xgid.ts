/** A position with cube, dice and player on roll, and its text, an XGID. */

import type { Position } from "../board/position.js";
import type { Player } from "../board/svg.js";
import { PLAYERS } from "../match/terms.js";

export interface Table {
  /** White's checkers are positive and Black's negative, from Black's bar to White's. */
  counts: number[];
  /** The power of two that the cube shows. */
  cube: number;
  /** The sign of the player who owns it, or 0. */
  owner: number;
  /** The sign of the player on roll. */
  turn: number;
  /** The roll, the higher die first, or what an XGID has in its place. */
  dice: string;
  /** What else an XGID says. */
  rest: string;
}

const DASHES = new RegExp("[\u2010-\u2015\u2212]", "g");
const LABEL = "^[^-\\w]*(?:[Xx][Gg][Ii][Dd][^-\\w]*)?"; // with the quotes and Markdown in which people paste it
const FORM = new RegExp(`${LABEL}([-a-oA-O]{26}):(\\d\\d?):(-1|0|1):(-1|1):([1-6]{2}|00|[DBR])((?::\\d{1,9}){5})[^-\\w:]*$`);
export const MAX_CHECKERS = 15; // checkers of each player
export const SIGNS: Readonly<Record<Player, number>> = { white: 1, black: -1 };
export const ROLLS = Array.from("123456", (high) => Array.from("123456".slice(0, Number(high)), (low) => high + low)).flat();

export const colorOf = (sign: number): Player => (sign < 0 ? "black" : "white");
export const offOf = (counts: readonly number[], player: Player, checkers = MAX_CHECKERS) =>
  counts.reduce((off, count) => off - Math.max(SIGNS[player] * count, 0), checkers);

/** A position as this player sees it; each side has so many checkers. */
export const toPosition = (player: Player, points: readonly number[], checkers?: number): Position => ({
  player, points, off: PLAYERS.map((side) => offOf(points, side, checkers)),
});

/** What the text says of board, cube, player on roll and dice; the rest stays as it is. */
export function readXgid(text: unknown): Table {
  const [, board = "", cube, owner, turn, dice = "", rest = ""] = FORM.exec(String(text).replace(DASHES, "-")) ?? [];
  const counts = [...board].map((sign) => (sign === "-" ? 0 : (parseInt(sign, 36) - 9) * (sign < "a" ? 1 : -1)));
  const isFull = PLAYERS.some((player) => offOf(counts, player) < 0);
  if (!board || isFull || counts[0] > 0 || counts[25] < 0) {
    throw new TypeError(`xgid is not an XGID with at most ${MAX_CHECKERS} checkers a side`);
  }
  const roll = [...dice].sort().reverse().join("");
  return { counts, cube: Number(cube), owner: Number(owner), turn: Number(turn), dice: roll, rest };
}

export function xgidOf({ counts, cube, owner, turn, dice, rest }: Table): string {
  const letter = (count: number) => (count ? (Math.abs(count) + 9).toString(36) : "-");
  const board = counts.map((count) => (count > 0 ? letter(count).toUpperCase() : letter(count))).join("");
  return `XGID=${board}:${cube}:${owner}:${turn}:${dice}${rest}`;
}
