//! The names of actions, starts and options. Written by `python generate.py conformance_names`: do not edit it.
use crate::json::Json;

pub const ACTIONS: [&str; 11] = [
    "opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept",
    "decline", "next_game",
];
/// Each start by its name, its Position ID and the checkers of a side.
pub const STARTS: [(&str, &str, i32); 6] = [
    ("standard", "4HPwATDgc/ABMA", 15),
    ("nackgammon", "4Dl4ADbgOXgANg", 15),
    ("longgammon", "AACA/z8AAID/Pw", 15),
    ("hypergammon", "AACgAgAAKgAAAA", 3),
    ("hypergammon2", "AABAAQAACgAAAA", 2),
    ("hypergammon1", "AACAAAAAAgAAAA", 1),
];

/// GammonrulesOptions of the header, which explains the fields.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Options {
    pub crawford: i32,
    pub jacoby: i32,
    pub beavers: i32,
    pub auto_doubles: i32,
    pub max_cube: i32,
    pub cube: i32,
    pub gammons: i32,
    pub backgammons: i32,
    pub scoring: i32,
    pub opening: i32,
}

/// The options of a match.
pub const USUAL: Options = Options {
    crawford: 1,
    jacoby: 0,
    beavers: 0,
    auto_doubles: 0,
    max_cube: 0,
    cube: 1,
    gammons: 1,
    backgammons: 1,
    scoring: 0,
    opening: 0,
};

pub fn options_of(rules: &Json) -> Options {
    let number = |name| rules.get(name).number();
    Options {
        crawford: number("crawford"),
        jacoby: number("jacoby"),
        beavers: number("beavers"),
        auto_doubles: number("auto_doubles"),
        max_cube: number("max_cube"),
        cube: number("cube"),
        gammons: number("gammons"),
        backgammons: number("backgammons"),
        scoring: rules.get("scoring").word(&["points", "pips"]),
        opening: rules.get("opening").word(&["shared", "reroll"]),
    }
}
