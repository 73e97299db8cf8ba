/** The types of a match with its history (game.js), which docs/reference/match-js.md describes. */

import type {
  Action, Event, Forfeit, LoggedEvent, LoggedForfeit, LoggedSetPosition, MatchOptions, MatchState, Phase, Player,
  ReceiveOptions, SetPosition,
} from "./match.js";

export type Logged = LoggedEvent | LoggedSetPosition | LoggedForfeit;

export interface MatOptions {
  /** The names of the players. */
  white?: string;
  black?: string;
  /** What the head says of the match, such as `{ Event: "Nordic Open" }`; the tags of the rules are written anyway. */
  tags?: Readonly<Record<string, string>>;
  /** Lines of the head that are for people. */
  comments?: readonly string[];
}

export class Game {
  /** A new match, or one that goes on from a state; then the events that have happened since. */
  constructor(start?: MatchOptions | MatchState, events?: readonly (Event | SetPosition | Forfeit)[]);
  readonly start: MatchState;
  readonly state: MatchState;
  /** Who is to act; null before and after a game. */
  readonly turn: Player | null;
  readonly phase: Phase;
  /** The winner of the match. */
  readonly winner: Player | null;
  legalActions(player?: Player): readonly Action[];
  /** Does it, and gives the event as the history has it. */
  apply(event: Event): LoggedEvent;
  apply(event: Event | SetPosition | Forfeit): Logged;
  /** Does what a player has sent: see `receive` of match.js. */
  receive(message: unknown, player: Player, options: ReceiveOptions): LoggedEvent;
  /** The event that is taken back; null if there is none. */
  undo(): Logged | null;
  history(): readonly Logged[];
  /** The record of the match, as `.mat` text. */
  mat(options?: MatOptions): string;
}

declare global {
  /** What scripts without `export` have. */
  interface GammonBoardScripts {
    readonly Game: typeof Game;
  }
}
