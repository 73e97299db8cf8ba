// tsgammon-core, rules in TypeScript: `gammonrules conform -- node with_tsgammon.js`, after
// `npm install tsgammon-core` in the folder from which it is started.
//
// It lists the turns, two moves of a doublet in each of their orders; equal boards are answered once.
"use strict";
const { createRequire } = require("node:module");
const path = require("node:path");
const readline = require("node:readline");

const here = createRequire(path.join(process.cwd(), "with_tsgammon.js"));
const { boardStateNodeFromArray } = here("tsgammon-core");
const { collectNodes } = here("tsgammon-core/utils/collectNodes");
const { version } = here("tsgammon-core/package.json");

// Its points count in the direction of play, from the player's bar, 0, to the opponent's, 25.
const turned = (points) => [...points].reverse().map((count) => count + 0);

function off(points, checkers, sign) {
  return points.reduce((left, count) => left - Math.max(0, sign * count), checkers);
}

function legalBoards({ points, dice: [high, low], checkers = 15 }) {
  const borneOff = [off(points, checkers, 1), off(points, checkers, -1)];
  const ends = collectNodes(boardStateNodeFromArray(turned(points), high, low, borneOff));
  const boards = ends.map(({ board }) => turned(board.points));
  return [...new Map(boards.map((board) => [String(board), board])).values()];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, ask, ...question } = JSON.parse(line);
  let answer = { error: "not answered" };
  if (ask === "hello") answer = { name: "tsgammon-core", version, asks: ["plays"] };
  if (ask === "plays") answer = { points: legalBoards(question) };
  process.stdout.write(JSON.stringify({ id, ...answer }) + "\n");
});
