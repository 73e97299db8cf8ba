/** What <gammon-board> and <gammon-setup> have in common. */
import { type Pointer } from "./pictures.js";
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
/** Set an attribute, or remove it. */
export declare function reflect(element: Element, name: string, value: unknown): void;
type Detail<Told> = Told extends CustomEvent<infer Said> ? Said : never;
type EventName = keyof GlobalEventHandlersEventMap & `gammon-${string}`;
/** Tell the page, and with it frameworks. */
export declare function send<Name extends EventName>(element: HTMLElement, name: Name, detail: Detail<GlobalEventHandlersEventMap[Name]>): void;
export declare const ARROW_KEYS: Readonly<Record<string, readonly [right: number, down: number] | undefined>>;
/** Focus the nearest place in this direction. */
export declare function step(svg: SVGElement, target: Element, right: number, down: number): void;
/** A press, of which only a motion tells whether it is a click or drags a checker. */
export declare class Drag<From> {
    #private;
    piece: SVGElement | null;
    readonly id: number;
    readonly from: From;
    readonly target: Element;
    /** From a place; a click is one on the target. */
    constructor(press: PointerEvent, from: From, target: Element);
    isClick({ clientX, clientY }: Pointer): boolean;
    lift(svg: SVGElement, checker: SVGElement): void;
    follow(svg: SVGElement, event: Pointer): void;
}
export {};
