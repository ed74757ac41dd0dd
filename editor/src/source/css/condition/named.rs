//! Widths that a stylesheet names, and Tailwind writes in their place.

use super::media::{self, Query};

/// A query of the text of an at-rule; `None` when it names no width, or one that nobody knows.
pub(super) fn query(text: &str, width: &dyn Fn(&str) -> Option<f64>) -> Option<Query> {
    let (rule, prelude) = text.strip_prefix('@')?.split_once(' ')?;
    let prelude = match rule {
        "screen" | "variant" => bounds(prelude, width)?,
        "media" => replaced(prelude, width)?,
        _ => return None,
    };
    Some(media::parse(&prelude))
}

/// `md`, `max-md`
fn bounds(name: &str, width: &dyn Fn(&str) -> Option<f64>) -> Option<String> {
    if let Some(from) = width(name) {
        return Some(format!("(min-width: {from}px)"));
    }
    let below = width(name.strip_prefix("max-")?)?;
    Some(format!("(width < {below}px)"))
}

/// A media query without `screen(md)`, `theme(screens.md)`, `theme('screens.md')`, `theme(--breakpoint-md)`.
fn replaced(prelude: &str, width: &dyn Fn(&str) -> Option<f64>) -> Option<String> {
    let (mut made, mut rest) = (String::new(), prelude);
    let mut changed = false;
    while let Some(open) = rest.find('(') {
        let (before, after) = rest.split_at(open);
        let word = before
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .map_or(0, |at| at + 1);
        let function = &before[word..];
        let inner = after[1..].split(')').next().unwrap_or_default();
        let name = inner.trim().trim_matches(['"', '\'']);
        let value = match function {
            "screen" => Some(bounds(name, width)?),
            "theme" | "--theme" => {
                let name = name
                    .strip_prefix("screens.")
                    .or_else(|| name.strip_prefix("--breakpoint-"))?;
                Some(format!("{}px", width(name)?))
            }
            _ => None,
        };
        match value {
            Some(value) => {
                made.push_str(&before[..word]);
                made.push_str(&value);
                rest = after.get(1 + inner.len() + 1..).unwrap_or_default();
                changed = true;
            }
            None => {
                made.push_str(before);
                made.push('(');
                rest = &after[1..];
            }
        }
    }
    made.push_str(rest);
    changed.then_some(made)
}

#[cfg(test)]
mod tests {
    use super::super::Condition;
    use super::super::holds::Holds;
    use crate::source::model::viewport::Viewport;

    #[test]
    fn names_of_widths_are_replaced_as_tailwind_does() {
        let width = |name: &str| (name == "md").then_some(768.0);
        for (name, prelude, words) in [
            ("screen", "md", "on pages from 768 pixels wide"),
            ("variant", "md", "on pages from 768 pixels wide"),
            ("variant", "max-md", "on pages narrower than 768 pixels"),
            ("media", "screen(md)", "on pages from 768 pixels wide"),
            (
                "media",
                "(min-width: theme(screens.md))",
                "on pages from 768 pixels wide",
            ),
            (
                "media",
                "(min-width: theme('screens.md'))",
                "on pages from 768 pixels wide",
            ),
            (
                "media",
                "(width >= theme(--breakpoint-md))",
                "on pages from 768 pixels wide",
            ),
            (
                "media",
                "screen and (width < --theme(--breakpoint-md))",
                "on pages narrower than 768 pixels",
            ),
        ] {
            let condition = Condition::read(name, prelude).with_breakpoints(&width);
            let condition = condition.unwrap_or_else(|| panic!("@{name} {prelude}"));
            assert_eq!(condition.words(), words, "@{name} {prelude}");
            assert_ne!(condition.holds(&Viewport::wide(800.0)), Holds::Unknown);
            assert!(condition.is_width() && !condition.can_be_asked());
        }
        for (name, prelude) in [
            ("screen", "huge"),
            ("variant", "dark"),
            ("variant", "md:hover"),
            ("media", "(min-width: theme(screens.huge))"),
            ("media", "(min-width: $md)"),
            ("media", "(min-width: 768px)"),
            ("media", "((((theme("),
            ("include", "md"),
        ] {
            assert_eq!(
                Condition::read(name, prelude).with_breakpoints(&width),
                None,
                "@{name} {prelude}"
            );
        }
    }
}
