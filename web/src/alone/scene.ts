/** What is said of a match: whose turn it is, score, pips, cube and results. It is what draw.svg.table says, and a translation
 * of draw/_scene.py and draw/svg/_words.py; the tests compare the two. */

import { internals, view, winner } from "../match/index.js";
import { opponentOf } from "../match/terms.js";
import type { Double, MatchState, Player } from "../match/types.js";
import { PLAYERS } from "../setup/states.js";
import { type Say, sayingOf, type TableWords, type WordName } from "./words.js";

const { doubleOf, scoreBefore } = internals;

/** What is said of a player. */
export interface SideScene {
  player: Player;
  name: string;
  points: string;
  score: string;
  doing: string;
}

/** Everything that is said of a state. */
export interface Scene {
  kind: string;
  standing: string[];
  cube: string;
  white: SideScene;
  black: SideScene;
}

const OFFERS: readonly WordName[] = ["offered", "beavered", "raccoon", "beavers"]; // by the number of beavers

/** Who must answer a double: the doubler, if the beavers are odd. */
const answererOf = ({ by, beavers }: Double) => (beavers % 2 ? by : opponentOf(by));

export function sceneOf(state: MatchState, words: TableWords): Scene {
  const say = sayingOf(words);
  const [white, black] = PLAYERS.map((player) => sideIn(state, player, say));
  return { kind: kindOf(state, say), standing: standingOf(state, say), cube: cubeOf(state, say), white, black };
}

function kindOf(state: MatchState, say: Say): string {
  const { length, crawford, rules } = state;
  const kind = length === null ? say("money") : say("match", { count: length });
  if (crawford) return say("crawford", { kind });
  if (!rules.cube) return say("no_cube", { kind });
  const isPast = rules.crawford && length !== null && length > 1 && scoreBefore(state).includes(length - 1);
  return isPast ? say("post_crawford", { kind }) : kind;
}

/** What concerns both sides: an opening roll, or a result. */
function standingOf(state: MatchState, say: Say): string[] {
  const { on_roll, result } = state;
  if (!result) return on_roll ? [] : [say("opening_roll")];
  const { winner: player, win, end, points } = result;
  const short = cutTo(say(player), 18, ({ length }) => length);
  const level = win ? say(win) : say("forfeit");
  const how = end === "dropped" || end === "resigned" ? say(end, { level }) : level;
  const won = say("won", { player: short, how, points: countOf(say, "one_point", "points", points) });
  return winner(state) ? [won, say("match_won", { player: short })] : [won];
}

export const countOf = (say: Say, one: WordName, several: WordName, count: number) => say(count === 1 ? one : several, { count });

function cubeOf(state: MatchState, say: Say): string {
  const { value, owner } = state.cube;
  if (doubleOf(state) || !hasCube(state)) return "";
  return owner ? say("cube_owned", { value, player: say(owner) }) : say("centered", { value });
}

export const hasCube = ({ rules, crawford, length }: MatchState) => rules.cube && !crawford && length !== 1;

/** A player, and what stands beside them. */
function sideIn(state: MatchState, player: Player, say: Say): SideScene {
  const points = countOf(say, "one_point", "points", state.score[PLAYERS.indexOf(player)]);
  const { points: counts } = view(state, player);
  const pips = counts.reduce((sum, count, point) => sum + point * Math.max(count, 0), 0);
  const score = `${points} · ${countOf(say, "pip", "pips", pips)}`;
  return { player, name: say(player), points, score, doing: doingOf(state, player, say) };
}

function doingOf(state: MatchState, player: Player, say: Say): string {
  const { on_roll, dice, offer, result } = state;
  if (result) return "";
  const doing: string[] = [];
  const double = doubleOf(state);
  if (double && answererOf(double) === player) {
    const { value, beavers: number } = double;
    doing.push(say(OFFERS[Math.min(number, 3)], { value, number }));
  }
  if (!double && on_roll === player) doing.push(dice ? say("rolled", { dice: dice.join("") }) : say("on_roll"));
  if (offer?.type === "Resignation" && offer.by === player) doing.push(say("resigns", { level: say(offer.win) }));
  return doing.join(", ");
}

/** A name, or its beginning. */
export function cutTo(name: string, most: number, length: (text: string) => number): string {
  if (length(name) <= most) return name;
  const letters = [...name];
  while (length(letters.join("")) > most - length("…")) letters.pop();
  return `${letters.join("")}…`;
}
