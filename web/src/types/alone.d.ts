/** The types of `<gammon-board>` that needs no server (alone.js), which docs/reference/board.md describes. */

import type { BoardWords, GammonBoard as Board } from "./board.js";
import type { Dice, Die, LoggedEvent, MatchState, Outcome, Player, Points, Thrown, Words } from "./match.js";

export type * from "./board.js";
export type { Dice, Die, LoggedEvent, MatchState, Outcome, Player, Points, Thrown } from "./match.js";

/** The words of a match; what is in braces is filled in, or it is a function of these fields. */
export type MatchWords = Record<
  | "money" | "match" | "crawford" | "post_crawford" | "no_cube" | "crawford_sign" | "one_point" | "points"
  | "pip" | "pips" | "on_roll" | "rolled" | "offered" | "beavered" | "raccoon" | "beavers" | "resigns" | "single"
  | "gammon" | "backgammon" | "dropped" | "resigned" | "forfeit" | "won" | "match_won" | "position_id" | "one_each"
  | "each" | "centered" | "cube_owned" | "tie" | "no_dice" | "opening_roll" | "drop" | "beaver" | "accept" | "decline"
  | "resign" | "resign_level" | "play_on" | "next_game",
  string | ((fields: { readonly [name: string]: unknown }) => string)
>;

/** What a page may say of the table, as properties or attributes. */
export interface TableProperties {
  /** 26 points as the player on roll sees them, also as text with commas; a Position ID; or an XGID. Null changes
   *  nothing, since a framework has none yet. */
  position?: Points | string | null;
  /** A match at one moment, also as JSON: the whole table is shown, and played. Null changes nothing. */
  state?: MatchState | string | null;
  /** Who may act here in a match; null: both. */
  player?: Player | null;
  /** Throws two dice, in an opening White's first; it is called once where they are needed. Without it nobody rolls. */
  roll?: (() => Thrown) | null;
  /** The roll; an XGID's is used unless there is one. Nobody moves without. */
  dice?: Dice | null;
  /** How many each side has, 1 to 15; 15 unless it is given. */
  checkers?: number | null;
  /** Who is on roll in points or a Position ID: White, unless it is given. */
  side?: "white" | "black" | null;
  look?: "flat" | "depth" | null;
  layout?: "landscape" | "portrait" | null;
}

/** Assigning what is wrong changes nothing. The properties that this class adds throw a GammonError. Those of board.js, and
 *  `words`, throw what they throw there, mostly a TypeError; but a word of a reason is refused with a GammonError. */
export class GammonBoard extends Board {
  /** The position as the player on roll sees it; null: there is none, or the page shows views. */
  get position(): number[] | null;
  set position(position: TableProperties["position"]);
  /** The match as it is now; null: there is none. */
  get state(): MatchState | null;
  set state(state: TableProperties["state"]);
  get player(): Player | null;
  set player(player: TableProperties["player"]);
  get roll(): (() => Thrown) | null;
  set roll(roll: TableProperties["roll"]);
  get dice(): [high: Die, low: Die] | null;
  set dice(dice: TableProperties["dice"]);
  get checkers(): number;
  set checkers(checkers: TableProperties["checkers"]);
  /** Who is on roll. */
  get side(): "white" | "black" | null;
  set side(side: TableProperties["side"]);
  get look(): "flat" | "depth";
  set look(look: TableProperties["look"]);
  get layout(): "landscape" | "portrait";
  set layout(layout: TableProperties["layout"]);
  get words(): BoardWords & MatchWords;
  /** Also those of reasons. */
  set words(words: AloneWords | null | undefined);
}

type Reasons = Omit<Words, keyof BoardWords | keyof MatchWords>;
export type AloneWords = Partial<BoardWords & MatchWords & Reasons>;

/** Somebody has acted in a match: what is to be logged, and the state after it, which the board takes unless
 *  `preventDefault` is called. */
export type GammonEventEvent = CustomEvent<{ readonly event: LoggedEvent; readonly state: MatchState }>;

/** What match.js exports. */
export const rules: typeof import("./match.js");

declare global {
  /** What the script without `export` has; game.d.ts and xgid.d.ts add what theirs do. */
  interface GammonBoardScripts {
    readonly GammonBoard: typeof GammonBoard;
    readonly rules: typeof rules;
  }
  var gammonBoard: GammonBoardScripts;
}

type Alone = GammonBoard; // below, that is the one of board.js

declare module "./board.js" {
  interface Kinds {
    alone: Alone;
  }
  interface Played {
    /** The play as text. Of a view that the page has shown there is none, nor what follows. */
    play?: string;
    /** The points after it, as the other player sees them, who is on roll then. */
    position?: number[];
    /** How the game has ended for that player; null: it has not. */
    outcome?: Outcome | null;
  }
  interface BoardProperties extends TableProperties {}
  interface BoardEvents {
    "gammon-event": GammonEventEvent;
  }
}
