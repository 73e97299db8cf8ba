/** The public types of <gammon-board> (board.js), which docs/reference/board.md describes. */

import type { BoardTheme } from "../generated/names.js";
import type { GammonBoard } from "./board.js";

export type { BoardTheme } from "../generated/names.js";

/** One checker moved by one die: from and to, as the player on roll numbers the points; 25 is the bar and 0 is off. */
export type Move = [from: number, to: number];

/** Every way through a turn: `plays.tree().data` in Python. */
export interface TurnTree {
  points: number[];
  dice: [high: number, low: number];
  /** For each node four numbers a branch: from, to, the die, the next node. The turn begins at node 0. */
  nodes: number[][];
}

/** What a board shows. */
export interface BoardView {
  /** A picture: `draw.svg.match_state(...)` in Python, at the beginning of the turn; as text, TrustedHTML or an Element.
   *  It becomes part of the page as it is, with what it may run: never a stranger's. */
  svg: string | object; // not everybody has the type TrustedHTML
  /** The turn of the player who moves here, as a value or as JSON; none: nobody moves. */
  tree?: TurnTree | string | null;
  /** Moves made already. */
  moves?: readonly Readonly<Move>[] | null;
  /** The play of the other side that led to the picture: it is made first, move by move, on the board that is shown. */
  play?: readonly Readonly<Move>[] | null;
  /** What else the player may do on the board, such as `state.legal_actions`: "opening_roll", "roll", "double" and "take" are
   *  taken. */
  actions?: readonly string[] | null;
  /** Whether it appears without motion. */
  still?: boolean | null;
}

type Automatic = "forced" | "bear-off" | "roll";
/** What is done by itself: words with spaces between them, in any order. */
export type BoardAuto = "" | Automatic | `${Automatic} ${Automatic}` | `${Automatic} ${Automatic} ${Automatic}`;

/** A text for each player, or for one of them. */
export type PlayerTexts = { readonly [player in "white" | "black"]?: string | null };

/** The labels of places in both elements; fields in braces are filled in. */
export interface PlaceLabels {
  board: string;
  point: string;
  bar: string;
  off: string;
  white: string;
  black: string;
  empty: string;
  checkers: string;
  /** Whose bar or tray it is. */
  owned: string;
}

/** The labels of the element; fields in braces are filled in. */
export interface BoardLabels extends PlaceLabels {
  movable: string;
  swap: string;
  turn: string;
  roll: string;
  double: string;
  take: string;
  /** The play of the other side. */
  played: string;
  /** What the cube asks before it is turned; empty: it does not ask. */
  prompt: string;
  undo: string;
  done: string;
  dance: string;
}

/** The labels that a page may translate; `gammon-board/match-board` adds those of matches and reasons. */
export interface Translations extends Partial<BoardLabels> {}

/** A turn that has ended. */
export interface PlayedTurn {
  moves: Move[];
}

/** After each move and each undo. */
export type GammonMoveEvent = CustomEvent<{ moves: Move[]; isComplete: boolean }>;
/** The player has ended the turn. */
export type GammonPlayEvent = CustomEvent<PlayedTurn>;
/** The player tried what is not in the tree; `explain` shows a reason there, unless the turn has gone on. */
export type GammonIllegalEvent = CustomEvent<{ from: number; to: number; moves: Move[]; explain(text: string): void }>;
/** The user has clicked the dice that are to be rolled, the text of an opening roll, or the cube. */
export type GammonActionEvent = CustomEvent<{ action: "opening_roll" | "roll" | "double" | "take" }>;
/** The person has drawn or erased arrows; these are there now. */
export type GammonDrawEvent = CustomEvent<{ arrows: Move[] }>;
/** What is to be heard now: a checker set down, one that hits, one borne off, new dice, another cube. */
export type GammonSoundEvent = CustomEvent<{ sound: "checker" | "hit" | "off" | "dice" | "cube" }>;

/** What frameworks give to `<gammon-board>`. */
export interface BoardProperties {
  view?: BoardView | null;
  translations?: Translations;
  names?: PlayerTexts | null;
  tree?: TurnTree | string | null;
  flip?: boolean;
  highlight?: readonly number[] | null;
  arrows?: readonly Readonly<Move>[] | null;
  playedArrows?: readonly Readonly<Move>[] | null;
  theme?: BoardTheme | null;
  auto?: BoardAuto | null;
  speed?: number | `${number}` | null;
}
/** What it tells them. */
export interface BoardEvents {
  "gammon-move": GammonMoveEvent;
  "gammon-play": GammonPlayEvent;
  "gammon-illegal": GammonIllegalEvent;
  "gammon-draw": GammonDrawEvent;
  "gammon-action": GammonActionEvent;
  "gammon-sound": GammonSoundEvent;
}

/** What `gammon-board/match-board` adds to: its board is the one in a page then. */
export interface Kinds {}
/** The element in a page. */
export type BoardElement = Kinds extends { matchBoard: infer MatchBoard } ? MatchBoard : GammonBoard;

declare global {
  interface HTMLElementTagNameMap {
    "gammon-board": BoardElement;
  }
  interface GlobalEventHandlersEventMap extends BoardEvents {}
}
