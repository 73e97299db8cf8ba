/** What an XGID says, as a state. */

import { GammonError, type MatchState, newMatch, type Offer, type Player, type Rules } from "../match/index.js";
import { NO_LIMIT, readFields } from "./fields.js";
import {
  isWhole, opponentOf, optionsOf, problemsOfNumber, reading, refuse, rulesFrom, stateOf, turned, unfit,
} from "./internals.js";
import { valuesIn } from "./text.js";
import type { XgidFields, XgidOptions, XgidResult } from "./types.js";

const INSTEAD = {
  doubler: "the turn is read as that of the player who must answer, since they cannot have doubled",
  responder: "the turn is read as that of the doubler, since the opponent cannot have doubled",
};

/** The state that an XGID describes, as people paste it, and a message for each guess. */
export function fromXgid(text: string, options: XgidOptions = {}): XgidResult {
  const read = optionsOf(options, ["rules", "checkers", "doubledTurn"]);
  const { rules: chosen = null, checkers = null, doubledTurn = "doubler" } = read;
  const rules = chosen === null ? null : reading("options", () => rulesFrom(chosen, null, "options.rules"));
  if (!isTurn(doubledTurn)) return refuse([unfit("options.doubledTurn", "choice", '"doubler" or "responder"', doubledTurn)]);
  const xgid = readFields(valuesIn(text));
  if (!isCount(checkers)) return refuse(problemsOfNumber("options.checkers", checkers, 1, 15, " or null"));
  const { state, doubt } = stateIn(text, xgid, rules, checkers, doubledTurn);
  const doubts = [xgid.doubt, doubt, unusual(state)].filter(Boolean);
  return Object.freeze({ state, warnings: Object.freeze(doubts.map((message) => `XGID: ${message}`)) });
}

const isTurn = (value: unknown): value is keyof typeof INSTEAD => value === "doubler" || value === "responder";
const isCount = (value: unknown): value is number | null => value === null || isWhole(value, 1, 15);

/** The state; while a double is pending, with the turn read in the other way if only this is possible. */
function stateIn(
  text: string, xgid: XgidFields, rules: Rules | null, checkers: number | null, doubledTurn: keyof typeof INSTEAD,
): { state: MatchState; doubt?: string } {
  const stateFor = (player: Player) => stateOf(fieldsOf(xgid, player, rules, checkers), text);
  const { turn } = xgid;
  if (xgid.beavers === undefined) return { state: stateFor(turn) };
  const usual = doubledTurn === "doubler" ? turn : opponentOf(turn);
  try {
    return { state: stateFor(usual) };
  } catch (error) {
    const state = unlessRefused(() => stateFor(opponentOf(usual)));
    if (!state) throw error;
    return { state, doubt: INSTEAD[doubledTurn] };
  }
}

function unlessRefused<Answer>(call: () => Answer): Answer | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof GammonError) return null;
    throw error;
  }
}

/** The fields of the state in which this player is on roll, and has doubled if somebody has. */
function fieldsOf(xgid: XgidFields, player: Player, base: Rules | null, checkers: number | null) {
  const { points, cube, dice, beavers, score, length, rule } = xgid;
  const usual = base ?? newMatch({ length }).rules;
  const rules = rulesIn(usual, xgid);
  const seen = Object.freeze(player === "white" ? points : turned(points));
  const usualCheckers = newMatch({ rules }).position.checkers;
  const position = Object.freeze({ points: seen, checkers: checkers ?? usualCheckers });
  const offer = beavers === undefined ? null : doubleBy(player, cube.value * 2 ** (1 + beavers), beavers);
  const fields = { position, on_roll: player, dice, cube, offer, score, length, rules, result: null };
  return { ...fields, crawford: length !== null && rule === 1 };
}

const doubleBy = (by: Player, value: number, beavers: number): Offer => Object.freeze({ type: "Double", by, value, beavers });

/** The rules to start from, with what the text says about them. */
function rulesIn(rules: Rules, { length, rule, limit, beavers = 0 }: XgidFields): Rules {
  const options = { ...rules, cube: limit > 0 };
  if (limit) options.max_cube = limit === NO_LIMIT ? null : 2 ** limit;
  if (length !== null && rule) options.crawford = true;
  if (length === null) {
    options.jacoby = rule % 2 === 1;
    options.beavers = rule > 1 ? Math.max(1, rules.beavers, beavers) : 0;
  }
  return newMatch({ rules: options }).rules;
}

/** What is possible but unlikely. */
function unusual({ cube, rules }: MatchState): string | false {
  const isOdd = !cube.owner && cube.value > 2 ** rules.auto_doubles;
  return isOdd && `a centered cube of ${cube.value}, though only automatic doubles turn a centered cube`;
}
