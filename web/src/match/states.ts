/** States: read as in the library's JSON, made of values, or begun; and what may be asked of them. */

import { turned } from "../rules/rolls.js";
import {
  asInPython, entriesOf, fail, frozen, guarded, isInteger, isList, isObject, isOneOf, isWhole, type Unread,
} from "../rules/values.js";
import {
  cannotRead, described, Faults, membersOf, orNull, PAIR, PLAYER, readObject, refuseProblems, tagged, truth, whole,
} from "./json.js";
import { readRules, rulesFrom, startOf } from "./options.js";
import { contradictionsOf, CRAWFORD_PROBLEMS, problemNumbers } from "./refusals.js";
import { type Fields, Known, made, matchWinner, playerToAct, scoreBefore, write } from "./table.js";
import { ACTIONS, grouped, LEVELS, MOST_POINTS, PHASES, PLAYERS, seatOf, TITLES, VERSION } from "./terms.js";
import type { Action, Level, MatchOptions, MatchState, Phase, Player, Position } from "./types.js";
import {
  positionFrom, problemsOfCube, problemsOfDouble, problemsOfNumber, problemsOfPosition, readCube, readOffer,
  readPosition, readResult, readRoll,
} from "./values.js";

const STATE_READERS = {
  position: readPosition,
  on_roll: orNull(PLAYER),
  dice: orNull(readRoll),
  cube: readCube,
  offer: orNull(readOffer),
  score: PAIR,
  length: orNull(whole),
  crawford: truth,
  rules: readRules,
  result: orNull(readResult),
};

/** The state in a document, as `JSON.parse` gives it, if it is possible. */
export const readState = guarded((document: unknown): MatchState => {
  const faults = new Faults();
  const { version, ...members } = membersOf(document, `$`, faults) ?? {};
  if (!faults.count) readVersion(version, faults);
  faults.refuse();
  const { others } = faults.checked(tagged(members, ["MatchState"], `$`, faults));
  const current = version === 1 ? { ...others, result: renewed(others.result) } : others;
  const fields = readObject<Fields>(current, `$`, faults, STATE_READERS);
  return checkedState(faults.checked(fields), `$: `);
});

/** @internal */
export function readVersion(version: unknown, faults: Faults): void {
  if (version === undefined) cannotRead("this field is missing", `$.version`, faults);
  else if (!isWhole(version, 1, VERSION)) cannotRead(wrongVersion(version), `$.version`, faults);
}

/** @internal */
export const wrongVersion = (version: unknown): string => `expected version 1 to ${VERSION}, not ${described(version)}`;

/** The result of a document of version 1, in which its `end` was first called `by`. */
function renewed(result: unknown): unknown {
  if (!isObject(result) || !Object.hasOwn(result, "by") || Object.hasOwn(result, "end")) return result;
  const { by: end, ...others } = result;
  return { ...others, end };
}

/** @internal */
export const stateFrom = (value: unknown): MatchState => (Known.has(value) ? value : readState(value));

/** A state of values that are known to be possible, if they fit each other. @internal */
export function checkedState(fields: Fields, path = ""): MatchState {
  refuseProblems("match state", problemsOfTypes(scoreBefore(fields), fields.length), path);
  refuseProblems("match state", contradictionsOf(fields), path);
  return made(fields);
}

/** A state of values of the right types, if these are possible, and fit each other. @internal */
export function stateOf(fields: Fields): MatchState {
  const { position, cube, offer } = fields;
  refuseProblems("position", problemsOfPosition(position));
  if (offer?.type === "Double") refuseProblems("double", problemsOfDouble(offer));
  refuseProblems("cube", problemsOfCube(cube));
  return checkedState(fields);
}

/** Scores that are too large for any other check, and lengths that are none. */
function problemsOfTypes(score: readonly number[], length: unknown): string[] {
  const problems: string[] = [];
  for (const [seat, points] of score.entries()) {
    if (Math.abs(points) > MOST_POINTS) {
      problems.push(
        `${TITLES[PLAYERS[seat]]} has ${points} points before this game, but a game begins with ${grouped(MOST_POINTS)} at most`,
      );
    }
  }
  return [...problems, ...problemsOfNumber("length", length, 1, MOST_POINTS, " or None")];
}

export const newMatch = guarded((options: MatchOptions = {}): MatchState => {
  entriesOf(options, "options", ["length", "rules", "score", "crawford", "position"]);
  const { length = null, rules: chosen = null, score = [0, 0], crawford = null, position = null }: Unread<MatchOptions> = options;
  const rules = rulesFrom(chosen, length);
  const first = position === null ? startOf(rules.start) : positionFrom(position, "position");
  const [white, black] = isList(score) && score.length === 2 ? [score[0], score[1]] : [];
  const pair = isInteger(white) && isInteger(black) ? ([white + 0, black + 0] as const) : null; // not -0
  const problems: string[] = [];
  if (crawford !== null && typeof crawford !== "boolean") {
    problems.push(`crawford must be True, False or None, not ${asInPython(crawford, 60)}`);
  }
  if (!pair) problems.push(`score must be a pair of whole numbers, White's and Black's, not ${asInPython(score)}`);
  const points = frozen(pair ?? ([0, 0] as const));
  refuseProblems("match state", [...problems, ...problemsOfTypes(points, length)]);
  const nothing = { on_roll: null, dice: null, cube: frozen({ value: 1, owner: null }), offer: null, result: null };
  const whole = isInteger(length) ? length : null;
  const fields = { ...nothing, position: first, score: points, length: whole, crawford: crawford !== false, rules };
  if (crawford !== null) return checkedState(fields);
  const isOther = problemNumbers(fields).some((number) => CRAWFORD_PROBLEMS.includes(number));
  return checkedState({ ...fields, crawford: !isOther });
});

export const phase = guarded((state: MatchState): Phase => PHASES[write(stateFrom(state)).phase()]);
export const toAct = guarded((state: MatchState): Player | null => playerToAct(stateFrom(state)));
/** The winner of the match. */
export const winner = guarded((state: MatchState): Player | null => matchWinner(stateFrom(state)));

const membersIn = <Word>(bits: number, words: readonly Word[]): readonly Word[] =>
  frozen(words.filter((_, at) => (bits >> at) & 1));

/** @internal */
export const playerIn = (value: unknown, name: string): Player =>
  (isOneOf(PLAYERS, value) ? value : fail(notPlayer(value, name)));
/** @internal */
export const notPlayer = (value: unknown, name: string): string =>
  `${name} must be "white" or "black", not ${asInPython(value)}`;

/** What a player may do now; without a player what the one may do who is to act, or both. */
export const legalActions = guarded((state: MatchState, player?: Player): readonly Action[] => {
  const seat = player === undefined ? -1 : seatOf(playerIn(player, "player"));
  return membersIn(write(stateFrom(state)).actions(seat), ACTIONS);
});

/** The levels with which this player can still win, as far as they are worth different points. */
export const possibleWins = guarded((state: MatchState, player: Player): readonly Level[] => {
  const seat = seatOf(playerIn(player, "player"));
  return membersIn(write(stateFrom(state)).possible_wins(seat), LEVELS);
});

/** The board as this player sees it. */
export const view = guarded((state: MatchState, player: Player): Position => {
  const { position, on_roll } = stateFrom(state);
  if (playerIn(player, "player") === (on_roll ?? "white")) return position;
  return frozen({ ...position, points: frozen(turned(position.points)) });
});
