//! Selectors, as far as they can be decided for an element of the source.
//!
//! What is not understood becomes [`Simple::Unknown`]: it might hold, so nothing is certain about a rule that has one.

/// Comma-separated selectors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selector {
    /// Any of them has to match.
    pub any: Vec<Complex>,
}

/// Compounds from left to right; each with the relation to the one before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Complex {
    /// The last one is about the element itself.
    pub compounds: Vec<(Relation, Compound)>,
}

/// Conditions on one element; all have to hold.
pub type Compound = Vec<Simple>;

/// How an element stands to the one named before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The first compound: nothing stands before it.
    First,
    /// ` `
    Descendant,
    /// `>`
    Child,
    /// `+`, `~`, `||`
    Beside,
}

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Simple {
    /// `*`
    Any,
    /// `div`
    Tag(String),
    /// `.card`
    Class(String),
    /// `#main`
    Id(String),
    /// `[type=text]`: the name, the operator and the value.
    Attribute(String, Option<(char, String)>),
    /// `&`
    Parent,
    /// `&-wide` of SCSS and LESS.
    Suffix(String),
    /// `:is(…)`, `:where(…)` (which weighs nothing), `:matches`, `:any`.
    Is(Selector, bool),
    /// `:not(…)`
    Not(Selector),
    /// `:global(…)` of CSS modules: classes as they are written.
    Global(Selector),
    /// `:root`, `:host`: never an element of a component.
    Root,
    /// `::before`: another box than the element's own.
    Box,
    /// `:hover` and other states of the page; weighs as much as a class.
    State,
    /// Anything else; weighs as much as a class.
    Unknown,
}

/// Ids; classes, attributes and pseudo-classes; tags.
pub type Weight = (u32, u32, u32);

/// Nested `:is(…)` deeper than this, and longer chains of compounds, are not read.
const MAX_DEPTH: usize = 3;
const MAX_COMPOUNDS: usize = 16;

impl Selector {
    /// Reads a selector.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        parse(text, 0)
    }

    /// Whether `&` occurs in it.
    #[must_use]
    pub fn names_parent(complex: &Complex) -> bool {
        let in_compound = |compound: &Compound| {
            compound.iter().any(|simple| match simple {
                Simple::Parent | Simple::Suffix(_) => true,
                Simple::Is(inner, _) | Simple::Not(inner) | Simple::Global(inner) => {
                    inner.any.iter().any(Self::names_parent)
                }
                _ => false,
            })
        };
        complex.compounds.iter().any(|(_, compound)| in_compound(compound))
    }

    /// The greatest weight of its parts; `parent` is that of `&`.
    #[must_use]
    pub fn weight(&self, parent: Weight) -> Weight {
        self.any
            .iter()
            .map(|complex| complex.weight(parent))
            .max()
            .unwrap_or_default()
    }
}

impl Complex {
    /// How much it weighs; `parent` is the weight of `&`.
    #[must_use]
    pub fn weight(&self, parent: Weight) -> Weight {
        let simples = self.compounds.iter().flat_map(|(_, compound)| compound);
        simples.fold((0, 0, 0), |sum, simple| {
            let own = match simple {
                Simple::Any | Simple::Is(_, true) => (0, 0, 0),
                Simple::Tag(_) | Simple::Box => (0, 0, 1),
                Simple::Id(_) => (1, 0, 0),
                Simple::Parent | Simple::Suffix(_) => parent,
                Simple::Is(inner, false) | Simple::Not(inner) | Simple::Global(inner) => inner.weight(parent),
                _ => (0, 1, 0),
            };
            (
                sum.0.saturating_add(own.0),
                sum.1.saturating_add(own.1),
                sum.2.saturating_add(own.2),
            )
        })
    }

    fn unknown() -> Self {
        Self {
            compounds: vec![(Relation::First, vec![Simple::Unknown])],
        }
    }
}

fn parse(text: &str, depth: usize) -> Selector {
    let any = split(text).into_iter().map(|part| complex(part, depth));
    Selector { any: any.collect() }
}

/// Splits at commas outside of brackets and strings.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b',' => {
                parts.push(&text[start..at]);
                start = at + 1;
                at += 1;
            }
            b'(' | b'[' | b'{' => at = closing(text, at),
            b'"' | b'\'' => at = quoted(text, at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    parts.push(&text[start..]);
    parts
}

/// The offset behind the bracket that closes the one at `start`; the scanner has seen that they close.
fn closing(text: &str, start: usize) -> usize {
    let (mut depth, mut at) = (0usize, start);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            b'"' | b'\'' => {
                at = quoted(text, at);
                continue;
            }
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The offset behind the string at `start`.
fn quoted(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn complex(text: &str, depth: usize) -> Complex {
    let text = without_comments(text.trim());
    let mut rest: &str = &text;
    let mut result = Complex::default();
    let mut relation = Relation::First;
    while !rest.is_empty() {
        let (next, after) = match rest.as_bytes()[0] {
            b'>' => (Relation::Child, rest[1..].trim_start()),
            b'+' | b'~' | b'|' => (
                Relation::Beside,
                rest[1..].trim_start_matches(|c: char| c == '|' || c.is_whitespace()),
            ),
            byte if byte.is_ascii_whitespace() => {
                let trimmed = rest.trim_start();
                if trimmed.starts_with(['>', '+', '~', '|']) {
                    rest = trimmed;
                    continue;
                }
                (Relation::Descendant, trimmed)
            }
            _ => (relation, rest),
        };
        let Some((compound, left)) = compound(after, depth) else {
            return Complex::unknown();
        };
        result.compounds.push((next, compound));
        if result.compounds.len() > MAX_COMPOUNDS {
            return Complex::unknown();
        }
        relation = Relation::Descendant;
        rest = left;
    }
    if result.compounds.is_empty() {
        Complex::unknown()
    } else {
        result
    }
}

fn without_comments(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains("/*") && !text.contains("//") {
        return text.into();
    }
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        result.push_str(&rest[..start]);
        result.push(' ');
        rest = rest[start + 2..].split_once("*/").map_or("", |(_, rest)| rest);
    }
    result.push_str(rest);
    result.trim().to_owned().into()
}

/// Reads one compound; `None` when it cannot be read.
fn compound(text: &str, depth: usize) -> Option<(Compound, &str)> {
    let mut rest = text;
    let mut result = Compound::new();
    while let Some(byte) = rest.bytes().next() {
        let (simple, after) = match byte {
            b'*' => (Simple::Any, &rest[1..]),
            b'&' => match name(&rest[1..]) {
                Some((suffix, after)) => (Simple::Suffix(suffix), after),
                None => (Simple::Parent, &rest[1..]),
            },
            b'.' => name(&rest[1..]).map(|(name, after)| (Simple::Class(name), after))?,
            b'#' => name(&rest[1..]).map(|(name, after)| (Simple::Id(name), after))?,
            b'[' => {
                let end = closing(rest, 0);
                (attribute(rest.get(1..end - 1).unwrap_or_default()), &rest[end..])
            }
            b':' => pseudo(rest, depth)?,
            b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'>' | b'+' | b'~' | b'|' => break,
            _ if result.is_empty() => name(rest).map(|(name, after)| (Simple::Tag(name), after))?,
            _ => return None,
        };
        result.push(simple);
        rest = after;
    }
    (!result.is_empty() && result.len() <= MAX_COMPOUNDS).then_some((result, rest))
}

/// A name with its escapes read.
fn name(text: &str) -> Option<(String, &str)> {
    let mut result = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if character.is_ascii_alphanumeric() || matches!(character, '-' | '_') || !character.is_ascii() {
            result.push(character);
            rest = &rest[character.len_utf8()..];
        } else if character == '\\' {
            let digits = rest[1..].bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
            if digits > 0 {
                let code = u32::from_str_radix(&rest[1..=digits], 16).ok()?;
                result.push(char::from_u32(code)?);
                rest = &rest[1 + digits..];
                rest = rest.strip_prefix([' ', '\t', '\n']).unwrap_or(rest);
            } else {
                let escaped = rest[1..].chars().next()?;
                result.push(escaped);
                rest = &rest[1 + escaped.len_utf8()..];
            }
        } else {
            break;
        }
    }
    (!result.is_empty()).then_some((result, rest))
}

fn attribute(text: &str) -> Simple {
    let read = || {
        let (name, rest) = name(text.trim())?;
        let rest = rest.trim();
        if rest.is_empty() {
            return Some(Simple::Attribute(name, None));
        }
        let (operator, value) = rest.split_once('=')?;
        let operator = operator.chars().next().unwrap_or('=');
        let value = value.trim();
        let plain = match value.bytes().next()? {
            quote @ (b'"' | b'\'') => value[1..].strip_suffix(char::from(quote))?,
            _ => value,
        };
        // A flag behind the value, or an escape in it, is not read.
        let simple =
            !plain.contains(['"', '\'', '\\']) && (plain.len() < value.len() || !plain.contains(char::is_whitespace));
        simple.then(|| Simple::Attribute(name, Some((operator, plain.to_owned()))))
    };
    read().unwrap_or(Simple::Unknown)
}

fn pseudo(text: &str, depth: usize) -> Option<(Simple, &str)> {
    let element = text.starts_with("::");
    let (name, rest) = name(text.trim_start_matches(':'))?;
    let (argument, rest) = match rest.starts_with('(') {
        true => {
            let end = closing(rest, 0);
            (rest.get(1..end - 1), &rest[end..])
        }
        false => (None, rest),
    };
    let inner = || {
        argument
            .filter(|_| depth < MAX_DEPTH)
            .map(|argument| parse(argument, depth + 1))
    };
    let simple = match (name.to_ascii_lowercase().as_str(), element) {
        ("before" | "after" | "first-line" | "first-letter", _) => Simple::Box,
        ("v-deep" | "deep" | "slotted" | "v-slotted" | "ng-deep" | "part", _) => Simple::Unknown,
        (_, true) => Simple::Box,
        ("is" | "matches" | "any" | "-webkit-any" | "-moz-any", _) => {
            inner().map_or(Simple::Unknown, |inner| Simple::Is(inner, false))
        }
        ("where", _) => inner().map_or(Simple::Unknown, |inner| Simple::Is(inner, true)),
        ("not", _) => inner().map_or(Simple::Unknown, Simple::Not),
        ("global", _) => inner().map_or(Simple::Unknown, Simple::Global),
        ("local", _) => inner().map_or(Simple::Unknown, |inner| Simple::Is(inner, false)),
        ("root" | "host", _) => Simple::Root,
        (
            "hover" | "focus" | "focus-visible" | "focus-within" | "active" | "visited" | "target" | "checked"
            | "disabled" | "invalid" | "user-invalid" | "autofill" | "fullscreen" | "popover-open" | "modal" | "open"
            | "playing",
            _,
        ) if argument.is_none() => Simple::State,
        _ => Simple::Unknown,
    };
    Some((simple, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str) -> Simple {
        Simple::Class(name.into())
    }

    #[test]
    fn selectors_are_read() {
        let selector = Selector::parse("a.b#c > [type=\"text\"] /* x */ + .md\\:p-4, &-x &:not(.y):hover");
        let [first, second] = selector.any.as_slice() else {
            panic!("{selector:?}")
        };
        let [
            (Relation::First, one),
            (Relation::Child, two),
            (Relation::Beside, three),
        ] = first.compounds.as_slice()
        else {
            panic!("{first:?}")
        };
        assert_eq!(*one, [Simple::Tag("a".into()), class("b"), Simple::Id("c".into())]);
        assert_eq!(*two, [Simple::Attribute("type".into(), Some(('=', "text".into())))]);
        assert_eq!(*three, [class("md:p-4")]);
        let not = Simple::Not(Selector::parse(".y"));
        let wanted = [
            (Relation::First, vec![Simple::Suffix("-x".into())]),
            (Relation::Descendant, vec![Simple::Parent, not, Simple::State]),
        ];
        assert_eq!(second.compounds, wanted);
        assert_eq!(first.weight((0, 0, 0)), (1, 3, 1));
        assert_eq!(second.weight((0, 1, 0)), (0, 4, 0));
    }

    #[test]
    fn what_is_not_understood_is_unknown() {
        for text in [
            "",
            " ",
            ">",
            "#{$a}",
            "@{x}",
            ".a%",
            "..a",
            ".m(@a; @b)",
            ":is(",
            "50%",
            "\\",
        ] {
            let selector = Selector::parse(text);
            let unknown = |(_, compound): &(Relation, Compound)| compound.contains(&Simple::Unknown);
            assert!(
                selector.any.iter().all(|complex| complex.compounds.iter().any(unknown)),
                "{text}: {selector:?}"
            );
        }
    }

    #[test]
    fn hostile_selectors_end() {
        for unit in [":is(", ":not(", ".a ", ".a>", "[", ",", "\\", "&", ":", "/*"] {
            let _ = Selector::parse(&unit.repeat(100_000));
        }
    }
}
