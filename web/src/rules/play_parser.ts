/** Plays read from text and from moves: board/notation.py, a second time. There are no rules here: which plays are legal,
 * and from where a die can be played, says plays.js. */

import { BAR } from "./arguments.js";
import { MARKS, plainSigns, within } from "./pasted_text.js";
import { playable } from "./plays.js";
import { problemsOfNumber, reading, refuse, unfit } from "./problems.js";
import { isHit, isSame, moved, type Roll, turned, without } from "./rolls.js";
import type { Die, MessageName, Messages, Move, Play } from "./types.js";
import { fail, isList, isWhole, quoted } from "./values.js";
import { type Fields, formatMessage } from "./messages.js";

/** The path of one checker; one without stops is a dance after moves. */
export interface Chain {
  readonly stops: readonly number[];
  readonly hits: readonly number[];
}

/** Moves by the dice that make them. */
type Way = [source: number, die: Die][];

/** How far a way to play gets: the board then, the points that were reached, with whether a checker was hit, and the rest. */
export interface Attempt {
  readonly board: readonly number[];
  readonly landings: readonly (readonly [stop: number, hit: boolean])[];
  readonly left: Way;
}

type RefuseText = (key: MessageName, part: string, fields?: Fields) => never;

export const MAX_MOVES = 4;
export const A_MOVE = "move, [from, to]";
const MAX_PLAY_LENGTH = 200; // characters
const DANCES = ["", "no play", "no move", "cannot move", "pass"];
const STATED = /^\**([1-6]) ?-? ?([1-6])\**:\** ?/;
const PLACES: Readonly<Record<string, number>> = { bar: BAR, b: BAR, off: 0, o: 0 };
const PLACE = "(?:bar|off|b|o|\\d{1,2})";
const PATH = new RegExp(`^(${PLACE}(?:\\*?[-/]${PLACE})+)(\\*)?(?:\\((\\d{1,2})\\))?(\\*)?$`);

export const legsOf = (chains: readonly Chain[]) =>
  chains.flatMap(({ stops }) => stops.slice(1).map((target, at): Move => [stops[at], target]));
export const chainOf = ([source, target]: Readonly<Move>): Chain => ({ stops: [source, target], hits: [] });

/** A play without the quotes, brackets, Markdown and end of a sentence around it. */
function bareOf(text: string): string {
  const inner = within(text, MARKS.slice(3)); // stars and parentheses may be the play's own
  const pair = inner.length > 1 ? inner[0] + inner.at(-1) : "";
  return pair === "()" || pair === "**" ? bareOf(inner.slice(1, -1)) : inner;
}

/** The chains of a text, none for a dance, and the faces of the roll that it begins with. */
export function readPlay(text: string, messages: Messages): { chains: Chain[]; stated: string } {
  const refuseText: RefuseText = (key, part, fields) => fail(formatMessage(messages, key, { text: quoted(part), ...fields }));
  const count = [...text].length;
  if (count > MAX_PLAY_LENGTH) refuseText("too_long", text, { limit: MAX_PLAY_LENGTH, count });
  const plain = plainSigns(text).toLowerCase();
  const bare = bareOf(plain);
  const [prefix, ...faces] = STATED.exec(bare) ?? [""];
  const rest = prefix ? bareOf(bare.slice(prefix.length)) : bare;
  if (plain && !rest) refuseText("unreadable", text);
  return { chains: chainsIn(rest, text, refuseText), stated: faces.sort().reverse().join("") };
}

function chainsIn(bare: string, text: string, refuseText: RefuseText): Chain[] {
  const plain = plainSigns(bare.replace(/[,;]/g, " ")).replaceAll(" (", "(");
  if (DANCES.includes(plain)) return [];
  if (/^\d-\d$/.test(plain)) refuseText("roll", text);
  if (plain.includes("-") && plain.includes("/")) refuseText("two_signs", text);
  const parts = plain.split(" ");
  const passes = parts.at(-1) === "pass" ? [{ stops: [], hits: [] }] : [];
  return [...parts.slice(0, parts.length - passes.length).flatMap((part) => readChains(part, refuseText)), ...passes];
}

function readChains(part: string, refuseText: RefuseText): Chain[] {
  const [, path, star, times = "1", lateStar] = PATH.exec(part) ?? refuseText("unreadable", part);
  const repeats = Number(times);
  const stops: number[] = [];
  const hits: number[] = [];
  const names = path.split(/[-/]/);
  for (const name of names) {
    const plain = name.replace("*", "");
    const stop = PLACES[plain] ?? Number(plain);
    if (stop > BAR) refuseText("no_point", part, { point: stop });
    stops.push(stop);
    if (name !== plain) hits.push(stop);
  }
  if (names[0].endsWith("*")) refuseText("early_star", part);
  if (star || lateStar) hits.push(stops[stops.length - 1]);
  if (repeats < 1 || repeats > 15) refuseText("repeats", part);
  return Array<Chain>(repeats).fill({ stops, hits });
}

/** The moves of a list; of one that is too long for any roll only the beginning. */
export const readMoves = (moves: unknown, path: string, expected = "array of moves"): Move[] => reading(path, () => {
  if (!Array.isArray(moves)) refuse([unfit(path, "type", expected, moves)]);
  return Array.from(moves.slice(0, MAX_MOVES + 1), (move: unknown, at) => readMove(move, `${path}[${at}]`));
});

function readMove(move: unknown, path: string): Move {
  if (!isList(move) || move.length !== 2) refuse([unfit(path, isList(move) ? "size" : "type", A_MOVE, move)]);
  return moveOf([move[0], move[1]], [`${path}[0]`, `${path}[1]`]);
}

const arePlaces = (move: readonly [unknown, unknown]): move is Move => move.every((place) => isWhole(place, 0, BAR));

/** Two places as a move. */
export const moveOf = (move: readonly [from: unknown, to: unknown], paths: readonly [string, string]): Move =>
  (arePlaces(move) ? move : refuse(move.flatMap((place, at) => problemsOfNumber(paths[at], place, 0, BAR))));

/** The legal plays that the chains may mean; `byDie`: each leg uses one die. */
export function matching({ points, dice, plays }: Roll, chains: readonly Chain[], byDie: boolean): Play[] {
  if (!chains.length) return plays.filter(({ moves }) => !moves.length);
  if (falseStar(points, chains) !== undefined) return [];
  const passes = !chains[chains.length - 1].stops.length;
  const named = chains.flatMap(({ stops }) => stops);
  const quiet = new Map<Play, boolean>(); // of each play, whether every hit on the way is written
  for (const { board, landings, left } of attempts(points, dice, chains, byDie)) {
    const result = turned(board);
    const play = plays.find(({ points }) => isSame(points, result));
    if (!play || left.length || (passes && landings.length === dice.length)) continue;
    quiet.set(play, !landings.some(([stop, hit]) => hit && !named.includes(stop)));
  }
  const fitting = [...quiet.keys()];
  const best = fitting.filter((play) => quiet.get(play));
  return best.length ? best : fitting;
}

/** A starred point where there is no blot to hit. */
export function falseStar(points: readonly number[], chains: readonly Chain[]): number | undefined {
  return chains.flatMap(({ hits }) => hits).find((stop) => stop === 0 || stop === BAR || points[stop] !== -1);
}

/** Every way to play the chains with these dice. */
export function waysOf(chains: readonly Chain[], dice: readonly Die[], byDie: boolean): Way[] {
  const legs = legsOf(chains);
  const ways: Way[] = [];
  const play = (number: number, at: number, left: readonly Die[], moves: Way) => {
    if (number === legs.length) ways.push(moves);
    for (const die of number < legs.length ? new Set(left) : []) {
      const landing = Math.max(at - die, 0);
      const target = legs[number][1];
      const longer: Way = [...moves, [at, die]];
      const rest = without(die, left);
      if (landing === target) play(number + 1, legs[number + 1]?.[0], rest, longer);
      else if (landing > target && !byDie) play(number, landing, rest, longer);
    }
  };
  play(0, legs[0][0], dice, []);
  return ways;
}

/** How far each way to play the chains gets, from the rear, since no move depends on one from a lower point. */
export function attempts(points: readonly number[], dice: readonly Die[], chains: readonly Chain[], byDie: boolean): Attempt[] {
  return waysOf(chains, dice, byDie).map((moves) => {
    moves.sort(([source], [other]) => other - source);
    const landings: [stop: number, hit: boolean][] = [];
    let board = points;
    for (const [source, die] of moves) {
      if (!((playable(board, die) >> source) & 1)) break;
      const target = Math.max(source - die, 0);
      landings.push([target, isHit(board, target)]);
      board = moved(board, source, target);
    }
    return { board, landings, left: moves.slice(landings.length) };
  });
}
