/** Words of the table, which a page may change. */
import type { BoardWords } from "../board/types.js";
import { type Fields } from "../rules/words.js";
import type { MatchWords } from "./types.js";
/** The words of a match. A page may have functions of the fields instead. */
export declare const SAYINGS: {
    money: string;
    match: string;
    crawford: string;
    post_crawford: string;
    no_cube: string;
    crawford_sign: string;
    one_point: string;
    points: string;
    pip: string;
    pips: string;
    on_roll: string;
    rolled: string;
    offered: string;
    beavered: string;
    raccoon: string;
    beavers: string;
    resigns: string;
    single: string;
    gammon: string;
    backgammon: string;
    dropped: string;
    resigned: string;
    forfeit: string;
    won: string;
    match_won: string;
    position_id: string;
    one_each: string;
    each: string;
    centered: string;
    cube_owned: string;
    tie: string;
    begins: string;
    doubles: string;
    beavers_to: string;
    offers: string;
    stakes: string;
    gains: string;
    sending: string;
    no_dice: string;
    opening_roll: string;
    drop: string;
    beaver: string;
    accept: string;
    decline: string;
    resign: string;
    resign_level: string;
    play_on: string;
    next_game: string;
    prefers: string;
    loses: string;
    would: string;
    instead: string;
    take_back: string;
    let_stand: string;
};
/** Who plays: names, or else colors. */
export type Names = Readonly<Record<"white" | "black", string>>;
export type TableWords = BoardWords & MatchWords;
export type WordName = keyof TableWords;
/** Says a word with fields in it. */
export type Say = (key: WordName, fields?: Fields) => string;
/** Fields in a text of these words. */
export declare const sayingOf: (words: TableWords) => Say;
