/** What players send, and what a server answers. */

import { diceOf } from "../rules/arguments.js";
import { playMeant } from "../rules/notation.js";
import { entriesOf, guarded, impossible, missing, refuse, unfit } from "../rules/problems.js";
import { type Marked, withText } from "../rules/rolls.js";
import type { Thrown } from "../rules/types.js";
import { type ErrorFacts, frozen, isList, isObject, isOneOf, isWhole, type Unread } from "../rules/values.js";
import { acted, canonicalAction } from "./applying.js";
import { A_MOVE, type ActionRead, MOST_MOVES, playOfMoves, type PlayRead, readMoveOfJson, readPair, rollOn } from "./events.js";
import { asIs, cannotFind, cannotRead, Faults, memberOf, membersOf, oneOf, type Reader, readObject, readVersion } from "./json.js";
import { refuseIllegal } from "./refusals.js";
import { playerIn, stateFrom } from "./states.js";
import { write } from "./table.js";
import { ACTIONS, LEVELS, seatOf, VERSION } from "./terms.js";
import type { Action, Level, MatchState, Player, Position, Received, ReceiveOptions } from "./types.js";
import { positionFrom, readPosition, sorted } from "./values.js";

const THROWN = ", since the server throws the dice";
const DECIDED_BY_SERVER: { readonly [action in Action]?: string } = {
  roll: THROWN,
  opening_roll: THROWN,
  next_game: ", since the server says who starts, and on which board",
};
const NOBODY: ErrorFacts = { reason: "unknown_player" };

/** What a player wants to do, as far as players decide it. */
interface Sent {
  readonly before: MatchState;
  readonly sender: Player;
  readonly action: Action;
  readonly argument: unknown;
  readonly roll: () => unknown;
}

/** The event that a player has sent, and the state after it: of a message only what that player decides is taken. What
 *  `roll` throws itself is passed on. */
export function receive(state: MatchState, message: unknown, player: Player, options: ReceiveOptions): Received {
  const { roll, ...wanted } = sent(state, message, player, options);
  const needsDice = wanted.action === "roll" || wanted.action === "opening_roll";
  return answered(needsDice ? { ...wanted, argument: roll() } : wanted, options);
}

const sent = guarded((state: unknown, message: unknown, player: unknown, options: Unread<ReceiveOptions> = {}): Sent => {
  const before = stateFrom(state);
  const sender = playerIn(player, "player", NOBODY);
  entriesOf(options, "$", ["roll", "starter", "position"]);
  const { roll } = options;
  if (typeof roll !== "function") refuse([roll === undefined ? missing("$.roll") : unfit("$.roll", "type", "function", roll)]);
  const start = startAgreed(options, before.result !== null);
  const { action, argument } = readMessage(message, sender);
  refuseIllegal(write(before).why_not(ACTIONS.indexOf(action), seatOf(sender)), before, action, sender);
  const faults = new Faults();
  const decided = action === "next_game" ? start : READERS[action]?.(argument, "$.argument", faults);
  faults.refuse();
  return { before, sender, action, argument: decided ?? null, roll: roll as () => unknown };
});

const answered = guarded(({ before, sender, action, argument }: Omit<Sent, "roll">, options: ReceiveOptions): Received => {
  const wanted = { type: "Event", action, by: sender, argument: argumentOf(action, argument) } as ActionRead;
  const after = acted(before, wanted, options);
  return frozen({ event: canonicalAction(before, wanted, after), state: after });
});

function argumentOf(action: Action, argument: unknown): unknown {
  if (action === "opening_roll") return facesThrown(argument);
  return action === "roll" ? sorted(facesThrown(argument)) : argument;
}

/** The fields of a message, of which the argument has yet to be read, which may be missing. */
interface Message {
  readonly type: "Event";
  readonly version: number;
  readonly action: Action;
  readonly by: unknown;
  readonly argument: unknown;
  readonly time: unknown;
}
const USUAL: Omit<Message, "action"> = { type: "Event", version: VERSION, by: "to_act", argument: null, time: null };
const MESSAGE_READERS = {
  type: memberOf(["Event"]),
  version: readVersion,
  action: memberOf(ACTIONS),
  by: asIs,
  argument: asIs,
  time: asIs,
};

function readMessage(message: unknown, sender: Player): { action: Action; argument: unknown } {
  const faults = new Faults();
  const fields = faults.checked(membersOf(message, "$", faults));
  const { action, by } = faults.checked(readObject<Message>({ ...USUAL, ...fields }, "$", faults, MESSAGE_READERS));
  const { argument } = fields;
  if (by !== sender && by !== "to_act") refuse([unfit("$.by", "choice", oneOf([sender, "to_act"]), by)], NOBODY);
  if ((argument ?? null) !== null && action !== "play" && action !== "resign") {
    refuse([unfit("$.argument", "type", `null${DECIDED_BY_SERVER[action] ?? ""}`, argument)]);
  }
  return { action, argument };
}

/** Who starts the next game, or its board, if the program says so. */
function startAgreed(options: Unread<ReceiveOptions>, isOver: boolean): Player | Position | null {
  const { starter = null, position = null } = options;
  if (starter === null && position === null) return null;
  if (starter !== null && position !== null) refuse([impossible("$", "a next game takes a starter or a position", options)]);
  if (!isOver) refuse([impossible("$", "this game is not over, and takes no starter or position", options)]);
  return starter === null ? positionFrom(position, "$.position") : playerIn(starter, "$.starter");
}

const READERS: { readonly [action in Action]?: Reader<unknown> } = { play: readPlay, resign: readLevel };

/** A play in any form in which messages have it; a text is read when it is played. */
function readPlay(value: unknown, path: string, faults: Faults): PlayRead | null {
  if (value === undefined) return cannotFind(path, faults);
  if (typeof value === "string") return value;
  return isObject(value) ? readWholePlay(value, path, faults) : readMoves(value, path, faults);
}

/** A play of any board and roll, each in any form that the functions take. */
function readWholePlay(value: unknown, path: string, faults: Faults): PlayRead | null {
  const readers = { before: readPosition, dice: asIs, moves: asIs };
  const play = readObject<{ before: Position; dice: unknown; moves: unknown }>(value, path, faults, readers);
  if (!play) return null;
  const { before, dice, moves } = play;
  const roll = rollOn(before, dice, `${path}.dice`);
  if (typeof moves === "string") return { before, ...withText(roll, playMeant(roll, moves, "moves")) };
  const made = faults.checked(readMoves(moves, `${path}.moves`, faults));
  return { before, ...withText(roll, playOfMoves(before, dice, made)) };
}

function readMoves(value: unknown, path: string, faults: Faults): readonly Marked[] | null {
  if (!isList(value)) return cannotRead(path, "type", "string, array of moves or play", value, faults);
  const moves: Marked[] = [];
  for (const [at, item] of Array.from(value.slice(0, MOST_MOVES + 1)).entries()) {
    const move = isUnused(item) ? null : readMove(item, `${path}[${at}]`, faults);
    if (move) moves.push(move);
  }
  if (moves.length > MOST_MOVES) cannotRead(path, "size", `array of at most ${MOST_MOVES} moves`, value, faults);
  return moves;
}

/** [-1, -1], which stands in arrays of Python where a play has no more moves. */
function isUnused(item: unknown): boolean {
  const [source, target, hit = false] = isList(item) && item.length < 4 ? item : [];
  return source === -1 && target === -1 && typeof hit === "boolean";
}

/** A move as an object, or [from, to], perhaps with whether it hits. */
function readMove(value: unknown, path: string, faults: Faults): Marked | null {
  if (isObject(value)) return readMoveOfJson(value, path, faults);
  if (!isList(value)) return cannotRead(path, "type", A_MOVE, value, faults);
  return isWhole(value.length, 2, 3) ? readPair(value, path, faults) : cannotRead(path, "size", A_MOVE, value, faults);
}

function readLevel(value: unknown, path: string, faults: Faults): Level | null {
  const level = isWhole(value, 1, 3) ? LEVELS[value - 1] : value ?? "single";
  return isOneOf(LEVELS, level) ? level : cannotRead(path, "choice", `${oneOf(LEVELS)}, or 1 to 3`, value, faults);
}

/** Two faces in the order in which they were thrown. */
function facesThrown(thrown: unknown): Thrown {
  if (isList(thrown) && thrown.length === 2) return diceOf([thrown[0], thrown[1]], ["roll()[0]", "roll()[1]"]);
  return refuse([unfit("roll()", isList(thrown) ? "size" : "type", "array of 2 whole numbers from 1 to 6", thrown)]);
}
