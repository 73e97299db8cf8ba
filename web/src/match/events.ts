/** Events, read as in the library's JSON. */

import { BAR } from "../rules/arguments.js";
import { playOf } from "../rules/notation.js";
import { LONGEST_PLAY } from "../rules/reading.js";
import { type Marked, type Roll, rollOf, spelled, withText } from "../rules/rolls.js";
import type { Play, Thrown, WrittenPlay } from "../rules/types.js";
import { asInPython, GammonError, isList, isObject, isOneOf, isWhole } from "../rules/values.js";
import { told, WORDS } from "../rules/words.js";
import {
  arrayOf, cannotRead, described, Faults, LEVEL, listed, memberOf, membersOf, orNull, PAIR, PLAYER, possible,
  type Reader, readObject, truth, whole,
} from "./json.js";
import { readVersion } from "./states.js";
import { ACTIONS, grouped, MOST_POINTS, PLAYERS, VERSION } from "./terms.js";
import type { Action, Forfeit, Level, MoveOfJson, Player, Position, SetPosition } from "./types.js";
import { problemsOfNumber, readCube, readPosition, readRoll, readThrown } from "./values.js";

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
const MOST_SECONDS = 1e12;
const KINDS = ["Event", "SetPosition", "Forfeit"] as const;
const ACTOR = memberOf<Player | "to_act">([...PLAYERS, "to_act"]);
const unread: Reader<never> = () => null;

/** A move as { from_point, to_point, hit }, or [from, to], as three values. */
function readMove(value: unknown, path: string, faults: Faults): Marked | null {
  const move = isList(value) && value.length === 2 ? readPair(value, path, faults) : readWholeMove(value, path, faults);
  if (move && !isPossibleMove(move)) faults.rejected.push(`${path}: ${problemOfMove(move)}`);
  return move;
}

function readPair(value: unknown, path: string, faults: Faults): Marked | null {
  const before = faults.count;
  const points = PAIR(value, path, faults);
  return !points || faults.count > before ? null : [points[0], points[1], false];
}

function readWholeMove(value: unknown, path: string, faults: Faults): Marked | null {
  const move = readObject<MoveOfJson>(value, path, faults, { from_point: whole, to_point: whole, hit: truth });
  return move && [move.from_point, move.to_point, move.hit];
}

/** A move whose values have yet to be checked. */
type MoveGiven = readonly [source: unknown, target: unknown, hit: unknown];

export function isPossibleMove(move: MoveGiven): move is Marked {
  const [source, target, hit] = move;
  return isWhole(source, 1, BAR) && isWhole(target, 0, BAR - 1) && target < source && typeof hit === "boolean";
}

export function problemOfMove(move: MoveGiven): string {
  const [source, target, hit] = move;
  const problems = [...problemsOfNumber("from_point", source, 1, BAR), ...problemsOfNumber("to_point", target, 0, BAR - 1)];
  if (typeof hit !== "boolean") problems.push(`hit must be True or False, not ${asInPython(hit, 60)}`);
  if (problems.length) return `impossible move: ${listed(problems)}`;
  return `impossible move: ${spelled([move as Marked], WORDS)} does not go forward, from a higher to a lower point`;
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
    faults.rejected.push(`${path}: ${error.message}`);
    return null;
  }
}

export const rollOn = ({ points, checkers }: Position, dice: unknown): Roll => rollOf(points, dice, { checkers });

/** The legal play that these moves are, in any order. */
export function playOfMoves(position: Position, dice: unknown, moves: readonly Marked[]): Play {
  const chains = moves.map(([source, target, hit]) => ({ stops: [source, target], hits: hit ? [target] : [] }));
  return playOf(rollOn(position, dice), chains, true, spelled(moves, WORDS));
}

function readPlayed(value: unknown, path: string, faults: Faults): PlayRead | null {
  if (isObject(value)) return readWholePlay(value, path, faults);
  if (isList(value)) return MOVES(value, path, faults);
  if (typeof value !== "string") {
    return cannotRead(`expected a string, an array of moves or a play, not ${described(value)}`, path, faults);
  }
  if (isTooLong(value)) faults.rejected.push(`$: ${tooLong(value)}`);
  return value;
}

export const isTooLong = (played: string): boolean => played.length > LONGEST_PLAY && [...played].length > LONGEST_PLAY;
export const tooLong = (played: string): string =>
  told(WORDS, "too_long", { most: LONGEST_PLAY, count: [...played].length });

function readNothing(value: unknown, path: string, faults: Faults): null {
  if (value !== null) cannotRead(`expected null, since this action has no argument, not ${described(value)}`, path, faults);
  return null;
}

const ARGUMENTS: { readonly [action in Action]?: Reader<unknown> } = {
  opening_roll: (value, path, faults) => readThrown(value, path, faults, `$`),
  roll: readRoll,
  play: readPlayed,
  resign: LEVEL,
  next_game: orNull<Player | Position>((value, path, faults) => (isObject(value) ? readPosition : PLAYER)(value, path, faults)),
};

function readTime(value: unknown, path: string, faults: Faults): void {
  if (typeof value === "number" && Math.abs(value) <= MOST_SECONDS) return;
  const needed = `a number of seconds up to ${grouped(MOST_SECONDS)} of either sign`;
  faults.rejected.push(`${path}: now must be ${needed}, not ${asInPython(value, 60)}`);
}

/** An event, of which a program may leave out what is null, and `by`. */
export function readEvent(value: unknown): EventRead {
  const faults = new Faults();
  const { version = VERSION, type = "Event", ...fields } = faults.checked(membersOf(value, `$`, faults));
  readVersion(version, faults);
  faults.refuse();
  const kind = faults.checked(memberOf(KINDS)(type, `$.type`, faults));
  const read = { Event: readAction, SetPosition: readSetPosition, Forfeit: readForfeit }[kind];
  return faults.checked<EventRead>(read(fields, faults));
}

type Members = Readonly<Record<string, unknown>>;

/** What an action is read as before its argument is known to be the right one. */
interface ActionGiven {
  readonly action: Action;
  readonly by: Player | "to_act";
  readonly argument: unknown;
}

function readAction({ time, ...fields }: Members, faults: Faults): ActionRead | null {
  const { action } = fields;
  const isAction = isOneOf(ACTIONS, action); // which says what the argument is
  const readArgument = (isAction && ARGUMENTS[action]) || readNothing;
  const usual = { by: "to_act", argument: action === "resign" ? "single" : null };
  const readers = {
    action: memberOf(ACTIONS),
    by: isAction ? ACTOR : unread,
    argument: isAction ? readArgument : unread,
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
  const problems = event ? problemsOfNumber("points", event.points, 1, MOST_POINTS, " or None") : [];
  possible("forfeit", event, problems, `$`, faults);
  return event && { type: "Forfeit", ...event };
}
