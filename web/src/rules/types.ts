/** What callers give to the rules, and what they get: docs/reference/rules-js.md. */

import type { MessageName } from "../generated/messages.js";
import type { IllegalPlayReason } from "../generated/names.js";

export type { MessageName } from "../generated/messages.js";
export type { IllegalPlayReason } from "../generated/names.js";

/** 26 counts as one player sees them: theirs above zero, on points 1 to 24 and on their bar, 25; the opponent's below, whose
 *  bar is 0. */
export type Points = readonly number[] | Int8Array;
export type Die = 1 | 2 | 3 | 4 | 5 | 6;
/** Two dice, as numbers: `toDice` makes them. */
export type DiceRoll = readonly [Die, Die];
/** Two dice in either order: [3, 1], "31" or "3-1". */
export type Dice = DiceRoll | `${Die}${Die}` | `${Die}-${Die}`;
/** One checker moved by one die: from and to, as the player on roll numbers the points; 25 is the bar and 0 is off. */
export type Move = [from: number, to: number];

/** What every call takes besides. */
export interface Options {
  /** How many checkers each side has, on the board and off; 15 unless it is given. */
  checkers?: number;
}

/** A legal play. */
export interface Play {
  /** The board after it, as the opponent sees it, who is then on roll. */
  points: number[];
  moves: Move[];
}

/** Every way through a turn: `plays.tree().data` in Python, and what `<gammon-board>` takes as its `tree`. */
export interface TurnTree {
  /** As the player on roll sees them. */
  points: number[];
  dice: [high: Die, low: Die];
  /** For each node four numbers a branch: from, to, the die, the next node. The turn begins at node 0. */
  nodes: number[][];
}

/** How a finished game ended for the player who sees the board so: 1 for a single game, 2 a gammon, 3 a backgammon. */
export interface Outcome {
  won: boolean;
  win: 1 | 2 | 3;
}

/** A play with its canonical text, such as "8/5 6/5" or "no play". */
export interface WrittenPlay extends Play {
  text: string;
}

/** What an illegal move is about: the attributes of Python's `IllegalPlayError`, without those that do not apply. */
export interface IllegalMoveDetails {
  /** The move that cannot be made. */
  move?: Move;
  /** How far `move` goes, where the dice do not give that. */
  pips?: number;
  /** The dice that the rule is about: those rolled or left, those that must be played, the one that is too large. */
  dice?: number[];
  /** The point that is blocked, empty, the opponent's, not hit, or where the checker stands that must move. */
  point?: number;
  /** How many checkers the opponent has on `point`, or how many dice are played. */
  count?: number;
  /** A legal play that proves it. */
  witness?: WrittenPlay;
}

/** Why a value is not valid. */
export type ProblemReason =
  /** A field that must be there is not. */
  | "missing"
  /** There is no such field, or no such option. */
  | "unknown_field"
  /** It has another type. */
  | "type"
  /** It is a number out of its bounds. */
  | "range"
  /** It is not one of the values that may stand there. */
  | "choice"
  /** It is an array, or a text, of another length. */
  | "size"
  /** The document is of a version that cannot be read. */
  | "version"
  /** Its parts contradict each other, or the rules. */
  | "impossible"
  /** Reading it fails, as where a getter throws. */
  | "unreadable";

/** What is wrong with one value that a program has given. */
export interface Problem {
  /** Where it stands: `$` is the document, event, message or options that the call is about, and any other argument has its
   *  name: "$.rules.beavers", "state.dice", "points[3]", "options.checkers". If it is unreadable, the argument. */
  readonly path: string;
  readonly reason: ProblemReason;
  /** What may stand there, in terms of JSON; not of a field that is missing or unknown, nor of what is impossible or
   *  unreadable. */
  readonly expected?: string;
  /** Why it is impossible. */
  readonly message?: string;
  /** The value itself, unless it is missing or unreadable. */
  readonly value?: unknown;
}

/** Why a checker cannot go from one point to another. */
export interface IllegalMove extends IllegalMoveDetails {
  reason: IllegalPlayReason;
  /** In the translation of the call, English by default. */
  message: string;
}

/** What refuses a play; match.js adds what refuses an action. */
export interface Reasons {
  play: IllegalPlayReason;
}

/** A message, in which {fields} are filled in, or a function that returns it for these fields; what it throws is passed on. */
export type MessageTemplate = string | ((fields: Readonly<Record<string, unknown>>) => string);

/** The messages about plays; `MESSAGES` has those in English. */
export interface Messages extends Record<MessageName, MessageTemplate> {
  /** Of 0 to 4 dice. */
  numbers: readonly string[];
}

/** Options of `find`, `notation` and `why`. */
export interface TranslationOptions extends Options {
  /** The messages that replace those of `MESSAGES`. */
  translations?: Partial<Messages>;
}
