/** What a match with its history takes: docs/reference/match-js.md. */
export interface MatOptions {
    /** The names of the players. */
    white?: string;
    black?: string;
    /** What the head says of the match, such as `{ Event: "Nordic Open" }`; the tags of the rules are written anyway. */
    tags?: Readonly<Record<string, string>>;
    /** Lines of the head that are for people. */
    comments?: readonly string[];
}
