/** What players send, and what a server answers. */

import { diceOf } from "../rules/arguments.js";
import { impossible, missing, optionsOf, reading, refuse, unfit } from "../rules/problems.js";
import type { DiceRoll } from "../rules/types.js";
import { type ErrorDetails, frozen, isList, isOneOf, isWhole } from "../rules/values.js";
import { acted, canonicalAction } from "./apply.js";
import type { ActionRead } from "./events.js";
import { asIs, cannotRead, Faults, memberOf, membersOf, oneOf, readObject, readVersion } from "./json.js";
import { playFrom, type PlayRead, readPlay } from "./plays.js";
import { refuseIllegal } from "./refusals.js";
import { playerIn, stateFrom } from "./states.js";
import { write } from "./wasm.js";
import { ACTIONS, seatOf, VERSION, WIN_KINDS } from "./terms.js";
import type { Action, MatchState, Player, Position, ReceiveOptions, ReceiveResult, WinKind } from "./types.js";
import { A_ROLL, positionFrom, sorted } from "./values.js";

const THROWN = ", since the server throws the dice";
const DECIDED_BY_SERVER: { readonly [action in Action]?: string } = {
  roll: THROWN,
  opening_roll: THROWN,
  next_game: ", since the server says who starts, and on which board",
};
const NOBODY: ErrorDetails = { reason: "unknown_player" };

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
export function receive(state: MatchState, message: unknown, player: Player, options: ReceiveOptions): ReceiveResult {
  const { roll, ...wanted } = sent(state, message, player, options);
  const needsDice = wanted.action === "roll" || wanted.action === "opening_roll";
  return answered(needsDice ? { ...wanted, argument: roll() } : wanted, options);
}

function sent(state: unknown, message: unknown, player: unknown, options: unknown = {}): Sent {
  const before = stateFrom(state);
  const sender = playerIn(player, "player", NOBODY);
  const { roll, starter = null, position = null } = optionsOf(options, ["roll", "starter", "position"]);
  if (roll === undefined) refuse([missing("options.roll")]);
  if (typeof roll !== "function") refuse([unfit("options.roll", "type", "function", roll)]);
  const start = startAgreed(starter, position, options, before.result !== null);
  const { action, argument } = reading("$", () => readMessage(message, sender));
  refuseIllegal(write(before).why_not(ACTIONS.indexOf(action), seatOf(sender)), before, action, sender);
  const decided = action === "next_game" ? start : reading("$", () => decidedBy(action, argument));
  return { before, sender, action, argument: decided, roll: roll as () => unknown };
}

function answered({ before, sender, action, argument }: Omit<Sent, "roll">, options: ReceiveOptions): ReceiveResult {
  const wanted = { type: "Event", action, by: sender, argument: argumentOf(action, argument) } as ActionRead;
  const after = acted(before, wanted, "options", options);
  return frozen({ event: canonicalAction(before, wanted, after), state: after });
}

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
function startAgreed(starter: unknown, position: unknown, options: unknown, isOver: boolean): Player | Position | null {
  if (starter === null && position === null) return null;
  if (starter !== null && position !== null) refuse([impossible("options", "a next game takes a starter or a position", options)]);
  if (!isOver) refuse([impossible("options", "this game is not over, and takes no starter or position", options)]);
  return starter === null ? positionFrom(position, "options.position") : playerIn(starter, "options.starter");
}

/** The argument, of an action that has one. */
function decidedBy(action: Action, argument: unknown): PlayRead | WinKind | null {
  const faults = new Faults();
  if (action === "resign") return faults.checked(readWinKind(argument, "$.argument", faults));
  if (action !== "play") return null;
  if (argument === undefined) refuse([missing("$.argument")]);
  return playFrom(faults.checked(readPlay(argument, "$.argument", faults)));
}

function readWinKind(value: unknown, path: string, faults: Faults): WinKind | null {
  const win = isWhole(value, 1, 3) ? WIN_KINDS[value - 1] : value ?? "single";
  return isOneOf(WIN_KINDS, win) ? win : cannotRead(path, "choice", `${oneOf(WIN_KINDS)}, or 1 to 3`, value, faults);
}

/** Two faces in the order in which they were thrown. */
const facesThrown = (thrown: unknown): DiceRoll => reading("roll()", () => {
  if (isList(thrown) && thrown.length === 2) return diceOf([thrown[0], thrown[1]], ["roll()[0]", "roll()[1]"]);
  return refuse([unfit("roll()", isList(thrown) ? "size" : "type", A_ROLL, thrown)]);
});
