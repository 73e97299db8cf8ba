/** The record of a match as `.mat` text: records/formats/mat/mat_writer.py, a second time; the tests compare the two. */

import { RULE_TAGS, VARIATIONS } from "../generated/names.js";
import type { AnyLoggedEvent, MatchState, Player, Rules } from "../match/index.js";
import { cellsOf } from "./cells.js";
import { actionOf, lastOf, linesOfGame } from "./games.js";
import {
  entriesOf, fail, fieldOf, impossible, isList, isWhole, optionsOf, reading, refuse, TITLES, unfit,
} from "./internals.js";
import { isReadBack } from "./mat_reader.js";
import type { GameOfRecord, MatOptions } from "./types.js";

const CANNOT = "this record cannot be written in this format";
const NOT_COMMENTS = ["[", "set pos=", "set cube="];
const MAX_LINE_LENGTH = 2_000;
const MAX_MATCH_LENGTH = 999_999;
const NO_LIMIT = 1024;
const NO_CUBE = 1;

/** A text with a blank for each sign that does not print. */
const printable = (text: string): string => text.replace(/[\p{C}\p{Z}]/gu, " ");

export function matOf(states: MatchState[], events: AnyLoggedEvent[], options: MatOptions = {}): string {
  const { white = "", black = "", tags = {}, comments = [] } = optionsOf(options, ["white", "black", "tags", "comments"], "$");
  const names = { white: nameFrom("white", white), black: nameFrom("black", black) };
  const [tagsGiven, commentsGiven] = reading("$", () => [tagsFrom(tags), commentsFrom(comments)] as const);
  const { length, rules } = states[0];
  if (length !== null && length > MAX_MATCH_LENGTH) {
    fail(`${CANNOT}: the record holds no match: the line "N point match" or "Unlimited game" is missing`);
  }
  const tagLines = [...tagsGiven, ...tagsOfRules(rules, length)].map(([name, value]) => `; [${name} "${value}"]`);
  const head = [...tagLines, ...commentsGiven];
  const games = gamesOf(states, events).map((game) => ({ ...game, cells: cellsOf(game, names) }));
  const rest = games.flatMap((game) => linesOfGame(game, names));
  const lines = [...head, ...(head.length ? [""] : []), ` ${length ?? 0} point match`, ...rest];
  const other = games.find((game) => !isReadBack(game, game === lastOf(games)));
  if (other) fail(`game ${other.number} cannot be written in this format: it would be read back as a different game`);
  if (lines.some((line) => line.length > MAX_LINE_LENGTH && [...line].length > MAX_LINE_LENGTH)) {
    fail(`${CANNOT}: a name, a tag or a comment is too long`);
  }
  return `${lines.join("\n")}\n`;
}

const textFrom = (path: string, value: unknown): string =>
  (typeof value === "string" ? printable(value) : refuse([unfit(path, "type", "string", value)]));

/** A name that does not break its line, nor is blank, where some importers stop. */
const nameFrom = (player: Player, name: unknown): string =>
  textFrom(`$.${player}`, name).replaceAll(":", ".").trim() || TITLES[player];

/** A tag of the head, and whether it is written. */
type Tag = readonly [name: string, value: string | number | null | undefined, isNeeded?: unknown];

function tagsFrom(tags: unknown): Tag[] {
  return entriesOf(tags, "$.tags", Object.keys(tags ?? {})).map(([name, value]) => {
    const path = fieldOf("$.tags", name);
    if (RULE_TAGS.includes(name.toLowerCase())) refuse([impossible(path, "the match has its rules already", value)]);
    return [printable(name), textFrom(path, value)];
  });
}

/** Comments as lines; a second sign keeps one from being read as a tag or as what is set by hand. */
function commentsFrom(comments: unknown): string[] {
  if (!isList(comments)) return refuse([unfit("$.comments", "type", "array of strings", comments)]);
  return Array.from(comments, (comment, at) => {
    const text = textFrom(`$.comments[${at}]`, comment);
    const isDoubtful = NOT_COMMENTS.some((sign) => text.trimStart().toLowerCase().startsWith(sign));
    return isDoubtful ? `;; ${text}` : `; ${text}`;
  });
}

function tagsOfRules(rules: Rules, length: number | null): Tag[] {
  const isMoney = length === null;
  const isOwnLimit = rules.cube && rules.max_cube !== null && !isWhole(rules.max_cube, 2, NO_LIMIT - 1);
  const usualLimit = isOwnLimit ? NO_LIMIT : rules.max_cube ?? NO_LIMIT;
  const limit = rules.cube ? usualLimit : NO_CUBE;
  const tags: Tag[] = [
    ["Crawford", onOff(rules.crawford), !isMoney],
    ["Jacoby", onOff(rules.jacoby), isMoney],
    ["Beaver", onOff(rules.beavers), isMoney],
    ["Variation", VARIATIONS[rules.start], rules.start !== "standard"],
    ["CubeLimit", limit, true],
    ["MaxCube", rules.max_cube, isOwnLimit],
    ["Gammons", "Off", !rules.gammons],
    ["Backgammons", "Off", rules.gammons && !rules.backgammons],
    ["OpeningRoll", "Reroll", rules.opening === "reroll"],
    ["Scoring", "Pips", isMoney && rules.scoring === "pips"],
    ["Beavers", rules.beavers, isMoney && rules.beavers > 1],
    ["AutoDoubles", rules.auto_doubles, isMoney && rules.cube && rules.auto_doubles],
  ];
  const needed = tags.filter(([, , isNeeded]) => isNeeded);
  // readers know the usual rules of a match
  const isUsual = !isMoney && rules.crawford && limit === NO_LIMIT && needed.length === 2;
  return isUsual ? [] : needed;
}

const onOff = (value: boolean | number): string => (value ? "On" : "Off");

/** The events of each game, and the states from its start. */
function gamesOf(states: MatchState[], events: AnyLoggedEvent[]): GameOfRecord[] {
  if (states[0].result) fail("impossible game: start is a game that is already over");
  const games: GameOfRecord[] = [];
  let first = 0;
  for (let at = 0; at <= events.length; at += 1) {
    if (at < events.length && actionOf(events[at]) !== "next_game") continue;
    games.push({ number: games.length + 1, states: states.slice(first, at + 1), events: events.slice(first, at) });
    first = at + 1;
  }
  return games;
}
