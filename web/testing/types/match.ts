/** match.js as a caller has it. */

import * as rules from "gammon-board/rules";
import {
  apply, find, GammonError, legalActions, newMatch, phase, possibleWins, readState, receive, toAct, toDice, view,
  winner,
  type Action, type Event, type Forfeit, type LoggedEvent, type MatchState, type Played, type SetPosition, type Thrown,
} from "gammon-board/match";

let state: MatchState = newMatch({ length: 7, rules: { jacoby: true }, score: [1, 2], crawford: null });
const dice: Thrown = toDice(Number("3"), Number("1"));
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
export const play: Played = find(next.position.points, "31", "8/5 6/5").moves;
export const isOver = (error: unknown) => error instanceof GammonError && error.reason === "match_over";
if (next.offer?.type === "Resignation") next.offer.double?.value.toFixed();
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
