//! How characters are written in the string that holds a class list.

use std::borrow::Cow;

use crate::source::notation::{Notation, Within, references, unescaped};

/// The place of the string in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Characters stand for themselves.
    Plain,
    /// The value of an attribute in JSX or HTML within these quotes: character references, no backslashes. An unquoted
    /// value has `' '`.
    Markup(char),
    /// A string or template literal of JavaScript within these quotes: backslashes.
    Script(char),
}

impl Coding {
    /// The characters that `raw` stands for; `None` when it holds an escape this reader does not know, or a reference that
    /// JSX and HTML read differently.
    #[must_use]
    pub fn decode(self, raw: &str) -> Option<Cow<'_, str>> {
        match self {
            Self::Plain => Some(Cow::Borrowed(raw)),
            Self::Markup(_) => references::alike(raw),
            Self::Script(_) => unescaped(raw),
        }
    }

    /// `text` as it has to be written here.
    #[must_use]
    pub fn encode(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Plain => Cow::Borrowed(text),
            Self::Markup(quote) => Notation::HtmlAttribute(quote).write_with_lines(text).into(),
            Self::Script(quote) => Notation::Script(quote, Within::File).write(text).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_must_be_escaped_is() {
        for (coding, plain, written) in [
            (Coding::Markup('"'), "[&>p]:mt-2", "[&>p]:mt-2"),
            (Coding::Markup('"'), "[&p]:mt-2", "[&amp;p]:mt-2"),
            (Coding::Markup('"'), "content-[\"x\"]", "content-[&quot;x&quot;]"),
            (Coding::Markup('\''), "content-['x']", "content-[&#39;x&#39;]"),
            (Coding::Script('\''), "content-['\\']", "content-[\\'\\\\\\']"),
            (Coding::Script('`'), "w-[${a}]", "w-[\\${a}]"),
            (Coding::Script('"'), "w-[${a}]", "w-[${a}]"),
        ] {
            assert_eq!(coding.encode(plain), written);
            assert_eq!(coding.decode(written).as_deref(), Some(plain));
        }
    }

    #[test]
    fn unknown_escapes_are_not_guessed() {
        assert_eq!(Coding::Markup('"').decode("a&copy;b").as_deref(), Some("a©b"));
        assert_eq!(Coding::Markup('"').decode("a&copy"), None);
        assert_eq!(Coding::Markup('"').decode("a&check;"), None);
        assert_eq!(Coding::Script('"').decode("a\\u0041").as_deref(), Some("aA"));
        assert_eq!(Coding::Script('"').decode("a\\uD83D"), None);
        assert_eq!(Coding::Script('"').decode("a\\"), None);
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_again(text in "[a&#;$\\{}\\\\\"'`é-]{0,20}", which in 0..6usize) {
            let coding = [Coding::Plain, Coding::Markup('"'), Coding::Markup('\''), Coding::Script('"'), Coding::Script('\''), Coding::Script('`')][which];
            let written = coding.encode(&text);
            let decoded = coding.decode(&written);
            prop_assert_eq!(decoded.as_deref(), Some(&*text));
        }
    }
}
