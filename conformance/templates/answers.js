// Answers the questions of `gammonrules conform -- node answers.js`: put your rules into `legalBoards`.
"use strict";
const readline = require("node:readline");

// Every board that a legal play leads to, each once; `points` alone if there is none. points[1] to points[24] are the
// points as the player on roll numbers them, points[25] is their bar, and points[0] that of the opponent. Checkers of
// the player count above 0, those of the opponent below.
function legalBoards(points, dice) {
  return [points]; // your rules
}

function answer({ ask, points, dice }) {
  if (ask === "hello") return { name: "my program", version: "0.1", asks: ["plays"] };
  if (ask === "plays") return { points: legalBoards(points, dice) };
  return { error: "not answered" };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const question = JSON.parse(line);
  process.stdout.write(JSON.stringify({ id: question.id, ...answer(question) }) + "\n");
});
