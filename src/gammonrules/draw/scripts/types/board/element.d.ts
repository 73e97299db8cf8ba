/** What <gammon-board> and <gammon-setup> have in common. */
import type { BoardTheme } from "./types.js";
declare const GammonElement_base: {
    new (): HTMLElement;
    prototype: HTMLElement;
};
/** A subclass has its stylesheet as the static `css`, and as `properties` the names of what a page may assign. */
export declare class GammonElement extends GammonElement_base {
    static readonly observedAttributes: readonly string[];
    readonly shadowRoot: ShadowRoot;
    constructor();
    adoptedCallback(): void;
    /** Take what a framework has assigned before this script was there. */
    connectedCallback(): void;
    /** The attribute. */
    get theme(): string | null;
    set theme(theme: BoardTheme | null | undefined);
    /** Whether the picture is turned, so that its other side is at the bottom. */
    get flip(): boolean;
    set flip(flip: boolean);
}
export {};
