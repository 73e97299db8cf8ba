/** The types of `<gammon-setup>` (setup.js), which docs/reference/board.md describes. */

import type { BoardTheme } from "./board.js";

/** The words of the element; what is in braces is filled in. */
export interface SetupWords {
  board: string;
  point: string;
  bar: string;
  off: string;
  white: string;
  black: string;
  empty: string;
  checkers: string;
  owned: string;
  missing: string;
  brush: string;
  remove: string;
  turn: string;
  dice: string;
  cube: string;
  owner: string;
  centered: string;
  clear: string;
  start: string;
}

export class GammonSetup extends HTMLElement {
  /** The position with cube, dice and player on roll; assigning shows another, and raises a TypeError for what is none. */
  get xgid(): string;
  set xgid(xgid: string);
  /** 26 counts, as `Position.from_points` takes them: seen by the player on roll, their checkers positive. */
  readonly points: number[];
  /** Whether Black is at the bottom. */
  flip: boolean;
  /** The attribute. */
  get theme(): string | null;
  set theme(theme: BoardTheme | null | undefined);
  get words(): SetupWords;
  set words(words: Partial<SetupWords> | null | undefined);
}

/** The person has changed something; `explain` shows what is wrong with it, unless they have gone on. */
export type GammonSetupEvent = CustomEvent<{ xgid: string; points: number[]; explain(text: string): void }>;

/** What frameworks give to `<gammon-setup>`. */
export interface SetupProperties {
  xgid?: string;
  words?: Partial<SetupWords>;
  flip?: boolean;
  look?: "flat" | "depth";
  layout?: "landscape" | "portrait";
  theme?: BoardTheme | null;
}
/** What it tells them. */
export interface SetupEvents {
  "gammon-setup": GammonSetupEvent;
}

declare global {
  interface HTMLElementTagNameMap {
    "gammon-setup": GammonSetup;
  }
  interface GlobalEventHandlersEventMap extends SetupEvents {}
}
