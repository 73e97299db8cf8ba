//! The rules in C, linked as a library.
use crate::header as c;
use crate::header::{Board, Match};
use crate::names::STARTS;

/// The one board and the one match of the C library, for a program of one thread. A value of this type is made once.
pub struct Rules(());

impl Rules {
    /// # Safety
    /// No other value of this type is in use.
    pub unsafe fn new() -> Self {
        Self(())
    }

    pub fn set_board(&mut self, board: &Board) {
        unsafe { *c::gammonrules_board() = *board }
    }

    pub fn board(&self) -> Board {
        unsafe { *c::gammonrules_board() }
    }

    /// The boards of all plays, as the opponent sees them.
    pub fn plays(&mut self, dice: [i32; 2]) -> Vec<Board> {
        unsafe {
            let count = c::gammonrules_plays(dice[0], dice[1]) as usize;
            std::slice::from_raw_parts(c::gammonrules_boards(), count).to_vec()
        }
    }

    /// The moves at each node of the turn: from, to, die and next node.
    pub fn turn(&mut self, dice: [i32; 2]) -> Vec<Vec<[u16; 4]>> {
        unsafe {
            let count = c::gammonrules_turn(dice[0], dice[1]);
            let mut at = c::gammonrules_nodes();
            let mut node = || {
                let moves = at.add(1).cast::<[u16; 4]>();
                let size = *at as usize;
                at = at.add(1 + 4 * size);
                std::slice::from_raw_parts(moves, size).to_vec()
            };
            (0..count).map(|_| node()).collect()
        }
    }

    pub fn perft(&mut self, depth: i32) -> f64 {
        unsafe { c::gammonrules_perft(depth) }
    }

    pub fn id(&mut self) -> String {
        unsafe {
            c::gammonrules_write_id();
            String::from_utf8_lossy(&*c::gammonrules_text()).into_owned()
        }
    }

    /// Put the board of a Position ID there, if it is one.
    pub fn read_id(&mut self, text: &str, checkers: i32) -> bool {
        match text.as_bytes().try_into() {
            Ok(letters) => unsafe {
                *c::gammonrules_text() = letters;
                c::gammonrules_read_id(checkers) == 1
            },
            Err(_) => false,
        }
    }

    /// Set up a start, if it has so many checkers a side.
    pub fn set_start(&mut self, name: &str, checkers: i32) -> bool {
        let start = STARTS.iter().find(|(start, _, size)| *start == name && *size == checkers);
        start.map_or(false, |(_, id, _)| self.read_id(id, checkers))
    }

    pub fn set_match(&mut self, state: Match) {
        unsafe { *c::gammonrules_match() = state }
    }

    pub fn state(&self) -> Match {
        unsafe { *c::gammonrules_match() }
    }

    pub fn is_possible(&mut self) -> bool {
        unsafe { c::gammonrules_problems() == 0 }
    }

    pub fn winner(&self) -> i32 {
        unsafe { c::gammonrules_winner() }
    }

    pub fn actions(&self, player: i32) -> u32 {
        unsafe { c::gammonrules_actions(player) }
    }

    pub fn why_not(&self, action: i32, player: i32) -> i32 {
        unsafe { c::gammonrules_why_not(action, player) }
    }

    pub fn act(&mut self, action: i32, player: i32, numbers: [i32; 2]) -> i32 {
        unsafe { c::gammonrules_act(action, player, numbers[0], numbers[1]) }
    }

    pub fn forfeit(&mut self, loser: i32, points: i32) -> i32 {
        unsafe { c::gammonrules_forfeit(loser, points) }
    }
}
