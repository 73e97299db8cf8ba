// Microseconds a roll of rules.js beside other rules in JavaScript, in one run; rules_js.py says how it is run.
import * as rules from "rules";
import { boardStateNodeFromArray } from "tsgammon-core";
import { collectNodes } from "tsgammon-core/utils/collectNodes";
import { Board } from "@nodots-llc/backgammon-core";
import { PLAYER, containersOf } from "../conformance/programs/nodots_boards.js";

const turned = (points) => points.map((count) => 0 - count).reverse();
const off = (points, sign) => points.reduce((left, count) => left - Math.max(0, sign * count), 15);

/** Boards and rolls of random games, as the player on roll sees them. */
function someTurns(count) {
  const turns = [];
  let seed = 1;
  const random = (below) => ((seed = (seed * 48271) % 2147483647) % below);
  for (let points = START; turns.length < count; ) {
    const dice = [random(6) + 1, random(6) + 1].sort((one, other) => other - one);
    const plays = rules.legalPlays(points, dice);
    if (plays.length) turns.push([points, dice]);
    points = plays.length ? plays[random(plays.length)].points : START;
  }
  return turns;
}
const START = rules.fromPositionId("4HPwATDgc/ABMA");

/** The moves of its first die alone: it has no function that lists the plays of a roll. */
function nodotsMoves(points, [high]) {
  const moves = Board.getPossibleMoves(Board.initialize(containersOf(points)), PLAYER, high);
  return Array.isArray(moves) ? moves : moves.moves;
}

function tsgammonTurns(points, [high, low]) {
  const node = boardStateNodeFromArray(turned(points), high, low, [off(points, 1), off(points, -1)]);
  return collectNodes(node).map(({ board }) => board.points);
}

const MEASURED = {
  "rules.js, legalPlays": [rules.legalPlays, 20_000],
  "rules.js, turn": [rules.turn, 4_000],
  "tsgammon-core, all turns": [tsgammonTurns, 1_000],
  "Nodots, the moves of one die": [nodotsMoves, 200],
};

/** Microseconds a roll, the least of three rounds. */
export function measure() {
  const turns = someTurns(20_000);
  const micros = Object.fromEntries(Object.keys(MEASURED).map((name) => [name, Infinity]));
  for (let round = 0; round < 4; round += 1) {
    for (const [name, [call, count]] of Object.entries(MEASURED)) {
      const begun = performance.now();
      for (const [points, dice] of turns.slice(0, count)) call(points, dice);
      const taken = (1000 * (performance.now() - begun)) / count;
      if (round) micros[name] = Math.min(micros[name], taken); // the first is for the compilers
    }
  }
  return micros;
}
