/** The board that needs no server: it has the rules, and draws the table itself. */
import { GammonBoard as Board } from "../board/board.js";
import type { BoardView, PlayerTexts } from "../board/types.js";
import type { MatchState, Player } from "../match/types.js";
import type { Strength } from "../opponent/types.js";
import type { DiceRoll, Die } from "../rules/types.js";
import { type Last } from "./last_play.js";
import type { MatchBoardProperties, MatchBoardTranslations } from "./types.js";
import { type MatchBoardLabels } from "./labels.js";
/** Assigning what is wrong changes nothing. The properties that this class adds throw a GammonError. Those of board.js,
 *  `translations` and `clocks` throw what they throw there, mostly a TypeError; but an invalid message of a reason throws a
 *  GammonError. */
export declare class GammonBoard extends Board {
    #private;
    static readonly observedAttributes: readonly string[];
    connectedCallback(): void;
    attributeChangedCallback(name: string, old: string | null, value: string | null): void;
    /** The position as the player on roll sees it; null: there is none, or the page shows views. */
    get position(): number[] | null;
    set position(position: MatchBoardProperties["position"]);
    /** The match as it is now; null: there is none. */
    get state(): MatchState | null;
    set state(state: MatchBoardProperties["state"]);
    /** How the state came about, as the page has said it, and what has been done here since; null: it is not known. */
    get last(): Last | null;
    set last(last: MatchBoardProperties["last"]);
    /** What throws the dice. */
    get roll(): (() => DiceRoll) | null;
    set roll(roll: MatchBoardProperties["roll"]);
    /** What has somebody else do what a player wants. */
    get send(): MatchBoardProperties["send"];
    set send(send: MatchBoardProperties["send"]);
    get player(): Player | "none" | null;
    set player(player: MatchBoardProperties["player"]);
    get opponent(): Strength | null;
    set opponent(opponent: MatchBoardProperties["opponent"]);
    /** The attribute. */
    get tutor(): boolean;
    set tutor(tutor: MatchBoardProperties["tutor"]);
    get dice(): [high: Die, low: Die] | null;
    set dice(dice: MatchBoardProperties["dice"]);
    get checkers(): number;
    set checkers(checkers: MatchBoardProperties["checkers"]);
    /** Who is on roll. */
    get side(): "white" | "black" | null;
    set side(side: MatchBoardProperties["side"]);
    get look(): "flat" | "depth";
    set look(look: MatchBoardProperties["look"]);
    get numbers(): "turning" | "fixed";
    set numbers(numbers: MatchBoardProperties["numbers"]);
    get clocks(): PlayerTexts;
    set clocks(clocks: MatchBoardProperties["clocks"]);
    get layout(): "landscape" | "portrait";
    set layout(layout: MatchBoardProperties["layout"]);
    get translations(): MatchBoardLabels;
    /** A translation is of the board, of a reason or of the match; a few are of two of these. */
    set translations(translations: MatchBoardTranslations | null | undefined);
    get view(): BoardView | null;
    set view(view: BoardView | null | undefined);
    show(view: BoardView): Promise<void>;
    focus(): void;
    /** Show the best plays at the beginning of the turn, or the better action, until somebody acts. It does nothing in a turn that
     *  nobody has here. */
    hint(): void;
    /** What board.js tells, with what only rules know. Of a match that is an event of it. */
    dispatchEvent(event: Event): boolean;
}
/** Define the element, or report in the console that it was too late. */
export declare function register(): void;
