/** The board that needs no server: it has the rules, and draws the table itself. */
import { GammonBoard as Board } from "../board/board.js";
import type { BoardView, PlayerTexts } from "../board/types.js";
import type { MatchState, Player } from "../match/types.js";
import type { Strength } from "../opponent/types.js";
import type { Die, Thrown } from "../rules/types.js";
import { type Last } from "./last.js";
import type { AloneWords, TableProperties } from "./types.js";
import { type TableWords } from "./words.js";
/** Assigning what is wrong changes nothing. The properties that this class adds throw a GammonError. Those of board.js, `words`
 *  and `clocks` throw what they throw there, mostly a TypeError; but a word of a reason is refused with a GammonError. */
export declare class GammonBoard extends Board {
    #private;
    static readonly observedAttributes: readonly string[];
    connectedCallback(): void;
    attributeChangedCallback(name: string, old: string | null, value: string | null): void;
    /** The position as the player on roll sees it; null: there is none, or the page shows views. */
    get position(): number[] | null;
    set position(position: TableProperties["position"]);
    /** The match as it is now; null: there is none. */
    get state(): MatchState | null;
    set state(state: TableProperties["state"]);
    /** How the state came about, as the page has said it, and what has been done here since; null: it is not known. */
    get last(): Last | null;
    set last(last: TableProperties["last"]);
    /** What throws the dice. */
    get roll(): (() => Thrown) | null;
    set roll(roll: TableProperties["roll"]);
    /** What has somebody else do what a player wants. */
    get send(): TableProperties["send"];
    set send(send: TableProperties["send"]);
    get player(): Player | "none" | null;
    set player(player: TableProperties["player"]);
    get opponent(): Strength | null;
    set opponent(opponent: TableProperties["opponent"]);
    /** The attribute. */
    get teacher(): boolean;
    set teacher(teacher: TableProperties["teacher"]);
    get dice(): [high: Die, low: Die] | null;
    set dice(dice: TableProperties["dice"]);
    get checkers(): number;
    set checkers(checkers: TableProperties["checkers"]);
    /** Who is on roll. */
    get side(): "white" | "black" | null;
    set side(side: TableProperties["side"]);
    get look(): "flat" | "depth";
    set look(look: TableProperties["look"]);
    get numbers(): "turning" | "fixed";
    set numbers(numbers: TableProperties["numbers"]);
    get clocks(): PlayerTexts;
    set clocks(clocks: TableProperties["clocks"]);
    get layout(): "landscape" | "portrait";
    set layout(layout: TableProperties["layout"]);
    get words(): TableWords;
    /** Some words are of the board, some of reasons, some of a match; a few are of two of these. */
    set words(words: AloneWords | null | undefined);
    get view(): BoardView | null;
    set view(view: BoardView | null | undefined);
    show(view: BoardView): Promise<void>;
    focus(): void;
    /** Show the best plays at the beginning of the turn, or say what is better, until somebody acts; of a turn that nobody has
     *  here, nothing. */
    hint(): void;
    /** What board.js tells, with what only rules know. Of a match that is an event of it. */
    dispatchEvent(event: Event): boolean;
}
