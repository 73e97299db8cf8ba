// Nodots Backgammon, rules for servers and browsers: `gammonrules conform -- node with_nodots.js`, after
// `npm install @nodots-llc/backgammon-core` in the folder from which it is started.
//
// It lists single moves of a die. So the boards after a turn are those from which no die that is left can be moved.
"use strict";
const { createRequire } = require("node:module");
const path = require("node:path");
const readline = require("node:readline");
const { PLAYER, containersOf } = require("./nodots_boards.js");

const here = createRequire(path.join(process.cwd(), "with_nodots.js"));
console.log = console.warn = console.info = console.debug = console.error;
const { Board } = here("@nodots-llc/backgammon-core");
const { version } = here("@nodots-llc/backgammon-core/package.json");

function pointsOf(board) {
  const points = new Array(26).fill(0);
  for (const { position, checkers } of board.points) {
    for (const { color } of checkers) points[position.clockwise] += color === "white" ? 1 : -1;
  }
  points[25] = board.bar.clockwise.checkers.length;
  points[0] = -board.bar.counterclockwise.checkers.length;
  return points;
}

function movesOf(board, die) {
  const moves = Board.getPossibleMoves(board, PLAYER, die);
  return Array.isArray(moves) ? moves : moves.moves;
}

function legalBoards(points, [high, low]) {
  const ended = new Map();
  const seen = new Set();
  const follow = (board, dice) => {
    const key = JSON.stringify(pointsOf(board));
    if (seen.has(key + dice)) return;
    seen.add(key + dice);
    let isEnd = true;
    for (const die of new Set(dice)) {
      const left = dice.filter((_, at) => at !== dice.indexOf(die));
      for (const { origin, destination } of movesOf(board, die)) {
        isEnd = false;
        follow(Board.moveChecker(board, origin, destination, "clockwise"), left);
      }
    }
    if (isEnd) ended.set(key, pointsOf(board));
  };
  follow(Board.initialize(containersOf(points)), high === low ? [high, high, high, high] : [high, low]);
  return [...ended.values()];
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, ask, points, dice } = JSON.parse(line);
  let answer = { error: "not answered" };
  if (ask === "hello") answer = { name: "Nodots Backgammon", version, asks: ["plays"] };
  if (ask === "plays") answer = { points: legalBoards(points, dice) };
  process.stdout.write(JSON.stringify({ id, ...answer }) + "\n");
});
