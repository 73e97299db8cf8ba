/** What the opponent of gammon-board/opponent says of a state, in the words of a page. */

import { internals, legalActions } from "../match/index.js";
import type { Action, MatchState } from "../match/types.js";
import type { Candidate, Opponent } from "../opponent/types.js";
import type { Move } from "../rules/types.js";
import { type Say, sayingOf, type TableWords } from "./words.js";

const { doubleOf, fail } = internals;

const OTHERS: { readonly [action in Action]?: Action } = { roll: "double", double: "roll", take: "drop", drop: "take" };

/** A play whose arrows can be seen. */
export interface HintedPlay {
  readonly label: string;
  readonly moves: Move[];
}

/** What is best. */
export interface Hint {
  readonly sentence: string;
  readonly plays: readonly HintedPlay[];
}

/** A play that loses, and the one preferred. */
export interface Mistake {
  readonly play: Candidate;
  readonly best: Candidate;
  readonly loss: number;
  /** What is said of it. */
  readonly sentence: string;
}

/** The opponent, which its script leaves in the same place in every page and bundle. */
export function loadedOpponent(): Opponent {
  const { [Symbol.for("gammon-board/opponent")]: opponent } = globalThis as { readonly [key: symbol]: Opponent | undefined };
  return opponent ?? fail("gammon-board/opponent is missing", { reason: "no_opponent" });
}

const losing = ({ text, loss }: Candidate, say: Say) => say("loses", { play: text, loss: loss.toFixed(3) });

/** What is best for the player who is to act. */
export function hintOf(state: MatchState, words: TableWords): Hint {
  const opponent = loadedOpponent();
  const say = sayingOf(words);
  if (!state.dice) return { sentence: hintWithoutDice(opponent, state, say), plays: [] };
  const candidates = opponent.candidates(state, { limit: 3 });
  const plays = candidates.map((play, at) => ({ label: at ? losing(play, say) : play.text, moves: play.moves }));
  return { sentence: say("prefers", { name: opponent.name, play: candidates[0].text }), plays };
}

/** Which action is best, and what the other one loses. */
function hintWithoutDice(opponent: Opponent, state: MatchState, say: Say): string {
  const { name } = opponent;
  const { action } = opponent.decide(state, { level: 2 });
  const other = OTHERS[action];
  if (!other || doubleOf(state)?.beavers || !legalActions(state).includes(other)) return say("would", { name, action });
  const { no_double, double_take, double_drop } = opponent.cube(state);
  const gain = doubleOf(state) ? double_take - double_drop : Math.min(double_take, double_drop) - no_double;
  return say("instead", { name, action, other, loss: Math.abs(gain).toFixed(3) });
}

/** What a teacher says of a play, if it loses enough. */
export function mistakeIn(state: MatchState, moves: readonly Readonly<Move>[], words: TableWords): Mistake | null {
  const opponent = loadedOpponent();
  const [best, play = best] = opponent.candidates(state, { limit: 1, also: [moves] });
  const { loss } = play;
  if (loss < 0.1) return null; // at 0.05 it would blame a tenth of the plays that rollouts find best
  const say = sayingOf(words);
  return { play, best, loss, sentence: `${say("prefers", { name: opponent.name, play: best.text })}; ${losing(play, say)}` };
}

declare module "../rules/types.js" {
  interface Reasons {
    board: "no_opponent";
  }
}
