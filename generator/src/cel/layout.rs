//! An expression in lines that a reader can follow: broken where it binds least, indented by how deep it is.

use super::token::{Kind, tokens};

/// Characters on a line.
const WIDTH: usize = 100;

/// The expression with its lines after the first one indented; as it is written if it holds a comment or is none.
pub fn layout(source: &str, indent: usize) -> String {
    let source = source.trim();
    match tokens(source) {
        Ok(tokens) if !has_comment(source, tokens.iter().map(|token| token.span.clone())) => {
            let mut leaves = tokens
                .iter()
                .filter(|token| token.kind != Kind::End)
                .map(|token| Leaf { text: &source[token.span.clone()], literal: matches!(token.kind, Kind::Text(_)) });
            lay(&items(&mut leaves), indent)
        }
        _ => source.to_owned(),
    }
}

/// Whether anything but blanks stands between the tokens.
fn has_comment(source: &str, spans: impl Iterator<Item = std::ops::Range<usize>>) -> bool {
    let mut end = 0;
    spans.into_iter().any(|span| {
        let between = &source[end..span.start];
        end = span.end;
        !between.trim().is_empty()
    })
}

#[derive(Debug, Clone, Copy)]
struct Leaf<'s> {
    text: &'s str,
    literal: bool,
}

/// A token, or everything from a bracket to the one that closes it.
#[derive(Debug)]
enum Item<'s> {
    Leaf(Leaf<'s>),
    Group { open: &'s str, inside: Vec<Item<'s>>, close: &'static str },
}

fn items<'s>(leaves: &mut impl Iterator<Item = Leaf<'s>>) -> Vec<Item<'s>> {
    let mut found = Vec::new();
    while let Some(leaf) = leaves.next() {
        let close = match leaf.text {
            "(" => ")",
            "[" => "]",
            "{" => "}",
            ")" | "]" | "}" if !leaf.literal => break,
            _ => {
                found.push(Item::Leaf(leaf));
                continue;
            }
        };
        found.push(Item::Group { open: leaf.text, inside: items(leaves), close });
    }
    found
}

impl Item<'_> {
    fn is(&self, sign: &str) -> bool {
        matches!(self, Self::Leaf(leaf) if !leaf.literal && leaf.text == sign)
    }

    /// How tightly an operator binds; `None` for anything else.
    fn binding(&self) -> Option<usize> {
        let Self::Leaf(leaf) = self else { return None };
        BINDING.iter().position(|signs| !leaf.literal && signs.contains(&leaf.text))
    }

    /// Whether something can follow it without a blank: it ends a value.
    fn ends_a_value(&self) -> bool {
        match self {
            Self::Group { .. } => true,
            Self::Leaf(leaf) => leaf.literal || leaf.text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'),
        }
    }
}

/// Operators, loosest first.
const BINDING: &[&[&str]] =
    &[&["?", ":"], &["||"], &["&&"], &["==", "!=", "<", "<=", ">", ">=", "in"], &["+", "-"], &["*", "/", "%"]];
const TERNARY: usize = 0;
/// From here on, operands share lines.
const FILLED: usize = 3;
/// How far the lines of a first operand stand in: as far as those after `&& `.
const INSET: usize = 3;

/// All on one line.
fn flat(items: &[Item<'_>]) -> String {
    let mut line = String::new();
    let mut asked = 0_usize;
    for (at, item) in items.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| items.get(before));
        asked += usize::from(item.is("?"));
        // A colon that answers no question separates a key from its value.
        let key = item.is(":") && asked == 0;
        asked -= usize::from(item.is(":") && !key);
        if !key && spaced(before, items.get(..at.saturating_sub(1)).and_then(<[_]>::last), item) {
            line.push(' ');
        }
        match item {
            Item::Leaf(leaf) => line.push_str(leaf.text),
            Item::Group { open, inside, close } => {
                line.push_str(open);
                line.push_str(&flat(inside));
                line.push_str(close);
            }
        }
    }
    line
}

/// Whether a blank belongs between an item and the one before it.
fn spaced(before: Option<&Item<'_>>, earlier: Option<&Item<'_>>, item: &Item<'_>) -> bool {
    let Some(before) = before else { return false };
    let prefix =
        before.is("!") || before.is("-") && earlier.is_none_or(|earlier| !earlier.ends_a_value() || earlier.is("in"));
    let attached = matches!(item, Item::Group { .. }) && before.ends_a_value() && !before.is("in");
    !(prefix || attached || before.is(".") || item.is(".") || item.is(","))
}

fn lay(items: &[Item<'_>], indent: usize) -> String {
    let line = flat(items);
    if indent + line.chars().count() <= WIDTH {
        return line;
    }
    if ternary(items).is_some() {
        return choices(items, indent);
    }
    if let Some((level, operands)) =
        (TERNARY + 1..BINDING.len()).find_map(|level| Some((level, operands(items, level)?)))
    {
        return joined(level, &operands, indent);
    }
    match items.split_first() {
        Some((sign, rest)) if sign.is("!") || sign.is("-") => format!("{}{}", flat(&items[..1]), lay(rest, indent + 1)),
        _ => chain(items, indent),
    }
}

/// The parts of `condition ? yes : no`.
fn ternary<'i, 's>(items: &'i [Item<'s>]) -> Option<(&'i [Item<'s>], &'i [Item<'s>], &'i [Item<'s>])> {
    let question = items.iter().position(|item| item.is("?"))?;
    let mut open = 0_usize;
    for (at, item) in items.iter().enumerate().skip(question + 1) {
        if item.is("?") {
            open += 1;
        } else if item.is(":") {
            match open.checked_sub(1) {
                Some(less) => open = less,
                None => return Some((&items[..question], &items[question + 1..at], &items[at + 1..])),
            }
        }
    }
    None
}

/// One choice has its two ways on lines of their own; several are a list of conditions with what follows from each.
fn choices(items: &[Item<'_>], indent: usize) -> String {
    let pad = " ".repeat(indent);
    let (mut arms, mut rest) = (Vec::new(), items);
    while let Some((condition, yes, no)) = ternary(rest) {
        arms.push((condition, yes));
        rest = no;
    }
    if let [(condition, yes)] = arms.as_slice() {
        let (yes, no) = (lay(yes, indent + 4), lay(rest, indent + 4));
        return format!("{}\n{pad}  ? {yes}\n{pad}  : {no}", lay(condition, indent));
    }
    let arm = |(condition, yes): &(&[Item<'_>], &[Item<'_>])| {
        let line = format!("{} ? {}", flat(condition), flat(yes));
        if indent + 2 + line.chars().count() <= WIDTH {
            return line;
        }
        format!("{}\n{pad}    ? {}", lay(condition, indent + 2), lay(yes, indent + 6))
    };
    let mut lines: Vec<String> = arms.iter().map(arm).collect();
    lines.push(lay(rest, indent + 2));
    lines.join(&format!("\n{pad}: "))
}

/// What the operators of one level stand between, each operand with the operator before it.
fn operands<'i, 's>(items: &'i [Item<'s>], level: usize) -> Option<Vec<&'i [Item<'s>]>> {
    let splits = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| items.get(before));
        items[*at].binding() == Some(level) && before.is_some_and(|before| before.ends_a_value() && !before.is("in"))
    };
    let mut starts: Vec<usize> = (0..items.len()).filter(splits).collect();
    if starts.is_empty() {
        return None;
    }
    starts.insert(0, 0);
    starts.push(items.len());
    Some(starts.windows(2).map(|pair| &items[pair[0]..pair[1]]).collect())
}

fn joined(level: usize, operands: &[&[Item<'_>]], indent: usize) -> String {
    let mut shown = String::new();
    for (nth, operand) in operands.iter().enumerate() {
        let (operator, value) =
            if nth == 0 { (String::new(), *operand) } else { (flat(&operand[..1]) + " ", &operand[1..]) };
        let line = flat(value);
        let room = WIDTH.saturating_sub(last_width(&shown, indent) + 1 + operator.len());
        if nth > 0 && level >= FILLED && line.chars().count() <= room {
            shown.push_str(&format!(" {operator}{line}"));
            continue;
        }
        if nth > 0 {
            shown.push_str(&format!("\n{}", " ".repeat(indent)));
        }
        shown.push_str(&operator);
        // What binds tighter stands further in, also where no operator comes first.
        shown.push_str(&lay(value, indent + if nth == 0 { INSET } else { operator.len() }));
    }
    shown
}

/// Where the last line ends, if the first one begins after the indentation.
fn last_width(shown: &str, indent: usize) -> usize {
    match shown.rsplit_once('\n') {
        Some((_, last)) => last.chars().count(),
        None => indent + shown.chars().count(),
    }
}

/// A value with the calls and parts after it, as many on a line as fit.
fn chain(items: &[Item<'_>], indent: usize) -> String {
    let mut starts: Vec<usize> = (0..items.len()).filter(|at| items[*at].is(".")).collect();
    starts.insert(0, 0);
    starts.push(items.len());
    let next_line = format!("\n{}", " ".repeat(indent + 2));
    let (mut shown, mut base, mut was_opened) = (String::new(), indent, false);
    for link in starts.windows(2).map(|pair| &items[pair[0]..pair[1]]).filter(|link| !link.is_empty()) {
        let line = flat(link);
        let called = shown.contains('(') || shown.contains('[');
        let fits = last_width(&shown, indent) + line.chars().count() <= WIDTH;
        let fits_below = indent + 2 + line.chars().count() <= WIDTH;
        if called && (was_opened || !fits) {
            shown.push_str(&next_line);
            base = indent + 2;
        }
        was_opened = !(fits || called && fits_below);
        shown.push_str(&if was_opened { opened(link, base) } else { line });
    }
    shown
}

/// A call, a list or a parenthesis with what is in it on lines of its own.
fn opened(link: &[Item<'_>], indent: usize) -> String {
    let mut shown = String::new();
    for (at, item) in link.iter().enumerate() {
        let Item::Group { open, inside, close } = item else {
            shown.push_str(&flat(std::slice::from_ref(item)));
            continue;
        };
        let parts: Vec<&[Item<'_>]> = inside.split(|item| item.is(",")).filter(|part| !part.is_empty()).collect();
        let call = at > 0 && *open == "(";
        let inner = indent + if call { 2 } else { 1 };
        let pad = format!("\n{}", " ".repeat(inner));
        shown.push_str(open);
        shown.push_str(&match (parts.as_slice(), call) {
            ([[Item::Leaf(variable)], body], true) if !variable.literal => {
                format!("{},{pad}{}", variable.text, lay(body, inner))
            }
            (parts, true) => format!("{pad}{}", filled(parts, inner)),
            (parts, false) => filled(parts, inner),
        });
        shown.push_str(close);
    }
    shown
}

/// Parts with commas between them; those that need no lines of their own share them.
fn filled(parts: &[&[Item<'_>]], indent: usize) -> String {
    let pad = format!(",\n{}", " ".repeat(indent));
    let mut shown = String::new();
    let mut alone = true;
    for (nth, part) in parts.iter().enumerate() {
        let laid = lay(part, indent);
        let fits = last_width(&shown, indent) + 2 + laid.chars().count() < WIDTH;
        let joins = nth > 0 && !alone && fits && !laid.contains('\n');
        alone = laid.contains('\n') || part.iter().any(|item| item.is("?"));
        if nth > 0 {
            shown.push_str(if joins && !alone { ", " } else { &pad });
        }
        shown.push_str(&laid);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(word: &str) -> String {
        word.repeat(WIDTH / 2 / word.len())
    }

    #[test]
    fn what_fits_is_one_line_with_even_blanks() {
        assert_eq!(
            layout(" a.b( c,'(' )  &&!d[ 0 ]\n || -1 in [x , - y] ", 4),
            "a.b(c, '(') && !d[0] || -1 in [x, -y]"
        );
        assert_eq!(layout("{'a' : 1}.x ? - 1 : b-1", 0), "{'a': 1}.x ? -1 : b - 1");
    }

    #[test]
    fn the_loosest_operator_breaks_first() {
        let (a, b) = (long("aaaa_"), long("bbbb_"));
        assert_eq!(layout(&format!("{a} && x == 1 || {b}"), 2), format!("{a} && x == 1\n  || {b}"));
        assert_eq!(layout(&format!("{a} ? x : {b}"), 0), format!("{a}\n  ? x\n  : {b}"));
        assert_eq!(layout(&format!("{a} ? x : y ? z : {b}"), 0), format!("{a} ? x\n: y ? z\n: {b}"));
    }

    #[test]
    fn calls_open_where_a_line_is_too_long() {
        let (a, b) = (long("aaaa_"), long("bbbb_"));
        assert_eq!(layout(&format!("x.filter(y, {a} || {b})"), 0), format!("x.filter(y,\n  {a}\n  || {b})"));
        assert_eq!(layout(&format!("[{a}, {b}].join('')"), 0), format!("[{a},\n {b}]\n  .join('')"));
        assert_eq!(layout(&format!("x.map(y, {a}).map(z, {b})"), 0), format!("x.map(y, {a})\n  .map(z, {b})"));
    }

    #[test]
    fn what_binds_tighter_stands_further_in() {
        let (a, b) = (long("aaaa_"), long("bbbb_"));
        assert_eq!(layout(&format!("{a} && {b} || c && {a}"), 0), format!("{a}\n   && {b}\n|| c && {a}"));
    }

    #[test]
    fn no_token_is_lost_or_changed_and_a_second_time_changes_nothing() {
        let (a, b) = (long("aaaa_"), long("bbbb_"));
        for written in [
            format!("!({a} in [{b}, -1]) ? {{'k': {a}, 'l': [{b}]}} : x ? -{a} : y % {b} - -1"),
            format!("{a}.f({b}).g(x, y.all(z, z.{a} == '?:' || z[{b}] != \")\"))[0].h"),
            format!("f(x, {a}, g({b}, {a}), ({a} || {b}) && c).d + {a} + r'[' + {b} < 2 * 3"),
        ] {
            let once = layout(&written, 4);
            assert_eq!(kinds(&once), kinds(&written), "{once}");
            assert_eq!(layout(&once, 4), once);
        }
    }

    #[test]
    fn any_tokens_can_be_laid_out() {
        use proptest::prelude::*;
        let signs = ["(", ")", "[", "]", "{", "}", ".", ",", "?", ":", "+", "-", "!", "&&", "||", "==", "in"];
        let words = [long("aaaa_"), "'x ) y'".to_owned(), "b".to_owned()];
        let token = prop_oneof![
            prop::sample::select(signs.to_vec()).prop_map(str::to_owned),
            prop::sample::select(words.to_vec())
        ];
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
        proptest!(config, |(found in prop::collection::vec(token, 0..60))| {
            let (text, shown) = (found.join(" "), layout(&found.join(" "), 4));
            if crate::cel::parse(&text).is_ok() {
                prop_assert_eq!(kinds(&shown), kinds(&text));
            }
        });
    }

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).expect("valid").into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn a_comment_stays_where_it_is() {
        let written = format!("a // why\n&& {}", long("bbbb_"));
        assert_eq!(layout(&written, 0), written);
    }
}
