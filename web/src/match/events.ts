/** Events, read as in the library's JSON. */

import { problemsOfNumber, reading, unfit } from "../rules/problems.js";
import type { DiceRoll } from "../rules/types.js";
import { isObject, isOneOf } from "../rules/values.js";
import {
  asIs, cannotRead, Faults, memberOf, membersOf, oneOf, orElse, orNull, PLAYER, type Reader, readObject, readVersion,
  wholeFrom, WIN_KIND,
} from "./json.js";
import { playFrom, type PlayGiven, type PlayRead, readPlay } from "./plays.js";
import { ACTIONS, MAX_POINTS, PLAYERS, VERSION } from "./terms.js";
import type { Action, Forfeit, Player, Position, SetPosition, WinKind } from "./types.js";
import { readCube, readDiceRoll, readPosition, readRoll } from "./values.js";

interface Common {
  readonly type: "Event";
  readonly by: Player | "to_act";
  readonly time?: number;
}
type PlayAction = Common & { readonly action: "play" };
/** What players do, when everything is said. */
export type ActionRead = (PlayAction & { readonly argument: PlayRead }) | Common & (
  | { readonly action: "opening_roll" | "roll"; readonly argument: DiceRoll }
  | { readonly action: "resign"; readonly argument: WinKind }
  | { readonly action: "next_game"; readonly argument: Player | Position | null }
  | { readonly action: "double" | "take" | "drop" | "beaver" | "accept" | "decline"; readonly argument: null }
);
export type SetPositionRead = Required<Omit<SetPosition, "version">>;
export type ForfeitRead = Required<Omit<Forfeit, "version">>;
export type EventRead = ActionRead | SetPositionRead | ForfeitRead;
/** The same, of which a play may be illegal on its own board. */
type ActionGiven = Exclude<ActionRead, { action: "play" }> | (PlayAction & { readonly argument: PlayGiven });
type EventGiven = ActionGiven | SetPositionRead | ForfeitRead;

const MAX_SECONDS = 1e12;
const KINDS = ["Event", "SetPosition", "Forfeit"] as const;
const ACTOR = memberOf<Player | "to_act">([...PLAYERS, "to_act"]);

const readNothing: Reader<null> = (value, path, faults) =>
  (value === null ? null : cannotRead(path, "type", "null", value, faults));

function readStart(value: unknown, path: string, faults: Faults): Player | Position | null {
  if (isObject(value)) return readPosition(value, path, faults);
  return isOneOf(PLAYERS, value) ? value : cannotRead(path, "choice", orElse(oneOf(PLAYERS), "position"), value, faults);
}

const ARGUMENTS: { readonly [action in Action]?: Reader<unknown> } = {
  opening_roll: readDiceRoll,
  roll: readRoll,
  play: readPlay,
  resign: WIN_KIND,
  next_game: orNull(readStart),
};
const WITH_ARGUMENT: readonly unknown[] = ["opening_roll", "roll", "play"];

function readTime(value: unknown, path: string, faults: Faults): void {
  if (typeof value === "number" && Math.abs(value) <= MAX_SECONDS) return;
  const reason = Number.isFinite(value) ? "range" : "type";
  faults.rejected.push(unfit(path, reason, `number from ${-MAX_SECONDS} to ${MAX_SECONDS}`, value));
}

/** An event, of which a program may leave out what is null, and `by`. */
export const readEvent = (value: unknown): EventRead => reading("$", () => {
  const faults = new Faults();
  const { version = VERSION, type = "Event", ...fields } = faults.checked(membersOf(value, `$`, faults));
  faults.checked(readVersion(version, `$.version`, faults));
  const kind = faults.checked(memberOf(KINDS)(type, `$.type`, faults));
  const read = { Event: readAction, SetPosition: readSetPosition, Forfeit: readForfeit }[kind];
  const event = faults.checked<EventGiven>(read(fields, faults));
  return event.type === "Event" && event.action === "play" ? { ...event, argument: playFrom(event.argument) } : event;
});

type Members = Readonly<Record<string, unknown>>;

/** What an action is read as before its argument is known to be the right one. */
interface AnyAction {
  readonly action: Action;
  readonly by: unknown;
  readonly argument: unknown;
}

function readAction({ time, ...fields }: Members, faults: Faults): ActionGiven | null {
  const { action } = fields;
  const isAction = isOneOf(ACTIONS, action); // which says what the argument is
  const readArgument = (isAction && ARGUMENTS[action]) || readNothing;
  const usual = { by: "to_act", ...(!WITH_ARGUMENT.includes(action) && { argument: action === "resign" ? "single" : null }) };
  const readers = {
    action: memberOf(ACTIONS),
    by: isAction ? ACTOR : asIs,
    argument: isAction ? readArgument : asIs,
  };
  const event = readObject<AnyAction>({ ...usual, ...fields }, `$`, faults, readers);
  if (time !== undefined && event) readTime(time, `$.time`, faults);
  const timed = time === undefined ? {} : { time };
  return event && ({ type: "Event", ...event, ...timed } as ActionGiven);
}

function readSetPosition(fields: Members, faults: Faults): SetPositionRead | null {
  const readers = { position: readPosition, on_roll: PLAYER, cube: orNull(readCube) };
  const event = readObject<Omit<SetPositionRead, "type">>({ cube: null, ...fields }, `$`, faults, readers);
  return event && { type: "SetPosition", ...event };
}

function readForfeit(fields: Members, faults: Faults): ForfeitRead | null {
  const readers = { loser: PLAYER, points: orNull(wholeFrom(1, MAX_POINTS)) };
  const event = readObject<Omit<ForfeitRead, "type">>({ points: null, ...fields }, `$`, faults, readers);
  const problems = event && event.points !== null ? problemsOfNumber(`$.points`, event.points, 1, MAX_POINTS, " or null") : [];
  faults.rejected.push(...problems);
  return event && { type: "Forfeit", ...event };
}
