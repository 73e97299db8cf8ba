/** What is said of a match: whose turn it is, score, pips, cube and results. It is what draw.svg.match_state says, and a translation
 * of draw/_scene.py and draw/svg/_title_and_lines.py; the tests compare the two. */

import { present } from "../board/svg.js";
import { isolated } from "../board/labels.js";
import { apply, internals, view, winner } from "../match/index.js";
import { opponentOf, PLAYERS } from "../match/terms.js";
import type { Double, LoggedEvent, MatchState, Player } from "../match/types.js";
import { type Course, lastPlayOf, openingRollsOf } from "./last_play.js";
import { cutTo } from "./text_layout.js";
import { type LabelName, type MatchBoardLabels, type Names, type Translate, translatorOf } from "./labels.js";

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
const OFFERS: readonly LabelName[] = ["offered", "beavered", "raccoon", "beavers"]; // by the number of beavers

/** Who must answer a double: the doubler, if the beavers are odd. */
const answererOf = ({ by, beavers }: Double) => (beavers % 2 ? by : opponentOf(by));

export function sceneOf(state: MatchState, labels: MatchBoardLabels, names: Names): Scene {
  const translate = translatorOf(labels);
  const [white, black] = PLAYERS.map((player) => sideIn(state, player, translate, names));
  return { kind: kindOf(state, translate), standing: standingOf(state, translate, names), cube: cubeOf(state, translate, names), white, black };
}

function kindOf(state: MatchState, translate: Translate): string {
  const { length, crawford, rules } = state;
  const kind = length === null ? translate("money") : translate("match", { count: length });
  if (crawford) return translate("crawford", { kind });
  if (!rules.cube) return translate("no_cube", { kind });
  const isPast = rules.crawford && length !== null && length > 1 && scoreBefore(state).includes(length - 1);
  return isPast ? translate("post_crawford", { kind }) : kind;
}

/** A name in a box on the board. */
const shortOf = (name: string) => isolated(cutTo(name, 18, ({ length }) => length));

/** What concerns both sides: an opening roll, or a result. */
function standingOf(state: MatchState, translate: Translate, names: Names): string[] {
  const { on_roll, result } = state;
  if (!result) return on_roll ? [] : [translate("opening_roll")];
  const { winner: player, win, end, points } = result;
  const short = shortOf(names[player]);
  const level = win ? translate(win) : translate("forfeit");
  const how = end === "dropped" || end === "resigned" ? translate(end, { level }) : level;
  const won = translate("won", { player: short, how, points: countOf(translate, "one_point", "points", points) });
  return winner(state) ? [won, translate("match_won", { player: short })] : [won];
}

export const countOf = (translate: Translate, one: LabelName, several: LabelName, count: number) => translate(count === 1 ? one : several, { count });

function cubeOf(state: MatchState, translate: Translate, names: Names): string {
  const { value, owner } = state.cube;
  if (doubleOf(state) || !hasCube(state)) return "";
  return owner ? translate("cube_owned", { value, player: isolated(names[owner]) }) : translate("centered", { value });
}

export const hasCube = ({ rules, crawford, length }: MatchState) => rules.cube && !crawford && length !== 1;

/** What is offered, and what it means for the player who answers. */
export interface OfferMessages {
  readonly message: string;
  readonly stakes: string;
}

export function offerOf(state: MatchState, labels: MatchBoardLabels, names: Names): OfferMessages | null {
  const { offer } = state;
  if (!offer) return null;
  const translate = translatorOf(labels);
  const after = (action: "drop" | "accept") => present(apply(state, { action }).result).points;
  if (offer.type === "Resignation") {
    const message = translate("offers", { player: shortOf(names[offer.by]), level: translate(offer.win) });
    return { message, stakes: translate("gains", { points: countOf(translate, "one_point", "points", after("accept")) }) };
  }
  const { value, beavers } = offer;
  const player = shortOf(names[opponentOf(answererOf(offer))]);
  const message = translate(beavers ? "beavers_to" : "doubles", { player, value });
  return { message, stakes: translate("stakes", { lost: after("drop"), value }) };
}

/** What came last: ties, who begins, or a play, and what was answered since. With its dice, for who does not see them. */
export function recentMessages(last: Course, state: MatchState, labels: MatchBoardLabels, names: Names, hasDice = false): string[] {
  const translate = translatorOf(labels);
  const playedBy = (player: Player, play: string) => translate("played", { player: isolated(names[player]), play });
  const rolls = openingRollsOf(last).map((dice) => dice.join("-"));
  const dice = (state.on_roll ? rolls.slice(-1) : rolls.slice(-MAX_TIES)).join(", "); // so two equal ties differ
  if (dice) return [state.on_roll ? translate("begins", { dice, player: isolated(names[state.on_roll]) }) : translate("tie", { dice })];
  const play = lastPlayOf(last);
  const answer = (play?.since ?? last.events).findLast((event): event is LoggedEvent =>
    event.type === "Event" && ["take", "decline"].includes(event.action));
  const played = play?.text === "no play" ? translate("dance") : play?.text;
  return [
    ...(play ? [playedBy(play.player, hasDice ? `${played} (${play.dice.join("")})` : `${played}`)] : []),
    ...(answer ? [playedBy(answer.by as Player, translate(answer.action as "take" | "decline", { value: state.cube.value }))] : []),
  ];
}

/** A player, and what stands beside them. */
function sideIn(state: MatchState, player: Player, translate: Translate, names: Names): SideScene {
  const points = countOf(translate, "one_point", "points", state.score[PLAYERS.indexOf(player)]);
  const { points: counts } = view(state, player);
  const pips = counts.reduce((sum, count, point) => sum + point * Math.max(count, 0), 0);
  const score = `${points} · ${countOf(translate, "pip", "pips", pips)}`;
  return { player, name: names[player], points, score, doing: doingOf(state, player, translate) };
}

function doingOf(state: MatchState, player: Player, translate: Translate): string {
  const { on_roll, dice, offer, result } = state;
  if (result) return "";
  const doing: string[] = [];
  const double = doubleOf(state);
  if (double && answererOf(double) === player) {
    const { value, beavers: number } = double;
    doing.push(translate(OFFERS[Math.min(number, 3)], { value, number }));
  }
  if (!double && on_roll === player) doing.push(dice ? translate("rolled", { dice: dice.join("") }) : translate("on_roll"));
  if (offer?.type === "Resignation" && offer.by === player) doing.push(translate("resigns", { level: translate(offer.win) }));
  return doing.join(", ");
}
