/** Boards, rolls, and plays written as text: board/notation.py, a second time; the tests compare the two.
 */

import { BAR, readBoard, readDice, readOptions } from "./arguments.js";
import { legalPlays } from "./plays.js";
import type { Die, Messages, MessageTemplate, Move, Play, WrittenPlay } from "./types.js";
import { MESSAGES, readTranslations } from "./messages.js";

/** A board and dice, and all that is said of their plays. */
export interface Roll {
  readonly points: readonly number[];
  /** The numbers to play: of doublets four. */
  readonly dice: Die[];
  /** The faces. */
  readonly text: string;
  readonly plays: readonly Play[];
  /** Those of errors. */
  readonly messages: Messages;
  /** How many checkers a side has, as an option. */
  readonly table: { readonly checkers: number };
}

/** A move, perhaps with whether it hits. */
export type Leg = readonly [source: number, target: number, hit?: boolean];
/** A move with whether it hits. @internal */
export type Marked = [source: number, target: number, hit: boolean];

export const turned = (points: readonly number[]): number[] => points.map((count) => 0 - count).reverse();
export const isHit = (points: readonly number[], target: number): boolean => target > 0 && points[target] < 0;

export function isSame(points: readonly number[], others: ArrayLike<number>): boolean {
  let same = 0;
  while (same < points.length && points[same] === others[same]) same += 1;
  return same === points.length;
}

export function moved(points: readonly number[], source: number, target: number): number[] {
  const after = [...points];
  after[source] -= 1;
  if (isHit(points, target)) {
    after[target] = 0;
    after[0] -= 1;
  }
  if (target) after[target] += 1;
  return after;
}

export function without(die: Die, dice: readonly Die[]): Die[] {
  const at = dice.indexOf(die);
  return dice.filter((_, index) => index !== at);
}

export function rollOf(board: unknown, dice: unknown, options?: unknown, path?: string): Roll {
  const { checkers, translations } = readOptions(options, "translations");
  const table = { checkers };
  const { points } = readBoard(board, table);
  const faces = readDice(dice, path);
  const [high, low] = faces;
  const plays = legalPlays(points, faces, table);
  const messages = readTranslations(translations);
  return { points, dice: high === low ? [high, high, high, high] : faces, text: faces.join(""), plays, messages, table };
}

export const placeName = <Place extends number | undefined>(place: Place, messages: Messages): Place | MessageTemplate =>
  (place === BAR ? messages.bar : place === 0 ? messages.off : place);
export const numberName = (count: number, { numbers }: Messages): string | number => numbers?.[count] ?? count;
export const moveName = ([source, target]: Leg, messages: Messages): string =>
  `${placeName(source, messages)}/${placeName(target, messages)}`;

/** The moves with a third item: whether they hit. */
export function marked(points: readonly number[], moves: readonly Readonly<Move>[]): Marked[] {
  let board = points;
  return moves.map(([source, target]) => {
    const hit = isHit(board, target);
    board = moved(board, source, target);
    return [source, target, hit];
  });
}

export const spelled = (moves: readonly Leg[], messages: Messages): string =>
  moves.map((move) => moveName(move, messages) + (move[2] ? "*" : "")).join(" ");

/** The canonical text of the moves of a play, which are in the order of the library. */
export function canonicalText(moves: readonly Leg[], messages: Messages): string {
  const paths: number[][] = [];
  const unmarked = new Set<number>();
  for (const [source, target, hit] of moves) {
    if (hit) unmarked.add(target);
    const path = paths.find((path) => path.at(-1) === source); // a checker that came here goes on, the rearmost first
    if (path) path.push(target);
    else paths.push([source, target]);
  }
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(String(path), (counts.get(String(path)) ?? 0) + 1);
  const texts = Array.from(counts, ([path, count]) => {
    const stops = path.split(",").map(Number);
    const names = stops.map((stop, at) => {
      const star = unmarked.delete(stop) ? "*" : "";
      return star || at === 0 || at === stops.length - 1 ? placeName(stop, messages) + star : "";
    });
    return names.filter(Boolean).join("/") + (count > 1 ? `(${count})` : "");
  });
  return texts.join(" ") || "no play";
}

export const textOf = (roll: Roll, { moves }: Play, messages: Messages): string => canonicalText(marked(roll.points, moves), messages);
export const withText = (roll: Roll, play: Play): WrittenPlay => ({ ...play, text: textOf(roll, play, MESSAGES) });
