/** Why an opponent is not asked about a state. */
export declare const NAME: string;
