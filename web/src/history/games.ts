/** The lines of one game of a record: its heading, what is set by hand before the first roll, its rows and its end. */

import {
  type Action, type AnyLoggedEvent, type MatchState, newMatch, phase, type Player, type Position, view, winner,
} from "../match/index.js";
import { counted, doubleOf, isSame, letterOf, opponentOf, PLAYERS } from "./internals.js";
import type { Cell, GameInCells, Names } from "./types.js";

const LEFT_WIDTH = 27;
const END_COLUMN = { white: 6, black: 34 };
/** One or two cells, the left one first. */
type Row = string[];

export const lastOf = <Item>(items: readonly Item[]): Item => items[items.length - 1];
export const actionOf = (event: AnyLoggedEvent): Action | null => (event.type === "Event" ? event.action : null);

const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - [...text].length));

export function linesOfGame({ number, states, events, cells }: GameInCells, names: Names): string[] {
  const [start] = states;
  const [left, right] = PLAYERS.map((player, seat) => `${names[player]} : ${start.score[seat]}`);
  const heading = ["", ` Game ${number}`, ` ${padded(left, 30)}  ${right}`];
  // a board without a row after it would not show whose turn it is
  const boards = cells.length ? boardsSet(states, events).map(lineOfBoard) : [];
  const cube = cubeStated(states);
  const rows = rowsOf(cells);
  const end = endOf(states, rows, names);
  return [...heading, ...boards, ...(cube > 1 ? [`; Set Cube=${cube}`] : []), ...rows.map(lineOfRow), ...end];
}

/** Importers look for two blanks between the columns, before an empty cell too. */
function lineOfRow([left, right = ""]: Row, at: number): string {
  const number = String(at + 1).padStart(3);
  return `${number}) ${padded(left, Math.max(LEFT_WIDTH, [...left].length + 1))} ${right}`;
}

/** How the game ended: lines below the rows, and perhaps words in the last of these. */
function endOf(states: readonly MatchState[], rows: Row[], names: Names): string[] {
  const final = lastOf(states);
  const { result, length } = final;
  if (!result) return [];
  const isWon = winner(final) !== null;
  const below = (points: number) => " ".repeat(END_COLUMN[result.winner]) + wordsOfEnd(points, isWon);
  const isForfeited = result.end === "forfeited";
  // a reader takes a game without a row, in which nobody can resign, for a forfeit by the loser's words
  if (!isForfeited && rows.length) return [below(result.points)];
  const lines = isForfeited ? [`; ${names[result.winner]} wins by forfeit`] : [];
  const points = length === null ? result.points : Math.min(result.points, length);
  addToRows(rows, opponentOf(result.winner), ` Losses ${counted(points, "point")}`);
  if (result.winner === "white") return [below(points), ...lines];
  addToRows(rows, "black", ` ${wordsOfEnd(points, isWon)}`);
  return lines;
}

const wordsOfEnd = (points: number, isWon: boolean): string => `Wins ${counted(points, "point")}${isWon ? " and the match" : ""}`;

/** The states whose boards are written, of which a reader takes the last. */
export function boardsSet(states: readonly MatchState[], events: readonly AnyLoggedEvent[]): MatchState[] {
  const [start] = states;
  const isUnusual = !isSamePosition(view(start, "white"), usualStart(start)) || start.cube.owner;
  // a double without a board before it would be illegal, since nobody doubles before a first roll
  const isDoubled = doubleOf(start) || beginsWithDouble(start, events);
  const isSet = ({ type }: AnyLoggedEvent, at: number) => type === "SetPosition" && phase(states[at]) === "opening";
  return states.filter((_, at) => (at ? isSet(events[at - 1], at - 1) : isUnusual || isDoubled));
}

export const usualStart = ({ rules }: MatchState): Position => newMatch({ rules }).position;

/** Whether the first event of a game that starts in a turn is a double, but for resignations that were declined. */
function beginsWithDouble({ on_roll }: MatchState, events: readonly AnyLoggedEvent[]): boolean {
  const first = events.map(actionOf).find((action) => action !== "resign" && action !== "decline");
  return on_roll !== null && first === "double";
}

/** How often the cube was turned, if somebody owns it. */
export const powerOf = ({ cube: { value, owner } }: MatchState): number => (owner ? Math.log2(value) : 0);

/** The board as White sees it, and the cube; a centered one is not in it. */
function lineOfBoard(state: MatchState): string {
  const letters = view(state, "white").points.map(letterOf);
  return `; Set Pos=${letters.join("")}/${state.cube.owner === "white" ? "-" : ""}${powerOf(state)}`;
}

/** The centered cube after automatic doubles, which a board cannot have beside it. */
export function cubeStated(states: readonly MatchState[]): number {
  const { cube } = states.find((state) => phase(state) !== "opening") ?? lastOf(states);
  return cube.owner ? 1 : cube.value;
}

function rowsOf(cells: readonly Cell[]): Row[] {
  const rows: Row[] = [];
  for (const { player, text } of cells) addToRows(rows, player, text);
  return rows;
}

function addToRows(rows: Row[], player: Player, text: string): void {
  if (player === "black" && rows.at(-1)?.length === 1) lastOf(rows).push(text);
  else rows.push(player === "white" ? [text] : ["", text]);
}

export const isSamePosition = (position: Position, other: Position): boolean =>
  position.checkers === other.checkers && isSame(position.points, other.points);
