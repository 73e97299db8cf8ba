/** Matches that are repeated from their events. */

import { reading, refuse, unfit } from "../rules/problems.js";
import type { Problem } from "../rules/types.js";
import { fail, frozen, type GammonError, isList } from "../rules/values.js";
import { recorded } from "./applying.js";
import type { AnyEvent, AnyLoggedEvent, MatchState } from "./types.js";

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
