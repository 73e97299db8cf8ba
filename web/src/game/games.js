/** The lines of one game of a record: its heading, what is set by hand before the first roll, its rows and its end. */

import { newMatch, phase, view, winner } from "../match/index.js";
import { counted, doubleOf, isSame, letterOf, opponentOf, PLAYERS } from "./internals.js";

const LEFT_WIDTH = 27;
const END_COLUMN = { white: 6, black: 34 };

const padded = (text, width) => text + " ".repeat(Math.max(0, width - [...text].length));

export function linesOfGame({ number, states, events, cells }, names) {
  const [start] = states;
  const [left, right] = PLAYERS.map((player, seat) => `${names[player]} : ${start.score[seat]}`);
  const heading = ["", ` Game ${number}`, ` ${padded(left, 30)}  ${right}`];
  // a board without a row after it would not say whose turn it is
  const boards = cells.length ? boardsSet(states, events).map(lineOfBoard) : [];
  const cube = cubeStated(states);
  const rows = rowsOf(cells);
  const end = endOf(states, rows, names);
  return [...heading, ...boards, ...(cube > 1 ? [`; Set Cube=${cube}`] : []), ...rows.map(lineOfRow), ...end];
}

/** Importers look for two blanks between the columns, before an empty cell too. */
function lineOfRow([left, right = ""], at) {
  const number = String(at + 1).padStart(3);
  return `${number}) ${padded(left, Math.max(LEFT_WIDTH, [...left].length + 1))} ${right}`;
}

/** How the game ended: lines below the rows, and perhaps words in the last of these. */
function endOf(states, rows, names) {
  const final = states.at(-1);
  const { result, length } = final;
  if (!result) return [];
  const isWon = winner(final) !== null;
  const below = (points) => " ".repeat(END_COLUMN[result.winner]) + wordsOfEnd(points, isWon);
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

const wordsOfEnd = (points, isWon) => `Wins ${counted(points, "point")}${isWon ? " and the match" : ""}`;

/** The states whose boards are written, of which a reader takes the last. */
export function boardsSet(states, events) {
  const [start] = states;
  const isUnusual = !isSamePosition(view(start, "white"), usualStart(start)) || start.cube.owner;
  // a double without a board before it would be illegal, since nobody doubles before a first roll
  const isDoubled = doubleOf(start) || beginsWithDouble(start, events);
  const isSet = ({ type }, at) => type === "SetPosition" && phase(states[at]) === "opening";
  return states.filter((_, at) => (at ? isSet(events[at - 1], at - 1) : isUnusual || isDoubled));
}

export const usualStart = ({ rules }) => newMatch({ rules }).position;

/** Whether the first event of a game that starts in a turn is a double, but for resignations that were declined. */
function beginsWithDouble({ on_roll }, events) {
  const first = events.find(({ action }) => action !== "resign" && action !== "decline");
  return on_roll !== null && first?.action === "double";
}

/** How often the cube was turned, if somebody owns it. */
export const powerOf = ({ cube: { value, owner } }) => (owner ? Math.log2(value) : 0);

/** The board as White sees it, and the cube; a centered one is not in it. */
function lineOfBoard(state) {
  const letters = view(state, "white").points.map(letterOf);
  return `; Set Pos=${letters.join("")}/${state.cube.owner === "white" ? "-" : ""}${powerOf(state)}`;
}

/** The centered cube after automatic doubles, which a board cannot have beside it. */
export function cubeStated(states) {
  const { cube } = states.find((state) => phase(state) !== "opening") ?? states.at(-1);
  return cube.owner ? 1 : cube.value;
}

function rowsOf(cells) {
  const rows = [];
  for (const { player, text } of cells) addToRows(rows, player, text);
  return rows;
}

/** Rows have one or two cells, the left one first. */
function addToRows(rows, player, text) {
  if (player === "black" && rows.at(-1)?.length === 1) rows.at(-1).push(text);
  else rows.push(player === "white" ? [text] : ["", text]);
}

export const isSamePosition = (position, other) => position.checkers === other.checkers && isSame(position.points, other.points);
