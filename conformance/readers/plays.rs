// Asks your rules every question about plays: `gunzip -k plays.jsonl.gz && rustc --edition 2021 --test plays.rs && ./plays`.
mod rules;
use std::fs;

// The numbers between a key and the end of its value. A program that has serde_json reads the line with it, and the
// file with flate2: the standard library has neither.
fn numbers(text: &str, key: &str, end: &str) -> Vec<i32> {
    let (_, rest) = text.split_once(key).unwrap();
    let (value, _) = rest.split_once(end).unwrap();
    value.split([',', '[', ']']).filter_map(|number| number.parse().ok()).collect()
}

#[test]
fn plays() {
    for line in fs::read_to_string("plays.jsonl").unwrap().lines() {
        let (question, answer) = line.split_once(r#""answer":"#).unwrap();
        let points = numbers(question, r#""points":"#, "]");
        let dice = numbers(question, r#""dice":"#, "]");
        let mut boards: Vec<Vec<i32>> = rules::legal_boards(&points, &dice);
        let right = numbers(answer, r#""points":"#, "}");
        let mut right: Vec<_> = right.chunks(26).collect();
        boards.sort();
        right.sort();
        assert_eq!(boards, right, "{question}");
    }
}
