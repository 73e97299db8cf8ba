/** The cells of a record: of whom, with what text, and what that says. */

import { legalPlays, phase, toAct, view } from "../match/index.js";
import { isSamePosition } from "./games.js";
import { doubleOf, fail, isSame, marked, opponentOf, PLAYERS, scoreBefore } from "./internals.js";

export function cellsOf(states, events, names) {
  const cells = [];
  const [start] = states;
  if (start.dice) addRoll(cells, start);
  addPendingDouble(cells, doubleOf(start));
  const isResigned = states.at(-1).result?.end === "resigned";
  const accepted = isResigned ? events.length - 2 : -1;
  const lastRoll = events.findLastIndex(({ action }) => action === "roll" || action === "opening_roll");
  for (const [at, event] of events.entries()) {
    const [before, after] = [states[at], states[at + 1]];
    // an offer to resign that was not accepted cannot be written
    const isDeclined = event.action === "resign" && at !== accepted;
    if (event.type === "SetPosition") addBoard(cells, event, before, after, names);
    else if (event.type === "Event" && !isDeclined) addAction(cells, event, before, after, at < lastRoll);
  }
  return cells;
}

const addRoll = (cells, { on_roll: player, dice }) => cells.push({ player, dice, text: `${dice.join("")}:` });

function addToLast(cells, text, said) {
  const last = cells.at(-1);
  Object.assign(last, said, { text: last.text + text });
}

/** The double, and the beavers, with which a record begins. */
function addPendingDouble(cells, double) {
  if (!double) return;
  let { by: player, value } = double;
  value /= 2 ** double.beavers; // each beaver has doubled it
  for (let beavers = 0; beavers <= double.beavers; beavers += 1) {
    cells.push({ player, action: beavers ? "beaver" : "double", text: offerText({ value, beavers }) });
    value *= 2;
    player = opponentOf(player);
  }
}

function offerText({ value, beavers }) {
  if (!beavers) return ` Doubles => ${value}`;
  return ` ${beavers % 2 ? "Beavers" : "Raccoons"} => ${value}`;
}

function addAction(cells, { action, by: player }, before, after, aRollFollows) {
  const actor = toAct(before);
  const add = (text) => cells.push({ player: actor, action, text });
  // programs do not write that a beaver was taken: the roll after it shows that
  const isShownByRoll = aRollFollows && before.offer?.by === actor;
  if (action === "opening_roll" || action === "roll") after.dice && addRoll(cells, after);
  else if (action === "play") addPlay(cells, before, after);
  else if (action === "double" || action === "beaver") add(offerText(after.offer));
  else if (action === "take") isShownByRoll || add(" Takes");
  else if (action === "drop") add(" Drops");
  // by the player who has rolled: another resignation leaves no sign but the end line
  else if (action === "resign" && before.dice && player === before.on_roll) addToLast(cells, " ????", { isResigned: true });
}

/** The moves of a play, die by die. */
function addPlay(cells, { position, dice }, after) {
  const { points, checkers } = position;
  const { moves } = legalPlays(points, dice, { checkers }).find((play) => isSame(play.points, after.position.points));
  const texts = marked(points, moves).map(([from, to, isHit]) => ` ${from}/${to}${isHit ? "*" : ""}`);
  addToLast(cells, texts.join(""), { moves });
}

const isSameCube = (cube, other) => cube.value === other.value && cube.owner === other.owner;

/** Whether it changes nothing but whose turn it is. */
function isOnlyATurn({ type, position, on_roll, cube }, state) {
  return type === "SetPosition" && isSamePosition(position, view(state, on_roll)) && isSameCube(cube, state.cube);
}

/** The board after an illegal play, or a turn passed without a roll; one before the first roll has a line of its own. */
function addBoard(cells, event, before, after, names) {
  const player = before.on_roll;
  const next = player && opponentOf(player);
  const moment = phase(before);
  const isPassed = moment === "to_roll" && event.on_roll === next && isOnlyATurn(event, before);
  if (moment === "to_play") addToLast(cells, ` ${illegalPlay(after, next, names)}`, { board: view(after, next).points });
  else if (isPassed) cells.push({ player, text: " Cannot Move" });
  else if (moment !== "opening") fail("a position set by hand where no play is due cannot be written in this format");
}

/** The state after an illegal play, in the forty fields that other programs write, as the next player sees it. */
function illegalPlay(after, player, names) {
  const opponent = opponentOf(player);
  const { cube, crawford, length, rules } = after;
  const score = scoreBefore(after);
  const points = (side) => score[PLAYERS.indexOf(side)];
  const owner = { [player]: 1, [opponent]: -1 }[cube.owner] ?? 0;
  const name = (side) => names[side].replace(/[;()]/g, ".");
  // the numbers 1 and 0 after the Jacoby rule have no known meaning: those programs write them in all games
  const fields = [
    length ?? 0, +(rules.jacoby && length === null), 1, 0, +(player === "white"), name(player), name(opponent),
    +crawford, points(player), points(opponent), cube.value, owner, ...view(after, player).points, 0, 0,
  ];
  return `Illegal play (${fields.join(";")};)`;
}
