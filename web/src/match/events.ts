/** Events, read as in the library's JSON. */

import { BAR } from "../rules/arguments.js";
import { playOf } from "../rules/notation.js";
import { impossible, problemsOfNumber, unfit } from "../rules/problems.js";
import { LONGEST_PLAY } from "../rules/reading.js";
import { type Marked, type Roll, rollOf, spelled, withText } from "../rules/rolls.js";
import type { Play, Problem, Thrown, WrittenPlay } from "../rules/types.js";
import { GammonError, isList, isObject, isOneOf, isWhole, type List } from "../rules/values.js";
import { WORDS } from "../rules/words.js";
import {
  arrayOf, asIs, cannotRead, checked, Faults, LEVEL, memberOf, membersOf, orNull, PAIR, PLAYER, type Reader, readObject,
  readVersion, truth, whole,
} from "./json.js";
import { ACTIONS, MOST_POINTS, PLAYERS, VERSION } from "./terms.js";
import type { Action, Forfeit, Level, MoveOfJson, Player, Position, SetPosition } from "./types.js";
import { readCube, readPosition, readRoll, readThrown } from "./values.js";

/** A play as it was sent or stands in a log: a text, moves, or one of any board and roll. */
export type PlayRead = string | readonly Marked[] | (WrittenPlay & { readonly before: Position });

/** What players do, when everything is said. */
export type ActionRead = { readonly type: "Event"; readonly by: Player | "to_act"; readonly time?: number } & (
  | { readonly action: "opening_roll" | "roll"; readonly argument: Thrown }
  | { readonly action: "play"; readonly argument: PlayRead }
  | { readonly action: "resign"; readonly argument: Level }
  | { readonly action: "next_game"; readonly argument: Player | Position | null }
  | { readonly action: "double" | "take" | "drop" | "beaver" | "accept" | "decline"; readonly argument: null }
);
export type SetPositionRead = Required<Omit<SetPosition, "version">>;
export type ForfeitRead = Required<Omit<Forfeit, "version">>;
export type EventRead = ActionRead | SetPositionRead | ForfeitRead;

export const MOST_MOVES = 4;
export const A_MOVE = "move, [from, to]";
const MOST_SECONDS = 1e12;
const KINDS = ["Event", "SetPosition", "Forfeit"] as const;
const ACTOR = memberOf<Player | "to_act">([...PLAYERS, "to_act"]);

/** A move as { from_point, to_point, hit }, or [from, to], as three values. */
function readMove(value: unknown, path: string, faults: Faults): Marked | null {
  return isList(value) && value.length === 2 ? readPair(value, path, faults) : readMoveOfJson(value, path, faults);
}

/** [from, to], perhaps with whether it hits. */
export function readPair(value: List, path: string, faults: Faults): Marked | null {
  const [source, target, hit = false] = value;
  const given = [source, target, hit] as const;
  if (isMove(given)) return given;
  const before = faults.count;
  const points = PAIR([source, target], path, faults);
  const isHit = truth(hit, `${path}[2]`, faults);
  if (!points || isHit === null || faults.count > before) return null;
  faults.rejected.push(...problemsOfMove([...points, isHit], [`${path}[0]`, `${path}[1]`], path, value));
  return null;
}

function isMove(given: readonly [unknown, unknown, unknown]): given is Marked {
  const [source, target, hit] = given;
  return isWhole(source, 1, BAR) && isWhole(target, 0, BAR - 1) && target < source && typeof hit === "boolean";
}

export function readMoveOfJson(value: unknown, path: string, faults: Faults): Marked | null {
  const read = readObject<MoveOfJson>(value, path, faults, { from_point: whole, to_point: whole, hit: truth });
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

const MOVES = arrayOf(readMove, 0, MOST_MOVES);

/** A play of any board and roll, as the library writes it. */
interface WholePlay {
  readonly before: Position;
  readonly dice: Thrown;
  readonly moves: readonly Marked[];
}

function readWholePlay(value: unknown, path: string, faults: Faults): PlayRead | null {
  const readers = { before: readPosition, dice: readRoll, moves: MOVES };
  const play = readObject<WholePlay>(value, path, faults, readers);
  if (!play) return null;
  const { before, dice, moves } = play;
  try {
    return { before, ...withText(rollOn(before, dice), playOfMoves(before, dice, moves)) };
  } catch (error) {
    if (!(error instanceof GammonError)) throw error;
    const { name, ...facts } = error;
    if (!faults.rejected.length) faults.facts = facts;
    faults.rejected.push(impossible(path, error.message, value));
    return null;
  }
}

export const rollOn = ({ points, checkers }: Position, dice: unknown, path?: string): Roll =>
  rollOf(points, dice, { checkers }, path);

/** The legal play that these moves are, in any order. */
export function playOfMoves(position: Position, dice: unknown, moves: readonly Marked[]): Play {
  const chains = moves.map(([source, target, hit]) => ({ stops: [source, target], hits: hit ? [target] : [] }));
  return playOf(rollOn(position, dice), chains, true, spelled(moves, WORDS));
}

function readPlayed(value: unknown, path: string, faults: Faults): PlayRead | null {
  if (isObject(value)) return readWholePlay(value, path, faults);
  if (isList(value)) return MOVES(value, path, faults);
  if (typeof value !== "string") return cannotRead(path, "type", "string, array of moves or play", value, faults);
  if (value.length > LONGEST_PLAY && [...value].length > LONGEST_PLAY) {
    faults.rejected.push(unfit(path, "size", `string of at most ${LONGEST_PLAY} characters`, value));
  }
  return value;
}

const readNothing: Reader<null> = (value, path, faults) =>
  (value === null ? null : cannotRead(path, "type", "null", value, faults));

const readStart: Reader<Player | Position> = (value, path, faults) =>
  (isObject(value) ? readPosition : PLAYER)(value, path, faults);

const ARGUMENTS: { readonly [action in Action]?: Reader<unknown> } = {
  opening_roll: readThrown,
  roll: readRoll,
  play: readPlayed,
  resign: LEVEL,
  next_game: orNull(readStart),
};
const WITH_ARGUMENT: readonly unknown[] = ["opening_roll", "roll", "play"];

function readTime(value: unknown, path: string, faults: Faults): void {
  if (typeof value === "number" && Math.abs(value) <= MOST_SECONDS) return;
  const reason = Number.isFinite(value) ? "range" : "type";
  faults.rejected.push(unfit(path, reason, `number from ${-MOST_SECONDS} to ${MOST_SECONDS}`, value));
}

/** An event, of which a program may leave out what is null, and `by`. */
export function readEvent(value: unknown): EventRead {
  const faults = new Faults();
  const { version = VERSION, type = "Event", ...fields } = faults.checked(membersOf(value, `$`, faults));
  faults.checked(readVersion(version, `$.version`, faults));
  const kind = faults.checked(memberOf(KINDS)(type, `$.type`, faults));
  const read = { Event: readAction, SetPosition: readSetPosition, Forfeit: readForfeit }[kind];
  return faults.checked<EventRead>(read(fields, faults));
}

type Members = Readonly<Record<string, unknown>>;

/** What an action is read as before its argument is known to be the right one. */
interface ActionGiven {
  readonly action: Action;
  readonly by: unknown;
  readonly argument: unknown;
}

function readAction({ time, ...fields }: Members, faults: Faults): ActionRead | null {
  const { action } = fields;
  const isAction = isOneOf(ACTIONS, action); // which says what the argument is
  const readArgument = (isAction && ARGUMENTS[action]) || readNothing;
  const usual = { by: "to_act", ...(!WITH_ARGUMENT.includes(action) && { argument: action === "resign" ? "single" : null }) };
  const readers = {
    action: memberOf(ACTIONS),
    by: isAction ? ACTOR : asIs,
    argument: isAction ? readArgument : asIs,
  };
  const event = readObject<ActionGiven>({ ...usual, ...fields }, `$`, faults, readers);
  if (time !== undefined && event) readTime(time, `$.time`, faults);
  const timed = time === undefined ? {} : { time };
  return event && ({ type: "Event", ...event, ...timed } as ActionRead);
}

function readSetPosition(fields: Members, faults: Faults): SetPositionRead | null {
  const readers = { position: readPosition, on_roll: PLAYER, cube: orNull(readCube) };
  const event = readObject<Omit<SetPositionRead, "type">>({ cube: null, ...fields }, `$`, faults, readers);
  return event && { type: "SetPosition", ...event };
}

function readForfeit(fields: Members, faults: Faults): ForfeitRead | null {
  const readers = { loser: PLAYER, points: orNull(whole) };
  const event = readObject<Omit<ForfeitRead, "type">>({ points: null, ...fields }, `$`, faults, readers);
  const problems = event && event.points !== null ? problemsOfNumber(`$.points`, event.points, 1, MOST_POINTS, " or null") : [];
  faults.rejected.push(...problems);
  return event && { type: "Forfeit", ...event };
}
