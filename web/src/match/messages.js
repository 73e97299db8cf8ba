/** What players send, and what a server answers. */

import { toDice } from "../rules/arguments.js";
import { playMeant } from "../rules/notation.js";
import { withText } from "../rules/rolls.js";
import { asInPython, entriesOf, fail, frozen, guarded, isList, isObject, isWhole } from "../rules/values.js";
import { acted, canonicalEvent } from "./applying.js";
import { isTooLong, MOST_MOVES, playOfMoves, problemOfMove, rollOn, tooLong } from "./events.js";
import { described, fieldsOf } from "./json.js";
import { refuseIllegal } from "./refusals.js";
import { notPlayer, playerIn, stateFrom, wrongVersion } from "./states.js";
import { write } from "./table.js";
import { ACTIONS, LEVELS, PLAYERS, seatOf, TITLES, VERSION } from "./terms.js";
import { positionFrom, sorted } from "./values.js";

const MESSAGE_FIELDS = ["type", "version", "action", "by", "argument", "time"];
const THROWN = ": the server throws the dice";
const DECIDED_BY_SERVER = {
  roll: THROWN,
  opening_roll: THROWN,
  next_game: ": the server says who starts, and on which board",
};

const NOBODY = { reason: "unknown_player" };

/** What `roll` throws itself is passed on. */
export function receive(state, message, player, options) {
  const { before, sender, action, argument, roll } = sent(state, message, player, options);
  const needsDice = action === "roll" || action === "opening_roll";
  return answered(before, sender, action, needsDice ? roll() : argument);
}

const sent = guarded((state, message, player, options = {}) => {
  const before = stateFrom(state);
  if (!PLAYERS.includes(player)) fail(`${notPlayer(player, "player")}: only they can act`, NOBODY);
  entriesOf(options, "options", ["roll", "starter", "position"]);
  const { roll } = options;
  if (typeof roll !== "function") fail(`roll must be a function, not ${asInPython(roll, 60)}`);
  const start = startAgreed(options, before.result !== null);
  const { action, argument } = readMessage(message, player);
  refuseIllegal(write(before).why_not(ACTIONS.indexOf(action), seatOf(player)), before, action, player);
  const decided = { play: playSent, resign: levelSent, next_game: () => start }[action]?.(argument) ?? null;
  return { before, sender: player, action, argument: decided, roll };
});

const answered = guarded((before, sender, action, argument) => {
  const faces = action === "roll" || action === "opening_roll" ? facesThrown(argument) : null;
  const wanted = { type: "Event", action, by: sender, argument: action === "roll" ? sorted(faces) : faces ?? argument };
  const after = acted(before, wanted);
  return frozen({ event: canonicalEvent(before, wanted, after), state: after });
});

/** What a player wants to do, and with which argument, which has yet to be checked. */
function readMessage(message, sender) {
  if (!isObject(message)) fail(`a message must be an Event or an object, not ${asInPython(message)}`);
  const fields = fieldsOf(message);
  const unknown = Object.keys(fields).find((name) => !MESSAGE_FIELDS.includes(name));
  if (unknown !== undefined) fail(`a message has no field ${asInPython(unknown)}`);
  const { type: kind = "Event", version = VERSION, action, by: actor = "to_act", argument = null } = fields;
  if (kind !== "Event") fail(`the type of a message must be "Event", not ${described(kind)}`);
  if (!isWhole(version, 1, VERSION)) fail(wrongVersion(version));
  if (!ACTIONS.includes(action)) fail(`there is no action ${asInPython(action)}`);
  if (actor !== sender && actor !== "to_act") {
    fail(`${TITLES[sender]} cannot act as ${asInPython(actor)}: everybody acts for themselves`, NOBODY);
  }
  if (argument !== null && action !== "play" && action !== "resign") {
    fail(`${action} takes no argument, not ${asInPython(argument)}${DECIDED_BY_SERVER[action] ?? ""}`);
  }
  return { action, argument };
}

/** Who starts the next game, or its board, if the program says so. */
function startAgreed({ starter = null, position = null }, isOver) {
  if (starter === null && position === null) return null;
  if (starter !== null && position !== null) fail("a next game takes a starter or a position, not both");
  if (!isOver) fail("starter and position are those of a next game, but this game is not over");
  return starter === null ? positionFrom(position, "position") : playerIn(starter, "starter");
}

/** The fields of an object that has exactly these. */
function exactly(value, kind, names) {
  const fields = isObject(value) ? fieldsOf(value) : {};
  const isExact = Object.keys(fields).length === names.length && names.every((name) => Object.hasOwn(fields, name));
  return isExact ? fields : fail(`a ${kind} must be an object with ${names.join(", ")}, not ${asInPython(value)}`);
}

function playSent(argument) {
  if (isObject(argument)) return wholePlaySent(argument);
  if (typeof argument === "string") return isTooLong(argument) ? fail(tooLong(argument)) : argument;
  return movesSent(argument) ?? fail(`a play must be a string, a Play or moves, not ${asInPython(argument)}`);
}

/** A play of any board and roll, each in any form that the functions take. */
function wholePlaySent(value) {
  const { before, dice, moves } = exactly(value, "Play", ["before", "dice", "moves"]);
  const position = positionFrom(before, "argument.before");
  const roll = rollOn(position, dice);
  if (typeof moves === "string") return { before: position, ...withText(roll, playMeant(roll, moves, "moves")) };
  const made = movesSent(moves) ?? fail(`a play must be a string or a series of moves, not ${asInPython(moves, 60)}`);
  return { before: position, ...withText(roll, playOfMoves(position, dice, made)) };
}

/** The moves of a list; null for anything else. */
function movesSent(list) {
  const items = isList(list) ? Array.from(list.slice(0, MOST_MOVES + 1)) : [null];
  const moves = items.filter((item) => !isUnused(item)).map(moveSent);
  if (moves.includes(null)) return null;
  return moves.length > MOST_MOVES ? fail(`a play has at most ${MOST_MOVES} moves, but this series has more`) : moves;
}

/** [-1, -1], which stands in arrays of Python where a play has no more moves. */
function isUnused(item) {
  const [source, target, hit = false] = isList(item) && item.length < 4 ? item : [];
  return source === -1 && target === -1 && typeof hit === "boolean";
}

/** A move as an object, or [from, to], perhaps with whether it hits; null for anything else. */
function moveSent(value) {
  if (isObject(value)) {
    const { from_point, to_point, hit } = exactly(value, "Move", ["from_point", "to_point", "hit"]);
    const problem = problemOfMove({ from_point, to_point, hit });
    return problem ? fail(problem) : [from_point, to_point, hit];
  }
  if (!isList(value) || !isWhole(value.length, 2, 3)) return null;
  const [source, target, hit = false] = value;
  return problemOfMove({ from_point: source, to_point: target, hit }) ? null : [source, target, hit];
}

function levelSent(argument) {
  const win = isWhole(argument, 1, 3) ? LEVELS[argument - 1] : argument ?? "single";
  const forms = `a Win, its number or its word, "single", "gammon" or "backgammon"`;
  return LEVELS.includes(win) ? win : fail(`the level of a win must be ${forms}, not ${asInPython(argument)}`);
}

/** Two faces in the order in which they were thrown. */
function facesThrown(thrown) {
  const isPair = isList(thrown) && thrown.length === 2;
  if (!isPair) fail(`roll() must give two ints, in the order thrown, not ${asInPython(thrown)}`);
  return toDice(thrown[0], thrown[1]);
}
