/** What is said of a match: whose turn it is, score, pips, cube and results. It is what draw.svg.table says, and a translation
 * of draw/_scene.py and draw/svg/_title_and_lines.py; the tests compare the two. */

import { present } from "../board/present.js";
import { isolated } from "../board/words.js";
import { apply, internals, view, winner } from "../match/index.js";
import { opponentOf } from "../match/terms.js";
import type { Double, LoggedEvent, MatchState, Player } from "../match/types.js";
import { PLAYERS } from "../setup/states.js";
import { type Course, lastPlayOf, openingRollsOf } from "./last.js";
import { cutTo } from "./texts.js";
import { type Names, type Say, sayingOf, type TableWords, type WordName } from "./words.js";

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

const MAX_TIES = 5; // that are told
const OFFERS: readonly WordName[] = ["offered", "beavered", "raccoon", "beavers"]; // by the number of beavers

/** Who must answer a double: the doubler, if the beavers are odd. */
const answererOf = ({ by, beavers }: Double) => (beavers % 2 ? by : opponentOf(by));

export function sceneOf(state: MatchState, words: TableWords, names: Names): Scene {
  const say = sayingOf(words);
  const [white, black] = PLAYERS.map((player) => sideIn(state, player, say, names));
  return { kind: kindOf(state, say), standing: standingOf(state, say, names), cube: cubeOf(state, say, names), white, black };
}

function kindOf(state: MatchState, say: Say): string {
  const { length, crawford, rules } = state;
  const kind = length === null ? say("money") : say("match", { count: length });
  if (crawford) return say("crawford", { kind });
  if (!rules.cube) return say("no_cube", { kind });
  const isPast = rules.crawford && length !== null && length > 1 && scoreBefore(state).includes(length - 1);
  return isPast ? say("post_crawford", { kind }) : kind;
}

/** A name in a box on the board. */
const shortOf = (name: string) => isolated(cutTo(name, 18, ({ length }) => length));

/** What concerns both sides: an opening roll, or a result. */
function standingOf(state: MatchState, say: Say, names: Names): string[] {
  const { on_roll, result } = state;
  if (!result) return on_roll ? [] : [say("opening_roll")];
  const { winner: player, win, end, points } = result;
  const short = shortOf(names[player]);
  const level = win ? say(win) : say("forfeit");
  const how = end === "dropped" || end === "resigned" ? say(end, { level }) : level;
  const won = say("won", { player: short, how, points: countOf(say, "one_point", "points", points) });
  return winner(state) ? [won, say("match_won", { player: short })] : [won];
}

export const countOf = (say: Say, one: WordName, several: WordName, count: number) => say(count === 1 ? one : several, { count });

function cubeOf(state: MatchState, say: Say, names: Names): string {
  const { value, owner } = state.cube;
  if (doubleOf(state) || !hasCube(state)) return "";
  return owner ? say("cube_owned", { value, player: isolated(names[owner]) }) : say("centered", { value });
}

export const hasCube = ({ rules, crawford, length }: MatchState) => rules.cube && !crawford && length !== 1;

/** What is offered, and what it means for the player who answers. */
export interface OfferSaid {
  readonly sentence: string;
  readonly stakes: string;
}

export function offerOf(state: MatchState, words: TableWords, names: Names): OfferSaid | null {
  const { offer } = state;
  if (!offer) return null;
  const say = sayingOf(words);
  const after = (action: "drop" | "accept") => present(apply(state, { action }).result).points;
  if (offer.type === "Resignation") {
    const sentence = say("offers", { player: shortOf(names[offer.by]), level: say(offer.win) });
    return { sentence, stakes: say("gains", { points: countOf(say, "one_point", "points", after("accept")) }) };
  }
  const { value, beavers } = offer;
  const player = shortOf(names[opponentOf(answererOf(offer))]);
  const sentence = say(beavers ? "beavers_to" : "doubles", { player, value });
  return { sentence, stakes: say("stakes", { lost: after("drop"), value }) };
}

/** What came last: ties, who begins, or a play, and what was answered since. With its dice, for who does not see them. */
export function saidOf(last: Course, state: MatchState, words: TableWords, names: Names, hasDice = false): string[] {
  const say = sayingOf(words);
  const told = (player: Player, play: string) => say("told", { player: isolated(names[player]), play });
  const rolls = openingRollsOf(last).map((dice) => dice.join("-"));
  const dice = (state.on_roll ? rolls.slice(-1) : rolls.slice(-MAX_TIES)).join(", "); // so two equal ties differ
  if (dice) return [state.on_roll ? say("begins", { dice, player: isolated(names[state.on_roll]) }) : say("tie", { dice })];
  const play = lastPlayOf(last);
  const answer = (play?.since ?? last.events).findLast((event): event is LoggedEvent =>
    event.type === "Event" && ["take", "decline"].includes(event.action));
  const played = play?.text === "no play" ? say("dance") : play?.text;
  return [
    ...(play ? [told(play.player, hasDice ? `${played} (${play.dice.join("")})` : `${played}`)] : []),
    ...(answer ? [told(answer.by as Player, say(answer.action as "take" | "decline", { value: state.cube.value }))] : []),
  ];
}

/** A player, and what stands beside them. */
function sideIn(state: MatchState, player: Player, say: Say, names: Names): SideScene {
  const points = countOf(say, "one_point", "points", state.score[PLAYERS.indexOf(player)]);
  const { points: counts } = view(state, player);
  const pips = counts.reduce((sum, count, point) => sum + point * Math.max(count, 0), 0);
  const score = `${points} · ${countOf(say, "pip", "pips", pips)}`;
  return { player, name: names[player], points, score, doing: doingOf(state, player, say) };
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
