/** What a page gives to a board, a position or the state of a match, as the turn that is drawn and played. */

import type { Player } from "../board/svg.js";
import { type Strength, STRENGTHS } from "../generated/names.js";
import * as rules from "../match/index.js";
import { PLAYERS } from "../match/terms.js";
import type { MatchState } from "../match/types.js";
import type { Dice, DiceRoll, Die, Move, Options, Points, TurnTree } from "../rules/types.js";
import { colorOf, MAX_CHECKERS, readXgid, ROLLS, SIGNS } from "../setup/xgid.js";
import { hasCube } from "./scene.js";

/** A cube as pictures have it: its power of two, and the sign of its owner. */
interface TableCube {
  cube: number;
  owner: number;
  /** How often it is offered: doubled, beavered, and once more. */
  offers?: number;
  /** Whether "Cr" is in its place. */
  isSign?: boolean;
}

/** What is drawn and played, as a page has begun it. */
export interface BegunTurn {
  readonly points: Points;
  readonly checkers: number;
  readonly side: Player;
  /** The roll of an XGID or a state. */
  readonly rolled: DiceRoll | null;
  readonly cube: TableCube | null;
  readonly dice: Dice | null;
  /** Whether the page's `side` does not decide who is on roll. */
  readonly isFixed?: boolean;
  readonly state?: MatchState;
  /** The play that led to it. */
  readonly play?: Move[] | null;
}

/** The same, checked, with the tree of the turn, if there is one. */
export interface TableTurn extends BegunTurn {
  readonly points: number[];
  readonly dice: [high: Die, low: Die] | null;
  readonly tree: TurnTree | null;
}

/** What a page may choose of. */
interface Choices {
  side: Player;
  player: Player | "none";
  opponent: Strength;
  look: "flat" | "depth";
  layout: "landscape" | "portrait";
  numbers: "turning" | "fixed";
}

/** What a page says of a position; of an XGID it is more than the points. */
type ReadPosition = { points: Points } & Partial<Pick<BegunTurn, "side" | "rolled" | "cube">>;

const { internals } = rules;
const { doubleOf, oneOf, refuse, turned, unfit } = internals;
export const CHOICES: { readonly [Name in keyof Choices]: readonly Choices[Name][] } = {
  side: PLAYERS,
  player: [...PLAYERS, "none"],
  opponent: STRENGTHS,
  look: ["flat", "depth"],
  layout: ["landscape", "portrait"],
  numbers: ["turning", "fixed"],
};
export const NAMES: readonly string[] = ["position", "state", "dice", "checkers", ...Object.keys(CHOICES)];

export const NO_CUBE: TableCube = { cube: 0, owner: 0 };
const CRAWFORD: TableCube = { ...NO_CUBE, isSign: true };

const MAX_STATE_LENGTH = 10_000; // characters of an attribute
const START = "4HPwATDgc/ABMA";
export const ONE_EACH: readonly number[] = Object.assign(Array<number>(26).fill(0), { 1: 1, 24: -1 });

export const readDice = (dice: Dice) => rules.turn(rules.fromPositionId(START), dice).dice;
const asNumber = (text: string) => (text.trim() ? Number(text) : NaN);

export function readCheckers(value: number | string | null | undefined): number {
  const checkers = typeof value === "string" ? asNumber(value) : value ?? MAX_CHECKERS;
  rules.pips(ONE_EACH, { checkers });
  return checkers;
}

/** What points, a Position ID or an XGID say. */
export function readPosition(value: Points | string, options: Options): ReadPosition {
  if (typeof value !== "string") return { points: value };
  if (value.length < 200 && value.includes(",")) return { points: value.replace(/[[\]]/g, "").split(",").map(asNumber) };
  return value.split(":").length > 2 ? readTable(value.trim()) : { points: rules.fromPositionId(value, options) };
}

function readTable(xgid: string): ReadPosition {
  try {
    const { counts, turn: sign, dice, rest, ...cube } = readXgid(xgid);
    const [, , , crawford, length, limit] = rest.split(":").map(Number);
    const points = sign < 0 ? turned(counts) : counts;
    const rolled = ROLLS.includes(dice) ? rules.toDice(Number(dice[0]), Number(dice[1])) : null;
    const offered = { ...cube, offers: "DBR".indexOf(dice) + 1 };
    return { points, side: colorOf(sign), rolled, cube: length && crawford ? CRAWFORD : limit && length !== 1 ? offered : null };
  } catch {
    return refuse([unfit("position", "choice", `XGID with at most ${MAX_CHECKERS} checkers a side`, xgid)]);
  }
}

/** One of the choices; null: the page leaves it open. */
export function readChoice<Name extends keyof Choices>(name: Name, value: unknown): Choices[Name] | null {
  const choice = CHOICES[name].find((choice) => choice === value) ?? null;
  if (choice !== (value ?? null)) refuse([unfit(name, "choice", oneOf(CHOICES[name]), value)]);
  return choice;
}

/** The beginning of a turn, checked. A game that is over takes no dice. */
export function readTurn({ points, dice, checkers, ...rest }: BegunTurn): TableTurn {
  const tree = rules.outcome(points, { checkers }) || !dice ? null : rules.turn(points, dice, { checkers });
  return { ...rest, points: Array.from(points), checkers, dice: tree && tree.dice, tree };
}

export const keyOf = ({ points, checkers, side, dice, cube, state }: TableTurn) =>
  JSON.stringify([points, checkers, side, dice, cube, state]);

// --- a match ---

/** A state, or its JSON. */
export function readState(value: unknown): MatchState {
  if (typeof value !== "string" || value.length > MAX_STATE_LENGTH) return rules.readState(value);
  let document: unknown;
  try {
    document = JSON.parse(value);
  } catch {
    return refuse([unfit("state", "choice", "state as JSON", value)]);
  }
  return rules.readState(document);
}

/** The turn of a state, as those of positions are. */
export function turnIn(state: MatchState): BegunTurn {
  const { position, on_roll, dice, cube, crawford } = state;
  const double = doubleOf(state);
  const owner = cube.owner ? SIGNS[cube.owner] : 0;
  const table = { cube: Math.log2(cube.value), owner, offers: double ? double.beavers + 1 : 0 };
  const shown = crawford ? CRAWFORD : hasCube(state) || double ? table : null;
  return { ...position, side: on_roll ?? PLAYERS[0], rolled: dice, dice, cube: shown, isFixed: true, state };
}

/** The moves of the play that led from one state to the next, or null. */
export function playBetween({ position, on_roll, dice }: MatchState, after: MatchState): Move[] | null {
  if (!dice || on_roll === after.on_roll) return null;
  const { points, checkers } = position;
  const reached = String(after.position.points);
  return rules.legalPlays(points, dice, { checkers }).find((play) => String(play.points) === reached)?.moves ?? null;
}
