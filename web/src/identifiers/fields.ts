/** What the fields of an XGID say, before anything is checked that is not of the form. */

import type { Die, Player } from "../match/index.js";
import { fail, isWhole, quoted } from "./internals.js";
import type { XgidFields } from "./types.js";

export const FIELDS = [
  "board", "cube", "cube owner", "turn", "dice", "score", "opponent's score", "rule", "length", "max cube",
] as const;
type Field = (typeof FIELDS)[number];
const BAR = 25;
export const SLOTS = 26;
export const MAX_VALUE = 1e9;
export const NO_LIMIT = 10; // the power where the cube has no limit
export const OFFERS = ["D", "B", "R"]; // in place of the dice: a double, a beaver, a raccoon
export const SIGNS: Readonly<Record<Player, number>> = { white: 1, black: -1 };
const POWERS = [0, 24] as const; // of a cube
const PLAYERS: Readonly<Record<number, Player>> = { 1: "white", "-1": "black" };

/** The values of all fields, and of what follows them. */
export function readFields(values: readonly string[]): XgidFields {
  const rest = values.slice(FIELDS.length).join(":");
  const fields = Object.fromEntries(FIELDS.map((name, at) => [name, values[at]])) as Record<Field, string>;
  const number = (name: Field, minimum: number, maximum: number) => wholeField(name, fields[name], minimum, maximum);
  const value = 2 ** number("cube", ...POWERS);
  const owner = PLAYERS[number("cube owner", -1, 1)] ?? null;
  const cube = Object.freeze({ value, owner });
  const turn = PLAYERS[number("turn", -1, 1)];
  const score = Object.freeze([number("score", 0, MAX_VALUE), number("opponent's score", 0, MAX_VALUE)] as const);
  const length = number("length", 0, MAX_VALUE) || null;
  const limit = number("max cube", ...POWERS);
  const points = pointsIn(fields.board);
  const rule = ruleIn(fields.rule, length);
  const { dice, beavers } = diceIn(fields.dice);
  if (beavers && !(length === null && rule > 1)) refuseBeaver(fields.dice, length);
  const doubt = rest && `${quoted(rest)} after the tenth field is not read`;
  return { points, cube, turn, dice, beavers, score, length, rule, limit, doubt };
}

function wholeField(name: Field, text: string, minimum: number, maximum: number): number {
  const isNumber = /^-?\d{1,12}$/.test(text);
  const few = name === "turn" ? "-1 or 1" : "-1, 0 or 1";
  const needed = maximum > 1 ? `a whole number from ${minimum} to ${maximum}` : few;
  const value = Number(text) + 0; // not -0
  const isRight = isNumber && isWhole(value, minimum, maximum) && (value !== 0 || name !== "turn");
  return isRight ? value : fail(`XGID, ${name}: expected ${needed}, not ${quoted(text)}`);
}

/** The board as White sees it. */
function pointsIn(board: string): number[] {
  const signs = [...board];
  if (signs.length !== SLOTS) fail(`XGID, board: expected ${SLOTS} characters, but ${quoted(board)} has ${signs.length}`);
  return signs.map((sign, place) => {
    if (sign === "-") return 0;
    const code = sign.codePointAt(0)!;
    if (isWhole(code - 64, 1, 15) && place > 0) return code - 64;
    return isWhole(code - 96, 1, 15) && place < BAR ? 96 - code : refuseSign(sign, place);
  });
}

function refuseSign(sign: string, place: number): never {
  const names: Readonly<Record<number, string>> = {
    0: "on the top player's bar (-, a to o)",
    [BAR]: "on the bottom player's bar (-, A to O)",
  };
  const name = names[place] ?? `on the ${place} point (-, A to O, a to o)`;
  return fail(`XGID, board: ${quoted(sign)} cannot be ${name}`);
}

/** Whether it is the Crawford game, or in money play 1 for the Jacoby rule and 2 for beavers. */
function ruleIn(text: string, length: number | null): number {
  const highest = length === null ? 3 : 1;
  const kind = length === null ? "money play" : "a match";
  const isRight = text.length === 1 && text >= "0" && text <= String(highest);
  return isRight ? Number(text) : fail(`XGID, rule: expected 0 to ${highest} in ${kind}, not ${quoted(text)}`);
}

function diceIn(text: string): Pick<XgidFields, "dice" | "beavers"> {
  if (OFFERS.includes(text)) return { dice: null, beavers: OFFERS.indexOf(text) };
  if (text === "00") return { dice: null };
  if (/^[1-6]{2}$/.test(text)) return { dice: Object.freeze([...text].map(Number).sort().reverse() as [Die, Die]) };
  return fail(`XGID, dice: expected 00, two faces from 1 to 6, D, B or R, not ${quoted(text)}`);
}

function refuseBeaver(letter: string, length: number | null): never {
  const where = length === null ? "a game under this rule" : "a match";
  return fail(`XGID, dice: ${letter} is a ${letter === "B" ? "beaver" : "raccoon"}, which ${where} does not have`);
}
