/** Plays read from text and from moves: board/notation.py, a second time. There are no rules here: which plays are legal,
 * and from where a die can be played, says plays.js.
 *
 * A chain is the path of one checker: { stops, hits }; one without stops is a dance after moves. */

import { BAR } from "./arguments.js";
import { MARKS, plainSigns, within } from "./pasted_text.js";
import { playable } from "./plays.js";
import { isHit, isPlace, isSame, moved, turned, without } from "./rolls.js";
import { fail, isList, quoted, shown } from "./values.js";
import { told } from "./words.js";

export const LONGEST_PLAY = 200; // characters
const DANCES = ["", "no play", "no move", "cannot move", "pass"];
const STATED = /^\**([1-6]) ?-? ?([1-6])\**:\** ?/;
const PLACES = { bar: BAR, b: BAR, off: 0, o: 0 };
const PLACE = "(?:bar|off|b|o|\\d{1,2})";
const PATH = new RegExp(`^(${PLACE}(?:\\*?[-/]${PLACE})+)(\\*)?(?:\\((\\d{1,2})\\))?(\\*)?$`);

export const legsOf = (chains) => chains.flatMap(({ stops }) => stops.slice(1).map((target, at) => [stops[at], target]));
export const chainOf = ([source, target]) => ({ stops: [source, target], hits: [] });

/** A play without the quotes, brackets, Markdown and end of a sentence around it. */
function bareOf(text) {
  const inner = within(text, MARKS.slice(3)); // stars and parentheses may be the play's own
  const pair = inner.length > 1 ? inner[0] + inner.at(-1) : "";
  return pair === "()" || pair === "**" ? bareOf(inner.slice(1, -1)) : inner;
}

/** The chains of a text, none for a dance, and the faces of the roll that it begins with. */
export function readPlay(text, words) {
  const refuseText = (key, part, fields) => fail(told(words, key, { text: quoted(part), ...fields }));
  const count = [...text].length;
  if (count > LONGEST_PLAY) refuseText("too_long", text, { most: LONGEST_PLAY, count });
  const plain = plainSigns(text).toLowerCase();
  const bare = bareOf(plain);
  const [prefix, ...faces] = STATED.exec(bare) ?? [""];
  const rest = prefix ? bareOf(bare.slice(prefix.length)) : bare;
  if (plain && !rest) refuseText("unreadable", text);
  return { chains: chainsIn(rest, text, refuseText), stated: faces.sort().reverse().join("") };
}

function chainsIn(bare, text, refuseText) {
  const plain = plainSigns(bare.replace(/[,;]/g, " ")).replaceAll(" (", "(");
  if (DANCES.includes(plain)) return [];
  if (/^\d-\d$/.test(plain)) refuseText("roll", text);
  if (plain.includes("-") && plain.includes("/")) refuseText("two_signs", text);
  const parts = plain.split(" ");
  const passes = parts.at(-1) === "pass" ? [{ stops: [], hits: [] }] : [];
  return [...parts.slice(0, parts.length - passes.length).flatMap((part) => readChains(part, refuseText)), ...passes];
}

function readChains(part, refuseText) {
  const [, path, star, repeats = 1, lateStar] = PATH.exec(part) ?? refuseText("unreadable", part);
  const stops = [];
  const hits = [];
  const names = path.split(/[-/]/);
  for (const name of names) {
    const plain = name.replace("*", "");
    const stop = PLACES[plain] ?? Number(plain);
    if (stop > BAR) refuseText("no_point", part, { point: stop });
    stops.push(stop);
    if (name !== plain) hits.push(stop);
  }
  if (names[0].endsWith("*")) refuseText("early_star", part);
  if (star || lateStar) hits.push(stops.at(-1));
  if (repeats < 1 || repeats > 15) refuseText("repeats", part);
  return Array(Number(repeats)).fill({ stops, hits });
}

/** The moves of a list; of one that is too long for any roll only the beginning. */
export function readMoves(moves, name, kind = "a list of moves") {
  if (!Array.isArray(moves)) fail(`${name} must be ${kind}, not ${shown(moves)}`);
  return Array.from(moves.slice(0, 5), (move, at) => {
    const isMove = isList(move) && move.length === 2 && [...move].every(isPlace);
    return isMove ? [...move] : fail(`${name}[${at}] must be [from, to], from 25 (bar) to 0 (off), not ${shown(move)}`);
  });
}

/** The legal plays that the chains may mean; `byDie`: each leg uses one die. */
export function matching({ points, dice, plays }, chains, byDie) {
  if (!chains.length) return plays.filter(({ moves }) => !moves.length);
  if (falseStar(points, chains) !== undefined) return [];
  const passes = !chains.at(-1).stops.length;
  const named = chains.flatMap(({ stops }) => stops);
  const quiet = new Map(); // of each play, whether every hit on the way is written
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
export function falseStar(points, chains) {
  return chains.flatMap(({ hits }) => hits).find((stop) => stop === 0 || stop === BAR || points[stop] !== -1);
}

/** Every way to play the chains with these dice: moves as [source, die]. */
export function waysOf(chains, dice, byDie) {
  const legs = legsOf(chains);
  const ways = [];
  const play = (number, at, left, moves) => {
    if (number === legs.length) ways.push(moves);
    for (const die of number < legs.length ? new Set(left) : []) {
      const landing = Math.max(at - die, 0);
      const [target, longer, rest] = [legs[number][1], [...moves, [at, die]], without(die, left)];
      if (landing === target) play(number + 1, legs[number + 1]?.[0], rest, longer);
      else if (landing > target && !byDie) play(number, landing, rest, longer);
    }
  };
  play(0, legs[0][0], dice, []);
  return ways;
}

/** How far each way to play the chains gets, from the rear, since no move depends on one from a lower point. */
export function attempts(points, dice, chains, byDie) {
  return waysOf(chains, dice, byDie).map((moves) => {
    const left = moves.sort(([source], [other]) => other - source);
    const landings = [];
    let board = points;
    while (left.length && playable(board, left[0][1]).includes(left[0][0])) {
      const [source, die] = left.shift();
      const target = Math.max(source - die, 0);
      landings.push([target, isHit(board, target)]);
      board = moved(board, source, target);
    }
    return { board, landings, left };
  });
}
