//! The kinds of values that follow a utility's name: `4` in `p-4`, `[3px]` in `p-[3px]`, `(--gap)` in `gap-(--gap)`.

use std::sync::LazyLock;

use regex::Regex;

/// What a value has to look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValuePattern {
    Any,
    /// Anything that is not in brackets.
    Plain,
    Number,
    Integer,
    Percent,
    Fraction,
    /// `sm`, `2xl`: the steps of Tailwind's scales.
    Step,
    /// In square brackets, of this kind.
    Bracket(BracketKind),
    /// A variable in parentheses, of this kind.
    Variable(BracketKind),
}

/// What a value in brackets is for. Its label decides (`[length:…]`, `(color:…)`), else what it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BracketKind {
    Any,
    Length,
    Number,
    Weight,
    Family,
    Position,
    Size,
    Image,
    Shadow,
}

impl ValuePattern {
    /// The value named in the table: `<number>`, `[length]`, `(image)`.
    pub fn named(name: &str) -> Option<Self> {
        let kind = |name: &str| {
            Some(match name {
                "" => BracketKind::Any,
                "length" => BracketKind::Length,
                "number" => BracketKind::Number,
                "weight" => BracketKind::Weight,
                "family" => BracketKind::Family,
                "position" => BracketKind::Position,
                "size" => BracketKind::Size,
                "image" => BracketKind::Image,
                "shadow" => BracketKind::Shadow,
                _ => return None,
            })
        };
        Some(match name {
            "<any>" => Self::Any,
            "<plain>" => Self::Plain,
            "<number>" => Self::Number,
            "<integer>" => Self::Integer,
            "<percent>" => Self::Percent,
            "<fraction>" => Self::Fraction,
            "<step>" => Self::Step,
            _ => match (inside(name, '[', ']'), inside(name, '(', ')')) {
                (Some(name), _) => Self::Bracket(kind(name)?),
                (_, Some(name)) => Self::Variable(kind(name)?),
                _ => return None,
            },
        })
    }

    pub fn fits(self, text: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Plain => arbitrary(text, '[', ']').is_none() && arbitrary(text, '(', ')').is_none(),
            Self::Number => number(text).is_some(),
            Self::Integer => number(text).is_some_and(|number| number.fract() == 0.0),
            Self::Percent => text.strip_suffix('%').is_some_and(|text| number(text).is_some()),
            Self::Fraction => text
                .split_once('/')
                .is_some_and(|(over, under)| decimal(over) && decimal(under)),
            Self::Step => {
                let unit = ["xs", "sm", "md", "lg", "xl"]
                    .iter()
                    .find_map(|unit| text.strip_suffix(unit));
                unit.is_some_and(|number| number.is_empty() || decimal(number))
            }
            Self::Bracket(kind) => arbitrary(text, '[', ']').is_some_and(|(label, value)| match label {
                Some(label) => kind.has_label(label),
                None => kind.looks_like(value),
            }),
            Self::Variable(kind) => arbitrary(text, '(', ')').is_some_and(|(label, _)| match label {
                Some(label) => kind.has_label(label),
                // Shadows and weights are what a variable means where colours and families share the name.
                None => matches!(kind, BracketKind::Any | BracketKind::Shadow | BracketKind::Weight),
            }),
        }
    }
}

impl BracketKind {
    fn has_label(self, label: &str) -> bool {
        match self {
            Self::Any => true,
            Self::Length => label == "length",
            Self::Number => label == "number",
            Self::Weight => matches!(label, "number" | "weight"),
            Self::Family => label == "family-name",
            Self::Position => matches!(label, "position" | "percentage"),
            Self::Size => matches!(label, "length" | "size" | "bg-size"),
            Self::Image => matches!(label, "image" | "url"),
            Self::Shadow => label == "shadow",
        }
    }

    fn looks_like(self, value: &str) -> bool {
        match self {
            Self::Any | Self::Weight => true,
            Self::Length => LENGTH.is_match(value) && !COLOR.is_match(value),
            Self::Number => number(value).is_some(),
            Self::Family | Self::Position | Self::Size => false,
            Self::Image => IMAGE.is_match(value),
            Self::Shadow => SHADOW.is_match(value),
        }
    }
}

fn pattern(pattern: &str) -> Regex {
    #[expect(
        clippy::unwrap_used,
        reason = "the patterns below are constants, and each is used by a test"
    )]
    Regex::new(pattern).unwrap()
}

static LENGTH: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"[0-9](?:%|px|r?em|[sdl]?v(?:[hwib]|min|max)|pt|pc|in|cm|mm|cap|ch|ex|r?lh|cq(?:[whib]|min|max))|\b(?:calc|min|max|clamp)\(.+\)|^0$",
    )
});
static COLOR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:rgba?|hsla?|hwb|(?:ok)?(?:lab|lch)|color-mix|color|light-dark)\(.+\)$"));
/// Two offsets, as every shadow begins.
static SHADOW: LazyLock<Regex> = LazyLock::new(|| {
    let offset = r"(?:[0-9]*\.?[0-9]+[a-z]+|0)";
    pattern(&format!("^(?:inset_)?-?{offset}_-?{offset}"))
});
static IMAGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^(?:url|image|image-set|cross-fade|element|(?:repeating-)?(?:linear|radial|conic)-gradient)\(.+\)$")
});

/// The label (before a colon, when it is a name) and the value of `[label:value]`.
fn arbitrary(text: &str, open: char, close: char) -> Option<(Option<&str>, &str)> {
    let content = inside(text, open, close).filter(|content| !content.is_empty())?;
    let label = content.split_once(':').filter(|(label, value)| {
        let mut bytes = label.bytes();
        let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        !value.is_empty() && bytes.next().is_some_and(word) && bytes.all(|byte| word(byte) || byte == b'-')
    });
    Some(match label {
        Some((label, value)) => (Some(label), value),
        None => (None, content),
    })
}

fn inside(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// A number as JavaScript's `Number` reads decimal ones.
fn number(text: &str) -> Option<f64> {
    let written = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'));
    written.then(|| text.parse().ok()).flatten()
}

/// Digits, with digits after a point or without.
fn decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once('.') {
        Some((whole, part)) => digits(whole) && digits(part),
        None => digits(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart() {
        for (value, yes, no) in [
            ("<number>", "1.5 0 .5 10", "px inf NaN a 1_0"),
            ("<integer>", "12 -1", "1.5 a"),
            ("<percent>", "10% 2.5%", "10 %"),
            ("<fraction>", "1/2 1.5/3", "1/ /2 a/b 1"),
            ("<step>", "sm 2xl 1.5xl", "2 sx .xl x2l"),
            ("[]", "[3px] [a:b]", "[] 3px (3px)"),
            ("()", "(--a) (color:--a)", "() --a"),
            (
                "[length]",
                "[3px] [calc(1px+2em)] [length:var(--a)] [0] [50%]",
                "[red] [color:3px] [hsl(0_0%_0%)] [1]",
            ),
            ("(length)", "(length:--a)", "(--a) (color:--a)"),
            ("[shadow]", "[0_2px_4px_red] [inset_0_1px_0_#fff]", "[red] [2px]"),
            (
                "[image]",
                "[url(a.png)] [linear-gradient(red,blue)] [image:var(--a)]",
                "[red] [url]",
            ),
            ("[size]", "[size:10px] [length:1px] [bg-size:1px]", "[10px]"),
            ("[position]", "[position:10px] [percentage:10%]", "[10px]"),
            ("(weight)", "(--a) (weight:--a)", "(family-name:--a)"),
            ("<plain>", "sans a-b", "[a] (a)"),
        ] {
            let kind = ValuePattern::named(value).unwrap();
            assert!(yes.split(' ').all(|text| kind.fits(text)), "{value}: {yes}");
            assert!(!no.split(' ').any(|text| kind.fits(text)), "{value}: {no}");
        }
    }
}
