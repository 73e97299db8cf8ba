/** The model of a board: how many checkers are in each place. */

import { BAR, checkersIn, groupOf, numberAt, type Player, playerOf, sideOf } from "./svg.js";
import { opponentOf } from "../match/terms.js";
import { isHit, moved, turned } from "../rules/rolls.js";

export interface Position {
  /** Who numbers the points. */
  readonly player: Player;
  /** 26 counts as this player sees them, like those of a `TurnTree`. */
  readonly points: readonly number[];
  /** How many checkers this player has borne off, and how many the other one has. */
  readonly off: readonly number[];
}

/** What a move leads to, and how it sounds. */
export interface Moved {
  readonly position: Position;
  readonly sound: "checker" | "hit" | "off";
}

/** What an SVG shows that came from a page: its checkers are counted. */
export function readPosition(svg: SVGElement): Position {
  const player = sideOf(svg);
  const opponent = opponentOf(player);
  const points = Array.from({ length: BAR + 1 }, (_, number) => {
    const checkers = checkersIn(groupOf(svg, number || BAR, number ? player : opponent));
    return checkers.length * (checkers[0]?.dataset.player === opponent ? -1 : 1);
  });
  return { player, points, off: [player, opponent].map((owner) => checkersIn(groupOf(svg, 0, owner)).length) };
}

/** The same position, with the numbers of this player. */
export const seenBy = (position: Position, player: Player): Position =>
  player === position.player ? position : { player, points: turned(position.points), off: position.off.toReversed() };

/** How many checkers are in a place; those of the opponent are negative. */
export function signedCount({ player, points, off }: Position, group: SVGElement): number {
  const number = numberAt(group, player); // null: a place of the opponent
  if (group.matches(".tray")) return number === null ? -off[1] : off[0];
  return points[number ?? 0];
}

/** Whose checkers are in a place, or whose place it is. */
export const ownerIn = ({ player }: Position, group: SVGElement, count: number): Player | undefined =>
  count > 0 ? player : count < 0 ? opponentOf(player) : playerOf(group);

/** After a move of the player who numbers the points. */
export function afterMove(position: Position, { from, to }: { readonly from: number; readonly to: number }): Moved {
  const { points, off: [mine, theirs] } = position;
  return {
    position: { ...position, points: moved(points, from, to), off: [to ? mine : mine + 1, theirs] },
    sound: isHit(points, to) ? "hit" : to ? "checker" : "off",
  };
}
