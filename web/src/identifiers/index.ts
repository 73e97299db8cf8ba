/** XGIDs for JavaScript: docs/reference/match-js.md. */

import type { MatchState } from "../match/index.js";
import { FIELDS, MAX_VALUE, NO_LIMIT, OFFERS, SIGNS } from "./fields.js";
import { doubleOf, fail, letterOf, stateFrom, turned } from "./internals.js";

import { fromXgid } from "./xgid_reader.js";

export { fromXgid };
export type { XgidOptions, XgidResult } from "./types.js";

const MAX_SHOWN = 2; // beavers

/** The XGID of a state without its result and an offer to resign; White is the bottom player. */
export function xgid(state: MatchState): string {
  const { position, on_roll, cube, dice, offer, score, length, crawford, rules } = stateFrom(state);
  refuseLarge(score);
  const turn = on_roll ?? "white";
  const board = (turn === "white" ? position.points : turned(position.points)).map(letterOf).join("");
  const double = doubleOf({ offer });
  const [cubeShown, rolled] = double ? offerShown(cube.value, double.beavers) : [cube.value, dice?.join("") ?? "00"];
  const rule = length === null ? +rules.jacoby + 2 * +(rules.beavers > 0) : +crawford;
  const limit = rules.cube ? powerOf(rules.max_cube ?? 2 ** NO_LIMIT) : 0;
  const owner = cube.owner ? SIGNS[cube.owner] : 0;
  const fields = [board, powerOf(cubeShown), owner, SIGNS[turn], rolled, ...score, rule, length ?? 0, limit];
  return `XGID=${fields.join(":")}`;
}

const powerOf = (value: number): number => Math.log2(value);

function refuseLarge(score: readonly number[]): void {
  for (const [seat, points] of score.entries()) {
    const name = FIELDS[5 + seat];
    if (points > MAX_VALUE) fail(`XGID, ${name}: ${MAX_VALUE} is the most that it can hold, not ${points}`);
  }
}

/** The cube and a letter; of more than two beavers as many are left out as leave the answer to the same player. */
function offerShown(cube: number, beavers: number): [cube: number, letter: string] {
  const limit = beavers % 2 ? 1 : MAX_SHOWN;
  const fewer = beavers > MAX_SHOWN ? limit : beavers;
  return [cube * 2 ** (beavers - fewer), OFFERS[fewer]];
}

declare global {
  /** What scripts without `export` have. */
  interface GammonBoardScripts {
    readonly xgid: typeof xgid;
    readonly fromXgid: typeof fromXgid;
  }
}
