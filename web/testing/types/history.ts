/** history.js, xgid.js, opponent.js, and the scripts of a page, as a caller has them. */

import { type AnyLoggedEvent, MatchHistory } from "gammon-board/history";
import { type Action, type LoggedEvent, type MatchState, newMatch, toDice } from "gammon-board/match";
import { type Candidate, candidates, cube, decide, type Decision, type Strength, STRENGTHS } from "gammon-board/opponent";
import { fromXgid, xgid } from "gammon-board/xgid";
import type {} from "gammon-board/match-board";

const game = new MatchHistory({ length: 7 }, [{ action: "opening_roll", argument: [3, 1] }]);
const log: readonly AnyLoggedEvent[] = game.history();
export const again = new MatchHistory(game.start, log);
export const set = new MatchHistory(newMatch(), [{ type: "Forfeit", loser: "white", points: 3 }]);
const rolled: LoggedEvent = game.apply({ action: "play", argument: "8/5 6/5" });
game.receive(JSON.parse("{}"), game.turn ?? "white", { roll: () => toDice(1, 2) });
export const actions: readonly Action[] = [...game.legalActions(), ...game.legalActions("black"), rolled.action];
export const undone: AnyLoggedEvent | null = game.undo();
export const state: MatchState = game.state;
export const isOver = game.phase === "over" && game.winner === "white";
export const text: string = game.mat() + game.mat({ white: "Ann", tags: { Event: "Nordic Open" }, comments: ["!"] });
const { state: read, warnings } = fromXgid(xgid(state), { rules: { beavers: 2 }, doubledTurn: "responder" });
export const guessed: boolean = warnings.length > 0 && read.length === null;
export const scripts: MatchHistory = new gammonBoard.MatchHistory(gammonBoard.fromXgid(gammonBoard.xgid(state)).state);
const decision: Decision = decide(state, { strength: "club", random: Math.random });
game.receive(decision, decision.by, { roll: () => toDice(1, 2) });
export const played: string = decision.action === "play" ? decision.argument : decision.action;
export const strengths: readonly Strength[] = STRENGTHS;
const [best]: readonly Candidate[] = candidates(state, { limit: 3, level: 2, also: ["24/20", [[24, 20]]] });
export const loss: number = best.loss + best.chances.win_gammon + cube(state).double_take;
export const isDouble: boolean = gammonBoard.opponent.cube(state, { level: 1 }).best === "double";
// @ts-expect-error only a play has an argument
decision.argument;
// @ts-expect-error there is no such strength
decide(state, { strength: "expert" });
// @ts-expect-error it looks one roll ahead at most
candidates(state, { level: 3 });
// @ts-expect-error a candidate does not change
best.loss = 0;
// @ts-expect-error there is no such verdict
cube(state).verdict === "beaver";
// @ts-expect-error there is no such script
gammonBoard.setup;
// @ts-expect-error there is no such option
fromXgid("", { doubled_turn: "doubler" });
// @ts-expect-error it is no player
fromXgid("", { doubledTurn: "white" });
// @ts-expect-error a state is not a text
fromXgid(state);
// @ts-expect-error no die shows this
game.apply({ action: "roll", argument: [7, 1] });
// @ts-expect-error there is no such action
game.apply({ action: "castle" });
// @ts-expect-error there is no such option
new MatchHistory({ size: 7 });
// @ts-expect-error a log is an array
new MatchHistory({}, { action: "double" });
// @ts-expect-error a state is changed by events only
game.state = game.start;
// @ts-expect-error a history does not change
game.history().pop();
// @ts-expect-error there is no such option
game.mat({ red: "Ann" });
// @ts-expect-error the value of a tag is a text
game.mat({ tags: { Round: 3 } });
