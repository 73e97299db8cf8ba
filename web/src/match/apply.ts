/** Events done in a state, and matches repeated from their events. */

import { NEUTRAL } from "../generated/messages.js";
import { core, SLOTS } from "../rules/wasm.js";
import { playMeant } from "../rules/notation.js";
import { legalPlays, outcome } from "../rules/plays.js";
import { impossible, missing, reading, refuse, refuseProblems, unfit } from "../rules/problems.js";
import { readPlay } from "../rules/play_parser.js";
import { isHit, isSame, type Marked, textOf, turned } from "../rules/rolls.js";
import type { DiceRoll, Problem } from "../rules/types.js";
import { fail, frozen, type GammonError, isList } from "../rules/values.js";
import { MESSAGES } from "../rules/messages.js";
import { type ActionRead, type EventRead, type ForfeitRead, readEvent, type SetPositionRead } from "./events.js";
import { startOf } from "./options.js";
import { playOfMoves, type PlayRead, rollOn } from "./plays.js";
import { contradictionsOf, refuseIllegal, whyForbidden, wrongAward } from "./refusals.js";
import { checkedState, stateFrom } from "./states.js";
import { playerToAct, scoreBefore, stateAfter, write } from "./wasm.js";
import { ACTIONS, opponentOf, seatOf, TITLES, VERSION, WIN_KINDS, winName, winNumber } from "./terms.js";
import type { AnyEvent, AnyLoggedEvent, Event, LoggedEvent, MatchState, Offer, Player, Position } from "./types.js";

/** The state after an event, which was given so. */
function applied(state: MatchState, event: EventRead, given: unknown): MatchState {
  if (event.type === "SetPosition") return setByHand(state, event, given);
  return event.type === "Forfeit" ? forfeited(state, event) : acted(state, event, "$", given);
}

/** The state after an action; what was given at this path says on which board a next game begins. @internal */
export function acted(state: MatchState, event: ActionRead, path: string, given: unknown): MatchState {
  const { action, by: player } = event;
  const exports = write(state);
  const [number, seat] = [ACTIONS.indexOf(action), seatOf(player)];
  refuseIllegal(exports.why_not(number, seat), state, action, player);
  const reason = exports.act(number, seat, ...numbersOfArgument(state, event, path, given));
  const what = event.action === "resign" ? `resign a ${winName(event.argument)}` : action;
  refuseIllegal(reason, state, action, player, what);
  const after = stateAfter(state);
  if (action === "next_game") refuseProblems(contradictionsOf(after, given, path));
  return after;
}

/** The argument as `act` takes it, and the board, if it has one, where `act` looks for it. */
function numbersOfArgument(
  state: MatchState, event: ActionRead, path: string, given: unknown,
): readonly [first?: number, second?: number] {
  if (event.action === "play") return putPlay(state, event.argument);
  if (event.action === "next_game") return putStart(state, event.argument, path, given);
  return event.action === "resign" ? [winNumber(event.argument)] : event.argument ?? [];
}

function putPlay({ position, dice }: MatchState, argument: PlayRead): [] {
  const after = boardAfter(position, dice!, argument); // nobody plays without
  core().board.set(after);
  return [];
}

function boardAfter(position: Position, dice: DiceRoll, argument: PlayRead): ArrayLike<number> {
  const { points, checkers } = position;
  if (typeof argument === "string") {
    return boardAsWritten(position, dice, argument) ?? playMeant(rollOn(position, dice), argument, "play").points;
  }
  if (isMoves(argument)) return boardAsListed(position, dice, argument, true) ?? playOfMoves(rollOn(position, dice), argument).points;
  const { before, points: after, text: played } = argument;
  const isOfBoard = before.checkers === checkers && isSame(before.points, points);
  if (isOfBoard && legalPlays(points, dice, { checkers }).some((play) => isSame(play.points, after))) return after;
  return fail(`"${played}" with ${dice.join("")}: this play belongs to another position or roll`, { reason: "other_position" });
}

const isMoves = (argument: PlayRead): argument is readonly Marked[] => isList(argument);

/** The board after moves that are those of a play in the list of legal ones, which is the usual case; else null.
 *  With `byDie` each move uses one die. Without, a move may use several: 24/20 is 24/21/20, unless a checker is hit on the
 *  way. All plays that fit lead to one board. */
function boardAsListed({ points }: Position, [high, low]: DiceRoll, made: readonly Marked[], byDie: boolean): Int8Array | null {
  const { exports, board, boards, moves } = core();
  if (made.some((move) => move[2] && !isHit(points, move[1]))) return null;
  board.set(points);
  const count = exports.plays(high, low);
  for (let play = 0; play < count; play += 1) {
    let at = 8 * play;
    const end = at + 8;
    const goesOn = (target: number) => at + 2 < end && moves[at + 2] === moves[at + 1] && moves[at + 1] > target;
    const isListed = made.every(([source, target]) => {
      if (moves[at] !== source || at === end) return false;
      while (!byDie && goesOn(target) && !isHit(points, moves[at + 1])) at += 2;
      at += 2;
      return moves[at - 1] === target;
    });
    if (isListed && (at === end || moves[at] < 0)) return boards.subarray(SLOTS * play, SLOTS * (play + 1));
  }
  return null;
}

/** The same for a text, if it has the moves in the order of the library. */
function boardAsWritten(position: Position, dice: DiceRoll, text: string): Int8Array | null {
  const { chains, stated } = readPlay(text, MESSAGES);
  const isOfRoll = !stated || stated === dice.join("");
  if (!isOfRoll || chains.some(({ stops }) => !stops.length)) return null;
  const made = chains.flatMap(({ stops, hits }) =>
    stops.slice(1).map((target, at): Marked => [stops[at], target, hits.includes(target)]));
  return boardAsListed(position, dice, made, false);
}

/** Put the first board of the next game there. */
function putStart(
  { position, rules }: MatchState, start: Player | Position | null, path: string, given: unknown,
): [seat: number, checkers: number] {
  const [starter, chosen] = typeof start === "string" ? [start, null] : [null, start];
  const first = chosen ?? startOf(rules.start);
  if (!chosen && first.checkers !== position.checkers) {
    const why = `the ${rules.start} start has another number of checkers than this game, ${position.checkers}`;
    refuse([impossible(path, `${why}, which needs a position`, given)]);
  }
  core().board.set(first.points);
  return [seatOf(starter), first.checkers];
}

/** A finished board ends the game as if the loser had resigned what it shows. */
function setByHand(state: MatchState, { position, on_roll: player, cube }: SetPositionRead, given: unknown): MatchState {
  const ended = outcome(position.points, { checkers: position.checkers });
  const fields = { ...state, position, on_roll: player, dice: null, cube: cube ?? state.cube, offer: null };
  const begun = { ...fields, score: frozen(scoreBefore(state)), result: null };
  if (!ended) return checkedState(begun, given);
  if (ended.won) {
    begun.position = frozen({ ...position, points: frozen(turned(position.points)) });
    begun.on_roll = opponentOf(player);
  }
  const offer: Offer = { type: "Resignation", by: begun.on_roll, win: WIN_KINDS[ended.win - 1], double: null };
  write({ ...begun, offer }).act(ACTIONS.indexOf("accept"), -1, 0, 0);
  const after = stateAfter(begun);
  return checkedState({ ...after, result: frozen({ ...after.result!, end: "played" }) }, given);
}

function forfeited(state: MatchState, { loser, points }: ForfeitRead): MatchState {
  const { length, result } = state;
  if (result) fail(`${TITLES[loser]} cannot forfeit: ${whyForbidden("game_over", state, loser)}`, { reason: "game_over" });
  if (points === null && length === null) refuse([missing("$.points")]);
  const isWrong = write(state).forfeit(seatOf(loser), points ?? 0); // in a match, which has a length
  if (isWrong) refuse([impossible("$.points", wrongAward(length!), points)]);
  return stateAfter(state);
}

/** The event in the form that a log has, which says everything. */
function canonicalOf(before: MatchState, event: EventRead, after: MatchState): AnyLoggedEvent {
  const { type } = event;
  if (type === "Event") return canonicalAction(before, event, after);
  if (type === "Forfeit") return frozen({ version: VERSION, type, loser: event.loser, points: after.result!.points });
  return frozen({ version: VERSION, type, position: after.position, on_roll: after.on_roll!, cube: after.cube });
}

/** @internal */
export function canonicalAction(before: MatchState, event: ActionRead, after: MatchState): LoggedEvent {
  const { type, action, by, argument, time } = event;
  const player = by === "to_act" ? playerToAct(before) : by;
  const actor = action in NEUTRAL ? "to_act" : player;
  const played = action === "play" ? textTo(before, after.position.points) : argument;
  const logged = { version: VERSION, type, action, by: actor, argument: played };
  return frozen(time === undefined ? logged : { ...logged, time }) as LoggedEvent;
}

/** The play that leads to a board, as text. */
function textTo({ position, dice }: MatchState, after: readonly number[]): string {
  const roll = rollOn(position, dice);
  return textOf(roll, roll.plays.find(({ points }) => isSame(points, after))!, MESSAGES);
}

/** The state after an action, a forfeit, or a position set by hand. */
export const apply = (state: MatchState, event: AnyEvent): MatchState => applied(stateFrom(state), readEvent(event), event);

/** An event in the form that a log has, and the state after it. @internal */
export function recorded(state: MatchState, event: AnyEvent): { event: AnyLoggedEvent; state: MatchState } {
  const before = stateFrom(state);
  const read = readEvent(event);
  const after = applied(before, read, event);
  return { event: canonicalOf(before, read, after), state: after };
}

/** The event in the form that a log has, which says everything, if it is legal. */
export function canonical(state: MatchState, event: Event): LoggedEvent;
export function canonical(state: MatchState, event: AnyEvent): AnyLoggedEvent;
export function canonical(state: MatchState, event: AnyEvent): AnyLoggedEvent {
  return recorded(state, event).event;
}

/** Each event as a log has it, and the state after it; `path` says where the events come from. @internal */
export function replayed(start: MatchState, events: unknown, path: string): { event: AnyLoggedEvent; state: MatchState }[] {
  const listed: readonly AnyEvent[] = reading(path, () =>
    (isList(events) ? [...events] as AnyEvent[] : refuse([unfit(path, "type", "array of events", events)])));
  let state = start;
  return listed.map((event, at) => {
    const done = repeated(state, event, `${path}[${at}]`);
    ({ state } = done);
    return done;
  });
}

/** The event done, or the error of it, which says which of the events it is. */
function repeated(state: MatchState, event: AnyEvent, path: string): { event: AnyLoggedEvent; state: MatchState } {
  try {
    return recorded(state, event);
  } catch (error) {
    const cause = error as GammonError; // it throws nothing else
    const { name, problems, ...others } = cause;
    const details = { ...others, cause };
    const inLog = (problem: Problem): Problem => frozen({ ...problem, path: `${path}${problem.path.slice(1)}` });
    return problems ? refuse(problems.map(inLog), details) : fail(`${path}: ${cause.message}`, details);
  }
}
