/** What players send, and what a server answers. */

import { diceOf } from "../rules/arguments.js";
import { playMeant } from "../rules/notation.js";
import { type Marked, withText } from "../rules/rolls.js";
import type { Thrown } from "../rules/types.js";
import {
  asInPython, entriesOf, type ErrorFacts, fail, frozen, guarded, isList, isObject, isOneOf, isWhole, type Unread,
} from "../rules/values.js";
import { acted, canonicalAction } from "./applying.js";
import {
  type ActionRead, isPossibleMove, isTooLong, MOST_MOVES, playOfMoves, type PlayRead, problemOfMove, rollOn, tooLong,
} from "./events.js";
import { described, fieldsOf } from "./json.js";
import { refuseIllegal } from "./refusals.js";
import { notPlayer, playerIn, stateFrom, wrongVersion } from "./states.js";
import { write } from "./table.js";
import { ACTIONS, LEVELS, PLAYERS, seatOf, TITLES, VERSION } from "./terms.js";
import type { Action, Level, MatchState, Player, Position, Received, ReceiveOptions } from "./types.js";
import { positionFrom, sorted } from "./values.js";

const MESSAGE_FIELDS = ["type", "version", "action", "by", "argument", "time"];
const THROWN = ": the server throws the dice";
const DECIDED_BY_SERVER: { readonly [action in Action]?: string } = {
  roll: THROWN,
  opening_roll: THROWN,
  next_game: ": the server says who starts, and on which board",
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
  const { before, sender, action, argument, roll } = sent(state, message, player, options);
  const needsDice = action === "roll" || action === "opening_roll";
  return answered(before, sender, action, needsDice ? roll() : argument);
}

const sent = guarded((state: unknown, message: unknown, player: unknown, options: Unread<ReceiveOptions> = {}): Sent => {
  const before = stateFrom(state);
  if (!isOneOf(PLAYERS, player)) fail(`${notPlayer(player, "player")}: only they can act`, NOBODY);
  entriesOf(options, "options", ["roll", "starter", "position"]);
  const { roll } = options;
  if (typeof roll !== "function") fail(`roll must be a function, not ${asInPython(roll, 60)}`);
  const start = startAgreed(options, before.result !== null);
  const { action, argument } = readMessage(message, player);
  refuseIllegal(write(before).why_not(ACTIONS.indexOf(action), seatOf(player)), before, action, player);
  const readers: { readonly [action in Action]?: (argument: unknown) => unknown } = {
    play: playSent,
    resign: levelSent,
    next_game: () => start,
  };
  const decided = readers[action]?.(argument) ?? null;
  return { before, sender: player, action, argument: decided, roll: roll as () => unknown };
});

const answered = guarded((before: MatchState, sender: Player, action: Action, argument: unknown): Received => {
  const wanted = { type: "Event", action, by: sender, argument: argumentOf(action, argument) } as ActionRead;
  const after = acted(before, wanted);
  return frozen({ event: canonicalAction(before, wanted, after), state: after });
});

function argumentOf(action: Action, argument: unknown): unknown {
  if (action === "opening_roll") return facesThrown(argument);
  return action === "roll" ? sorted(facesThrown(argument)) : argument;
}

/** What a player wants to do, and with which argument, which has yet to be checked. */
function readMessage(message: unknown, sender: Player): { action: Action; argument: unknown } {
  if (!isObject(message)) fail(`a message must be an Event or an object, not ${asInPython(message)}`);
  const fields = fieldsOf(message);
  const unknown = Object.keys(fields).find((name) => !MESSAGE_FIELDS.includes(name));
  if (unknown !== undefined) fail(`a message has no field ${asInPython(unknown)}`);
  const { type: kind = "Event", version = VERSION, action, by: actor = "to_act", argument = null } = fields;
  if (kind !== "Event") fail(`the type of a message must be "Event", not ${described(kind)}`);
  if (!isWhole(version, 1, VERSION)) fail(wrongVersion(version));
  if (!isOneOf(ACTIONS, action)) fail(`there is no action ${asInPython(action)}`);
  if (actor !== sender && actor !== "to_act") {
    fail(`${TITLES[sender]} cannot act as ${asInPython(actor)}: everybody acts for themselves`, NOBODY);
  }
  if (argument !== null && action !== "play" && action !== "resign") {
    fail(`${action} takes no argument, not ${asInPython(argument)}${DECIDED_BY_SERVER[action] ?? ""}`);
  }
  return { action, argument };
}

/** Who starts the next game, or its board, if the program says so. */
function startAgreed({ starter = null, position = null }: Unread<ReceiveOptions>, isOver: boolean): Player | Position | null {
  if (starter === null && position === null) return null;
  if (starter !== null && position !== null) fail("a next game takes a starter or a position, not both");
  if (!isOver) fail("starter and position are those of a next game, but this game is not over");
  return starter === null ? positionFrom(position, "position") : playerIn(starter, "starter");
}

/** The fields of an object that has exactly these. */
function exactly(value: unknown, kind: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  const fields = isObject(value) ? fieldsOf(value) : {};
  const isExact = Object.keys(fields).length === names.length && names.every((name) => Object.hasOwn(fields, name));
  return isExact ? fields : fail(`a ${kind} must be an object with ${names.join(", ")}, not ${asInPython(value)}`);
}

function playSent(argument: unknown): PlayRead {
  if (isObject(argument)) return wholePlaySent(argument);
  if (typeof argument === "string") return isTooLong(argument) ? fail(tooLong(argument)) : argument;
  return movesSent(argument) ?? fail(`a play must be a string, a Play or moves, not ${asInPython(argument)}`);
}

/** A play of any board and roll, each in any form that the functions take. */
function wholePlaySent(value: unknown): PlayRead {
  const { before, dice, moves } = exactly(value, "Play", ["before", "dice", "moves"]);
  const position = positionFrom(before, "argument.before");
  const roll = rollOn(position, dice);
  if (typeof moves === "string") return { before: position, ...withText(roll, playMeant(roll, moves, "moves")) };
  const made = movesSent(moves) ?? fail(`a play must be a string or a series of moves, not ${asInPython(moves, 60)}`);
  return { before: position, ...withText(roll, playOfMoves(position, dice, made)) };
}

/** The moves of a list; null for anything else. */
function movesSent(list: unknown): Marked[] | null {
  const items = isList(list) ? Array.from(list.slice(0, MOST_MOVES + 1)).filter((item) => !isUnused(item)) : [null];
  const moves = items.map(moveSent).filter((move) => move !== null);
  if (moves.length < items.length) return null;
  return moves.length > MOST_MOVES ? fail(`a play has at most ${MOST_MOVES} moves, but this series has more`) : moves;
}

/** [-1, -1], which stands in arrays of Python where a play has no more moves. */
function isUnused(item: unknown): boolean {
  const [source, target, hit = false] = isList(item) && item.length < 4 ? item : [];
  return source === -1 && target === -1 && typeof hit === "boolean";
}

/** A move as an object, or [from, to], perhaps with whether it hits; null for anything else. */
function moveSent(value: unknown): Marked | null {
  if (isObject(value)) {
    const { from_point, to_point, hit } = exactly(value, "Move", ["from_point", "to_point", "hit"]);
    const move = [from_point, to_point, hit] as const;
    return isPossibleMove(move) ? move : fail(problemOfMove(move));
  }
  if (!isList(value) || !isWhole(value.length, 2, 3)) return null;
  const [source, target, hit = false] = value;
  const move = [source, target, hit] as const;
  return isPossibleMove(move) ? move : null;
}

function levelSent(argument: unknown): Level {
  const win = isWhole(argument, 1, 3) ? LEVELS[argument - 1] : argument ?? "single";
  const forms = `a Win, its number or its word, "single", "gammon" or "backgammon"`;
  return isOneOf(LEVELS, win) ? win : fail(`the level of a win must be ${forms}, not ${asInPython(argument)}`);
}

/** Two faces in the order in which they were thrown. */
function facesThrown(thrown: unknown): Thrown {
  if (isList(thrown) && thrown.length === 2) return diceOf(thrown[0], thrown[1]);
  return fail(`roll() must give two ints, in the order thrown, not ${asInPython(thrown)}`);
}
