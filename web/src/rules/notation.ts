/** The play that a text or moves mean, and why a move is illegal in the middle of a turn. */

import { plainSigns } from "./pasted_text.js";
import { turn } from "./plays.js";
import { attempts, type Chain, chainOf, legsOf, matching, moveOf, readMoves, readPlay } from "./play_parser.js";
import { brokenRule, illegalMove, impossibleLeg, noChecker, refusePlay, whyIllegal } from "./refusals.js";
import { moved, moveName, type Roll, rollOf, spelled, textOf, without, withText } from "./rolls.js";
import type { Dice, Die, IllegalMove, Move, Play, Points, TranslationOptions, WrittenPlay } from "./types.js";
import { MESSAGES } from "./messages.js";

/** The legal play that a text means, or moves in any order: every usual spelling, as `plays.find` in Python, also after the
 *  roll ("31: 8/5 6/5"). It throws a `GammonError` with the reason if none is meant. A text has at most 200 characters. */
export function find(points: Points, dice: Dice, play: string | readonly Readonly<Move>[], options?: TranslationOptions): WrittenPlay {
  const roll = rollOf(points, dice, options);
  return withText(roll, playMeant(roll, play, "play"));
}

/** The canonical text of a legal play; what is no legal play is refused as by `find`. */
export function notation(points: Points, dice: Dice, moves: readonly Readonly<Move>[], options?: TranslationOptions): string {
  const roll = rollOf(points, dice, options);
  return textOf(roll, playMeant(roll, moves, "moves"), MESSAGES);
}

/** The legal play that a text or moves mean; matches need no more of it. @internal */
export function playMeant(roll: Roll, play: unknown, name: string): Play {
  const byDie = typeof play !== "string";
  const { chains, stated }: { chains: Chain[]; stated?: string } = byDie
    ? { chains: readMoves(play, name, "string or array of moves").map(chainOf) }
    : readPlay(play, roll.messages);
  const text = () => (byDie ? spelled(legsOf(chains), MESSAGES) : plainSigns(play));
  if (stated && stated !== roll.text) refusePlay(roll, text(), illegalMove(roll, "other_position"));
  return playOf(roll, chains, byDie, text);
}

/** The same for chains, which stand in refusals as this text. @internal */
export function playOf(roll: Roll, chains: readonly Chain[], byDie: boolean, text: () => string): Play {
  const results = matching(roll, chains, byDie);
  if (results.length === 1) return results[0];
  if (!results.length) refusePlay(roll, text(), whyIllegal(roll, chains, byDie));
  const plays = results.map((result) => textOf(roll, result, roll.messages)).join(String(roll.messages.or));
  const candidates = results.map((result) => withText(roll, result));
  return refusePlay(roll, text(), illegalMove(roll, "ambiguous", { candidates }, { plays }));
}

/** Why a checker cannot go from one point to another after these moves; null if it can, with one die or several. It throws
 *  a `GammonError` if the moves cannot have been made. */
export function why(
  points: Points, dice: Dice, made: readonly Readonly<Move>[], from: number, to: number, options?: TranslationOptions,
): IllegalMove | null {
  const roll = rollOf(points, dice, options);
  const move = moveOf([from, to], ["from", "to"]);
  const { nodes } = turn(roll.points, [roll.dice[0], roll.dice[1]], roll.table);
  const { board, left, node } = stageAfter(roll, nodes, readMoves(made, "made"));
  const leaving = (node: number, at: number) => branchesOf(nodes[node]).filter(([source]) => source === at);
  const goesOn = (node: number, at: number): boolean =>
    leaving(node, at).some(([, target, , next]) => target === to || goesOn(next, target));
  if (leaving(node, from).some(([, target]) => target === to)) return null;
  if (!goesOn(node, from)) return whyIllegalNow(roll, board, left, move);
  return to || from > left[0] ? null : whyIllegal(roll, [chainOf(move)], true); // one die would waste the other
}

type Branch = [source: number, target: number, die: Die, next: number];

const branchesOf = (flat: readonly number[]) =>
  Array.from({ length: flat.length / 4 }, (_, at) => flat.slice(4 * at, 4 * at + 4) as Branch);

function whyIllegalNow(roll: Roll, board: readonly number[], left: Die[], leg: Move): IllegalMove {
  if (!roll.plays.length || !board.some((count) => count > 0)) return illegalMove(roll, "game_over");
  if (!left.length) return illegalMove(roll, "die_not_rolled", { dice: left }, {}, "none_left");
  const reason = (leg[0] && noChecker(roll, board, leg)) || impossibleLeg(roll, left, leg, false);
  return reason ?? brokenRule(roll, attempts(board, left, [chainOf(leg)], false));
}

/** The board, the dice left and the node after some moves. */
function stageAfter(roll: Roll, nodes: number[][], made: Move[]) {
  let [board, left, node] = [roll.points, roll.dice, 0];
  for (const [at, [from, to]] of made.entries()) {
    const branch = branchesOf(nodes[node]).find(([source, target]) => source === from && target === to);
    if (!branch) refusePath(roll, made.slice(0, at + 1));
    board = moved(board, from, to);
    left = without(branch[2], left);
    node = branch[3];
  }
  return { board, left, node };
}

/** Report what is wrong with a series of moves. */
function refusePath(roll: Roll, made: Move[]): never {
  const { moves } = playMeant(roll, made, "made");
  if (made.length < moves.length) refusePlay(roll, spelled(made, MESSAGES), whyIllegal(roll, made.map(chainOf), true));
  const move = made[made.length - 1];
  refusePlay(roll, moveName(move, MESSAGES), illegalMove(roll, "other_order", { move }));
}
