/** What forbids an action, and what makes a state impossible, in the sentences of match/ in Python; match.wasm gives the
 * numbers. */

import { pips } from "../rules/plays.js";
import { isSame } from "../rules/rolls.js";
import { fail, numbersOf } from "../rules/values.js";
import { doubleOf, type Fields, matchWinner, playerToAct, scoreBefore, write } from "./table.js";
import {
  ACTIONS, counted, type Forbidden, grouped, LARGEST_CUBE, levelName, levelNumber, MOST_POINTS, opponentOf, PLAYERS,
  reasonOf, seatOf, TITLES,
} from "./terms.js";
import type { Action, Double, Level, Offer, Player, Result } from "./types.js";

/** A state with all that sentences are about: each is said only of a state that has it. */
interface Told extends Fields {
  readonly offer: Offer;
  readonly length: number;
  readonly result: Result & { readonly win: Level };
}
const titleOf = (player: Player | null): string => TITLES[player!];
const doubleIn = (state: Told): Double => doubleOf(state)!;

const cubeLimit = ({ rules }: Fields): string => `the cube ends at ${grouped(rules.max_cube ?? LARGEST_CUBE)}`;

/** An answer that is missing; the message begins with the player already, if it is theirs. */
function pending(state: Fields, player: Player, what: string, answered: string, answer: string): string {
  const answerer = playerToAct(state);
  return player === answerer ? `${what} has yet to be ${answered}` : `${titleOf(answerer)} has yet to ${answer} ${what}`;
}


const ONLY_SINGLE = "only a single game can be resigned with pip scoring";
const FORBIDDEN: Readonly<Record<Forbidden, (state: Told, player: Player) => string>> = {
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
  score_limit: () => `a game can begin with at most ${grouped(MOST_POINTS)} points`,
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
  pips_are_single: () => ONLY_SINGLE,
};
export const NEUTRAL: { readonly [action in Action]?: string } = {
  opening_roll: "no opening roll now",
  next_game: "no next game",
};

export const whyForbidden = (reason: Forbidden, state: Fields, player: Player | null): string =>
  FORBIDDEN[reason](state as Told, player!); // nobody only where the sentence names nobody

/** Throw what forbids an action, if the number of its reason is not 0. */
export function refuseIllegal(
  number: number, state: Fields, action: Action, by: Player | "to_act", what: string = action,
): void {
  if (!number) return;
  const reason = reasonOf(number);
  const player = by === "to_act" ? playerToAct(state) : by;
  const told = NEUTRAL[action] ?? (player ? `${TITLES[player]} cannot ${what}` : `nobody can ${what} now`);
  fail(`${told}: ${whyForbidden(reason, state, player)}`, { reason });
}

const FIRST_CONTRADICTION = 15;
export const CRAWFORD_PROBLEMS = [20, 21, 22]; // those of the score, the length and the rules alone

function belowZero(state: Fields, seat: 0 | 1): string {
  const points = scoreBefore(state)[seat];
  const what = isSame(scoreBefore(state), state.score) ? "score" : "score before this game";
  return `${TITLES[PLAYERS[seat]]}'s ${what} is ${points}`;
}

function hadWon(state: Told, seat: 0 | 1): string {
  const points = counted(scoreBefore(state)[seat], "point");
  return `${TITLES[PLAYERS[seat]]} had won the match to ${state.length} before this game, with ${points}`;
}

const CLAUSES: readonly ((state: Told) => string)[] = [
  (state) => belowZero(state, 0),
  (state) => belowZero(state, 1),
  (state) => hadWon(state, 0),
  (state) => hadWon(state, 1),
  () => "pip scoring belongs to single games, not to a match",
  () => "a Crawford game under rules without the Crawford rule",
  () => "a Crawford game in money play",
  (state) => {
    const areBoth = scoreBefore(state).every((points) => points === state.length - 1);
    return `a Crawford game needs exactly one side one point from winning, not ${areBoth ? "both" : "none"}`;
  },
  () => "a turned cube in the Crawford game (set crawford=False if that game is past)",
  () => "a turned cube in a game without a cube",
  ({ cube, rules }) => `a cube of ${cube.value}, though it ends at ${rules.max_cube}`,
  ({ cube }) => `a centered cube of ${cube.value} in a match`,
  () => "dice before the opening roll",
  () => "an offer before the opening roll",
  () => "an owned cube before the opening roll",
  () => "a result before the opening roll",
  () => "dice while a double is pending",
  () => "dice after the end of the game",
  () => "one side has borne off everything, but there is no result",
  (state) => `a double by ${TITLES[doubleIn(state).by]}, who is not on roll`,
  (state) => {
    const { value, beavers } = doubleIn(state);
    return `a cube of ${state.cube.value} cannot be offered at ${value} after ${counted(beavers, "beaver")}`;
  },
  (state) => {
    const { by: player } = doubleIn(state);
    return `a double by ${TITLES[player]}, though ${whyNotDoubled(state, player) ?? cubeLimit(state)}`;
  },
  () => "a beaver in a match",
  (state) => `${counted(doubleIn(state).beavers, "beaver")}, but the rules allow ${state.rules.beavers}`,
  () => ONLY_SINGLE,
  () => "an offer after the end of the game",
  () => "a game played, though nobody has borne off everything",
  ({ result }) => `a game ${result.end}, though one side has borne off everything`,
  () => "after the last play the loser is on roll, but here it is the winner",
  ({ result }) => `a ${levelName(result.win)} on a board that shows another win`,
  () => "a drop loses a single game",
  (state) => `a drop, though ${whyNoDrop(state)}`,
  ({ length, result }) => wrongAward(length, result.points),
  ({ result }) => `a ${levelName(result.win)} where it does not count`,
  (state) => `${counted(state.result.points, "point")} where the win counts ${pointsOf(state)}`,
];

export const wrongAward = (length: number, points: number | null): string =>
  `a match to ${length} is won with ${counted(length, "point")}, not ${points}`;

/** The numbers of the problems of a state. */
export function problemNumbers(state: Fields): number[] {
  const exports = write(state);
  const count = exports.problems();
  return numbersOf(new Int32Array(exports.memory.buffer, exports.problem_numbers(), count), 0, count);
}

export const contradictionsOf = (state: Fields): string[] =>
  problemNumbers(state).map((number) => CLAUSES[number - FIRST_CONTRADICTION](state as Told));

/** Why a player cannot have doubled in this game, if they cannot. */
function whyNotDoubled(state: Fields, player: Player | null): string | null {
  const begun = { ...state, on_roll: player, dice: null, offer: null, score: scoreBefore(state), result: null };
  const reason = write(begun).why_not(ACTIONS.indexOf("double"), seatOf(player));
  return reason ? whyForbidden(reasonOf(reason), begun, player) : null;
}

function whyNoDrop(state: Told): string {
  const { cube, rules, result, on_roll: player } = state;
  if (state.length === null && rules.beavers && player && cube.owner === opponentOf(player)) {
    const isRaccoonPossible = rules.beavers >= 2 && cube.value >= 4;
    if (result.winner !== player || isRaccoonPossible) return cubeLimit(state);
    return `${titleOf(player)} cannot have answered a beaver with a raccoon`;
  }
  return whyNotDoubled(state, player) ?? "the player on roll has doubled";
}

/** What a win counts. */
function pointsOf({ position, on_roll, cube, rules, result }: Told): number {
  if (rules.scoring !== "pips") return levelNumber(result.win) * cube.value;
  const isSeenByWinner = (on_roll ?? "white") === result.winner;
  return pips(position.points, { checkers: position.checkers })[isSeenByWinner ? 1 : 0];
}
