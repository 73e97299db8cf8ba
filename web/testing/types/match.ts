/** match.js as a caller has it. */

import * as rules from "gammon-board/rules";
import {
  type Action, apply, type DiceRoll, type Event, find, type Forfeit, GammonError, isPhase, legalActions,
  type LoggedEvent, type MatchState, type MatchStateIn, newMatch, phase, type Player, type PlayLike, possibleWins,
  readState, receive, type SetPosition, toAct, toDice, view, type WinKind, winner,
} from "gammon-board/match";

let state: MatchState = newMatch({ length: 7, rules: { jacoby: true }, score: [1, 2], crawford: null });
const dice: DiceRoll = toDice(Number("3"), Number("1"));
state = apply(state, { action: "opening_roll", argument: dice });
state = apply(state, { action: "play", argument: rules.legalPlays(state.position.points, dice)[0]?.moves ?? "" });
state = apply(state, { action: "play", argument: [{ from_point: 8, to_point: 5, hit: false }], by: "white", time: 3 });
state = apply(apply(state, { action: "resign", argument: "gammon" }), { type: "Forfeit", loser: "white" });
state = apply(newMatch(), { type: "SetPosition", position: view(state, "white"), on_roll: toAct(state) ?? "white" });
const log: (Event | SetPosition | Forfeit)[] = [{ action: "double" }, { action: "next_game", argument: "black" }];
const roll = () => toDice(1, 2);
const { event, state: next } = receive(state, JSON.parse("{}"), "black", { roll, starter: winner(state) });
log.push(event);
const logged: LoggedEvent = event;
export const all: Action[] = [...legalActions(next), ...legalActions(next, "black"), logged.action];
export const canWin = phase(state) === "to_roll" && possibleWins(state, "white").includes("gammon");
export const value: number = readState(next).cube.value;
export const play: PlayLike = find(next.position.points, "31", "8/5 6/5").moves;
export const isOver = (error: unknown) => error instanceof GammonError && error.reason === "match_over";
if (next.offer?.type === "Resignation") next.offer.double?.value.toFixed();
/** What each phase says of the fields that may be null. */
export function fieldsOf(state: MatchState): unknown[] {
  if (isPhase(state, "opening")) return [state.on_roll, state.dice, state.offer, state.result] satisfies null[];
  if (isPhase(state, "to_roll")) {
    return [state.on_roll, state.dice, state.offer, state.result] satisfies [Player, null, null, null];
  }
  if (isPhase(state, "to_play")) {
    return [state.on_roll, state.dice, state.offer, state.result] satisfies [Player, DiceRoll, null, null];
  }
  if (isPhase(state, "doubled")) {
    return [state.on_roll, state.dice, state.offer.value, state.result] satisfies [Player, null, number, null];
  }
  if (isPhase(state, "resigned")) return [state.on_roll, state.offer.win, state.result] satisfies [Player, WinKind, null];
  if (isPhase(state, "over")) return [state.dice, state.offer, state.result.winner] satisfies [null, null, Player];
  // @ts-expect-error in another phase there may be no dice
  return state.dice;
}
const toPlay: MatchStateIn<"to_play">[] = [state, next].filter((state) => isPhase(state, "to_play"));
export const plays = toPlay.map(({ position, dice }) => rules.legalPlays(position.points, dice));
export const turnOf = (state: MatchState, isRolled: boolean): Player | null =>
  (isPhase(state, isRolled ? "to_play" : "to_roll") ? state.on_roll satisfies Player : null);
// @ts-expect-error there is no such phase
isPhase(state, "play");
// @ts-expect-error a player may resign before they roll
if (isPhase(state, "resigned")) state.dice.join();
// @ts-expect-error a game may be forfeited before its opening roll
if (isPhase(state, "over")) state.on_roll.trim();
// @ts-expect-error a state does not change in any phase
if (isPhase(state, "to_play")) state.dice = dice;
// @ts-expect-error no die shows this
apply(state, { action: "roll", argument: [7, 1] });
// @ts-expect-error there is no such action
apply(state, { action: "castle" });
// @ts-expect-error a roll needs dice
apply(state, { action: "roll" });
// @ts-expect-error dice are not yet numbers from 1 to 6
apply(state, { action: "roll", argument: [Number("3"), 1] });
// @ts-expect-error there is no such field
apply(state, { action: "take", arguments: null });
// @ts-expect-error a take has no argument
apply(state, { action: "take", argument: "gammon" });
// @ts-expect-error there is no such option
newMatch({ size: 7 });
// @ts-expect-error there is no such rule
newMatch({ rules: { jacobi: true } });
// @ts-expect-error a state does not change
state.score[0] = 3;
// @ts-expect-error there is no such player
legalActions(state, "red");
// @ts-expect-error the dice are missing
receive(state, {}, "white", {});
// @ts-expect-error there is no such reason
export const never = (error: GammonError) => error.reason === "bad_luck";
