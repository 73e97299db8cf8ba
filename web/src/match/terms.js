/** The words of a match, and how sentences say numbers.
 *
 * A player is "white" or "black", in WebAssembly a seat, 0 or 1; -1 is nobody, or whoever is to act. */

export const VERSION = 3; // of the JSON
export const PLAYERS = ["white", "black"];
export const TITLES = { white: "White", black: "Black" };
export const LEVELS = ["single", "gammon", "backgammon"];
export const ENDS = ["played", "dropped", "resigned", "forfeited"];
export const PHASES = ["opening", "to_roll", "to_play", "doubled", "resigned", "over"];
export const ACTIONS = [
  "opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept", "decline", "next_game",
];
export const REASONS = [
  null, "unknown_player", "not_your_turn", "opening_roll_first", "opening_roll_made", "already_rolled", "not_rolled",
  "double_pending", "no_double_pending", "resignation_pending", "no_resignation_pending", "game_over", "game_not_over",
  "match_over", "score_limit", "no_cube", "crawford_game", "opponent_owns_cube", "dead_cube", "cube_limit",
  "no_beavers_in_match", "too_many_beavers", "pips_are_single",
];

export const MOST_POINTS = 1e9;
export const LARGEST_CUBE = 2 ** 24;

export const opponentOf = (player) => PLAYERS[1 - PLAYERS.indexOf(player)];
export const seatOf = (player) => PLAYERS.indexOf(player);
/** 1 to 3, or 0 for none. */
export const levelNumber = (win) => 1 + LEVELS.indexOf(win);

export const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
export const grouped = (number) => String(number).replace(/\B(?=(\d\d\d)+$)/g, ",");
export const levelName = (win) => (win === "single" ? "single game" : win);

export const quotedBy = (sign, words) => words.map((word) => `"${word}"`).join(sign);

/** A count in XGIDs and `.mat` texts: A to O are White's checkers, a to o are Black's. */
export const letterOf = (count) => (count ? String.fromCharCode((count > 0 ? 64 : 96) + Math.abs(count)) : "-");
