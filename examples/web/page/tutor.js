// The tutor of a game against a bot: what they say stands in a card.

import { say } from "./language.js";

const [card, board] = ["advice", "board"].map((id) => document.getElementById(id));
const GRADES = [[0.005, "equal"], [0.02, "good"], [0.08, "mistake"], [Infinity, "blunder"]];

export const isBad = (loss) => loss >= 0.08;

let best = []; // the arrows of the play that is advised

/** Show these lines, and a play as arrows; nothing without lines. */
export function advise(lines, play = "", moves = []) {
  card.hidden = !lines.length;
  card.replaceChildren(...lines.map((textContent) => Object.assign(document.createElement("p"), { textContent })));
  const ways = play.split(" ").map((way) => way.replace(/\*|\(.\)/g, "").split("/").map((at) => Number({ bar: 25, off: 0 }[at] ?? at)));
  best = /\d/.test(play) ? ways.flatMap((way) => way.slice(1).map((to, before) => [way[before], to])) : [];
  pointAt(moves);
}

/** The arrows start from the board before the turn. */
export const pointAt = (moves) => { board.arrows = moves.length ? [] : best; };

/** A hint in words: what is best, what the others lose, and how the game may end. */
export function hint([best, ...others], chances, by) {
  const what = (text) => (/\d/.test(text) ? text : say(text));
  const grade = (loss) => GRADES.find(([least]) => loss < least)[1];
  if (!best) return [say("no_hint")];
  const lines = others.map(([text, loss]) => say(`choices.${grade(loss)}`, { what: what(text), loss: loss.toFixed(2) }));
  const [win, gammons, lost] = chances.map((chance) => Math.round(100 * chance));
  const odds = chances.length ? [say("chances", { win, gammons, lost })] : [];
  return [say("choices.best", { what: what(best[0]) }), ...lines, ...odds, say(lines.length ? "judged" : "judged_alone", { by })];
}
