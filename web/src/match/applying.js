/** What leads from one state to the next. */

import { core, SLOTS } from "../rules/compiled.js";
import { playMeant } from "../rules/notation.js";
import { legalPlays, outcome } from "../rules/plays.js";
import { isHit, isSame, textOf, turned } from "../rules/rolls.js";
import { fail, frozen, guarded, isList, isObject } from "../rules/values.js";
import { WORDS } from "../rules/words.js";
import { playOfMoves, readEvent, rollOn } from "./events.js";
import { refuseProblems } from "./json.js";
import { startOf } from "./options.js";
import { contradictionsOf, NEUTRAL, refuseIllegal, whyForbidden, wrongAward } from "./refusals.js";
import { checkedState, stateFrom } from "./states.js";
import { playerToAct, scoreBefore, stateAfter, write } from "./table.js";
import { ACTIONS, counted, levelName, levelNumber, LEVELS, opponentOf, seatOf, TITLES, VERSION } from "./terms.js";

function applied(state, event) {
  if (event.type === "SetPosition") return setByHand(state, event);
  return event.type === "Forfeit" ? forfeited(state, event) : acted(state, event);
}

export function acted(state, { action, by: player, argument }) {
  const exports = write(state);
  const [number, seat] = [ACTIONS.indexOf(action), seatOf(player)];
  refuseIllegal(exports.why_not(number, seat), state, action, player);
  const prepare = { play: putPlay, resign: levelOf, next_game: putStart }[action];
  const [first, second] = prepare ? prepare(state, argument) : argument ?? [];
  const reason = exports.act(number, seat, first, second);
  if (reason) refuseIllegal(reason, state, action, player, `resign a ${levelName(argument)}`);
  const after = stateAfter(state);
  if (action === "next_game") refuseProblems("match state", contradictionsOf(after));
  return after;
}

const levelOf = (state, win) => [levelNumber(win), 0];

/** Put the board after a play where `act` looks for it. */
function putPlay({ position, dice }, argument) {
  const after = boardAfter(position, dice, argument);
  core().board.set(after);
  return [0, 0];
}

function boardAfter(position, dice, argument) {
  const { points, checkers } = position;
  if (typeof argument === "string") return playMeant(rollOn(position, dice), argument, "play").points;
  if (isList(argument)) return boardAsListed(position, dice, argument) ?? playOfMoves(position, dice, argument).points;
  const { before, points: after, text: played } = argument;
  const isOfBoard = before.checkers === checkers && isSame(before.points, points);
  if (isOfBoard && legalPlays(points, dice, { checkers }).some((play) => isSame(play.points, after))) return after;
  return fail(`"${played}" with ${dice.join("")}: this play belongs to another position or roll`, { reason: "other_position" });
}

/** The board after moves that stand among the legal plays as they are, which is the usual case. */
function boardAsListed({ points }, [high, low], made) {
  const { exports, board, boards, moves } = core();
  if (made.some((move) => move[2] && !isHit(points, move[1]))) return null;
  board.set(points);
  const count = exports.plays(high, low);
  const flat = made.flatMap((move) => move.slice(0, 2));
  for (let play = 0; play < count; play += 1) {
    let at = 0;
    while (at < flat.length && moves[8 * play + at] === flat[at]) at += 1;
    const isWholePlay = at === flat.length && (at === 8 || moves[8 * play + at] < 0);
    if (isWholePlay) return boards.subarray(SLOTS * play, SLOTS * (play + 1));
  }
  return null;
}

/** Put the first board of the next game there. */
function putStart({ position, rules }, start) {
  const first = isObject(start) ? start : startOf(rules.start);
  if (!isObject(start) && first.checkers !== position.checkers) {
    const why = `the ${rules.start} start has ${counted(first.checkers, "checker")} a side, this game ${position.checkers}`;
    fail(`no next game: ${why}: pass position=...`, { problems: frozen([why]) });
  }
  core().board.set(first.points);
  return [seatOf(start), first.checkers];
}

/** A finished board ends the game as if the loser had resigned what it shows. */
function setByHand(state, { position, on_roll: player, cube }) {
  const ended = outcome(position.points, { checkers: position.checkers });
  const fields = { ...state, position, on_roll: player, dice: null, cube: cube ?? state.cube, offer: null };
  const begun = { ...fields, score: frozen(scoreBefore(state)), result: null };
  if (!ended) return checkedState(begun);
  if (ended.won) {
    begun.position = frozen({ ...position, points: frozen(turned(position.points)) });
    begun.on_roll = opponentOf(player);
  }
  const offer = { type: "Resignation", by: begun.on_roll, win: LEVELS[ended.win - 1], double: null };
  write({ ...begun, offer }).act(ACTIONS.indexOf("accept"), -1, 0, 0);
  const after = stateAfter(begun);
  return checkedState({ ...after, result: frozen({ ...after.result, end: "played" }) });
}

function forfeited(state, { loser, points }) {
  const { length, result } = state;
  if (result) fail(`${TITLES[loser]} cannot forfeit: ${whyForbidden("game_over", state, loser)}`, { reason: "game_over" });
  if (points === null && length === null) fail("in money play a forfeit needs the points that are awarded");
  if (write(state).forfeit(seatOf(loser), points ?? 0)) fail(`no such forfeit: ${wrongAward(length, points)}`);
  return stateAfter(state);
}

/** The event in the form that a log has, which says everything. */
export function canonicalEvent(before, event, after) {
  const { type, action, by, argument, time } = event;
  const head = { version: VERSION, type };
  if (type === "SetPosition") return frozen({ ...head, position: after.position, on_roll: after.on_roll, cube: after.cube });
  if (type === "Forfeit") return frozen({ ...head, loser: event.loser, points: after.result.points });
  const player = by === "to_act" ? playerToAct(before) : by;
  const actor = action in NEUTRAL ? "to_act" : player;
  const played = action === "play" ? textTo(before, after.position.points) : argument;
  const said = { ...head, action, by: actor, argument: played };
  return frozen(time === undefined ? said : { ...said, time });
}

/** The play that leads to a board, as text. */
function textTo({ position, dice }, after) {
  const roll = rollOn(position, dice);
  return textOf(roll, roll.plays.find(({ points }) => isSame(points, after)), WORDS);
}

export const apply = guarded((state, event) => applied(stateFrom(state), readEvent(event)));

/** An event in the form that a log has, and the state after it. */
export const recorded = guarded((state, event) => {
  const before = stateFrom(state);
  const read = readEvent(event);
  const after = applied(before, read);
  return { event: canonicalEvent(before, read, after), state: after };
});

export const canonical = (state, event) => recorded(state, event).event;
