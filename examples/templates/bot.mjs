// A bot, which plays as it is: change `decide`, and put rules of your own into `legalBoards`.
//
// gammonrules bench "program:node bot.mjs"
// gammonrules arena "program:node bot.mjs" gnubg:1
// gammonrules conform -- node bot.mjs
//
// A board is 26 counts as the player on roll sees them: 1 to 24 are the points, 25 is their bar, and 0 that of the
// opponent. Checkers of the player count above 0, those of the opponent below.
import { createInterface } from "node:readline";

/** Every board that a legal play leads to, each once; `points` alone if there is none. */
function legalBoards(points, dice) {
  return [points]; // your rules
}

/** What the bot does. `plays` are the boards to which it may play; without "wants" it is not told them. */
function decide({ points, dice, offer }, plays) {
  if (dice) {
    const boards = plays ?? legalBoards(points, dice);
    return { points: boards.reduce((best, board) => (blots(board) < blots(best) ? board : best)) };
  }
  const [mine, theirs] = pips(points); // of the player on roll: who doubles, if a double is to be answered
  if (offer) return { do: mine < 0.8 * theirs ? "drop" : "take" };
  return { do: mine < 0.9 * theirs ? "double" : "roll" };
}

const blots = (points) => points.filter((count) => count === 1).length;

/** How far the checkers of the player on roll have to go, and those of the opponent. */
function pips(points) {
  let [mine, theirs] = [0, 0];
  points.forEach((count, point) => {
    if (count > 0) mine += count * point;
    else theirs -= count * (25 - point);
  });
  return [mine, theirs];
}

function answer({ ask, points, dice, state, plays }) {
  if (ask === "hello") return { name: "my bot", version: "0.1", asks: ["plays", "decide"], wants: ["plays"] };
  if (ask === "plays") return { points: legalBoards(points, dice) };
  if (ask === "decide") return decide(state, plays);
  return { error: "not answered" };
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  console.log(JSON.stringify({ id: question.id, ...answer(question) }));
}
