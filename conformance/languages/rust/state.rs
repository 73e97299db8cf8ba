//! The match that a state says in JSON, and the state that a match says.
use crate::header::{Board, Match};
use crate::json::Json;
use crate::names::options_of;

pub const SEATS: [&str; 2] = ["white", "black"];
pub const WINS: [&str; 4] = ["", "single", "gammon", "backgammon"];
pub const ENDS: [&str; 4] = ["played", "dropped", "resigned", "forfeited"];
pub const CHECKERS: i32 = 15;

pub fn checkers_of(object: &Json) -> i32 {
    if object.get("checkers").is_null() {
        CHECKERS
    } else {
        object.get("checkers").number()
    }
}

pub fn board_of(points: &Json) -> Board {
    points.numbers::<26>().map(|count| count as i8)
}

pub fn match_of(state: &Json) -> Match {
    let (offer, result) = (state.get("offer"), state.get("result"));
    let is_resigned = offer.get("type").text() == "Resignation";
    let double = if is_resigned { offer.get("double") } else { offer };
    Match {
        on_roll: state.get("on_roll").word(&SEATS),
        dice: state.get("dice").numbers(),
        cube: state.get("cube").number(),
        owner: state.get("owner").word(&SEATS),
        doubled_by: double.get("by").word(&SEATS),
        offered: double.get("value").number(),
        beavers: double.get("beavers").number(),
        resigned_by: if is_resigned { offer.get("by").word(&SEATS) } else { -1 },
        resigned: offer.get("win").word(&WINS),
        score: state.get("score").numbers(),
        length: state.get("length").number(),
        is_crawford: state.get("crawford").number(),
        winner: result.get("winner").word(&SEATS),
        win: result.get("win").word(&WINS),
        points: result.get("points").number(),
        end: result.get("end").word(&ENDS).max(0),
        rules: options_of(state.get("rules")),
        checkers: checkers_of(state),
        board: board_of(state.get("points")),
    }
}

fn player(seat: i32) -> String {
    if seat < 0 {
        "null".to_string()
    } else {
        format!("\"{}\"", SEATS[seat as usize])
    }
}

fn offer_in(state: &Match) -> String {
    let fields = format!(r#""by":{},"value":{},"beavers":{}"#, player(state.doubled_by), state.offered, state.beavers);
    if state.resigned_by < 0 {
        return if state.offered > 0 { format!(r#"{{"type":"Double",{fields}}}"#) } else { "null".to_string() };
    }
    let double = if state.offered > 0 { format!("{{{fields}}}") } else { "null".to_string() };
    let (by, win) = (player(state.resigned_by), WINS[state.resigned as usize]);
    format!(r#"{{"type":"Resignation","by":{by},"win":"{win}","double":{double}}}"#)
}

fn result_in(state: &Match) -> String {
    if state.winner < 0 {
        return "null".to_string();
    }
    let win = if state.win > 0 { format!("\"{}\"", WINS[state.win as usize]) } else { "null".to_string() };
    let (winner, points, end) = (player(state.winner), state.points, ENDS[state.end as usize]);
    format!(r#"{{"winner":{winner},"win":{win},"points":{points},"end":"{end}"}}"#)
}

/// The next state, after one that has what an action never changes.
pub fn state_in(state: &Match, before: &Json) -> String {
    let dice = if state.dice[0] > 0 { format!("{:?}", state.dice) } else { "null".to_string() };
    let fields = [
        ("length", before.get("length").to_string()),
        ("rules", before.get("rules").to_string()),
        ("score", format!("{:?}", state.score)),
        ("crawford", (state.is_crawford == 1).to_string()),
        ("on_roll", player(state.on_roll)),
        ("points", format!("{:?}", state.board)),
        ("dice", dice),
        ("cube", state.cube.to_string()),
        ("owner", player(state.owner)),
        ("offer", offer_in(state)),
        ("result", result_in(state)),
    ];
    let mut texts: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    if state.checkers != CHECKERS {
        texts.push(format!("\"checkers\":{}", state.checkers));
    }
    format!("{{{}}}", texts.join(","))
}
