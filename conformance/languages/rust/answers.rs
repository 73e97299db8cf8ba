//! The rules in Rust: `gammonrules conform -- ./answers` asks this program, and `./answers match 7` plays a match at random.
//!
//!     rules=../../../src/gammonrules/c
//!     cc -O2 -c -o gammonrules.o $rules/match.c && ar rcs libgammonrules.a gammonrules.o
//!     rustc --edition 2021 -O -L . answers.rs
mod header;
mod json;
mod names;
mod random_match;
mod rules;
mod state;

use std::io::{self, BufRead, Write};

use header::Board;
use json::Json;
use names::{ACTIONS, STARTS};
use rules::Rules;
use state::{board_of, checkers_of, match_of, state_in, SEATS, WINS};

const NO_SUCH_PLAY: i32 = 24;

type Order = Vec<[i32; 2]>;

/// All orders of moves at a node of a turn; where either die bears a checker off, they are one.
fn orders(turn: &[Vec<[u16; 4]>], node: u16) -> Vec<Order> {
    let moves = &turn[node as usize];
    let mut all: Vec<Order> = Vec::new();
    if moves.is_empty() {
        all.push(Order::new());
    }
    for [from, to, _, next] in moves {
        for rest in orders(turn, *next) {
            let order = [vec![[i32::from(*from), i32::from(*to)]], rest].concat();
            if order.len() > 2 || !all.contains(&order) {
                all.push(order);
            }
        }
    }
    all
}

fn turned(mut board: Board) -> Board {
    board.reverse();
    board.map(|count| -count)
}

fn board_after(mut board: Board, moves: &[[i32; 2]]) -> Board {
    for [from, to] in moves.iter().map(|step| step.map(|point| point as usize)) {
        board[from] -= 1;
        if to > 0 && board[to] == -1 {
            board[to] = 0; // a hit
            board[0] -= 1;
        }
        board[to] += i8::from(to > 0);
    }
    turned(board)
}

/// Do what a question says, and give 0, or the number of the reason why it is illegal.
fn act(rules: &mut Rules, state: &Json, action: &Json) -> i32 {
    let (name, by) = (action.get("do").text(), action.get("by").word(&SEATS));
    let (todo, board) = (action.get("do").word(&ACTIONS), board_of(state.get("points")));
    let numbers = match name {
        "forfeit" => return rules.forfeit(by, action.get("points").number()),
        "opening_roll" => ["white", "black"].map(|seat| action.get(seat).number()),
        "roll" => action.get("dice").numbers(),
        "resign" => [action.get("win").word(&WINS), 0],
        "play" if rules.why_not(todo, by) == 0 => {
            let moves: Order = action.get("moves").list().iter().map(Json::numbers).collect();
            rules.set_board(&board);
            if !orders(&rules.turn(state.get("dice").numbers()), 0).contains(&moves) {
                return NO_SUCH_PLAY;
            }
            rules.set_board(&board_after(board, &moves));
            [0, 0]
        }
        "next_game" => {
            let checkers = checkers_of(state);
            if !rules.set_start(state.get("rules").get("start").text(), checkers) {
                return NO_SUCH_PLAY;
            }
            [action.get("starter").word(&SEATS), checkers]
        }
        _ => [0, 0],
    };
    rules.act(todo, by, numbers)
}

fn answer(rules: &mut Rules, question: &Json) -> String {
    let (state, dice) = (question.get("state"), question.get("dice").numbers());
    rules.set_board(&board_of(question.get("points")));
    match question.get("ask").text() {
        "hello" => {
            let asks = r#"["plays","orders","perft","table","identifiers:position"]"#;
            format!(r#""name":"gammonrules in Rust","version":"1","asks":{asks}"#)
        }
        "plays" => format!("\"points\":{:?}", rules.plays(dice).into_iter().map(turned).collect::<Vec<_>>()),
        "orders" => format!("\"orders\":{:?}", orders(&rules.turn(dice), 0)),
        "perft" => {
            let start = question.get("start").text();
            let checkers = STARTS.iter().find(|(name, ..)| *name == start).map_or(0, |(.., checkers)| *checkers);
            rules.set_start(start, checkers);
            let counts = (1..=question.get("depth").number()).map(|depth| rules.perft(depth) as u64);
            format!("\"plays\":{:?}", counts.collect::<Vec<_>>())
        }
        "table" => {
            rules.set_match(match_of(state));
            if !rules.is_possible() || act(rules, state, question.get("action")) != 0 {
                return "\"refused\":true".to_string();
            }
            format!("\"state\":{}", state_in(&rules.state(), state))
        }
        _ if !state.is_null() => {
            rules.set_board(&board_of(state.get("points")));
            format!("\"text\":\"{}\"", rules.id())
        }
        _ if rules.read_id(question.get("text").text(), checkers_of(question)) => {
            let fewer = question.get("checkers");
            let checkers = if fewer.is_null() { String::new() } else { format!(",\"checkers\":{fewer}") };
            format!("\"state\":{{\"points\":{:?}{checkers}}}", rules.board())
        }
        _ => "\"refused\":true".to_string(),
    }
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let mut rules = unsafe { Rules::new() };
    if arguments.len() > 2 && arguments[1] == "match" {
        random_match::play(&mut rules, arguments[2].parse().unwrap_or(0));
        return Ok(());
    }
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let question = Json::read(&line?);
        writeln!(output, "{{\"id\":{},{}}}", question.get("id"), answer(&mut rules, &question))?;
        output.flush()?;
    }
    Ok(())
}
