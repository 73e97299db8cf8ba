/** Events, read as in the library's JSON. */

import { BAR, problemOfDice } from "../rules/arguments.js";
import { playOf } from "../rules/notation.js";
import { LONGEST_PLAY } from "../rules/reading.js";
import { rollOf, spelled, withText } from "../rules/rolls.js";
import { asInPython, GammonError, isList, isObject, isWhole } from "../rules/values.js";
import { told, WORDS } from "../rules/words.js";
import {
  arrayOf, cannotRead, described, Faults, LEVEL, listed, memberOf, membersOf, orNull, PAIR, PLAYER, possible,
  readObject, truth, whole,
} from "./json.js";
import { readVersion } from "./states.js";
import { ACTIONS, grouped, MOST_POINTS, PLAYERS, VERSION } from "./terms.js";
import { problemsOfNumber, readCube, readPosition, readRoll } from "./values.js";

export const MOST_MOVES = 4;
const MOST_SECONDS = 1e12;
const ACTOR = memberOf([...PLAYERS, "to_act"]);
const unread = (value) => value;

/** A move as { from_point, to_point, hit }, or [from, to], as three values. */
function readMove(value, path, faults) {
  const move = isList(value) && value.length === 2 ? readPair(value, path, faults) : readWholeMove(value, path, faults);
  const problem = move && problemOfMove({ from_point: move[0], to_point: move[1], hit: move[2] });
  if (problem) faults.rejected.push(`${path}: ${problem}`);
  return move;
}

function readPair(value, path, faults) {
  const before = faults.count;
  const points = PAIR(value, path, faults);
  return faults.count > before ? null : [points[0], points[1], false];
}

function readWholeMove(value, path, faults) {
  const move = readObject(value, path, faults, { from_point: whole, to_point: whole, hit: truth });
  return move && [move.from_point, move.to_point, move.hit];
}

export function problemOfMove({ from_point: source, to_point: target, hit }) {
  if (isWhole(source, 1, BAR) && isWhole(target, 0, BAR - 1) && target < source && typeof hit === "boolean") return "";
  const problems = [...problemsOfNumber("from_point", source, 1, BAR), ...problemsOfNumber("to_point", target, 0, BAR - 1)];
  if (typeof hit !== "boolean") problems.push(`hit must be True or False, not ${asInPython(hit, 60)}`);
  if (problems.length) return `impossible move: ${listed(problems)}`;
  return `impossible move: ${spelled([[source, target, hit]], WORDS)} does not go forward, from a higher to a lower point`;
}

const MOVES = arrayOf(readMove, 0, MOST_MOVES);

/** A play of any board and roll: { before, dice, moves }, as the library writes it. */
function readWholePlay(value, path, faults) {
  const play = readObject(value, path, faults, { before: readPosition, dice: readRoll, moves: MOVES });
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

export const rollOn = ({ points, checkers }, dice) => rollOf(points, dice, { checkers });

/** The legal play that these moves are, in any order. */
export function playOfMoves(position, dice, moves) {
  const chains = moves.map(([source, target, hit]) => ({ stops: [source, target], hits: hit ? [target] : [] }));
  return playOf(rollOn(position, dice), chains, true, spelled(moves, WORDS));
}

function readPlayed(value, path, faults) {
  if (isObject(value)) return readWholePlay(value, path, faults);
  if (isList(value)) return MOVES(value, path, faults);
  if (typeof value !== "string") {
    cannotRead(`expected a string, an array of moves or a play, not ${described(value)}`, path, faults);
  } else if (isTooLong(value)) {
    faults.rejected.push(`$: ${tooLong(value)}`);
  }
  return value;
}

export const isTooLong = (played) => played.length > LONGEST_PLAY && [...played].length > LONGEST_PLAY;
export const tooLong = (played) => told(WORDS, "too_long", { most: LONGEST_PLAY, count: [...played].length });

function readOpening(value, path, faults) {
  const before = faults.count;
  const faces = PAIR(value, path, faults);
  const problem = faults.count > before ? "" : problemOfDice(faces);
  if (problem) faults.rejected.push(`$: ${problem}`);
  return faces;
}

function readNothing(value, path, faults) {
  if (value !== null) cannotRead(`expected null, since this action has no argument, not ${described(value)}`, path, faults);
  return null;
}

const ARGUMENTS = {
  opening_roll: readOpening,
  roll: readRoll,
  play: readPlayed,
  resign: LEVEL,
  next_game: orNull((value, path, faults) => (isObject(value) ? readPosition : PLAYER)(value, path, faults)),
};

function readTime(value, path, faults) {
  if (typeof value === "number" && Math.abs(value) <= MOST_SECONDS) return;
  const needed = `a number of seconds up to ${grouped(MOST_SECONDS)} of either sign`;
  faults.rejected.push(`${path}: now must be ${needed}, not ${asInPython(value, 60)}`);
}

/** An event, of which a program may leave out what is null, and `by`. */
export function readEvent(value) {
  const faults = new Faults();
  const { version = VERSION, type: kind = "Event", ...fields } = membersOf(value, `$`, faults) ?? {};
  if (!faults.count) readVersion(version, faults);
  if (!faults.count) memberOf(["Event", "SetPosition", "Forfeit"])(kind, `$.type`, faults);
  faults.refuse();
  const event = { Event: readAction, SetPosition: readSetPosition, Forfeit: readForfeit }[kind](fields, faults);
  faults.refuse();
  return { type: kind, ...event };
}

function readAction({ time, ...fields }, faults) {
  const isAction = ACTIONS.includes(fields.action); // which says what the argument is
  const readArgument = (isAction && ARGUMENTS[fields.action]) || readNothing;
  const usual = { by: "to_act", argument: fields.action === "resign" ? "single" : null };
  const readers = {
    action: memberOf(ACTIONS),
    by: isAction ? ACTOR : unread,
    argument: isAction ? readArgument : unread,
  };
  const event = readObject({ ...usual, ...fields }, `$`, faults, readers);
  if (!event || time === undefined) return event;
  readTime(time, `$.time`, faults);
  return { ...event, time };
}

function readSetPosition(fields, faults) {
  return readObject({ cube: null, ...fields }, `$`, faults, { position: readPosition, on_roll: PLAYER, cube: orNull(readCube) });
}

function readForfeit(fields, faults) {
  const event = readObject({ points: null, ...fields }, `$`, faults, { loser: PLAYER, points: orNull(whole) });
  return possible("forfeit", event, event ? problemsOfNumber("points", event.points, 1, MOST_POINTS, " or None") : [], `$`, faults);
}
