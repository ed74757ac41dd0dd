//! Whether a text of the source is the one that the page showed.

use super::placeholders;
use crate::source::follow::Way;
use crate::source::model::{Refusal, plan::short};
use crate::source::notation::Notation;

/// Refuses a text that is not `before`, what the page showed: the edit is meant for another place, or the source is another by now.
/// `is_part`: the element shows more than this text, and a page may have it joined with what is beside it.
///
/// # Errors
/// 409, with both texts.
pub fn expect_shown(before: Option<&str>, text: &str, is_part: bool) -> Result<(), Refusal> {
    match before {
        Some(before) if !reads(text, before, is_part) => Err(another(before, text)),
        _ => Ok(()),
    }
}

/// The same for the places that an edit changes: the page shows one of them.
pub(super) fn expect_one_shown(before: Option<&str>, ways: &[&Way], is_part: bool) -> Result<(), Refusal> {
    match (before, ways) {
        (Some(before), [first, ..]) if !ways.iter().any(|way| shows(way, before, is_part)) => {
            Err(another(before, first.text()))
        }
        _ => Ok(()),
    }
}

fn shows(way: &Way, before: &str, is_part: bool) -> bool {
    let text = way.text();
    let is_number = way
        .end
        .as_ref()
        .is_ok_and(|(_, fixed)| fixed.notation == Notation::Number);
    reads(text, before, is_part)
        // What the code fills in, only the page knows.
        || way.locale().is_some() && placeholders::is_filled(text)
        || is_number && number(text).is_some_and(|shown| number(before) == Some(shown))
}

fn reads(text: &str, before: &str, is_part: bool) -> bool {
    same(text, before) || is_part && folded(before).contains(&folded(text))
}

/// Texts are compared as people see them: white space is one space.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

/// A text as people see it: white space is one space.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `1_000.50` is shown as `1000.5`.
fn number(text: &str) -> Option<f64> {
    text.trim().replace('_', "").parse().ok()
}

fn another(before: &str, text: &str) -> Refusal {
    let stands = match text {
        "" => "no such text stands there".to_owned(),
        text => format!("“{}” stands there", short(text)),
    };
    Refusal::changed(format!(
        "The page showed “{}”, and {stands} in the source now: select the element once more",
        short(before)
    ))
}
