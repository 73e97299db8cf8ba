/** Why a play is illegal: board/refusals.py, a second time, and a translation of it; the tests compare the two. */

import { BAR } from "./arguments.js";
import { playable } from "./plays.js";
import { type Attempt, attempts, type Chain, chainOf, falseStar, legsOf, waysOf } from "./reading.js";
import {
  canonicalText, inWords, isSame, marked, moveName, placeName, type Roll, spelled, textOf, turned, withText,
} from "./rolls.js";
import type { IllegalPlayReason, Die, Facts, Move, Play, Refusal, WordName, WrittenPlay } from "./types.js";
import { fail, isOneOf } from "./values.js";
import { type Fields, told } from "./words.js";

type AllFacts = Facts & { readonly candidates?: WrittenPlay[] };

export function refusePlay({ words, text: dice }: Roll, play: string, { sentence, ...facts }: Refusal): never {
  fail(told(words, "refused", { play, dice, sentence }), facts);
}

export function refusal(
  { words, text }: Roll, reason: IllegalPlayReason, facts: AllFacts = {}, fields: Fields = {}, key: WordName = reason,
): Refusal {
  const move = facts.move && moveName(facts.move, words);
  const point = placeName(facts.point, words);
  return { reason, sentence: told(words, key, { ...facts, move, point, dice: text, ...fields }), ...facts };
}

/** Why these chains are not a legal play, after `matching` has found none. */
export function whyIllegal(roll: Roll, chains: readonly Chain[], byDie: boolean): Refusal {
  const { points, dice, plays } = roll;
  if (!plays.length) return refusal(roll, "game_over");
  if (!chains.length) {
    const play = textOf(roll, plays[0], roll.words);
    return refusal(roll, "must_play", { witness: withText(roll, plays[0]) }, { play });
  }
  for (const leg of legsOf(chains)) {
    const reason = impossibleLeg(roll, dice, leg, byDie);
    if (reason) return reason;
  }
  const point = falseStar(points, chains);
  if (point !== undefined) return refusal(roll, "nothing_hit", { point });
  return brokenRule(roll, attempts(points, dice, chains, byDie));
}

/** A leg that the dice left cannot make on any board. */
export function impossibleLeg(roll: Roll, left: Die[], leg: Move, byDie: boolean): Refusal | null {
  const { dice, words } = roll;
  const [source, target] = leg;
  const count = source - target;
  const move = moveName(leg, words);
  if (count <= 0) return refusal(roll, "moves_backward", {}, { move });
  if (waysOf([chainOf(leg)], left, byDie).length) return null;
  const pips = told(words, count === 1 ? "pip" : "pips", { count });
  const fields = { pips, die: left[0] as number, count: inWords(left.length, words) };
  let key: WordName = dice[0] !== dice[1] ? "die_left" : left.length > 1 ? "some_left" : "one_left";
  if (left.length === dice.length) key = byDie ? "no_die" : "no_sum";
  else if (isOneOf(dice, count) && !isOneOf(left, count)) [key, fields.die] = ["die_played", count];
  return refusal(roll, "die_not_rolled", { move: leg, pips: count, dice: left }, fields, key);
}

/** The rule that forbids what was tried, from the attempt that got farthest. */
export function brokenRule(roll: Roll, tried: readonly Attempt[]): Refusal {
  if (!tried.length) return refusal(roll, "die_not_rolled", { dice: roll.dice });
  const best = tried.reduce((best, other) => (other.left.length < best.left.length ? other : best));
  return best.left.length ? impossibleMove(roll, best.board, ...best.left[0]) : unusedDie(roll, best);
}

/** Why no checker can leave this point. */
export function noChecker(roll: Roll, board: readonly number[], leg: Move): Refusal | null {
  const [point, target] = leg;
  const move = point > target ? leg : undefined;
  const count = 0 - board[point];
  const fields = { move: moveName(leg, roll.words) };
  if (count >= 0) {
    const key = count ? "opponent_there" : point === BAR ? "none_on_bar" : "no_such_checker";
    return refusal(roll, "no_such_checker", { move, point, count }, fields, key);
  }
  return target < point && point < BAR && board[BAR] > 0 ? refusal(roll, "bar_first", { move }) : null;
}

/** Why one move cannot be made. */
function impossibleMove(roll: Roll, board: readonly number[], source: number, die: Die): Refusal {
  const target = Math.max(source - die, 0);
  const move: Move = [source, target];
  const reason = noChecker(roll, board, move);
  if (reason) return reason;
  if (target) return refusal(roll, "blocked_point", { move, point: target, count: 0 - board[target] });
  const point = board.findLastIndex((count) => count > 0);
  if (point > 6) return refusal(roll, "not_all_home", { move, point });
  return refusal(roll, "higher_checker_first", { move, dice: [die], point }, { die });
}

/** Why a series of possible moves is not a legal way to use the dice. */
function unusedDie(roll: Roll, { board, landings }: Attempt): Refusal {
  const { dice, plays, words } = roll;
  const count = landings.length;
  if (count === dice.length) return refusal(roll, "die_not_rolled", { dice: [] }, {}, "no_pass");
  const result = turned(board);
  const likeness = ({ points }: Play) => points.filter((count, at) => count === result[at]).length;
  const nearest = plays.reduce((best, other) => (likeness(other) > likeness(best) ? other : best));
  const witness = withText(roll, nearest);
  const moves = marked(roll.points, nearest.moves);
  // A play with the same end is usually written as what was tried.
  const play = (isSame(nearest.points, result) ? spelled : canonicalText)(moves, words);
  const possible = moves.length;
  const [die] = dice;
  if (die === dice[1]) {
    const fields = { play, die, possible: inWords(possible, words), count: inWords(count, words) };
    return refusal(roll, "more_of_doublet", { dice: dice.slice(0, possible), count, witness }, fields);
  }
  // One die alone takes the last checker off.
  if (possible > count || playable(board, die)) return refusal(roll, "both_dice", { dice, witness }, { play });
  return refusal(roll, "higher_die", { dice: [die], witness }, { play, die });
}
