/** What forbids an action, in the messages of match/ in Python, and what makes a state impossible; match.wasm gives the
 * numbers. */

import { pips } from "../rules/plays.js";
import { impossible } from "../rules/problems.js";
import type { Problem } from "../rules/types.js";
import { fail, numbersOf } from "../rules/values.js";
import { doubleOf, type Fields, matchWinner, playerToAct, scoreBefore, write } from "./wasm.js";
import {
  ACTIONS, counted, type Forbidden, grouped, MAX_CUBE, MAX_POINTS, opponentOf, PLAYERS, reasonOf, seatOf, TITLES,
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

const cubeLimit = ({ rules }: Fields): string => `the cube ends at ${grouped(rules.max_cube ?? MAX_CUBE)}`;

/** An answer that is missing; the message begins with the player already, if it is theirs. */
function pending(state: Fields, player: Player, what: string, answered: string, answer: string): string {
  const answerer = playerToAct(state);
  return player === answerer ? `${what} has yet to be ${answered}` : `${titleOf(answerer)} has yet to ${answer} ${what}`;
}

const FORBIDDEN: Readonly<Record<Forbidden, (state: CompleteState, player: Player) => string>> = {
  not_your_turn: (_, player) => `${TITLES[opponentOf(player)]} is to act`,
  opening_roll_first: () => "the game must begin with the opening roll",
  opening_roll_made: () => "the opening roll has already been made",
  already_rolled: () => "the dice have already been rolled",
  not_rolled: () => "the dice have not been rolled yet",
  double_pending: (state, player) => pending(state, player, "a double", "taken or dropped", "take or drop"),
  no_double_pending: () => "no double is pending",
  resignation_pending: (state, player) => pending(state, player, "a resignation", "accepted or declined", "accept or decline"),
  no_resignation_pending: () => "nobody has offered to resign",
  game_over: ({ result }) => `the game is over, and ${TITLES[result.winner]} has won it`,
  game_not_over: () => "the game is not over",
  match_over: (state) => `${titleOf(matchWinner(state))} has won the match`,
  score_limit: () => `a game can begin with at most ${grouped(MAX_POINTS)} points`,
  no_cube: () => "this game is played without a cube",
  crawford_game: () => "the Crawford game is played without doubling",
  opponent_owns_cube: (_, player) => `${TITLES[opponentOf(player)]} owns the cube`,
  dead_cube: ({ cube, length, score }, player) => {
    const points = counted(score[seatOf(player)], "point");
    return `the cube is dead, ${points} and a cube of ${cube.value} already reach the match length of ${length}`;
  },
  cube_limit: cubeLimit,
  no_beavers_in_match: () => "beavers are for money play only",
  too_many_beavers: ({ rules }) => `the rules allow ${rules.beavers ? counted(rules.beavers, "beaver") : "no beavers"} in a row`,
  pips_are_single: () => "only a single game can be resigned with pip scoring",
};
export const NEUTRAL: { readonly [action in Action]?: string } = {
  opening_roll: "no opening roll now",
  next_game: "no next game",
};

export const whyForbidden = (reason: Forbidden, state: Fields, player: Player | null): string =>
  FORBIDDEN[reason](state as CompleteState, player!); // nobody only where the message names nobody

/** Throw what forbids an action, if the number of its reason is not 0. */
export function refuseIllegal(
  number: number, state: Fields, action: Action, by: Player | "to_act", what: string = action,
): void {
  if (!number) return;
  const reason = reasonOf(number);
  const player = by === "to_act" ? playerToAct(state) : by;
  const beginning = NEUTRAL[action] ?? (player ? `${TITLES[player]} cannot ${what}` : `nobody can ${what} now`);
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
  return reason ? whyForbidden(reasonOf(reason), begun, player) : cubeLimit(state);
}

/** What a win counts. */
function pointsOf({ position, on_roll, cube, rules, result }: CompleteState): number {
  if (rules.scoring !== "pips") return winNumber(result.win) * cube.value;
  const isSeenByWinner = (on_roll ?? "white") === result.winner;
  return pips(position.points, { checkers: position.checkers })[isSeenByWinner ? 1 : 0];
}
