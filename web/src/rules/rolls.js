/** Boards, rolls, and plays written as text: board/notation.py, a second time; the tests compare the two.
 *
 * A roll is { points, dice, text, plays, words, table }: the board, the numbers to play, the faces as text, the legal
 * plays, the words of sentences, and how many checkers a side has, as an option. */

import { BAR, readBoard, readCheckers, readDice } from "./arguments.js";
import { legalPlays } from "./plays.js";
import { isWhole } from "./values.js";
import { readWords, WORDS } from "./words.js";

export const isPlace = (number) => isWhole(number, 0, BAR);
export const turned = (points) => points.map((count) => 0 - count).reverse();
export const isHit = (points, target) => target > 0 && points[target] < 0;

export const isSame = (points, others) => points.every((count, at) => count === others[at]);

export function moved(points, source, target) {
  const after = [...points];
  after[source] -= 1;
  if (isHit(points, target)) {
    after[target] = 0;
    after[0] -= 1;
  }
  if (target) after[target] += 1;
  return after;
}

export function without(die, dice) {
  const at = dice.indexOf(die);
  return dice.filter((_, index) => index !== at);
}

export function rollOf(board, dice, options) {
  const table = { checkers: readCheckers(options, "words") };
  const { points } = readBoard(board, table);
  const faces = readDice(dice);
  const [high, low] = faces;
  const plays = legalPlays(points, faces, table);
  const words = readWords(options?.words);
  return { points, dice: high === low ? [high, high, high, high] : faces, text: faces.join(""), plays, words, table };
}

export const placeName = (place, words) => (place === BAR ? words.bar : place === 0 ? words.off : place);
export const inWords = (count, { numbers }) => numbers?.[count] ?? count;
export const moveName = ([source, target], words) => `${placeName(source, words)}/${placeName(target, words)}`;

/** The moves with a third item: whether they hit. */
export function marked(points, moves) {
  let board = points;
  return moves.map(([source, target]) => {
    const hit = isHit(board, target);
    board = moved(board, source, target);
    return [source, target, hit];
  });
}

export const spelled = (moves, words) => moves.map((move) => moveName(move, words) + (move[2] ? "*" : "")).join(" ");

/** The canonical text of the moves of a play, which are in the order of the library. */
export function canonicalText(moves, words) {
  const paths = [];
  const unmarked = new Set();
  for (const [source, target, hit] of moves) {
    if (hit) unmarked.add(target);
    const path = paths.find((path) => path.at(-1) === source); // a checker that came here goes on, the rearmost first
    if (path) path.push(target);
    else paths.push([source, target]);
  }
  const counts = new Map();
  for (const path of paths) counts.set(String(path), (counts.get(String(path)) ?? 0) + 1);
  const texts = Array.from(counts, ([path, count]) => {
    const stops = path.split(",").map(Number);
    const names = stops.map((stop, at) => {
      const star = unmarked.delete(stop) ? "*" : "";
      return star || at === 0 || at === stops.length - 1 ? placeName(stop, words) + star : "";
    });
    return names.filter(Boolean).join("/") + (count > 1 ? `(${count})` : "");
  });
  return texts.join(" ") || "no play";
}

export const textOf = (roll, { moves }, words) => canonicalText(marked(roll.points, moves), words);
export const withText = (roll, play) => ({ ...play, text: textOf(roll, play, WORDS) });
