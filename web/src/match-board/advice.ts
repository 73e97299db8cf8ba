/** What the opponent of gammon-board/opponent says of a state, with the labels of a page. */

import { internals, legalActions } from "../match/index.js";
import type { Action, MatchState } from "../match/types.js";
import type { Candidate, Opponent } from "../opponent/types.js";
import type { Move } from "../rules/types.js";
import { type MatchBoardLabels, type Translate, translatorOf } from "./labels.js";

const { doubleOf, fail } = internals;

const OTHERS: { readonly [action in Action]?: Action } = { roll: "double", double: "roll", take: "drop", drop: "take" };

/** A play whose arrows can be seen. */
export interface HintedPlay {
  readonly label: string;
  readonly moves: Move[];
}

/** What is best. */
export interface Hint {
  readonly message: string;
  readonly plays: readonly HintedPlay[];
}

/** A play that loses, and the one preferred. */
export interface Mistake {
  readonly play: Candidate;
  readonly best: Candidate;
  readonly loss: number;
  /** What is said of it. */
  readonly message: string;
}

/** The opponent, which its script leaves in the same place in every page and bundle. */
export function loadedOpponent(): Opponent {
  const { [Symbol.for("gammon-board/opponent")]: opponent } = globalThis as { readonly [key: symbol]: Opponent | undefined };
  return opponent ?? fail("gammon-board/opponent is missing", { reason: "no_opponent" });
}

const losing = ({ text, loss }: Candidate, translate: Translate) => translate("loses", { play: text, loss: loss.toFixed(3) });

/** What is best for the player who is to act. */
export function hintOf(state: MatchState, labels: MatchBoardLabels): Hint {
  const opponent = loadedOpponent();
  const translate = translatorOf(labels);
  if (!state.dice) return { message: hintWithoutDice(opponent, state, translate), plays: [] };
  const candidates = opponent.candidates(state, { limit: 3 });
  const plays = candidates.map((play, at) => ({ label: at ? losing(play, translate) : play.text, moves: play.moves }));
  return { message: translate("prefers", { name: opponent.name, play: candidates[0].text }), plays };
}

/** Which action is best, and what the other one loses. */
function hintWithoutDice(opponent: Opponent, state: MatchState, translate: Translate): string {
  const { name } = opponent;
  const { action } = opponent.decide(state, { level: 2 });
  const other = OTHERS[action];
  if (!other || doubleOf(state)?.beavers || !legalActions(state).includes(other)) return translate("would", { name, action });
  const { no_double, double_take, double_drop } = opponent.cube(state);
  const gain = doubleOf(state) ? double_take - double_drop : Math.min(double_take, double_drop) - no_double;
  return translate("instead", { name, action, other, loss: Math.abs(gain).toFixed(3) });
}

/** What a tutor says of a play, if it loses enough. */
export function mistakeIn(state: MatchState, moves: readonly Readonly<Move>[], labels: MatchBoardLabels): Mistake | null {
  const opponent = loadedOpponent();
  const [best, play = best] = opponent.candidates(state, { limit: 1, also: [moves] });
  const { loss } = play;
  if (loss < 0.1) return null; // at 0.05 it would blame a tenth of the plays that rollouts find best
  const translate = translatorOf(labels);
  return { play, best, loss, message: `${translate("prefers", { name: opponent.name, play: best.text })}; ${losing(play, translate)}` };
}

declare module "../rules/types.js" {
  interface Reasons {
    board: "no_opponent";
  }
}
