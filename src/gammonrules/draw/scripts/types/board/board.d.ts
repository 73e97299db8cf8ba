/** The board on which a person plays. It knows no rules: it shows the library's picture, walks the tree of the turn, and
 * sends events. */
import { GammonElement } from "./element.js";
import type { BoardAuto, BoardLabels, BoardView, Move, PlayerTexts, TurnTree } from "./types.js";
export declare class GammonBoard extends GammonElement {
    #private;
    static readonly observedAttributes: readonly string[];
    constructor();
    connectedCallback(): void;
    attributeChangedCallback(name: string, old: string | null, value: string | null): void;
    disconnectedCallback(): void;
    /** What it shows; assigning does what `show` does, but keeps the turn of an equal view, open again if it was ended. */
    get view(): BoardView | null;
    set view(view: BoardView | null | undefined);
    /** The promise is kept when all of it is on the board. */
    show(view: BoardView): Promise<void>;
    undo(): void;
    endTurn(): void;
    swapDice(): void;
    focus(): void;
    get moves(): Move[];
    get isComplete(): boolean;
    /** Who numbers the points: the player on roll, before the opening roll White; null before there is a picture. */
    get side(): "white" | "black" | null;
    /** The turn of the player who moves here, as it was given; assigning sets the attribute. */
    get tree(): TurnTree | null;
    set tree(tree: TurnTree | string | null | undefined);
    get speed(): string | null;
    /** Milliseconds for one checker. */
    set speed(speed: number | `${number}` | null | undefined);
    get auto(): string | null;
    set auto(auto: BoardAuto | null | undefined);
    /** The points that stand out; null: those whose checkers can move. */
    get highlight(): number[] | null;
    set highlight(points: readonly number[] | null | undefined);
    /** Arrows of the page. */
    get arrows(): Move[];
    set arrows(moves: readonly Readonly<Move>[] | null | undefined);
    /** Dashed arrows of a play that was made where that of the arrows was best. */
    get playedArrows(): Move[];
    set playedArrows(moves: readonly Readonly<Move>[] | null | undefined);
    /** Arrows that the person has drawn with the right button. */
    get userArrows(): Move[];
    /** Who plays, where they are not called by their colors. */
    get names(): PlayerTexts;
    set names(names: PlayerTexts | null | undefined);
    get translations(): BoardLabels;
    set translations(translations: Partial<BoardLabels> | null | undefined);
}
