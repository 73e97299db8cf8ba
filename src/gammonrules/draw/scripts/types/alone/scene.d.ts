/** What is said of a match: whose turn it is, score, pips, cube and results. It is what draw.svg.table says, and a translation
 * of draw/_scene.py and draw/svg/_words.py; the tests compare the two. */
import type { BoardWords } from "../board/types.js";
import { type Fields } from "../board/words.js";
import type { MatchState, Player } from "../match/types.js";
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
};
export type TableWords = BoardWords & MatchWords;
type WordName = keyof TableWords;
/** Says a word with fields in it. */
export type Say = (key: WordName, fields?: Fields) => string;
/** What is said of a player. */
export interface SideScene {
    player: Player;
    name: string;
    points: string;
    score: string;
    doing: string;
}
/** Everything that is said of a state. */
export interface Scene {
    kind: string;
    standing: string[];
    cube: string;
    white: SideScene;
    black: SideScene;
}
/** Fields in a text of these words. */
export declare const sayingOf: (words: TableWords) => Say;
export declare function sceneOf(state: MatchState, words: TableWords): Scene;
export declare const countOf: (say: Say, one: WordName, several: WordName, count: number) => string;
export declare const hasCube: ({ rules, crawford, length }: MatchState) => boolean;
/** A name, or its beginning. */
export declare function cutTo(name: string, most: number, length: (text: string) => number): string;
export {};
