/** States: read as in the library's JSON, made of values, or begun; and what may be asked of them. */

import { impossible, problemsOfNumber, reading, refuse, refuseProblems, unfit } from "../rules/problems.js";
import { turned } from "../rules/rolls.js";
import type { Problem } from "../rules/types.js";
import { type ErrorDetails, frozen, isObject, isOneOf } from "../rules/values.js";
import {
  asIs, Faults, membersOf, oneOf, orNull, PAIR, PLAYER, readObject, readVersion, tagged, truth, wholeFrom,
} from "./json.js";
import { readRules, rulesFrom, startOf } from "./options.js";
import { contradictionsOf, CRAWFORD_PROBLEMS, problemNumbers } from "./refusals.js";
import { type Fields, Known, made, matchWinner, playerToAct, scoreBefore, write } from "./wasm.js";
import { ACTIONS, MAX_POINTS, PHASES, PLAYERS, seatOf, TITLES, WIN_KINDS } from "./terms.js";
import type { Action, MatchOptions, MatchState, MatchStateIn, Phase, Player, Position, WinKind } from "./types.js";
import {
  problemsOfCube, problemsOfDouble, problemsOfPosition, readCube, readOffer, readPosition, readResult, readRoll,
} from "./values.js";

const LENGTH = orNull(wholeFrom(1, MAX_POINTS));
const STATE_READERS = {
  position: readPosition,
  on_roll: orNull(PLAYER),
  dice: orNull(readRoll),
  cube: readCube,
  offer: orNull(readOffer),
  score: PAIR,
  length: LENGTH,
  crawford: truth,
  rules: readRules,
  result: orNull(readResult),
};

/** The state in a document, as `JSON.parse` gives it, if it is possible. */
export const readState = (document: unknown): MatchState => stateAt("$", document);

const stateAt = (path: string, document: unknown): MatchState => reading(path, () => {
  const faults = new Faults();
  const { version, ...members } = membersOf(document, path, faults) ?? {};
  if (!faults.count) readVersion(version, `${path}.version`, faults);
  faults.refuse();
  const { others } = faults.checked(tagged(members, ["MatchState"], path, faults));
  const current = version === 1 ? { ...others, result: renewed(others.result) } : others;
  const fields = readObject<Fields>(current, path, faults, STATE_READERS);
  return checkedState(faults.checked(fields), document, path);
});

/** The result of a document of version 1, in which its `end` was first called `by`. */
function renewed(result: unknown): unknown {
  if (!isObject(result) || !Object.hasOwn(result, "by") || Object.hasOwn(result, "end")) return result;
  const { by: end, ...others } = result;
  return { ...others, end };
}

/** @internal */
export const stateFrom = (value: unknown, path = "state"): MatchState => (Known.has(value) ? value : stateAt(path, value));

/** A state of values that are known to be possible, if they fit each other; they come from what was given at this path.
 *  @internal */
export function checkedState(fields: Fields, given: unknown, path = "$"): MatchState {
  refuseProblems(problemsOfSize(scoreBefore(fields), fields.length, given, path));
  refuseProblems(contradictionsOf(fields, given, path));
  return made(fields);
}

/** A state of values of the right types, which come from a text, if these are possible, and fit each other. @internal */
export function stateOf(fields: Fields, text: string): MatchState {
  const { position, cube, offer } = fields;
  refuseProblems(problemsOfPosition(position, "text", text));
  if (offer?.type === "Double") refuseProblems(problemsOfDouble(offer, "text", text));
  refuseProblems(problemsOfCube(cube, "text", text));
  return checkedState(fields, text, "text");
}

/** Scores that are too large for any other check, and lengths that are not valid. */
function problemsOfSize(score: readonly number[], length: unknown, given: unknown, path: string): Problem[] {
  const problems = score.flatMap((points, seat) => {
    if (Math.abs(points) <= MAX_POINTS) return [];
    return [impossible(path, `${TITLES[PLAYERS[seat]]} has ${points} points before this game, beyond ${MAX_POINTS}`, given)];
  });
  return length === null ? problems : [...problems, ...problemsOfNumber(`${path}.length`, length, 1, MAX_POINTS, " or null")];
}

/** The options of a match, of which only the rules have yet to be read. */
interface OptionsRead {
  readonly length: number | null;
  readonly rules: unknown;
  readonly score: readonly [white: number, black: number];
  readonly crawford: boolean | null;
  readonly position: Position | null;
}
const USUAL: OptionsRead = { length: null, rules: null, score: [0, 0], crawford: null, position: null };
const OPTION_READERS = {
  length: LENGTH,
  rules: asIs,
  score: PAIR,
  crawford: orNull(truth),
  position: orNull(readPosition),
};

export const newMatch = (options: MatchOptions = {}): MatchState => reading("$", () => {
  const faults = new Faults();
  const given = { ...USUAL, ...membersOf(options, `$`, faults) };
  const read = faults.checked(readObject<OptionsRead>(given, `$`, faults, OPTION_READERS));
  const { rules: chosen, position, crawford, ...others } = read;
  const rules = rulesFrom(chosen, read.length, "$.rules");
  const nothing = { on_roll: null, dice: null, cube: frozen({ value: 1, owner: null }), offer: null, result: null };
  const fields = { ...nothing, ...others, position: position ?? startOf(rules.start), crawford: crawford !== false, rules };
  if (crawford !== null) return checkedState(fields, options);
  const isOther = problemNumbers(fields).some((number) => CRAWFORD_PROBLEMS.includes(number));
  return checkedState({ ...fields, crawford: !isOther }, options);
});

export const phase = (state: MatchState): Phase => PHASES[write(stateFrom(state)).phase()];
export const toAct = (state: MatchState): Player | null => playerToAct(stateFrom(state));

/** Whether the match is in this phase, which says which of its fields are null. */
export function isPhase<Name extends Phase>(state: MatchState, phase: Name): state is MatchStateIn<Name> {
  if (!isOneOf(PHASES, phase)) refuse([unfit("phase", "choice", oneOf(PHASES), phase)]);
  return PHASES[write(stateFrom(state)).phase()] === phase;
}

/** The winner of the match. */
export const winner = (state: MatchState): Player | null => matchWinner(stateFrom(state));

const membersIn = <Name>(bits: number, names: readonly Name[]): readonly Name[] =>
  frozen(names.filter((_, at) => (bits >> at) & 1));

/** @internal */
export const playerIn = (value: unknown, path: string, details?: ErrorDetails): Player =>
  (isOneOf(PLAYERS, value) ? value : refuse([unfit(path, "choice", oneOf(PLAYERS), value)], details));

/** What a player may do now; without a player what the one may do who is to act, or both. */
export function legalActions(state: MatchState, player?: Player): readonly Action[] {
  const seat = player === undefined ? -1 : seatOf(playerIn(player, "player"));
  return membersIn(write(stateFrom(state)).actions(seat), ACTIONS);
}

/** The levels with which this player can still win, as far as they are worth different points. */
export function possibleWins(state: MatchState, player: Player): readonly WinKind[] {
  const seat = seatOf(playerIn(player, "player"));
  return membersIn(write(stateFrom(state)).possible_wins(seat), WIN_KINDS);
}

/** The board as this player sees it. */
export function view(state: MatchState, player: Player): Position {
  const { position, on_roll } = stateFrom(state);
  if (playerIn(player, "player") === (on_roll ?? "white")) return position;
  return frozen({ ...position, points: frozen(turned(position.points)) });
}
