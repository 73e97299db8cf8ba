/** The messages about plays, and the translations of a page. */

import { entriesOf, fieldOf, reading, refuse, unfit } from "./problems.js";
import type { MessageName, Messages } from "./types.js";

const PATH = "options.translations";

/** The messages in English, most of them by the reason that they give. A page may give functions of the fields instead. */
export const MESSAGES: Messages = {
  bar: "bar",
  off: "off",
  or: " or ",
  pip: "{count} pip",
  pips: "{count} pips",
  numbers: ["none", "one", "two", "three", "four"],
  illegal_play: `"{play}" with {dice}: {message}`,
  blocked_point: "{move} is blocked, since the opponent holds the {point} point with {count} checkers",
  bar_first: "{move} must wait, since a checker is on the bar and must enter first",
  not_all_home: "{move} must wait, since not all checkers are in the home board (one is on {point})",
  higher_checker_first: "{move} with a {die} is not allowed, since the higher checker on {point} must move first",
  both_dice: "both dice can be played ({play}), but this plays only one",
  higher_die: "only one die can be played, and it must be the higher, the {die} ({play})",
  more_of_doublet: "{possible} {die}s can be played ({play}), but this plays only {count}",
  die_not_rolled: "a roll of {dice} does not give all of these moves together",
  no_die: "{move} is {pips}, which neither die of {dice} gives",
  no_sum: "{move} is {pips}, which a roll of {dice} does not give",
  die_played: "the {die} has been played already",
  die_left: "{move} is {pips}, but only the {die} is left",
  one_left: "{move} is {pips}, but only {count} {die} is left",
  some_left: "{move} is {pips}, but only {count} {die}s are left",
  none_left: "the turn is complete: all dice have been played",
  no_pass: `"pass" is not allowed, since all dice have been played`,
  no_such_checker: "{move} cannot be played, since there is no checker on {point}",
  none_on_bar: "{move} cannot be played, since there is no checker on the bar",
  opponent_there: "{move} cannot be played, since the opponent is on {point}",
  moves_backward: "{move} does not move forward, from a higher to a lower point",
  nothing_hit: "no checker is hit on {point}, where the opponent has no blot",
  must_play: "you must play, since there is a legal play ({play})",
  game_over: "the game is over",
  other_order: "it cannot be played at this point of the turn",
  other_position: "this is a play of another roll",
  ambiguous: "several plays fit, which hit different checkers: {plays}",
  too_long: "a play has at most {limit} characters, but this text has {count}",
  unreadable: `cannot read {text}: a move is written "13/7", "bar/22*", "6/4(2)" or "2/off"`,
  roll: `cannot read {text}: it may be a roll or a score; a move is written "13/7"`,
  two_signs: `cannot read {text}: moves are written with "/" or with "-", not with both`,
  no_point: "cannot read {text}: there is no point {point}",
  early_star: "cannot read {text}: a star must follow the point where a checker is hit",
  repeats: "cannot read {text}: a move can be repeated 1 to 15 times",
};

/** The messages of a call, with these translations in place of some. @internal */
export function readTranslations(others: unknown): Messages {
  if (others === undefined) return MESSAGES;
  return reading(PATH, () => {
    const entries = entriesOf(others, PATH, Object.keys(MESSAGES) as (keyof Messages)[]);
    const read = entries.map(([name, template]) => [name, readTemplate(name, template, fieldOf(PATH, name))]);
    return { ...MESSAGES, ...(Object.fromEntries(read) as Partial<Messages>) };
  });
}

/** A message, of which nothing is read afterwards. */
function readTemplate(name: keyof Messages, template: unknown, path: string): unknown {
  if (name !== "numbers") {
    const isRight = typeof template === "string" || typeof template === "function";
    return isRight ? template : refuse([unfit(path, "type", "string or function", template)]);
  }
  const texts: unknown[] | null = Array.isArray(template) ? [...template] : null;
  const areRight = texts?.every((text) => typeof text === "string");
  return areRight ? texts : refuse([unfit(path, "type", "array of strings", template)]);
}

/** The values that replace their names in braces. */
export type Fields = Readonly<Record<string, unknown>>;

/** Return the message of this name, with these fields. @internal */
export function formatMessage(messages: Messages, key: MessageName, fields: Fields): string {
  const template = messages[key];
  return typeof template === "function" ? String(template(fields)) : fillFields(template, fields);
}

/** A text with these fields in it. @internal */
export const fillFields = (text: string, fields: Fields): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => `${fields[name] ?? whole}`);
