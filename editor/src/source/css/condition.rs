//! The conditions of at-rules: whether they hold in the page somebody looks at, and how people call them.
//!
//! Three-valued: what a width does not decide is [`Holds::Unknown`] until the page itself has answered.

mod holds;
mod media;
mod named;

use crate::source::model::viewport::Viewport;

use media::Query;

pub use holds::Holds;

/// A longer condition is neither read nor shown in full.
const MAX_LENGTH: usize = 1000;

/// One at-rule around a declaration that is a condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// As it is written, as `@media (max-width: 1024px)`; white space is collapsed.
    pub text: String,
    kind: ConditionKind,
}

#[derive(Debug, Clone, PartialEq)]
enum ConditionKind {
    Media(Query),
    Supports,
    /// A condition that every browser decides in the page: `@container`, `@scope`.
    Page,
    /// `@starting-style`: it holds for a moment that nobody looks at.
    Never,
    /// A media query as Tailwind makes it of another text: no page can be asked about that.
    Named(Query),
    /// A mixin, a branch, a variant: only the compiler of the stylesheet knows.
    Compiled,
}

impl Condition {
    /// Reads an at-rule by its name (without the `@`) and what follows.
    #[must_use]
    pub fn read(name: &str, prelude: &str) -> Self {
        let words: Vec<&str> = prelude.split_ascii_whitespace().collect();
        let prelude = words.join(" ");
        let text = format!("@{name} {prelude}").trim_end().to_owned();
        let kind = match name {
            _ if text.len() > MAX_LENGTH => ConditionKind::Compiled,
            "starting-style" => ConditionKind::Never,
            _ if is_compiled(&prelude) => ConditionKind::Compiled,
            "media" => ConditionKind::Media(media::parse(&prelude)),
            "supports" => ConditionKind::Supports,
            "container" | "scope" => ConditionKind::Page,
            _ => ConditionKind::Compiled,
        };
        let text = text.chars().take(MAX_LENGTH).collect();
        Self { text, kind }
    }

    /// Whether it holds in the page that is shown.
    #[must_use]
    pub fn holds(&self, viewport: &Viewport) -> Holds {
        let found = match &self.kind {
            ConditionKind::Media(query) | ConditionKind::Named(query) => query.holds(viewport.width),
            ConditionKind::Never => Holds::No,
            ConditionKind::Supports | ConditionKind::Page | ConditionKind::Compiled => Holds::Unknown,
        };
        match found {
            Holds::Unknown => viewport.holds.get(&self.text).map_or(found, |holds| (*holds).into()),
            _ => found,
        }
    }

    /// The same with a width in place of a name that Tailwind replaces: `@screen md`, `@variant md`, `@media screen(md)`,
    /// `theme(screens.md)`, `theme(--breakpoint-md)`. `None` when it has none.
    #[must_use]
    pub fn with_breakpoints(&self, width: &dyn Fn(&str) -> Option<f64>) -> Option<Self> {
        if self.kind != ConditionKind::Compiled {
            return None;
        }
        let query = named::query(&self.text, width)?;
        Some(Self {
            text: self.text.clone(),
            kind: ConditionKind::Named(query),
        })
    }

    /// Whether a page can be asked: its text means the same to the browser as to the stylesheet's compiler.
    #[must_use]
    pub fn can_be_asked(&self) -> bool {
        matches!(
            self.kind,
            ConditionKind::Media(_) | ConditionKind::Supports | ConditionKind::Page
        )
    }

    /// Whether it is about the page's width and nothing else.
    #[must_use]
    pub fn is_width(&self) -> bool {
        matches!(&self.kind, ConditionKind::Media(query) | ConditionKind::Named(query) if query.is_width())
    }

    /// For people, to follow what holds under it: `on pages up to 1024 pixels wide`.
    #[must_use]
    pub fn words(&self) -> String {
        let words = match &self.kind {
            ConditionKind::Media(query) | ConditionKind::Named(query) => query.words(),
            ConditionKind::Supports => {
                let what = self.text.strip_prefix("@supports ").unwrap_or(&self.text);
                Some(format!("in browsers that support {what}"))
            }
            _ => None,
        };
        words.unwrap_or_else(|| format!("within {}", shortened(&self.text)))
    }
}

/// The words of all conditions around a declaration; `None` when there are none.
#[must_use]
pub fn words(conditions: &[Condition]) -> Option<String> {
    let words: Vec<String> = conditions.iter().map(Condition::words).collect();
    (!words.is_empty()).then(|| words.join(", and "))
}

fn shortened(text: &str) -> String {
    const MAX_SHOWN: usize = 120;
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Variables, interpolation, and functions that a compiler replaces before a browser sees the condition.
fn is_compiled(prelude: &str) -> bool {
    prelude.contains(['$', '#', '@', '~', '{', '"', '\'', '\\'])
        || ["--", "theme(", "screen(", "map.", "percentage(", "math."]
            .iter()
            .any(|part| prelude.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, width: Option<f64>) -> Holds {
        let (name, prelude) = text.strip_prefix('@').unwrap().split_once(' ').unwrap();
        let viewport = Viewport {
            width,
            ..Viewport::default()
        };
        Condition::read(name, prelude).holds(&viewport)
    }

    #[test]
    fn a_width_decides_what_is_about_widths() {
        use Holds::{No, Unknown, Yes};
        for (text, width, wanted) in [
            ("@media (max-width: 1024px)", Some(876.0), Yes),
            ("@media (max-width: 1024px)", Some(1024.0), Yes),
            ("@media (max-width: 1024px)", Some(1025.0), No),
            ("@media (max-width: 1024px)", None, Unknown),
            ("@media (min-width: 48em)", Some(768.0), Yes),
            (
                "@media screen and (min-width:600px) and (max-width:900px)",
                Some(876.0),
                Yes,
            ),
            ("@media (width < 600px)", Some(600.0), No),
            ("@media (width<=600px)", Some(600.0), Yes),
            ("@media (600px > width)", Some(599.0), Yes),
            ("@media (400px <= width <= 700px)", Some(700.0), Yes),
            ("@media (400px <= width < 700px)", Some(700.0), No),
            ("@media (width = 700px)", Some(700.0), Yes),
            ("@media print", Some(876.0), No),
            ("@media print", None, No),
            ("@media not print", None, Yes),
            ("@media only screen", None, Yes),
            ("@media print, (max-width: 900px)", Some(876.0), Yes),
            ("@media not (max-width: 900px)", Some(876.0), No),
            ("@media not all and (max-width: 900px)", Some(876.0), No),
            ("@media not screen and (min-width: 900px)", Some(876.0), Yes),
            ("@media (max-width: 600px) or (min-width: 800px)", Some(876.0), Yes),
            (
                "@media ((max-width: 600px) or (min-width: 800px)) and (not (width > 900px))",
                Some(876.0),
                Yes,
            ),
            ("@media (prefers-color-scheme: dark)", Some(876.0), Unknown),
            ("@media not (prefers-color-scheme: dark)", Some(876.0), Unknown),
            (
                "@media (prefers-color-scheme: dark) and (max-width: 600px)",
                Some(876.0),
                No,
            ),
            (
                "@media (prefers-color-scheme: dark), (max-width: 900px)",
                Some(876.0),
                Yes,
            ),
            ("@media (width >= 0)", Some(876.0), Yes),
            ("@media (min-width: calc(1px + 2px))", Some(876.0), Unknown),
            ("@media (max-width: $phone)", Some(876.0), Unknown),
            ("@media (--narrow)", Some(876.0), Unknown),
            ("@media (min-width: 1px) and", Some(876.0), Unknown),
            ("@media (a) and (b) or (c)", Some(876.0), Unknown),
            ("@container (min-width: 400px)", Some(876.0), Unknown),
            ("@supports (display: grid)", Some(876.0), Unknown),
            ("@starting-style ", Some(876.0), No),
            ("@include phone", Some(876.0), Unknown),
        ] {
            assert_eq!(holds(text, width), wanted, "{text} at {width:?}");
        }
    }

    #[test]
    fn the_page_answers_what_a_width_does_not_decide() {
        let dark = Condition::read("media", "(prefers-color-scheme:  dark)");
        let narrow = Condition::read("media", "(max-width: 600px)");
        let answers = [
            ("@media (prefers-color-scheme: dark)".to_owned(), true),
            // A width that is known is not overruled by an older answer.
            ("@media (max-width: 600px)".to_owned(), true),
        ];
        let viewport = Viewport {
            width: Some(876.0),
            holds: answers.into(),
        };
        assert_eq!(
            (dark.holds(&viewport), narrow.holds(&viewport)),
            (Holds::Yes, Holds::No)
        );
    }

    #[test]
    fn only_what_a_browser_reads_alike_is_asked() {
        for (name, prelude, asked) in [
            ("media", "(prefers-color-scheme: dark)", true),
            ("container", "card (min-width: 400px)", true),
            ("supports", "(display: grid)", true),
            ("media", "(max-width: $phone)", false),
            ("media", "(max-width: @phone)", false),
            ("media", "(--narrow)", false),
            ("include", "phone", false),
            ("starting-style", "", false),
        ] {
            assert_eq!(
                Condition::read(name, prelude).can_be_asked(),
                asked,
                "@{name} {prelude}"
            );
        }
    }

    #[test]
    fn conditions_are_put_into_words() {
        for (name, prelude, wanted) in [
            ("media", "(max-width: 1024px)", "on pages up to 1024 pixels wide"),
            ("media", "(min-width: 48em)", "on pages from 768 pixels wide"),
            ("media", "(width < 600px)", "on pages narrower than 600 pixels"),
            ("media", "(width > 599.98px)", "on pages wider than 599.98 pixels"),
            (
                "media",
                "screen and (min-width: 600px) and (max-width: 1024px)",
                "on pages 600 to 1024 pixels wide",
            ),
            ("media", "print", "in print"),
            ("media", "(prefers-color-scheme: dark)", "in dark mode"),
            (
                "media",
                "(hover: hover) and (max-width: 600px)",
                "with a pointer that can hover and on pages up to 600 pixels wide",
            ),
            (
                "media",
                "(max-width: 1px), print",
                "within @media (max-width: 1px), print",
            ),
            (
                "container",
                "(min-width: 400px)",
                "within @container (min-width: 400px)",
            ),
            (
                "supports",
                "(display: grid)",
                "in browsers that support (display: grid)",
            ),
            ("include", "phone", "within @include phone"),
        ] {
            assert_eq!(Condition::read(name, prelude).words(), wanted, "@{name} {prelude}");
        }
    }

    #[test]
    fn hostile_conditions_end() {
        for unit in ["(", ")", "not ", "(a) and ", "(1px<", ",", "((a)", "screen and "] {
            let condition = Condition::read("media", &unit.repeat(100_000 / unit.len()));
            let _ = (condition.holds(&Viewport::wide(1.0)), condition.words());
            let condition = Condition::read("media", &unit.repeat(900 / unit.len()));
            let _ = (condition.holds(&Viewport::wide(1.0)), condition.words());
        }
    }
}
