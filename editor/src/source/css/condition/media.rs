//! Media queries, as far as a page's width decides them.

use super::holds::Holds;

/// Parentheses nested deeper are not read.
const MAX_DEPTH: usize = 8;

/// What a browser takes an `em` of a media query for, in pixels.
const FONT_SIZE: f64 = 16.0;

/// A media query or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Query {
    /// `,` and `or`
    Any(Vec<Query>),
    /// `and`
    All(Vec<Query>),
    /// `not`
    Not(Box<Query>),
    /// `(min-width: 1px)`, `(width >= 1px)`: the bound in pixels.
    Width(Bound, f64),
    /// `screen`, `print`: whether it is what one looks at.
    Type(&'static str, bool),
    /// Any other feature, as `prefers-color-scheme` and `dark`.
    Feature(String, String),
    /// What is not understood.
    Unknown,
}

/// How the page's width has to stand to the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// `min-width`, `>=`
    From,
    /// `max-width`, `<=`
    UpTo,
    /// `>`
    Above,
    /// `<`
    Below,
    /// `=`
    Exactly,
}

impl Query {
    pub fn holds(&self, width: Option<f64>) -> Holds {
        match self {
            Self::Any(parts) => parts
                .iter()
                .map(|part| part.holds(width))
                .max()
                .unwrap_or(Holds::Unknown),
            Self::All(parts) => parts
                .iter()
                .map(|part| part.holds(width))
                .min()
                .unwrap_or(Holds::Unknown),
            Self::Not(part) => part.holds(width).opposite(),
            Self::Width(bound, pixels) => width.map_or(Holds::Unknown, |width| {
                let fits = match bound {
                    Bound::From => width >= *pixels,
                    Bound::UpTo => width <= *pixels,
                    Bound::Above => width > *pixels,
                    Bound::Below => width < *pixels,
                    Bound::Exactly => (width - pixels).abs() < f64::EPSILON,
                };
                fits.into()
            }),
            Self::Type(_, shown) => (*shown).into(),
            Self::Feature(..) | Self::Unknown => Holds::Unknown,
        }
    }

    pub fn is_width(&self) -> bool {
        match self {
            Self::Any(parts) | Self::All(parts) => parts.iter().all(Self::is_width),
            Self::Not(part) => part.is_width(),
            Self::Width(..) => true,
            Self::Type(_, shown) => *shown,
            Self::Feature(..) | Self::Unknown => false,
        }
    }

    /// `None` when there is no short way to say it.
    pub fn words(&self) -> Option<String> {
        let parts = match self {
            Self::All(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let parts: Vec<&Query> = parts
            .iter()
            .filter(|part| !matches!(part, Self::Type("screen" | "all", true)))
            .collect();
        let words = match parts.as_slice() {
            [] => return None,
            [Self::Width(Bound::From, from), Self::Width(Bound::UpTo, to)]
            | [Self::Width(Bound::UpTo, to), Self::Width(Bound::From, from)] => {
                vec![format!("on pages {from} to {to} pixels wide")]
            }
            parts => parts.iter().map(|part| part.phrase()).collect::<Option<_>>()?,
        };
        Some(words.join(" and "))
    }

    fn phrase(&self) -> Option<String> {
        Some(match self {
            Self::Width(Bound::From, pixels) => format!("on pages from {pixels} pixels wide"),
            Self::Width(Bound::UpTo, pixels) => format!("on pages up to {pixels} pixels wide"),
            Self::Width(Bound::Above, pixels) => format!("on pages wider than {pixels} pixels"),
            Self::Width(Bound::Below, pixels) => format!("on pages narrower than {pixels} pixels"),
            Self::Width(Bound::Exactly, pixels) => format!("on pages exactly {pixels} pixels wide"),
            Self::Type("print", _) => "in print".to_owned(),
            Self::Feature(name, value) => match (name.as_str(), value.as_str()) {
                ("prefers-color-scheme", "dark") => "in dark mode",
                ("prefers-color-scheme", "light") => "in light mode",
                ("prefers-reduced-motion", "reduce") => "where people want less motion",
                ("prefers-reduced-motion", "no-preference") => "where people do not mind motion",
                ("hover" | "any-hover", "hover") => "with a pointer that can hover",
                ("hover" | "any-hover", "none") => "without a pointer that can hover",
                ("pointer" | "any-pointer", "coarse") => "on touch screens",
                ("orientation", "landscape") => "on pages wider than high",
                ("orientation", "portrait") => "on pages higher than wide",
                _ => return None,
            }
            .to_owned(),
            _ => return None,
        })
    }
}

/// Reads a list of media queries.
pub(super) fn parse(prelude: &str) -> Query {
    let text = prelude.to_ascii_lowercase();
    let mut queries: Vec<Query> = split(&text).into_iter().map(query).collect();
    match queries.len() {
        1 => queries.remove(0),
        _ => Query::Any(queries),
    }
}

/// Splits at commas outside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A word, or what stands between parentheses.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Token<'t> {
    Word(&'t str),
    Parens(&'t str),
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        if rest.starts_with('(') {
            let end = closing(rest)?;
            found.push(Token::Parens(&rest[1..end]));
            rest = rest[end + 1..].trim_start();
        } else {
            let end = rest
                .find(|c: char| c.is_ascii_whitespace() || c == '(')
                .unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            // `style(…)` is a function; `and(` is what minifiers leave.
            if after.starts_with('(') && !matches!(word, "and" | "or" | "not") || word.contains(')') {
                return None;
            }
            found.push(Token::Word(word));
            rest = after.trim_start();
        }
    }
    Some(found)
}

/// The offset of the parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// `only screen and (…)`, `not print`, or a condition alone.
fn query(text: &str) -> Query {
    let read = || {
        let found = tokens(text)?;
        let (negated, rest) = match found.as_slice() {
            [Token::Word("only"), rest @ ..] => (false, rest),
            [Token::Word("not"), rest @ ..] if matches!(rest, [Token::Word(_), ..]) => (true, rest),
            rest => (false, rest),
        };
        let read = match rest {
            [Token::Word(word), more @ ..] if word != &"not" => {
                let mut parts = vec![media_type(word)];
                match more {
                    [] => {}
                    [Token::Word("and"), more @ ..] => match condition(more, 0) {
                        Query::All(all) => parts.extend(all),
                        one => parts.push(one),
                    },
                    _ => return None,
                }
                match parts.len() {
                    1 => parts.remove(0),
                    _ => Query::All(parts),
                }
            }
            more => condition(more, 0),
        };
        Some(if negated { Query::Not(Box::new(read)) } else { read })
    };
    read().unwrap_or(Query::Unknown)
}

fn media_type(word: &str) -> Query {
    match word {
        "all" => Query::Type("all", true),
        "screen" => Query::Type("screen", true),
        "print" => Query::Type("print", false),
        _ => Query::Type("other", false),
    }
}

/// Parenthesised parts joined by `and` or by `or`, each perhaps behind `not`.
fn condition(mut rest: &[Token<'_>], depth: usize) -> Query {
    let (mut parts, mut joined) = (Vec::new(), None);
    loop {
        let (part, after) = match rest {
            [Token::Word("not"), Token::Parens(inner), after @ ..] => {
                (Query::Not(Box::new(group(inner, depth))), after)
            }
            [Token::Parens(inner), after @ ..] => (group(inner, depth), after),
            _ => return Query::Unknown,
        };
        parts.push(part);
        rest = match after {
            [] => break,
            [Token::Word(word @ ("and" | "or")), after @ ..] if joined.is_none_or(|joined| joined == *word) => {
                joined = Some(*word);
                after
            }
            _ => return Query::Unknown,
        };
    }
    match (parts.len(), joined) {
        (1, _) => parts.remove(0),
        (_, Some("or")) => Query::Any(parts),
        _ => Query::All(parts),
    }
}

/// What stands between parentheses: a feature, or a condition of its own.
fn group(text: &str, depth: usize) -> Query {
    let text = text.trim();
    if !text.starts_with('(') && !text.starts_with("not ") && !text.starts_with("not(") {
        return feature(text).unwrap_or(Query::Unknown);
    }
    match tokens(text) {
        Some(found) if depth < MAX_DEPTH => condition(&found, depth + 1),
        _ => Query::Unknown,
    }
}

fn feature(text: &str) -> Option<Query> {
    if let Some((name, value)) = text.split_once(':') {
        let (name, value) = (name.trim(), value.trim());
        return Some(match name {
            "min-width" => Query::Width(Bound::From, pixels(value)?),
            "max-width" => Query::Width(Bound::UpTo, pixels(value)?),
            "width" => Query::Width(Bound::Exactly, pixels(value)?),
            _ => Query::Feature(name.to_owned(), value.to_owned()),
        });
    }
    if !text.contains(['<', '>', '=']) {
        return Some(Query::Feature(text.to_owned(), String::new()));
    }
    let (first, bound, rest) = compared(text)?;
    match compared(rest) {
        // `400px <= width < 700px`
        Some(("width", second, last)) => Some(Query::All(vec![
            Query::Width(turned(bound), pixels(first)?),
            Query::Width(second, pixels(last)?),
        ])),
        Some(_) => None,
        None if first == "width" => Some(Query::Width(bound, pixels(rest)?)),
        None if rest == "width" => Some(Query::Width(turned(bound), pixels(first)?)),
        None => None,
    }
}

/// What stands before and behind the first comparison.
fn compared(text: &str) -> Option<(&str, Bound, &str)> {
    let at = text.find(['<', '>', '='])?;
    let (bound, length) = match &text[at..] {
        sign if sign.starts_with("<=") => (Bound::UpTo, 2),
        sign if sign.starts_with(">=") => (Bound::From, 2),
        sign if sign.starts_with('<') => (Bound::Below, 1),
        sign if sign.starts_with('>') => (Bound::Above, 1),
        _ => (Bound::Exactly, 1),
    };
    Some((text[..at].trim(), bound, text[at + length..].trim()))
}

/// The same comparison seen from the other side.
fn turned(bound: Bound) -> Bound {
    match bound {
        Bound::From => Bound::UpTo,
        Bound::UpTo => Bound::From,
        Bound::Above => Bound::Below,
        Bound::Below => Bound::Above,
        Bound::Exactly => Bound::Exactly,
    }
}

/// A length in pixels; `None` for one that the text alone does not tell.
fn pixels(length: &str) -> Option<f64> {
    let end = length.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(length.len());
    let (number, unit) = length.split_at(end);
    let number: f64 = number.parse().ok()?;
    let one = match unit {
        "px" => 1.0,
        "em" | "rem" => FONT_SIZE,
        "in" => 96.0,
        "cm" => 96.0 / 2.54,
        "mm" => 96.0 / 25.4,
        "pt" => 96.0 / 72.0,
        "pc" => 16.0,
        "" if number == 0.0 => 0.0,
        _ => return None,
    };
    Some(number * one)
}
