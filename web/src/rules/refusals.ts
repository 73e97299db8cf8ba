/** Why a play is illegal: board/refusals.py, a second time, and a translation of it; the tests compare the two. */

import { BAR } from "./arguments.js";
import { playable } from "./plays.js";
import { type Attempt, attempts, type Chain, chainOf, falseStar, legsOf, waysOf } from "./play_parser.js";
import {
  canonicalText, isSame, marked, moveName, numberName, placeName, type Roll, spelled, textOf, turned, withText,
} from "./rolls.js";
import type { Die, IllegalMove, IllegalMoveDetails, IllegalPlayReason, MessageName, Move, Play, WrittenPlay } from "./types.js";
import { fail, isOneOf } from "./values.js";
import { type Fields, formatMessage } from "./messages.js";

type AllDetails = IllegalMoveDetails & { readonly candidates?: WrittenPlay[] };

export function refusePlay({ messages, text: dice }: Roll, play: string, { message, ...details }: IllegalMove): never {
  fail(formatMessage(messages, "illegal_play", { play, dice, message }), details);
}

export function illegalMove(
  { messages, text }: Roll, reason: IllegalPlayReason, details: AllDetails = {}, fields: Fields = {}, key: MessageName = reason,
): IllegalMove {
  const move = details.move && moveName(details.move, messages);
  const point = placeName(details.point, messages);
  return { reason, message: formatMessage(messages, key, { ...details, move, point, dice: text, ...fields }), ...details };
}

/** Why these chains are not a legal play, after `matching` has found none. */
export function whyIllegal(roll: Roll, chains: readonly Chain[], byDie: boolean): IllegalMove {
  const { points, dice, plays } = roll;
  if (!plays.length) return illegalMove(roll, "game_over");
  if (!chains.length) {
    const play = textOf(roll, plays[0], roll.messages);
    return illegalMove(roll, "must_play", { witness: withText(roll, plays[0]) }, { play });
  }
  for (const leg of legsOf(chains)) {
    const reason = impossibleLeg(roll, dice, leg, byDie);
    if (reason) return reason;
  }
  const point = falseStar(points, chains);
  if (point !== undefined) return illegalMove(roll, "nothing_hit", { point });
  return brokenRule(roll, attempts(points, dice, chains, byDie));
}

/** A leg that the dice left cannot make on any board. */
export function impossibleLeg(roll: Roll, left: Die[], leg: Move, byDie: boolean): IllegalMove | null {
  const { dice, messages } = roll;
  const [source, target] = leg;
  const count = source - target;
  const move = moveName(leg, messages);
  if (count <= 0) return illegalMove(roll, "moves_backward", {}, { move });
  if (waysOf([chainOf(leg)], left, byDie).length) return null;
  const pips = formatMessage(messages, count === 1 ? "pip" : "pips", { count });
  const fields = { pips, die: left[0] as number, count: numberName(left.length, messages) };
  let key: MessageName = dice[0] !== dice[1] ? "die_left" : left.length > 1 ? "some_left" : "one_left";
  if (left.length === dice.length) key = byDie ? "no_die" : "no_sum";
  else if (isOneOf(dice, count) && !isOneOf(left, count)) [key, fields.die] = ["die_played", count];
  return illegalMove(roll, "die_not_rolled", { move: leg, pips: count, dice: left }, fields, key);
}

/** The rule that forbids what was tried, from the attempt that got farthest. */
export function brokenRule(roll: Roll, tried: readonly Attempt[]): IllegalMove {
  if (!tried.length) return illegalMove(roll, "die_not_rolled", { dice: roll.dice });
  const best = tried.reduce((best, other) => (other.left.length < best.left.length ? other : best));
  return best.left.length ? impossibleMove(roll, best.board, ...best.left[0]) : unusedDie(roll, best);
}

/** Why no checker can leave this point. */
export function noChecker(roll: Roll, board: readonly number[], leg: Move): IllegalMove | null {
  const [point, target] = leg;
  const move = point > target ? leg : undefined;
  const count = 0 - board[point];
  const fields = { move: moveName(leg, roll.messages) };
  if (count >= 0) {
    const key = count ? "opponent_there" : point === BAR ? "none_on_bar" : "no_such_checker";
    return illegalMove(roll, "no_such_checker", { move, point, count }, fields, key);
  }
  return target < point && point < BAR && board[BAR] > 0 ? illegalMove(roll, "bar_first", { move }) : null;
}

/** Why one move cannot be made. */
function impossibleMove(roll: Roll, board: readonly number[], source: number, die: Die): IllegalMove {
  const target = Math.max(source - die, 0);
  const move: Move = [source, target];
  const reason = noChecker(roll, board, move);
  if (reason) return reason;
  if (target) return illegalMove(roll, "blocked_point", { move, point: target, count: 0 - board[target] });
  const point = board.findLastIndex((count) => count > 0);
  if (point > 6) return illegalMove(roll, "not_all_home", { move, point });
  return illegalMove(roll, "higher_checker_first", { move, dice: [die], point }, { die });
}

/** Why a series of possible moves is not a legal way to use the dice. */
function unusedDie(roll: Roll, { board, landings }: Attempt): IllegalMove {
  const { dice, plays, messages } = roll;
  const count = landings.length;
  if (count === dice.length) return illegalMove(roll, "die_not_rolled", { dice: [] }, {}, "no_pass");
  const result = turned(board);
  const likeness = ({ points }: Play) => points.filter((count, at) => count === result[at]).length;
  const nearest = plays.reduce((best, other) => (likeness(other) > likeness(best) ? other : best));
  const witness = withText(roll, nearest);
  const moves = marked(roll.points, nearest.moves);
  // A play with the same end is usually written as what was tried.
  const play = (isSame(nearest.points, result) ? spelled : canonicalText)(moves, messages);
  const possible = moves.length;
  const [die] = dice;
  if (die === dice[1]) {
    const fields = { play, die, possible: numberName(possible, messages), count: numberName(count, messages) };
    return illegalMove(roll, "more_of_doublet", { dice: dice.slice(0, possible), count, witness }, fields);
  }
  // One die alone takes the last checker off.
  if (possible > count || playable(board, die)) return illegalMove(roll, "both_dice", { dice, witness }, { play });
  return illegalMove(roll, "higher_die", { dice: [die], witness }, { play, die });
}
