/** What a page gives to a board, a position or the state of a match, as the turn that is drawn and played. */

import * as rules from "../match/index.js";
import { colorOf, MOST, PLAYERS, readXgid, ROLLS, SIGNS } from "../setup/states.js";
import { hasCube } from "./scene.js";

const { GammonError, internals } = rules;
const { doubleOf, turned } = internals;
export const CHOICES = { side: PLAYERS, player: PLAYERS, look: ["flat", "depth"], layout: ["landscape", "portrait"] };
export const NAMES = ["position", "state", "dice", "checkers", ...Object.keys(CHOICES)];

export const NO_CUBE = { cube: 0, owner: 0 };
const CRAWFORD = { ...NO_CUBE, isSign: true }; // "Cr" in its place

const LONGEST_STATE = 10_000; // characters of an attribute
const START = "4HPwATDgc/ABMA";
export const ONE_EACH = Object.assign(Array(26).fill(0), { 1: 1, 24: -1 });

export const readDice = (dice) => rules.turn(rules.fromPositionId(START), dice).dice;
const asNumber = (text) => (text.trim() ? Number(text) : NaN);

export function readCheckers(value) {
  const checkers = typeof value === "string" ? asNumber(value) : value ?? MOST;
  rules.pips(ONE_EACH, { checkers });
  return checkers;
}

/** What points, a Position ID or an XGID say: { points }, and of an XGID also { side, rolled, cube }. */
export function readPosition(value, options) {
  if (typeof value !== "string") return { points: value };
  if (value.length < 200 && value.includes(",")) return { points: value.replace(/[[\]]/g, "").split(",").map(asNumber) };
  return value.split(":").length > 2 ? readTable(value.trim()) : { points: rules.fromPositionId(value, options) };
}

function readTable(xgid) {
  try {
    const { counts, turn: sign, dice, rest, ...cube } = readXgid(xgid);
    const [, , , crawford, length, limit] = rest.split(":").map(Number);
    const points = sign < 0 ? turned(counts) : counts;
    const rolled = ROLLS.includes(dice) ? [...dice].map(Number) : null;
    const offered = { ...cube, offers: "DBR".indexOf(dice) + 1 }; // doubled, beavered, and once more
    return { points, side: colorOf(sign), rolled, cube: length && crawford ? CRAWFORD : limit && length !== 1 ? offered : null };
  } catch {
    throw new GammonError(`position is no XGID with at most ${MOST} checkers a side`);
  }
}

export function readChoice(name, value) {
  const choices = CHOICES[name];
  if (choices.includes(value ?? choices[0])) return value ?? null;
  throw new GammonError(`${name} must be "${choices.join('" or "')}"`);
}

/** The beginning of a turn, checked: { points, checkers, side, rolled, cube, dice, tree }. A game that is over takes no dice. */
export function readTurn({ points, dice, checkers, ...rest }) {
  const tree = rules.outcome(points, { checkers }) || !dice ? null : rules.turn(points, dice, { checkers });
  return { ...rest, points: Array.from(points), checkers, dice: tree && tree.dice, tree };
}

export const keyOf = ({ points, checkers, side, dice, cube, state }) => JSON.stringify([points, checkers, side, dice, cube, state]);

// --- a match ---

/** A state, or its JSON. */
export function readState(value) {
  if (typeof value !== "string" || value.length > LONGEST_STATE) return rules.readState(value);
  let document;
  try {
    document = JSON.parse(value);
  } catch {
    throw new GammonError("state must be JSON, and this text is none");
  }
  return rules.readState(document);
}

/** The turn of a state, as those of positions are. */
export function turnIn(state) {
  const { position, on_roll, dice, cube, crawford } = state;
  const double = doubleOf(state);
  const table = { cube: Math.log2(cube.value), owner: SIGNS[cube.owner] ?? 0, offers: double ? double.beavers + 1 : 0 };
  const shown = crawford ? CRAWFORD : hasCube(state) || double ? table : null;
  return { ...position, side: on_roll ?? PLAYERS[0], rolled: dice, dice, cube: shown, isFixed: true, state };
}

/** The moves of the play that led from one state to the next, or null. */
export function playBetween({ position, on_roll, dice }, after) {
  if (!dice || on_roll === after.on_roll) return null;
  const { points, checkers } = position;
  const reached = String(after.position.points);
  return rules.legalPlays(points, dice, { checkers }).find((play) => String(play.points) === reached)?.moves ?? null;
}
