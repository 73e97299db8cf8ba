/** The options of an opponent. */

import { isList, oneOf, optionsOf, problemsOfNumber, reading, refuse, refuseProblems, unfit } from "./internals.js";
import { STRENGTHS as NAMES } from "../generated/names.js";
import type { CandidatesOptions, CubeOptions, DecideOptions, SearchLevel, Strength } from "./types.js";

export const STRENGTHS: readonly Strength[] = Object.freeze(NAMES);
const STRONG = STRENGTHS.length - 1;
const MAX_PLAYS = 3060; // of a roll

/** How somebody decides, as opponent.wasm takes it. @internal */
interface Manner {
  readonly level: SearchLevel;
  readonly strength: number;
  readonly random: number;
}

/** @internal */
export function mannerIn(options: DecideOptions): Manner {
  const { strength = null, level = 1, random = Math.random } = optionsOf(options, ["strength", "level", "random"]);
  const searchLevel = searchLevelOf(level);
  if (typeof random !== "function") refuse([unfit("options.random", "type", "function", random)]);
  if (strength === null) return { level: searchLevel, strength: STRONG, random: 0 };
  const number = (STRENGTHS as readonly unknown[]).indexOf(strength);
  if (number < 0) refuse([unfit("options.strength", "choice", oneOf(STRENGTHS), strength)]);
  if (searchLevel > 1) refuse([unfit("options.level", "choice", "1 beside a strength", level)]);
  return { level: searchLevel, strength: number, random: number < STRONG ? numberFrom(random as () => unknown) : 0 };
}

function numberFrom(random: () => unknown): number {
  const number = random();
  if (typeof number === "number" && number >= 0 && number < 1) return number;
  return refuse([unfit("random()", typeof number === "number" ? "range" : "type", "number from 0 to below 1", number)]);
}

function searchLevelOf(level: unknown): SearchLevel {
  refuseProblems(problemsOfNumber("options.level", level, 1, 2));
  return level as SearchLevel;
}

/** @internal */
export function searchLevelIn(options: CubeOptions): SearchLevel {
  const { level = 2 } = optionsOf(options, ["level"]);
  return searchLevelOf(level);
}

/** Which plays are asked for, of which those in `also` have yet to be read. @internal */
interface Wanted {
  readonly level: SearchLevel;
  readonly limit: number;
  readonly also: readonly unknown[];
}

/** @internal */
export function wantedIn(options: CandidatesOptions): Wanted {
  const { limit, level = 2, also = [] } = optionsOf(options, ["limit", "level", "also"]);
  const number = limit ?? MAX_PLAYS;
  refuseProblems(problemsOfNumber("options.limit", number, 1, MAX_PLAYS, " or null"));
  const plays = reading("options.also", () =>
    (isList(also) ? Array.from(also) : refuse([unfit("options.also", "type", "array of plays", also)])));
  return { level: searchLevelOf(level), limit: number as number, also: plays };
}
