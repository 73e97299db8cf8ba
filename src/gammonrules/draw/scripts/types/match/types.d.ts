/** What matches are made of: docs/reference/match-js.md. Values are those of the library's JSON, frozen. */
import type { End, IllegalActionReason, Phase, Player, ReadableVersion, Rules, Version, WinKind } from "../generated/names.js";
import type { DiceRoll, Move } from "../rules/types.js";
export type { Action, IllegalActionReason, Phase, Player, Rules, WinKind } from "../generated/names.js";
/** A board as the player on roll sees it: the functions of rules.js take its `points`. */
export interface Position {
    readonly points: readonly number[];
    /** How many each side has, on the board and off. */
    readonly checkers: number;
}
export interface Cube {
    readonly value: number;
    /** Null while it is centered. */
    readonly owner: Player | null;
}
export interface Double {
    readonly by: Player;
    /** What is offered now. */
    readonly value: number;
    readonly beavers: number;
}
export interface Resignation {
    readonly by: Player;
    readonly win: WinKind;
    /** The double that it interrupts. */
    readonly double: Double | null;
}
export type Offer = (Double & {
    readonly type: "Double";
}) | (Resignation & {
    readonly type: "Resignation";
});
export interface Result {
    readonly winner: Player;
    /** Null if the game was forfeited. */
    readonly win: WinKind | null;
    readonly points: number;
    readonly end: End;
}
/** A match or money game at one moment: `MatchState` in Python. */
export interface MatchState {
    readonly version: Version;
    readonly type: "MatchState";
    readonly position: Position;
    /** Null before the opening roll, when White sees the position. */
    readonly on_roll: Player | null;
    /** The higher first. */
    readonly dice: DiceRoll | null;
    readonly cube: Cube;
    readonly offer: Offer | null;
    /** White's points and Black's. */
    readonly score: readonly [white: number, black: number];
    /** Null in money play. */
    readonly length: number | null;
    readonly crawford: boolean;
    readonly rules: Rules;
    readonly result: Result | null;
}
/** What the fields are that may be null, as far as the phase says it. */
interface FieldsOfPhase {
    opening: {
        on_roll: null;
        dice: null;
        offer: null;
        result: null;
    };
    to_roll: {
        on_roll: Player;
        dice: null;
        offer: null;
        result: null;
    };
    to_play: {
        on_roll: Player;
        dice: DiceRoll;
        offer: null;
        result: null;
    };
    doubled: {
        on_roll: Player;
        dice: null;
        offer: Extract<Offer, {
            type: "Double";
        }>;
        result: null;
    };
    /** With dice if it interrupts a play. */
    resigned: {
        on_roll: Player;
        offer: Extract<Offer, {
            type: "Resignation";
        }>;
        result: null;
    };
    /** With nobody on roll if it was forfeited before the opening roll. */
    over: {
        dice: null;
        offer: null;
        result: Result;
    };
}
/** A state of which `isPhase` has said that it is in this phase. */
export type MatchStateIn<Name extends Phase> = MatchState & Readonly<FieldsOfPhase[Name]>;
export interface MatchOptions {
    /** The points that win the match; null, or nothing, for money play. */
    length?: number | null;
    /** Those that differ from the usual ones. If there are none, those of tournaments, or of money play. */
    rules?: Partial<Rules> | null;
    score?: readonly [white: number, black: number];
    /** Null: the score says whether it is the Crawford game. */
    crawford?: boolean | null;
    /** The first board, as White sees it. */
    position?: Position | null;
}
/** A move as the library's JSON has it. */
export interface JsonMove {
    readonly from_point: number;
    readonly to_point: number;
    readonly hit: boolean;
}
/** A text such as "8/5 6/5", or moves; a play of any board and roll is legal if it is one of these. */
export type PlayLike = string | readonly (Readonly<Move> | JsonMove)[] | {
    readonly before: Position;
    readonly dice: DiceRoll;
    readonly moves: readonly (Readonly<Move> | JsonMove)[];
};
/** What all of these events have. */
interface Common {
    readonly version?: ReadableVersion;
    readonly type?: "Event";
    /** Whoever is to act, unless it is given. */
    readonly by?: Player | "to_act";
    /** In seconds. */
    readonly time?: number;
}
/** What players do. */
export type Event = Common & (
/** Of an opening roll White's die and Black's, of a roll two in either order. */
{
    readonly action: "opening_roll" | "roll";
    readonly argument: DiceRoll;
} | {
    readonly action: "play";
    readonly argument: PlayLike;
} | {
    readonly action: "resign";
    readonly argument?: WinKind;
} | {
    readonly action: "next_game";
    readonly argument?: Player | Position | null;
} | {
    readonly action: "double" | "take" | "drop" | "beaver" | "accept" | "decline";
    readonly argument?: null;
});
/** A position that is set by hand. */
export interface SetPosition {
    readonly version?: ReadableVersion;
    readonly type: "SetPosition";
    readonly position: Position;
    readonly on_roll: Player;
    /** Null, or nothing: as it is. */
    readonly cube?: Cube | null;
}
/** An arbiter's decision. */
export interface Forfeit {
    readonly version?: ReadableVersion;
    readonly type: "Forfeit";
    readonly loser: Player;
    /** Null, or nothing: what the winner still needs. */
    readonly points?: number | null;
}
/** An event that says everything, for a log. */
export type LoggedEvent = Event & {
    readonly version: Version;
    readonly type: "Event";
    readonly by: Player | "to_act";
};
export type LoggedSetPosition = SetPosition & {
    readonly version: Version;
    readonly cube: Cube;
};
export type LoggedForfeit = Forfeit & {
    readonly version: Version;
    readonly points: number;
};
/** What changes a state. */
export type AnyEvent = Event | SetPosition | Forfeit;
export type AnyLoggedEvent = LoggedEvent | LoggedSetPosition | LoggedForfeit;
export interface ReceiveOptions {
    /** Throws two dice, in an opening White's first; it is called once where they are needed. */
    roll: () => DiceRoll;
    /** Who starts the next game, if that is agreed. */
    starter?: Player | null;
    /** The first board of the next game. */
    position?: Position | null;
}
/** What `receive` gives. */
export interface ReceiveResult {
    readonly event: LoggedEvent;
    readonly state: MatchState;
}
declare module "../rules/types.js" {
    interface Reasons {
        action: IllegalActionReason;
    }
}
