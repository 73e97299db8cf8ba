//! gammonrules.h, as far as these programs need it.
use crate::names::Options;

/// 26 counts as the player on roll sees them.
pub type Board = [i8; 26];

/// GammonrulesMatch.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Match {
    pub on_roll: i32,
    pub dice: [i32; 2],
    pub cube: i32,
    pub owner: i32,
    pub doubled_by: i32,
    pub offered: i32,
    pub beavers: i32,
    pub resigned_by: i32,
    pub resigned: i32,
    pub score: [i32; 2],
    pub length: i32,
    pub is_crawford: i32,
    pub winner: i32,
    pub win: i32,
    pub points: i32,
    pub end: i32,
    pub rules: Options,
    pub checkers: i32,
    pub board: Board,
}

#[link(name = "gammonrules", kind = "static")]
extern "C" {
    pub fn gammonrules_board() -> *mut Board;
    pub fn gammonrules_boards() -> *const Board;
    pub fn gammonrules_plays(high: i32, low: i32) -> i32;
    pub fn gammonrules_turn(high: i32, low: i32) -> i32;
    pub fn gammonrules_nodes() -> *const u16;
    pub fn gammonrules_perft(depth: i32) -> f64;
    pub fn gammonrules_text() -> *mut [u8; 14];
    pub fn gammonrules_write_id();
    pub fn gammonrules_read_id(checkers: i32) -> i32;
    pub fn gammonrules_match() -> *mut Match;
    pub fn gammonrules_problems() -> i32;
    pub fn gammonrules_winner() -> i32;
    pub fn gammonrules_actions(player: i32) -> u32;
    pub fn gammonrules_why_not(action: i32, player: i32) -> i32;
    pub fn gammonrules_act(action: i32, player: i32, number: i32, other: i32) -> i32;
    pub fn gammonrules_forfeit(loser: i32, points: i32) -> i32;
}
