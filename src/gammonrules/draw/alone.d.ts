/** The types of `<gammon-board>` that needs no server (alone.js), which docs/reference/board.md describes. */

import type { BoardWords, GammonBoard as Board } from "./board.js";
import type { Dice, Outcome, Points, Words } from "./rules.js";

export type * from "./board.js";
export type { Dice, Outcome, Points } from "./rules.js";

/** What a page may say of the table, as properties or attributes. */
export interface TableProperties {
  /** 26 points as the player on roll sees them, also as text with commas; a Position ID; or an XGID. */
  position?: Points | string | null;
  /** The roll; an XGID's is used unless there is one. Nobody moves without. */
  dice?: Dice | null;
  /** How many each side has, 1 to 15; 15 unless it is given. */
  checkers?: number | null;
  /** Who is on roll in points or a Position ID: White, unless it is given. */
  side?: "white" | "black" | null;
  look?: "flat" | "depth" | null;
  layout?: "landscape" | "portrait" | null;
}

/** Assigning what is wrong throws a GammonError, and changes nothing. */
export class GammonBoard extends Board {
  /** The position as the player on roll sees it; null: there is none, or the page shows views. */
  get position(): number[] | null;
  set position(position: TableProperties["position"]);
  get dice(): [high: number, low: number] | null;
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
  get words(): BoardWords;
  /** Also those of reasons. */
  set words(words: Partial<BoardWords & Omit<Words, keyof BoardWords>> | null | undefined);
}

/** What rules.js exports. */
export const rules: typeof import("./rules.js");

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
}
