/** The board on which a person sets up a position. It knows no rules but the number of checkers: what else is wrong with a
 * position, the library says. */
import { GammonElement } from "../board/element.js";
import type { SetupLabels } from "./types.js";
export declare class GammonSetup extends GammonElement {
    #private;
    static readonly observedAttributes: readonly string[];
    constructor();
    attributeChangedCallback(name: string, _: string | null, value: string | null): void;
    disconnectedCallback(): void;
    /** The position with cube, dice and player on roll; assigning shows another, and raises a TypeError for what is none. */
    get xgid(): string;
    set xgid(xgid: string);
    /** 26 counts, as `Position.from_points` takes them: seen by the player on roll, their checkers positive. */
    get points(): number[];
    get translations(): SetupLabels;
    set translations(translations: Partial<SetupLabels> | null | undefined);
}
