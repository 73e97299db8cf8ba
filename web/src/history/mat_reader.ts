/** What a reader makes of the cells: records/formats/mat/, a second time. A game is written only if it is read back as the
 * same one. */

import {
  type AnyEvent, apply, type Cube, type DiceRoll, type Die, GammonError, legalPlays, type MatchState, newMatch, phase,
  type Player, type Position, readState, type Result, view, type WinKind,
} from "../match/index.js";
import { boardsSet, cubeStated, isSamePosition, lastOf, powerOf, usualStart } from "./games.js";
import { fail, isWhole, opponentOf, PLAYERS } from "./internals.js";
import type { Cell, GameInCells } from "./types.js";

const MAX_POINTS = 999_999_999;
const MAX_POWER = 12; // of the cube beside a board
const MAX_BORNE_OFF = 4; // checkers of one roll

const checkersOn = (points: readonly number[], sign: 1 | -1): number =>
  points.reduce((sum, count) => sum + Math.max(sign * count, 0), 0);

/** A reader of one game; what the cells cannot mean is a GammonError. */
class Reader {
  readonly states: MatchState[] = [];

  constructor({ length, rules, score, crawford }: MatchState, cube: number) {
    const start = newMatch({ length, rules, score, crawford });
    this.states.push(readState({ ...start, cube: { ...start.cube, value: cube } }));
  }

  get state(): MatchState {
    return lastOf(this.states);
  }

  apply(event: AnyEvent): void {
    this.states.push(apply(this.state, event));
  }

  setBoard(points: readonly number[], player: Player, cube: Cube | null = null): void {
    const position = { points, checkers: this.state.position.checkers };
    this.apply({ type: "SetPosition", position, on_roll: player, cube });
  }

  giveTurn(player: Player): void {
    this.setBoard(view(this.state, player).points, player);
  }

  /** The board with which a game begins, for whoever acts first. */
  begin(board: MatchState, player: Player): void {
    if (powerOf(board) > MAX_POWER) fail("no such cube");
    const { cube } = board.cube.owner ? board : this.state;
    this.setBoard(view(board, player).points, player, cube);
  }

  read({ player, dice, action, ...rest }: Cell): void {
    const isOpening = phase(this.state) === "opening";
    const isReroll = this.state.rules.opening === "reroll";
    if (isOpening && (dice ? isReroll || dice[0] === dice[1] : isReroll && action === "double")) this.giveTurn(player);
    if (dice) this.#readRoll(player, dice, rest);
    else if (action) this.apply({ action, by: player });
    else this.#pass(player);
  }

  #readRoll(player: Player, dice: DiceRoll, { moves, board }: Pick<Cell, "moves" | "board">): void {
    const { offer } = this.state;
    if (offer?.type === "Double" && offer.beavers && offer.by === player) this.apply({ action: "take" });
    const faces: DiceRoll = player === "white" ? dice : [dice[1], dice[0]];
    const isFirst = phase(this.state) === "opening";
    this.apply(isFirst ? { action: "opening_roll", argument: faces } : { action: "roll", by: player, argument: dice });
    if (moves) this.apply({ action: "play", argument: moves });
    else if (board) this.setBoard(board, opponentOf(player));
  }

  #pass(player: Player): void {
    const { state } = this;
    const isDue = phase(state) === "to_roll" && state.on_roll === player;
    if (!isDue || !mayDance(state.position)) fail("this turn cannot be passed");
    this.giveTurn(opponentOf(player));
  }

  /** A last roll without its play is that of the play that wins as stated, if there is one. */
  win(player: Player, points: number): void {
    const { position, dice, length, score } = this.state;
    if (!dice || checkersOn(position.points, 1) > MAX_BORNE_OFF) return;
    const caps = length ? [length, length - score[PLAYERS.indexOf(player)]] : [];
    const isStated = (won: number) => won === points || (caps.includes(points) && won > points);
    const plays = legalPlays(position.points, dice, { checkers: position.checkers });
    const after = plays.map(({ moves }) => apply(this.state, { action: "play", argument: moves }));
    this.states.push(after.find(({ result }) => result?.winner === player && isStated(result.points)) ?? this.state);
  }

  /** The end as it is stated: points that no resignation gives were awarded. */
  end(player: Player, points: number, isForfeited: boolean, isLastGame: boolean): void {
    const { length, score, rules } = this.state;
    const loser = opponentOf(player);
    const award = (won: number) => this.apply({ type: "Forfeit", loser, points: won });
    if (isForfeited) return award(points);
    const needed = (length ?? 0) - score[PLAYERS.indexOf(player)];
    const wins: WinKind[] = rules.scoring === "pips" ? ["single"] : ["single", "gammon", "backgammon"];
    const resigned = phase(this.state) === "opening" ? [] : wins.map((win) => resignedAt(this.state, loser, win));
    const limit = resigned.length ? pointsIn(lastOf(resigned)) : 0;
    const isMore = length !== null && points > limit;
    if (isMore && (points === length || points === needed)) return award(points);
    if (isMore && isLastGame && points > needed && needed > limit) return award(needed);
    const counting = (won: number) => Math.min(won, length ?? won);
    this.states.push(resigned.find((state) => counting(pointsIn(state)) === counting(points)) ?? this.state);
  }
}

const pointsIn = ({ result }: MatchState): number => result?.points ?? 0;

const resignedAt = (state: MatchState, by: Player, win: WinKind): MatchState =>
  apply(apply(state, { action: "resign", by, argument: win }), { action: "accept" });

/** Whether there is a roll that cannot be played. */
function mayDance({ points, checkers }: Position): boolean {
  const faces: Die[] = [1, 2, 3, 4, 5, 6];
  const isDance = (dice: DiceRoll) => legalPlays(points, dice, { checkers })[0].moves.length === 0;
  return faces.some((first) => faces.some((second) => isDance([first, second])));
}

/** Whether a cell has a roll and nothing else. */
const isAlone = (cell?: Cell) => cell?.dice && !cell.moves && !cell.board && !cell.isResigned;

/** The states to which a reader of a game comes. */
function readBack({ states, events, cells }: GameInCells, isLastGame: boolean): MatchState[] {
  const { result, length } = lastOf(states);
  const reader = new Reader(states[0], cubeStated(states));
  const board = boardsSet(states, events).at(-1);
  for (const [at, cell] of cells.entries()) {
    try {
      if (!at && board) reader.begin(board, cell.player);
      reader.read(cell);
    } catch (error) {
      if (!(error instanceof GammonError)) throw error;
      // the end is taken even if the last cell cannot be read
      const isEnd = result && at === cells.length - 1 && phase(reader.state) !== "opening";
      if (!isEnd) return reader.states;
    }
  }
  if (!result || reader.state.result) return reader.states;
  const { winner: player, points, end } = result;
  const isForfeited = end === "forfeited" || !cells.length;
  const stated = isForfeited ? Math.min(points, length ?? points) : points;
  if (isAlone(cells.at(-1))) reader.win(player, stated);
  if (!reader.state.result) reader.end(player, stated, isForfeited, isLastGame);
  return reader.states;
}

/** What is seen where a roll is to be played, without repetition, which an offer to resign causes. */
function rolledOn(states: readonly MatchState[]): string[] {
  const rolled = states.filter(({ dice, result }) => dice && !result);
  const tables = rolled.map(({ dice, on_roll, position, cube }) => JSON.stringify([dice, on_roll, position, cube]));
  return tables.filter((table, at) => table !== tables[at - 1]);
}

/** Whether a reader comes to the same boards and the same end: records/formats/round_trip.py. */
export function isReadBack(game: GameInCells, isLastGame: boolean): boolean {
  const final = lastOf(game.states);
  const { result, position, length } = final;
  if (pointsIn(final) > MAX_POINTS || isReadAsStart(game)) return false;
  const read = readBack(game, isLastGame);
  const [rolls, rollsRead] = [rolledOn(game.states), rolledOn(read)];
  if (rolls.some((table, at) => table !== rollsRead[at])) return false;
  if (!result) return true;
  const { result: other, position: last } = lastOf(read);
  const counting = ({ points }: Result) => Math.min(points, length ?? points);
  const isSameEnd = other !== null && other.winner === result.winner && counting(other) === counting(result);
  return isSameEnd && rolls.length === rollsRead.length && (result.end !== "played" || isSamePosition(position, last));
}

/** Whether a reader takes the board in place of the first play for the start: board_before_first_roll of board_texts.py. */
function isReadAsStart({ states, events, cells: [first] }: GameInCells): boolean {
  const board = first?.board;
  if (!board || boardsSet(states, events).length) return false;
  const { points: usual, checkers } = usualStart(states[0]);
  const isInGame = (sign: 1 | -1) => isWhole(checkersOn(board, sign), 1, checkers);
  // a play does not add to the other points of the next player
  const isOther = board.slice(1, 25).some((count, at) => count > Math.max(0, usual[at + 1]));
  return isInGame(1) && isInGame(-1) && isOther;
}
