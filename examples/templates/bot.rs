// A bot, which plays as it is: change `decide`, and put rules of your own into `legal_boards`.
//
// rustc --edition 2021 -O bot.rs
// gammonrules bench program:./bot
// gammonrules arena program:./bot gnubg:1
// gammonrules conform -- ./bot
use std::io::{self, BufRead, Write};

// 26 counts as the player on roll sees them: 1 to 24 are the points, 25 is their bar, and 0 that of the opponent.
// Checkers of the player count above 0, those of the opponent below.
type Board = [i32; 26];

// What the bot looks at; a question has more, as the score and the cube.
struct State {
    points: Board,
    dice: Option<[i32; 2]>,
    is_doubled: bool, // a double is to be answered
}

enum Decision {
    Play(Board),
    Do(&'static str),
}

// Every board that a legal play leads to, each once; `points` alone if there is none.
fn legal_boards(points: &Board, _dice: [i32; 2]) -> Vec<Board> {
    vec![*points] // your rules
}

// What the bot does. `plays` are the boards to which it may play; without "wants" it is not told them.
fn decide(state: &State, plays: Vec<Board>) -> Decision {
    if let Some(dice) = state.dice {
        let boards = if plays.is_empty() { legal_boards(&state.points, dice) } else { plays };
        let blots = |board: &Board| board.iter().filter(|&&count| count == 1).count();
        return Decision::Play(boards.into_iter().min_by_key(blots).unwrap_or(state.points));
    }
    let (mine, theirs) = pips(&state.points); // of the player on roll: who doubles, if a double is to be answered
    match state.is_doubled {
        true => Decision::Do(if mine < 0.8 * theirs { "drop" } else { "take" }),
        false => Decision::Do(if mine < 0.9 * theirs { "double" } else { "roll" }),
    }
}

// How far the checkers of the player on roll have to go, and those of the opponent.
fn pips(board: &Board) -> (f64, f64) {
    let (mut mine, mut theirs) = (0, 0);
    for (point, &count) in (0..).zip(board) {
        if count > 0 {
            mine += count * point;
        } else {
            theirs -= count * (25 - point);
        }
    }
    (mine.into(), theirs.into())
}

// The answer to a question, if its keys are as they should be.
fn answer(line: &str) -> Option<String> {
    match text(value(line, "ask")).0.as_str() {
        "hello" => Some(
            r#""name": "my bot", "version": "0.1", "asks": ["plays", "decide"], "wants": ["plays"]"#.to_string(),
        ),
        "plays" => {
            let points = numbers(value(line, "points")).try_into().ok()?;
            let dice = numbers(value(line, "dice")).try_into().ok()?;
            Some(format!("\"points\": {:?}", legal_boards(&points, dice)))
        }
        "decide" => {
            let state = value(line, "state");
            let state = State {
                points: numbers(value(state, "points")).try_into().ok()?,
                dice: numbers(value(state, "dice")).try_into().ok(),
                is_doubled: value(state, "offer").starts_with('{'),
            };
            let plays = numbers(value(line, "plays"));
            let plays = plays.chunks_exact(26).map(|board| board.try_into().unwrap()).collect();
            Some(match decide(&state, plays) {
                Decision::Play(board) => format!("\"points\": {board:?}"),
                Decision::Do(action) => format!("\"do\": \"{action}\""),
            })
        }
        _ => None,
    }
}

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let answer = answer(&line).unwrap_or(r#""error": "not answered""#.to_string());
        writeln!(output, "{{\"id\": {}, {answer}}}", numbers(value(&line, "id"))[0])?;
        output.flush()?;
    }
    Ok(())
}

// JSON, as far as questions need it. A program that has the crate serde_json reads and writes the lines with it.

// What stands after a key of an object, and "" if it has no such key. Those of objects in it are theirs.
fn value<'a>(object: &'a str, key: &str) -> &'a str {
    let mut depth = 0;
    let mut rest = object.trim_start();
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            let (name, after) = text(rest);
            match after.trim_start().strip_prefix(':') {
                Some(value) if depth == 1 && name == key => return value.trim_start(),
                _ => rest = after,
            }
            continue;
        }
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        rest = &rest[c.len_utf8()..];
    }
    ""
}

// The text that stands here, and what follows it. Letters may be escaped, as \u0070; what else is, stays so.
fn text(quoted: &str) -> (String, &str) {
    let mut text = String::new();
    let mut rest = quoted.chars();
    rest.next(); // the first quotation mark
    while let Some(c) = rest.next() {
        match (c, rest.as_str().chars().next()) {
            ('"', _) => break,
            ('\\', Some('u')) => {
                let code: String = rest.by_ref().skip(1).take(4).collect();
                let letter = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                text.push(letter.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            ('\\', _) => text.extend([c].into_iter().chain(rest.next())),
            _ => text.push(c),
        }
    }
    (text, rest.as_str())
}

// The number that stands here, or all numbers of an array, and of the arrays in it.
fn numbers(value: &str) -> Vec<i32> {
    let mut depth = 0;
    let is_end = |c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth == 0 && "],}".contains(c)
    };
    let end = value.find(is_end).unwrap_or(value.len());
    let words = value[..end].split(|c: char| c.is_whitespace() || "[],".contains(c));
    words.filter_map(|word| word.parse().ok()).collect()
}
