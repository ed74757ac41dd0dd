//! What a prototype's first page shows of itself: title, colour and icon. It is read once, when the deployment is made.
//!
//! The page is whatever somebody uploaded: it is read up to a bound, and what does not fit is left out. A page without a
//! cover is deployed as well as one with it.

use std::borrow::Cow;

use galley_sdk::people::name;
use galley_sdk::sites::Tree;
use html5gum::emitters::default::{DefaultEmitter, StartTag};
use html5gum::{HtmlString, Token, Tokenizer};
use serde::Serialize;

use crate::icon;

/// How much of the page is read, in bytes. A head that is longer is cut.
const MAX_PAGE: u32 = 256 << 10;
/// The longest title, in characters.
const MAX_TITLE: usize = 200;
/// The longest colour, in bytes.
const MAX_COLOUR: usize = 64;
/// The most icons of a page that are tried.
const MAX_ICONS: usize = 8;

/// Title, colour and icon. Each is absent where the page has none that fits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cover {
    pub title: Option<String>,
    /// A CSS colour: `#0a7`, `teal`, `rgb(0 170 119)`.
    pub colour: Option<String>,
    /// A `data:` address of a picture. Absent in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
}

impl Cover {
    /// The cover of the page `index.html`.
    pub fn of(tree: &Tree) -> Cover {
        let page = tree.read("index.html", 0, MAX_PAGE).unwrap_or_default();
        let head = Head::read(&page);
        Cover {
            title: head.title,
            colour: head.colour,
            icon: icon::find(tree, &head.icons),
        }
    }

    /// `None` when nothing is known of the page.
    pub fn known(self) -> Option<Cover> {
        (self != Cover::default()).then_some(self)
    }
}

/// What the head of a page says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    title: Option<String>,
    colour: Option<String>,
    /// Addresses of icons, in the order of the page.
    icons: Vec<String>,
}

impl Head {
    fn read(page: &[u8]) -> Head {
        let mut head = Head::default();
        let mut emitter = DefaultEmitter::default();
        // Texts of scripts and styles hold no tags.
        emitter.naively_switch_states(true);
        let mut is_title = false;
        for Ok(token) in Tokenizer::new_with_emitter(page, emitter) {
            match token {
                Token::StartTag(tag) => match tag.name.as_slice() {
                    b"body" | b"svg" => break,
                    b"title" => is_title = true,
                    b"meta" => head.meta(&tag),
                    b"link" => head.link(&tag),
                    _ => {}
                },
                Token::String(text) if is_title && head.title.is_none() => head.title = title(&text),
                Token::EndTag(_) => is_title = false,
                _ => {}
            }
        }
        head
    }

    /// `<meta name="theme-color">`. One for a medium of its own is the second choice.
    fn meta(&mut self, tag: &StartTag<()>) {
        let is_colour = attribute(tag, b"name").is_some_and(|name| name.eq_ignore_ascii_case("theme-color"));
        let is_for_all = attribute(tag, b"media").is_none();
        if is_colour && (self.colour.is_none() || is_for_all) {
            self.colour = attribute(tag, b"content")
                .and_then(|value| colour(&value))
                .or(self.colour.take());
        }
    }

    /// `<link rel="icon">`, and `apple-touch-icon` after all others.
    fn link(&mut self, tag: &StartTag<()>) {
        let rel = attribute(tag, b"rel").unwrap_or_default().to_ascii_lowercase();
        let is = |word: &str| rel.split_ascii_whitespace().any(|part| part == word);
        let Some(address) = attribute(tag, b"href").filter(|_| self.icons.len() < MAX_ICONS) else {
            return;
        };
        if is("icon") || is("apple-touch-icon") {
            self.icons.push(address.trim().to_owned());
        }
    }
}

fn attribute<'t>(tag: &'t StartTag<()>, name: &[u8]) -> Option<Cow<'t, str>> {
    let value = tag.attributes.get(&HtmlString(name.to_vec()))?;
    Some(String::from_utf8_lossy(value))
}

/// One plain line; `None` when nothing of it remains.
fn title(text: &[u8]) -> Option<String> {
    let line = name::cleaned(&String::from_utf8_lossy(text));
    let title: String = line.chars().take(MAX_TITLE).collect();
    (!title.is_empty()).then_some(title)
}

/// A CSS colour that pages can use as it is: a word, hexadecimal digits, or a function of numbers.
fn colour(text: &str) -> Option<String> {
    let text = text.trim();
    let is_word = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_hex =
        |digits: &str| matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = |byte: u8| byte.is_ascii_digit() || b" .,%/-".contains(&byte);
    let is_function = |text: &str| {
        let parts = text.strip_suffix(')').and_then(|text| text.split_once('('));
        parts.is_some_and(|(name, numbers)| {
            matches!(name, "rgb" | "rgba" | "hsl" | "hsla" | "oklch" | "oklab") && numbers.bytes().all(is_number)
        })
    };
    let good = is_word(text) || text.strip_prefix('#').is_some_and(is_hex) || is_function(text);
    (good && text.len() <= MAX_COLOUR).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_a_page_is_read() {
        let page = br##"<!doctype html><html><head><meta charset="utf-8">
            <script>document.write("<title>no</title>")</script>
            <style>/* <link rel=icon href=no> */</style>
            <meta name="theme-color" media="(prefers-color-scheme: dark)" content="black">
            <META NAME=Theme-Color CONTENT=" #0A7 ">
            <link rel="stylesheet" href="a.css"><link rel="Shortcut Icon" href=" ./icon.svg ">
            <title>
              Shop &amp; more
            </title></head><body><title>late</title><link rel=icon href=late>"##;
        let head = Head::read(page);
        assert_eq!(head.title.as_deref(), Some("Shop & more"));
        assert_eq!(head.colour.as_deref(), Some("#0A7"));
        assert_eq!(head.icons, ["./icon.svg"]);
    }

    #[test]
    fn a_hostile_page_has_bounds() {
        let long = format!("<title>{}</title>", "a".repeat(100_000));
        assert_eq!(
            Head::read(long.as_bytes()).title.map(|title| title.len()),
            Some(MAX_TITLE)
        );
        let turned = Head::read("<title>\u{202e}gp\u{0}j.exe\r\nX: y</title>".as_bytes())
            .title
            .unwrap();
        assert!(!turned.chars().any(name::is_disruptive), "{turned:?}");
        let many = "<link rel=icon href=a>".repeat(10_000);
        assert_eq!(Head::read(many.as_bytes()).icons.len(), MAX_ICONS);
        for page in [
            &b""[..],
            b"<",
            b"<title>",
            b"<title></title>",
            b"<title> \n </title>",
            b"<!--<title>a</title>",
            b"<script><title>a</title>",
            b"\xff\xfe<\0t\0i\0t\0l\0e\0>\0",
            &[0; 5_000],
            "<a ".repeat(50_000).as_bytes(),
            "<!--".repeat(50_000).as_bytes(),
        ] {
            assert_eq!(Head::read(page).title, None);
        }
    }

    #[test]
    fn colours_are_colours() {
        for good in [
            "#0a7",
            "#00aa7780",
            "teal",
            "rgb(0 170 119 / 50%)",
            "hsla(1, 2%, 3%, .4)",
        ] {
            assert_eq!(colour(good).as_deref(), Some(good));
        }
        for bad in [
            "",
            "#0a",
            "#ggg",
            "red;x:y",
            "url(https://evil.example/)",
            "var(--x)",
            "expression(alert(1))",
            "rgb(0,0,0);}",
            "red\"",
            &"a".repeat(65),
        ] {
            assert_eq!(colour(bad), None, "{bad}");
        }
    }
}
