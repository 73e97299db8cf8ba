/** The public types of <gammon-setup> (setup.js), which docs/reference/board.md describes. */
import type { BoardTheme, PlaceLabels } from "../board/types.js";
import type { GammonSetup } from "./setup.js";
/** The labels of the element; fields in braces are filled in. */
export interface SetupLabels extends PlaceLabels {
    missing: string;
    brush: string;
    remove: string;
    turn: string;
    dice: string;
    cube: string;
    owner: string;
    centered: string;
    clear: string;
    start: string;
}
/** The person has changed something; `explain` shows what is wrong with it, unless they have gone on. */
export type GammonSetupEvent = CustomEvent<{
    xgid: string;
    points: number[];
    explain(text: string): void;
}>;
/** What frameworks give to `<gammon-setup>`. */
export interface SetupProperties {
    xgid?: string;
    translations?: Partial<SetupLabels>;
    flip?: boolean;
    look?: "flat" | "depth";
    layout?: "landscape" | "portrait";
    theme?: BoardTheme | null;
}
/** What it tells them. */
export interface SetupEvents {
    "gammon-setup": GammonSetupEvent;
}
declare global {
    interface HTMLElementTagNameMap {
        "gammon-setup": GammonSetup;
    }
    interface GlobalEventHandlersEventMap extends SetupEvents {
    }
}
