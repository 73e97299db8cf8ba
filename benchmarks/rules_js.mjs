// Microseconds a call of rules.js and match.js beside other rules in JavaScript, in one run; rules_js.py says how it is run.
import * as match from "match";
import * as rules from "rules";
import { Chess } from "chess.js";
import { boardStateNodeFromArray } from "tsgammon-core";
import { collectNodes } from "tsgammon-core/utils/collectNodes";
import { Board } from "@nodots-llc/backgammon-core";
import { PLAYER, containersOf } from "../conformance/programs/nodots_boards.js";

const turned = (points) => points.map((count) => 0 - count).reverse();
const off = (points, sign) => points.reduce((left, count) => left - Math.max(0, sign * count), 15);
const START = rules.fromPositionId("4HPwATDgc/ABMA");

let seed = 1;
const random = (below) => ((seed = (seed * 48271) % 2147483647) % below);
const roll = () => [random(6) + 1, random(6) + 1];
const oneOf = (items) => items[random(items.length)];

/** Boards and rolls of random games, as the player on roll sees them. */
function someTurns(count) {
  const turns = [];
  for (let points = START; turns.length < count; ) {
    const dice = roll().sort((one, other) => other - one);
    const plays = rules.legalPlays(points, dice);
    if (plays.length) turns.push([points, dice]);
    points = plays.length ? oneOf(plays).points : START;
  }
  return turns;
}

/** The states of random matches in which a roll is to be played, each with a play of it, as moves and as text. */
function somePlays(count) {
  const states = [];
  for (let state = match.newMatch({ length: 7 }); states.length < count; ) {
    if (match.winner(state)) state = match.newMatch({ length: 7 });
    if (match.phase(state) === "to_play") states.push(state);
    state = stepped(state);
  }
  return states.map((state) => {
    const { points } = state.position;
    const { moves } = oneOf(rules.legalPlays(points, state.dice));
    return [state, { action: "play", argument: moves }, { action: "play", argument: rules.notation(points, state.dice, moves) }];
  });
}

/** One action at random; one double in twenty turns. */
function stepped(state) {
  if (match.phase(state) === "to_play") {
    return match.apply(state, { action: "play", argument: oneOf(match.legalPlays(state.position.points, state.dice)).moves });
  }
  const actions = match.legalActions(state).filter((action) => action !== "resign" && action !== "beaver");
  const action = actions.includes("roll") && random(20) ? "roll" : oneOf(actions);
  return match.apply(state, { action, argument: action === "roll" || action === "opening_roll" ? roll() : null });
}

/** A match to 7; how many plays it had. */
function matchAtRandom() {
  let plays = 0;
  for (let state = match.newMatch({ length: 7 }); !match.winner(state); state = stepped(state)) {
    plays += match.phase(state) === "to_play";
  }
  return plays;
}

/** Positions of random games of chess, and a move in each. */
function someChess(count) {
  const positions = [];
  for (let game = new Chess(); positions.length < count; ) {
    if (game.isGameOver()) game = new Chess();
    const move = oneOf(game.moves());
    positions.push([new Chess(game.fen()), move]);
    game.move(move);
  }
  return positions;
}

/** The moves of its first die alone: it has no function that lists the plays of a roll. */
function nodotsMoves(points, [high]) {
  const moves = Board.getPossibleMoves(Board.initialize(containersOf(points)), PLAYER, high);
  return Array.isArray(moves) ? moves : moves.moves;
}

function tsgammonTurns(points, [high, low]) {
  const node = boardStateNodeFromArray(turned(points), high, low, [off(points, 1), off(points, -1)]);
  return collectNodes(node).map(({ board }) => board.points);
}

/** What is called with each of so many arguments. */
function measured() {
  const turns = someTurns(20_000);
  const plays = somePlays(20_000);
  const positions = someChess(1_000);
  return {
    "rules.js, legalPlays": [rules.legalPlays, turns],
    "rules.js, turn": [rules.turn, turns.slice(0, 4_000)],
    "match.js, legalPlays": [match.legalPlays, turns],
    "match.js, apply of a play, as legalPlays has it": [(state, play) => match.apply(state, play), plays],
    "match.js, apply of a play as text": [(state, _, text) => match.apply(state, text), plays.slice(0, 4_000)],
    "match.js, legalActions": [(state) => match.legalActions(state), plays],
    "tsgammon-core, all turns": [tsgammonTurns, turns.slice(0, 1_000)],
    "Nodots, the moves of one die": [nodotsMoves, turns.slice(0, 200)],
    "chess.js, the moves of chess as text": [(game) => game.moves(), positions],
    "chess.js, the moves of chess with the boards after them": [(game) => game.moves({ verbose: true }), positions.slice(0, 100)],
    "chess.js, a move of chess and back": [(game, move) => [game.move(move), game.undo()], positions],
  };
}

/** Microseconds a call, the least of three rounds. */
export function measure() {
  const calls = measured();
  const micros = {};
  const take = (name, begun, count) => {
    const taken = (1000 * (performance.now() - begun)) / count;
    micros[name] = Math.min(micros[name] ?? Infinity, taken);
  };
  for (let round = 0; round < 4; round += 1) {
    if (round === 1) for (const name of Object.keys(micros)) delete micros[name]; // the first is for the compilers
    for (const [name, [call, many]] of Object.entries(calls)) {
      const begun = performance.now();
      for (const given of many) call(...given);
      take(name, begun, many.length);
    }
    let plays = 0;
    const begun = performance.now();
    for (let number = 0; number < 40; number += 1) plays += matchAtRandom();
    take("match.js, a turn of a match to 7 at random", begun, plays);
  }
  return micros;
}
