//! The text of a Python script, cut into words, texts and signs; lines and their indentation count.

use super::super::path::Reason;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Word(String),
    Text(String),
    Format(String),
    Number(f64),
    Sign(&'static str),
    Line,
    Indent,
    Dedent,
    End,
}

const SIGNS: &[&str] = &[
    "==", "!=", "<=", ">=", ":=", "->", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "+", "-", "*", "/", "%", "<",
    ">", ";", "|", "&", "@",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Reason> {
    let chars: Vec<char> = text.chars().collect();
    let (mut tokens, mut at, mut levels, mut open, mut fresh) = (Vec::new(), 0, vec![0_usize], 0_i32, true);
    while at < chars.len() {
        if fresh && open == 0 {
            let width = chars[at..].iter().take_while(|c| matches!(c, ' ' | '\t')).count();
            at += width;
            fresh = false;
            if matches!(chars.get(at), None | Some('\n' | '#' | '\r')) {
                at += chars[at..].iter().take_while(|c| **c != '\n').count() + 1;
                fresh = true;
                continue;
            }
            let last = levels.last().copied().unwrap_or_default();
            if width > last {
                levels.push(width);
                tokens.push(Token::Indent);
            }
            while levels.last().is_some_and(|level| width < *level) {
                levels.pop();
                tokens.push(Token::Dedent);
            }
            continue;
        }
        let c = chars[at];
        match c {
            '\n' => {
                at += 1;
                if open == 0 {
                    tokens.push(Token::Line);
                    fresh = true;
                }
            }
            ' ' | '\t' | '\r' => at += 1,
            '\\' if chars.get(at + 1) == Some(&'\n') => at += 2,
            '#' => at += chars[at..].iter().take_while(|c| **c != '\n').count(),
            c if c.is_ascii_digit() => {
                let digits: String = chars[at..].iter().take_while(|c| c.is_ascii_digit() || **c == '.').collect();
                at += digits.len();
                tokens.push(Token::Number(digits.parse().map_err(|_| "Python has an unusual number".to_owned())?));
            }
            c if c.is_alphabetic() || c == '_' => {
                let word: String = chars[at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
                let length = word.chars().count();
                if matches!(chars.get(at + length), Some('"' | '\''))
                    && word.len() <= 2
                    && word.chars().all(|c| "rRfFbBuU".contains(c))
                {
                    at += length;
                    tokens.push(string(&chars, &mut at, &word.to_lowercase())?);
                } else {
                    at += length;
                    tokens.push(Token::Word(word));
                }
            }
            '"' | '\'' => tokens.push(string(&chars, &mut at, "")?),
            _ => {
                let sign = SIGNS
                    .iter()
                    .find(|sign| sign.chars().enumerate().all(|(place, c)| chars.get(at + place) == Some(&c)));
                let sign = sign.ok_or_else(|| format!("Python has a stray `{c}`"))?;
                match *sign {
                    "(" | "[" | "{" => open += 1,
                    ")" | "]" | "}" => open -= 1,
                    _ => {}
                }
                at += sign.len();
                tokens.push(Token::Sign(sign));
            }
        }
    }
    tokens.push(Token::Line);
    tokens.extend(levels.iter().skip(1).map(|_| Token::Dedent));
    tokens.push(Token::End);
    Ok(tokens)
}

fn string(chars: &[char], at: &mut usize, prefix: &str) -> Result<Token, Reason> {
    let quote = chars[*at];
    let long = chars.get(*at + 1) == Some(&quote) && chars.get(*at + 2) == Some(&quote);
    *at += if long { 3 } else { 1 };
    let mut text = String::new();
    loop {
        let c = *chars.get(*at).ok_or("a text in Python has no end")?;
        let ends = c == quote && (!long || (chars.get(*at + 1) == Some(&quote) && chars.get(*at + 2) == Some(&quote)));
        if ends {
            *at += if long { 3 } else { 1 };
            break;
        }
        *at += 1;
        if c != '\\' || prefix.contains('r') {
            text.push(c);
            continue;
        }
        let next = chars.get(*at).copied().unwrap_or('\\');
        *at += 1;
        match next {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            '\n' => {}
            'r' => text.push('\r'),
            '\\' | '\'' | '"' => text.push(next),
            'a' | 'b' | 'f' | 'v' | 'x' | 'u' | 'U' | 'N' | '0'..='7' => {
                return Err(format!("Python has an unusual `\\{next}` in a text"));
            }
            other => text.extend(['\\', other]),
        }
    }
    Ok(if prefix.contains('f') { Token::Format(text) } else { Token::Text(text) })
}
