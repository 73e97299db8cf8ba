/** The labels of a match, which a page may translate. */

import type { BoardLabels } from "../board/types.js";
import { type Fields, fillFields } from "../rules/messages.js";
import type { MatchLabels } from "./types.js";

/** The labels of a match in English. A page may give functions of the fields instead. */
export const MATCH_LABELS = {
  money: "Money play",
  match: "{count} point match",
  crawford: "{kind} (Crawford game)",
  post_crawford: "{kind}, post-Crawford",
  no_cube: "{kind} (no cube)",
  crawford_sign: "Cr",
  one_point: "{count} point",
  points: "{count} points",
  pip: "{count} pip",
  pips: "{count} pips",
  on_roll: "on roll",
  rolled: "rolled {dice}",
  offered: "cube offered at {value}",
  beavered: "cube offered at {value} (beaver)",
  raccoon: "cube offered at {value} (raccoon)",
  beavers: "cube offered at {value} (beaver {number})",
  resigns: "resigns {level}",
  single: "a single game",
  gammon: "a gammon",
  backgammon: "a backgammon",
  dropped: "{level} (double dropped)",
  resigned: "{level} (resigned)",
  forfeit: "by forfeit",
  won: "{player} wins {how}: {points}",
  match_won: "{player} wins the match",
  position_id: "Position ID: {id}",
  one_each: "({count} checker a side)",
  each: "({count} checkers a side)",
  centered: "Cube at {value}, centered",
  cube_owned: "Cube at {value}, owned by {player}",
  tie: "{dice}: roll again",
  begins: "{dice}: {player} begins",
  doubles: "{player} doubles to {value}",
  beavers_to: "{player} beavers to {value}",
  offers: "{player} resigns {level}",
  stakes: "Drop: lose {lost} · Take: play for {value}",
  gains: "Accept: win {points} · Decline: play on",
  sending: "Sent, and waiting for the answer",
  not_done: "That was not done",
  no_dice: "There are no dice here: board.roll is not set",
  opening_roll: "Opening roll",
  drop: "Drop",
  beaver: "Beaver at {value}",
  accept: "Accept {level}",
  decline: "Decline",
  resign: "Resign",
  resign_level: "Resign {level}",
  play_on: "Play on",
  next_game: "Next game",
  prefers: "{name} prefers {play}",
  loses: "{play} loses {loss}",
  would: "{name} would {action}",
  instead: "{name} would {action}; a {other} loses {loss}",
  take_back: "Take back",
  confirm: "Let it stand",
};

/** Who plays: names, or else colors. */
export type Names = Readonly<Record<"white" | "black", string>>;
export type MatchBoardLabels = BoardLabels & MatchLabels;
export type LabelName = keyof MatchBoardLabels;
/** Returns a label with these fields in it. */
export type Translate = (key: LabelName, fields?: Fields) => string;

/** Fill fields in these labels. */
export const translatorOf = (labels: MatchBoardLabels): Translate => (key, fields = {}) => {
  const label = labels[key];
  return typeof label === "function" ? String(label(fields)) : fillFields(label, fields);
};
