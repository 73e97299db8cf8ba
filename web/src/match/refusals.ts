/** What forbids an action, in the messages of match/ in Python, and what makes a state impossible; match.wasm gives the
 * numbers. */

import { FORBIDDEN, NEUTRAL, NOBODY, OTHER, TO_ANSWERER } from "../generated/messages.js";
import { fillFields, type Fields as MessageFields } from "../rules/messages.js";
import { pips } from "../rules/plays.js";
import { impossible } from "../rules/problems.js";
import type { Problem } from "../rules/types.js";
import { fail, numbersOf } from "../rules/values.js";
import { doubleOf, type Fields, matchWinner, playerToAct, scoreBefore, write } from "./wasm.js";
import {
  ACTIONS, counted, type Forbidden, grouped, MAX_CUBE, opponentOf, PLAYERS, reasonOf, seatOf, TITLES,
  winNumber,
} from "./terms.js";
import type { Action, Double, Offer, Player, Result, WinKind } from "./types.js";

/** A state with all fields that messages use: each message is only about a state that has its fields. */
interface CompleteState extends Fields {
  readonly offer: Offer;
  readonly length: number;
  readonly result: Result & { readonly win: WinKind };
}
const titleOf = (player: Player | null): string => TITLES[player!];
const doubleIn = (state: CompleteState): Double => doubleOf(state)!;

/** What a message may name, for the player who wants to act. */
function fieldsOf(state: CompleteState, player: Player | null): MessageFields {
  const { cube, length, result, rules, score } = state;
  const winner = matchWinner(state) ?? result?.winner;
  return {
    opponent: player && TITLES[opponentOf(player)],
    answerer: titleOf(playerToAct(state)),
    winner: winner && TITLES[winner],
    points: player && counted(score[seatOf(player)], "point"),
    cube: cube.value,
    length,
    highest: grouped(rules.max_cube ?? MAX_CUBE),
    allowed: rules.beavers ? counted(rules.beavers, "beaver") : "no beavers",
  };
}

/** The message of a reason; it begins with the player already, so it does not name a player who must answer. */
export function whyForbidden(reason: Forbidden, state: Fields, player: Player | null): string {
  const template = (player === playerToAct(state) && TO_ANSWERER[reason]) || FORBIDDEN[reason];
  return fillFields(template, fieldsOf(state as CompleteState, player));
}

/** Throw what forbids an action, if the number of its reason is not 0. */
export function refuseIllegal(
  number: number, state: Fields, action: Action, by: Player | "to_act", what: string = action,
): void {
  if (!number) return;
  const reason = reasonOf(number);
  const player = by === "to_act" ? playerToAct(state) : by;
  const template = NEUTRAL[action] ?? (player ? OTHER : NOBODY);
  const beginning = fillFields(template, { player: player && TITLES[player], action: what });
  fail(`${beginning}: ${whyForbidden(reason, state, player)}`, { reason });
}

const FIRST_CONTRADICTION = 15;
export const CRAWFORD_PROBLEMS = [20, 21, 22]; // those of the score, the length and the rules alone

const pointsBefore = (state: Fields, seat: 0 | 1): string =>
  `${TITLES[PLAYERS[seat]]} has ${counted(scoreBefore(state)[seat], "point")} before this game`;

/** Sentences for programmers, each of a state that is given beside it. */
const CLAUSES: readonly ((state: CompleteState) => string)[] = [
  (state) => pointsBefore(state, 0),
  (state) => pointsBefore(state, 1),
  (state) => `${pointsBefore(state, 0)}, which wins the match`,
  (state) => `${pointsBefore(state, 1)}, which wins the match`,
  () => "pip scoring in a match",
  () => "crawford must be false under rules without the Crawford rule",
  () => "crawford must be false in money play",
  () => "crawford must be false unless exactly one side needs one point",
  () => "crawford must be false with a turned cube",
  () => "under rules without a cube, its value must be 1",
  ({ rules }) => `the cube goes up to a max_cube of ${rules.max_cube}`,
  () => "in a match, a turned cube needs an owner",
  () => "before the opening roll, dice must be null",
  () => "before the opening roll, offer must be null",
  () => "before the opening roll, owner of the cube must be null",
  () => "before the opening roll, result must be null",
  () => "while a double is offered, dice must be null",
  () => "with a result, dice must be null",
  () => "a finished board needs a result",
  () => "only the player on roll can have doubled",
  (state) => `a double to ${doubleIn(state).value} does not follow from a cube of ${state.cube.value}`,
  (state) => `${TITLES[doubleIn(state).by]} cannot have doubled: ${whyNoDouble(state, doubleIn(state).by)}`,
  () => "beavers in a match",
  ({ rules }) => `more beavers than the rules allow, ${rules.beavers}`,
  () => "with pip scoring, only a single game can be resigned",
  () => "with a result, offer must be null",
  () => "a game that was played to its end needs a finished board",
  ({ result }) => `a game that was ${result.end} has no finished board`,
  () => "after the last play, on_roll is the loser",
  () => "the board shows another win",
  () => "a game that was dropped is a single game",
  () => "nobody can have dropped a double",
  (state) => wrongAward(state.length),
  ({ result }) => `a ${result.win} does not count here`,
  (state) => `this win counts ${counted(pointsOf(state), "point")}`,
];

export const wrongAward = (length: number): string => `a match to ${length} is won with ${counted(length, "point")}`;

/** The numbers of the problems of a state. */
export function problemNumbers(state: Fields): number[] {
  const exports = write(state);
  const count = exports.problems();
  return numbersOf(new Int32Array(exports.memory.buffer, exports.problem_numbers(), count), 0, count);
}

/** What makes a state impossible, which was made of what was given at this path. */
export const contradictionsOf = (state: Fields, given: unknown, path: string): Problem[] =>
  problemNumbers(state).map((number) => impossible(path, CLAUSES[number - FIRST_CONTRADICTION](state as CompleteState), given));

/** Why a player cannot have doubled in this game. */
function whyNoDouble(state: Fields, player: Player): string {
  const begun = { ...state, on_roll: player, dice: null, offer: null, score: scoreBefore(state), result: null };
  const reason = write(begun).why_not(ACTIONS.indexOf("double"), seatOf(player));
  return reason ? whyForbidden(reasonOf(reason), begun, player) : whyForbidden("cube_limit", state, player);
}

/** What a win counts. */
function pointsOf({ position, on_roll, cube, rules, result }: CompleteState): number {
  if (rules.scoring !== "pips") return winNumber(result.win) * cube.value;
  const isSeenByWinner = (on_roll ?? "white") === result.winner;
  return pips(position.points, { checkers: position.checkers })[isSeenByWinner ? 1 : 0];
}
