/** The public types of `<gammon-board>` that needs no server (match-board.js), which docs/reference/board.md describes. */

import type { BoardLabels, PlayerTexts } from "../board/types.js";
import type { Action, LoggedEvent, MatchState, Player, WinKind } from "../match/types.js";
import type { Strength } from "../opponent/types.js";
import type { GammonError } from "../rules/values.js";
import type { Dice, DiceRoll, Messages, MessageTemplate, Move, Outcome, Points } from "../rules/types.js";
import type { Mistake } from "./advice.js";
import type { GammonBoard } from "./board.js";
import type { Last } from "./last_play.js";
import type { MATCH_LABELS } from "./labels.js";

/** The labels of a match; fields in braces are filled in, or the label is a function of these fields. */
export type MatchLabels = { [name in keyof typeof MATCH_LABELS]: MessageTemplate };

/** What a page may set of the match, as properties or attributes. */
export interface MatchBoardProperties {
  /** 26 points as the player on roll sees them, also as text with commas; a Position ID; or an XGID. Null changes
   *  nothing, since a framework has none yet. */
  position?: Points | string | null;
  /** A match at one moment, also as JSON: the whole table is shown, and played. Null changes nothing. */
  state?: MatchState | string | null;
  /** Who may act here in a match: "none" only watches. Null: both, or White if there is an opponent. */
  player?: Player | "none" | null;
  /** How strong the computer is that plays the other side, by the script of `gammon-board/opponent`; null: it does not play. */
  opponent?: Strength | null;
  /** Whether a play that loses much is asked about before it is made, by the same script. */
  tutor?: boolean;
  /** Throws two dice, in an opening White's first; it is called once where they are needed. Without it nobody rolls. */
  roll?: (() => DiceRoll) | null;
  /** The roll; an XGID's is used unless there is one. Nobody moves without. */
  dice?: Dice | null;
  /** How many each side has, 1 to 15; 15 unless it is given. */
  checkers?: number | null;
  /** Who is on roll in points or a Position ID: White, unless it is given. */
  side?: "white" | "black" | null;
  look?: "flat" | "depth" | null;
  layout?: "landscape" | "portrait" | null;
  /** The numbers beside the points: those of the player on roll, or of the player at the bottom. Null: the former, but the
   *  latter where a match has a player here. */
  numbers?: "turning" | "fixed" | null;
  /** How the state came about: its last play and its dice are shown. */
  last?: Last | null;
  /** Has somebody else do what a player wants, such as a server, which assigns the state that comes of it. The board is locked
   *  until then, or until the promise is rejected, whose reason it shows. */
  send?: ((message: ActionMessage, player: Player) => Promise<unknown>) | null;
  /** Texts beside the names, such as how much time they have. */
  clocks?: PlayerTexts | null;
}

/** What a player wants, as `receive` takes it. */
export interface ActionMessage {
  readonly action: Action;
  /** Of a play and a resignation. */
  readonly argument?: Move[] | WinKind;
}

type Reasons = Omit<Messages, keyof BoardLabels | keyof MatchLabels>;
export type MatchBoardTranslations = Partial<BoardLabels & MatchLabels & Reasons>;

/** Somebody has acted in a match: what is to be logged, and the state after it, which the board takes unless
 *  `preventDefault` is called. */
export type GammonChangeEvent = CustomEvent<{ readonly event: LoggedEvent; readonly state: MatchState }>;
/** A play loses at least 0.1 points one roll ahead. The board asks whether it stands, unless `preventDefault` is called: then
 *  the page does. What it answers counts once. */
export type GammonTutorEvent = CustomEvent<Mistake & { takeBack(): void; confirm(): void }>;
/** What is wrong where no page could catch it: with an attribute, with dice, with the opponent. */
export type GammonErrorEvent = CustomEvent<{ readonly error: GammonError }>;

declare global {
  /** What the script without `export` has; those of history.js and xgid.js add what theirs do. */
  interface GammonBoardScripts {
    readonly GammonBoard: typeof GammonBoard;
    readonly rules: typeof import("../match/index.js");
  }
  var gammonBoard: GammonBoardScripts;
}

type MatchBoard = GammonBoard; // below, that is the one of board.js

declare module "../board/types.js" {
  interface Kinds {
    matchBoard: MatchBoard;
  }
  interface PlayedTurn {
    /** The play as text. Of a view that the page has shown there is none, nor what follows. */
    play?: string;
    /** The points after it, as the other player sees them, who is on roll then. */
    position?: number[];
    /** How the game has ended for that player; null: it has not. */
    outcome?: Outcome | null;
  }
  interface Translations extends MatchBoardTranslations {}
  interface BoardProperties extends MatchBoardProperties {}
  interface BoardEvents {
    "gammon-change": GammonChangeEvent;
    "gammon-tutor": GammonTutorEvent;
    "gammon-error": GammonErrorEvent;
  }
}
