/** Plays of events and messages, in every form in which these may have them. */

import { BAR, readDice } from "../rules/arguments.js";
import { playMeant, playOf } from "../rules/notation.js";
import { impossible, problemsOfNumber } from "../rules/problems.js";
import { A_MOVE, MAX_MOVES } from "../rules/play_parser.js";
import { type Marked, type Roll, rollOf, spelled, withText } from "../rules/rolls.js";
import type { Dice, Play, Problem, WrittenPlay } from "../rules/types.js";
import { GammonError, isList, isObject, isWhole, type List } from "../rules/values.js";
import { MESSAGES } from "../rules/messages.js";
import { cannotRead, checked, type Faults, readObject, truth, wholeFrom } from "./json.js";
import type { JsonMove, Position } from "./types.js";
import { readPosition } from "./values.js";

/** A play as it was given: a text, which is read when it is played, moves, or one of any board and roll. */
export type PlayGiven = string | readonly Marked[] | WholePlay;

interface WholePlay {
  readonly before: Position;
  readonly dice: Dice;
  readonly moves: string | readonly Marked[];
}

/** The same; one of any board and roll is legal there. */
export type PlayRead = string | readonly Marked[] | (WrittenPlay & { readonly before: Position });

export function readPlay(value: unknown, path: string, faults: Faults): PlayGiven | null {
  if (!isObject(value)) return readMoves(value, path, faults, "string, array of moves or play");
  const moves = (given: unknown, place: string) => readMoves(given, place, faults, "string or array of moves");
  return readObject<WholePlay>(value, path, faults, { before: readPosition, dice: readAnyDice, moves });
}

/** Dice in any form that the functions of the rules take. */
function readAnyDice(value: unknown, path: string, faults: Faults): Dice | null {
  try {
    return readDice(value, path);
  } catch (error) {
    if (!(error instanceof GammonError && error.problems)) throw error;
    faults.unreadable.push(...error.problems);
    return null;
  }
}

function readMoves(value: unknown, path: string, faults: Faults, expected: string): string | readonly Marked[] | null {
  if (typeof value === "string") return value;
  if (!isList(value)) return cannotRead(path, "type", expected, value, faults);
  const items = [...Array.from(value.slice(0, MAX_MOVES + 1)).entries()].filter(([, item]) => !isUnused(item));
  if (items.length > MAX_MOVES) return cannotRead(path, "size", `array of at most ${MAX_MOVES} moves`, value, faults);
  return items.map(([at, item]) => readMove(item, `${path}[${at}]`, faults)).filter((move) => move !== null);
}

/** [-1, -1], which stands in arrays of Python where a play has no more moves. */
function isUnused(item: unknown): boolean {
  const [source, target, hit = false] = isList(item) && item.length < 4 ? item : [];
  return source === -1 && target === -1 && typeof hit === "boolean";
}

/** A move as an object, or [from, to], perhaps with whether it hits. */
function readMove(value: unknown, path: string, faults: Faults): Marked | null {
  if (isObject(value)) return readJsonMove(value, path, faults);
  if (!isList(value)) return cannotRead(path, "type", A_MOVE, value, faults);
  return isWhole(value.length, 2, 3) ? readPair(value, path, faults) : cannotRead(path, "size", A_MOVE, value, faults);
}

const SOURCE = wholeFrom(1, BAR);
const TARGET = wholeFrom(0, BAR - 1);

function readPair(value: List, path: string, faults: Faults): Marked | null {
  const [source, target, hit = false] = value;
  const given = [source, target, hit] as const;
  if (isMove(given)) return given;
  const paths = [`${path}[0]`, `${path}[1]`] as const;
  const read = [SOURCE(source, paths[0], faults), TARGET(target, paths[1], faults), truth(hit, `${path}[2]`, faults)] as const;
  return checked(isRead(read) ? read : null, (move) => problemsOfMove(move, paths, path, value), faults);
}

const isRead = (move: readonly unknown[]): move is Marked => !move.includes(null);

function isMove(given: readonly [unknown, unknown, unknown]): given is Marked {
  const [source, target, hit] = given;
  return isWhole(source, 1, BAR) && isWhole(target, 0, BAR - 1) && target < source && typeof hit === "boolean";
}

function readJsonMove(value: unknown, path: string, faults: Faults): Marked | null {
  const read = readObject<JsonMove>(value, path, faults, { from_point: SOURCE, to_point: TARGET, hit: truth });
  const paths = [`${path}.from_point`, `${path}.to_point`] as const;
  const move: Marked | null = read && [read.from_point, read.to_point, read.hit];
  return checked(move, (made) => problemsOfMove(made, paths, path, value), faults);
}

/** What is wrong with a move, whose points were given at two paths. */
function problemsOfMove([source, target]: Marked, paths: readonly [string, string], path: string, given: unknown): Problem[] {
  const problems = [...problemsOfNumber(paths[0], source, 1, BAR), ...problemsOfNumber(paths[1], target, 0, BAR - 1)];
  if (problems.length || target < source) return problems;
  return [impossible(path, "a move goes forward, from a higher to a lower point", given)];
}

/** A play that was given without faults; one of any board and roll is refused if it is illegal there. */
export function playFrom(given: PlayGiven): PlayRead {
  if (typeof given === "string" || isList(given)) return given;
  const { before, dice, moves } = given;
  const roll = rollOn(before, dice);
  return { before, ...withText(roll, typeof moves === "string" ? playMeant(roll, moves, "moves") : playOfMoves(roll, moves)) };
}

export const rollOn = ({ points, checkers }: Position, dice: unknown): Roll => rollOf(points, dice, { checkers });

/** The legal play that these moves are, in any order. */
export function playOfMoves(roll: Roll, moves: readonly Marked[]): Play {
  const chains = moves.map(([source, target, hit]) => ({ stops: [source, target], hits: hit ? [target] : [] }));
  return playOf(roll, chains, true, () => spelled(moves, MESSAGES));
}
