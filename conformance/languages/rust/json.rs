//! As much of JSON as the questions have, which are well-formed; other programs have a library.
use std::fmt;

pub enum Json {
    Null,
    Bool(bool),
    Number(i32),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn read(text: &str) -> Self {
        value(&mut text.trim())
    }

    /// The value of a key; null if this is no object, or has no such key.
    pub fn get(&self, key: &str) -> &Self {
        match self {
            Self::Object(members) => {
                members.iter().find(|(name, _)| name == key).map_or(&Self::Null, |(_, value)| value)
            }
            _ => &Self::Null,
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// A number, or 1 for true; 0 for all else.
    pub fn number(&self) -> i32 {
        match self {
            Self::Number(number) => *number,
            Self::Bool(truth) => i32::from(*truth),
            _ => 0,
        }
    }

    pub fn text(&self) -> &str {
        if let Self::Text(text) = self {
            text
        } else {
            ""
        }
    }

    pub fn list(&self) -> &[Self] {
        if let Self::List(items) = self {
            items
        } else {
            &[]
        }
    }

    /// The numbers of an array of so many; zeros if there is none.
    pub fn numbers<const N: usize>(&self) -> [i32; N] {
        let mut numbers = [0; N];
        for (number, item) in numbers.iter_mut().zip(self.list()) {
            *number = item.number();
        }
        numbers
    }

    /// Which of these words it is, or -1.
    pub fn word(&self, words: &[&str]) -> i32 {
        words.iter().position(|word| *word == self.text()).map_or(-1, |at| at as i32)
    }
}

fn value(rest: &mut &str) -> Json {
    match rest.as_bytes()[0] {
        b'"' => {
            let (text, after) = rest[1..].split_once('"').expect("a text has an end");
            *rest = after;
            Json::Text(text.to_string())
        }
        b'[' => Json::List(items(rest, ']', value)),
        b'{' => Json::Object(items(rest, '}', |rest| {
            let name = value(rest).text().to_string();
            *rest = rest.trim_start_matches([':', ' ']);
            (name, value(rest))
        })),
        _ => {
            let end = rest.find([',', ']', '}']).unwrap_or(rest.len());
            let word = &rest[..end];
            *rest = &rest[end..];
            match word.trim() {
                "null" => Json::Null,
                "true" => Json::Bool(true),
                "false" => Json::Bool(false),
                number => Json::Number(number.parse().expect("a whole number")),
            }
        }
    }
}

/// What stands between brackets.
fn items<T>(rest: &mut &str, end: char, item: fn(&mut &str) -> T) -> Vec<T> {
    let mut items = Vec::new();
    loop {
        *rest = rest[1..].trim_start();
        if rest.starts_with(end) && items.is_empty() {
            break;
        }
        items.push(item(rest));
        *rest = rest.trim_start();
        if rest.starts_with(end) {
            break;
        }
    }
    *rest = rest[1..].trim_start();
    items
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Null => write!(out, "null"),
            Self::Bool(truth) => write!(out, "{truth}"),
            Self::Number(number) => write!(out, "{number}"),
            Self::Text(text) => write!(out, "\"{text}\""),
            Self::List(items) => {
                let texts: Vec<String> = items.iter().map(Self::to_string).collect();
                write!(out, "[{}]", texts.join(","))
            }
            Self::Object(members) => {
                let texts: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
                write!(out, "{{{}}}", texts.join(","))
            }
        }
    }
}
