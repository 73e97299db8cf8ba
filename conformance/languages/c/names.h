/* The names of actions, starts and options. Written by `python generate.py conformance_names`: do not edit it. */

static const char *const ACTIONS[] = {
    "opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept",
    "decline", "next_game", "forfeit", NULL,
};
static const char *const STARTS[] = {
    "standard", "nackgammon", "longgammon", "hypergammon", "hypergammon2", "hypergammon1", NULL,
};
static const char *const IDS[] = {
    "4HPwATDgc/ABMA", "4Dl4ADbgOXgANg", "AACA/z8AAID/Pw", "AACgAgAAKgAAAA", "AABAAQAACgAAAA",
    "AACAAAAAAgAAAA",
};
static const int CHECKERS[] = {
    15, 15, 15, 3, 2, 1,
};
static const char *const SCORINGS[] = {
    "points", "pips", NULL,
};
static const char *const OPENINGS[] = {
    "shared", "reroll", NULL,
};

static GammonrulesOptions read_options(const char *rules) {
    return (GammonrulesOptions){
        .crawford = number(get(rules, "crawford")),
        .jacoby = number(get(rules, "jacoby")),
        .beavers = number(get(rules, "beavers")),
        .auto_doubles = number(get(rules, "auto_doubles")),
        .max_cube = number(get(rules, "max_cube")),
        .cube = number(get(rules, "cube")),
        .gammons = number(get(rules, "gammons")),
        .backgammons = number(get(rules, "backgammons")),
        .scoring = word(get(rules, "scoring"), SCORINGS),
        .opening = word(get(rules, "opening"), OPENINGS),
    };
}
