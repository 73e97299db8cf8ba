/** The cells of a record: of whom, with what text, and what that says. */

import {
  type Cube, type Double, isPhase, legalPlays, type LoggedEvent, type LoggedSetPosition, type MatchState, type Player, toAct,
  view,
} from "../match/index.js";
import { actionOf, isSamePosition, lastOf } from "./games.js";
import { doubleOf, fail, isSame, marked, opponentOf, PLAYERS, scoreBefore } from "./internals.js";
import type { Cell, GameOfRecord, Names } from "./types.js";

export function cellsOf({ states, events }: GameOfRecord, names: Names): Cell[] {
  const cells: Cell[] = [];
  const [start] = states;
  addRoll(cells, start);
  addPendingDouble(cells, doubleOf(start));
  const isResigned = lastOf(states).result?.end === "resigned";
  const accepted = isResigned ? events.length - 2 : -1;
  const lastRoll = events.findLastIndex((event) => isRoll(actionOf(event)));
  for (const [at, event] of events.entries()) {
    const [before, after] = [states[at], states[at + 1]];
    // an offer to resign that was not accepted cannot be written
    const isDeclined = actionOf(event) === "resign" && at !== accepted;
    if (event.type === "SetPosition") addBoard(cells, event, before, after, names);
    else if (event.type === "Event" && !isDeclined) addAction(cells, event, before, after, at < lastRoll);
  }
  return cells;
}

const isRoll = (action: string | null): boolean => action === "roll" || action === "opening_roll";

function addRoll(cells: Cell[], { on_roll: player, dice }: MatchState): void {
  if (player && dice) cells.push({ player, dice, text: `${dice.join("")}:` });
}

function addToLast(cells: Cell[], text: string, more: Partial<Cell>): void {
  const last = lastOf(cells);
  Object.assign(last, more, { text: last.text + text });
}

/** The double, and the beavers, with which a record begins. */
function addPendingDouble(cells: Cell[], double: Double | null): void {
  if (!double) return;
  let { by: player, value } = double;
  value /= 2 ** double.beavers; // each beaver has doubled it
  for (let beavers = 0; beavers <= double.beavers; beavers += 1) {
    cells.push({ player, action: beavers ? "beaver" : "double", text: offerText({ value, beavers }) });
    value *= 2;
    player = opponentOf(player);
  }
}

function offerText({ value, beavers }: Pick<Double, "value" | "beavers">): string {
  if (!beavers) return ` Doubles => ${value}`;
  return ` ${beavers % 2 ? "Beavers" : "Raccoons"} => ${value}`;
}

function addAction(
  cells: Cell[], { action, by: player }: LoggedEvent, before: MatchState, after: MatchState, aRollFollows: boolean,
): void {
  const actor = toAct(before)!; // but for an opening roll, which both make
  const add = (action: Cell["action"], text: string) => cells.push({ player: actor, action, text });
  // programs do not write that a beaver was taken: the roll after it shows that
  const isShownByRoll = aRollFollows && before.offer?.by === actor;
  if (isRoll(action)) addRoll(cells, after);
  else if (action === "play") addPlay(cells, before, after);
  else if (action === "double" || action === "beaver") add(action, offerText(doubleOf(after)!));
  else if (action === "take") isShownByRoll || add(action, " Takes");
  else if (action === "drop") add(action, " Drops");
  // by the player who has rolled: another resignation leaves no sign but the end line
  else if (action === "resign" && before.dice && player === before.on_roll) addToLast(cells, " ????", { isResigned: true });
}

/** The moves of a play, die by die. */
function addPlay(cells: Cell[], { position, dice }: MatchState, after: MatchState): void {
  const { points, checkers } = position;
  const { moves } = legalPlays(points, dice!, { checkers }).find((play) => isSame(play.points, after.position.points))!;
  const texts = marked(points, moves).map(([from, to, isHit]) => ` ${from}/${to}${isHit ? "*" : ""}`);
  addToLast(cells, texts.join(""), { moves });
}

const isSameCube = (cube: Cube, other: Cube): boolean => cube.value === other.value && cube.owner === other.owner;

/** Whether it changes nothing but whose turn it is. */
function isOnlyATurn({ position, on_roll, cube }: LoggedSetPosition, state: MatchState): boolean {
  return isSamePosition(position, view(state, on_roll)) && isSameCube(cube, state.cube);
}

/** The board after an illegal play, or a turn passed without a roll; one before the first roll has a line of its own. */
function addBoard(cells: Cell[], event: LoggedSetPosition, before: MatchState, after: MatchState, names: Names): void {
  if (isPhase(before, "to_play")) {
    const next = opponentOf(before.on_roll);
    addToLast(cells, ` ${illegalPlay(after, next, names)}`, { board: view(after, next).points });
  } else if (isPhase(before, "to_roll") && event.on_roll !== before.on_roll && isOnlyATurn(event, before)) {
    cells.push({ player: before.on_roll, text: " Cannot Move" });
  } else if (!isPhase(before, "opening")) {
    fail("a position set by hand where no play is due cannot be written in this format");
  }
}

/** The state after an illegal play, in the forty fields that other programs write, as the next player sees it. */
function illegalPlay(after: MatchState, player: Player, names: Names): string {
  const opponent = opponentOf(player);
  const { cube, crawford, length, rules } = after;
  const score = scoreBefore(after);
  const points = (side: Player) => score[PLAYERS.indexOf(side)];
  const owner = cube.owner && (cube.owner === player ? 1 : -1);
  const name = (side: Player) => names[side].replace(/[;()]/g, ".");
  // the numbers 1 and 0 after the Jacoby rule have no known meaning: those programs write them in all games
  const fields = [
    length ?? 0, +(rules.jacoby && length === null), 1, 0, +(player === "white"), name(player), name(opponent),
    +crawford, points(player), points(opponent), cube.value, owner ?? 0, ...view(after, player).points, 0, 0,
  ];
  return `Illegal play (${fields.join(";")};)`;
}
