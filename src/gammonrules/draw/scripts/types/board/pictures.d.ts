/** The parts of a picture of the library, and where they are. */
export type Player = "white" | "black";
export interface Spot {
    x: number;
    y: number;
}
/** A rectangle, and its middle. */
export interface Area extends Spot {
    width: number;
    height: number;
    middle: Spot;
}
/** What a pointer says of where it is. */
export type Pointer = Pick<PointerEvent, "clientX" | "clientY">;
export type Attributes = Readonly<Record<string, string | number | undefined>>;
export declare const MARKS = ".highlight, .halo, .target, [class^=last-]";
export declare const DICE = ".die:not(.last)";
export declare const NUMBER = ".number:not(.count)";
export declare const BAR = 25;
/** An element of a picture. */
export declare function made(name: string, attributes: Attributes, ...content: (Node | string)[]): SVGElement;
export declare const wipe: (root: ParentNode, parts: string) => void;
export declare const partsOf: (root: ParentNode, parts: string) => SVGElement[];
/** The first of the parts, of which every picture has one. */
export declare const partOf: (root: ParentNode, part: string) => SVGElement;
export declare const checkersIn: (group: ParentNode) => SVGElement[];
export declare const groupsOf: (svg: ParentNode) => SVGElement[];
export declare const diceOf: (svg: ParentNode) => SVGElement[];
export declare const copyOf: (element: SVGElement) => SVGElement;
/** Whose it is; null: nobody's. */
export declare const playerOf: ({ dataset: { player } }: SVGElement) => Player | null;
/** What is printed beside a point, or else its number. */
export declare const printedAt: (group: SVGElement) => string | undefined;
/** Whether there are other dice, or another cube, than before. */
export declare function isOther(old: SVGElement, svg: SVGElement, parts: string): boolean;
/** The group of a point, or of a player's bar or tray, by the number that the player on roll gives to it. */
export declare function groupOf(svg: SVGElement, number: number, player?: Player): SVGElement;
export declare const otherThan: (player: Player) => Player;
export declare const distance: (from: Spot, to: Spot) => number;
export declare function boxOf(rect: Element): Area;
export declare const firstIn: (group: Element) => Element;
export declare const areaOf: (group: Element) => Area;
/** The board with its frame, whose middle is that of the bar too, in every layout. */
export declare const frameOf: (svg: SVGElement) => Area;
/** From the middle of one half to that of the other. */
export declare const acrossIn: ([one, , , , , , seven]: SVGElement[]) => number;
export declare function spotIn(group: SVGElement, slot: number, count?: number): Spot;
export declare function centerOf(checker: Element): Spot;
/** Whose it is, and where. */
export declare const markOf: (checker: SVGElement) => string;
export declare const allIn: (svg: SVGElement) => string;
/** Who numbers the points: the player at the bottom, if the 1 point is there, or the other. */
export declare function sideOf(svg: SVGElement): Player;
/** The middle of the half to the right of a player. */
export declare function handOf(svg: SVGElement, player: Player): number;
/** Where a pointer is, as the picture counts. */
export declare function spotOf(svg: SVGElement, { clientX, clientY }: Pointer): Spot;
/** The number of the place that this is or belongs to, as the player counts; null for a bar or tray of the other player. */
export declare function numberAt(element: Element | undefined, player: Player | null): number | null;
/** The number of the place in whose column the pointer is. */
export declare function numberBelow(svg: SVGElement, event: Pointer, player: Player | null): number | null;
