//! A match at random.
use std::time::{SystemTime, UNIX_EPOCH};

use crate::header::Match;
use crate::names::{ACTIONS, USUAL};
use crate::rules::Rules;
use crate::state::{CHECKERS, ENDS};

const NOBODY: i32 = -1;

/// Numbers that look random (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn die(&mut self) -> i32 {
        1 + self.below(6) as i32
    }
}

/// Do something legal, but for resignations.
fn act_at_random(rules: &mut Rules, chance: &mut Chance) {
    let bits = rules.actions(NOBODY);
    let legal: Vec<usize> = (0..ACTIONS.len()).filter(|at| bits >> at & 1 == 1 && ACTIONS[*at] != "resign").collect();
    let action = legal[chance.below(legal.len())];
    let mut numbers = [chance.die(), chance.die()];
    if ACTIONS[action] == "play" {
        let state = rules.state();
        rules.set_board(&state.board);
        let plays = rules.plays(state.dice);
        rules.set_board(&plays[chance.below(plays.len())]);
    }
    if ACTIONS[action] == "next_game" {
        rules.set_start("standard", CHECKERS);
        numbers = [NOBODY, CHECKERS]; // an opening roll says who starts
    }
    let reason = rules.act(action as i32, NOBODY, numbers);
    assert_eq!(reason, 0, "refused");
}

pub fn play(rules: &mut Rules, length: i32) {
    let names = ["White", "Black"];
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64);
    let mut chance = Chance(now | 1);
    rules.set_start("standard", CHECKERS);
    let board = rules.board();
    rules.set_match(Match {
        on_roll: NOBODY,
        dice: [0, 0],
        cube: 1,
        owner: NOBODY,
        doubled_by: NOBODY,
        offered: 0,
        beavers: 0,
        resigned_by: NOBODY,
        resigned: 0,
        score: [0, 0],
        length,
        is_crawford: 0,
        winner: NOBODY,
        win: 0,
        points: 0,
        end: 0,
        rules: USUAL,
        checkers: CHECKERS,
        board,
    });
    if length < 1 || !rules.is_possible() {
        eprintln!("no such match: {length}");
        std::process::exit(1);
    }
    while rules.winner() == NOBODY {
        act_at_random(rules, &mut chance);
        let Match { winner, points, end, score: [white, black], .. } = rules.state();
        if winner != NOBODY {
            let (name, end) = (names[winner as usize], ENDS[end as usize]);
            println!("{name} wins {points} ({end}), and it is {white}-{black}");
        }
    }
    println!("{} wins the match to {length}", names[rules.winner() as usize]);
}
