//! Proposals whose outcome is source like any other: another element is changed, or less is left than there was.

use galley_editor::agent::gate::{Hunk, Proposal};
use galley_editor::source::engine;
use galley_editor::source::model::Language;
use serde_json::{Value, json};

use super::case::Case;

pub fn instead(case: &Case<'_>) -> Option<Value> {
    let (files, why) = (vec![elsewhere(case)?], String::new());
    Some(json!(Proposal { files, why }))
}

pub fn as_well(case: &Case<'_>) -> Option<Value> {
    case.and(elsewhere(case)?)
}

pub fn cut_off(case: &Case<'_>) -> Option<Value> {
    let new = &case.hunk().new;
    let half = new.floor_char_boundary(new.len() / 2);
    case.with_new(new[..half].to_owned())
}

/// As models do who save words.
pub fn left_out(case: &Case<'_>) -> Option<Value> {
    let Hunk { path, new, .. } = case.hunk();
    let lines: Vec<&str> = new.split_inclusive('\n').collect();
    let (_, kept) = lines.split_last()?;
    let rest = match Language::of(path)? {
        Language::Jsx => "{/* the rest stays as it is */}\n",
        Language::Vue => "<!-- the rest stays as it is -->\n",
    };
    case.with_new(kept.concat() + rest)
}

/// A change of the text of an element that the proposal does not touch.
fn elsewhere(case: &Case<'_>) -> Option<Hunk> {
    let path = case.hunk().path.clone();
    Language::of(&path)?;
    let text = case.text();
    let outline = engine::outline(&path, &text).ok()?;
    outline.elements.iter().find_map(|element| {
        let inner = &text[element.opening.end..element.range.end.max(element.opening.end)];
        let words = inner.split(['<', '{']).next().filter(|words| {
            let is_plain = words
                .chars()
                .all(|sign| sign.is_alphanumeric() || " .,!?".contains(sign));
            is_plain && words.chars().any(char::is_alphabetic) && inner[words.len()..].starts_with("</")
        })?;
        let old = text.get(element.opening.start..element.opening.end + words.len() + 1)?;
        let is_apart = case
            .proposal
            .files
            .iter()
            .all(|hunk| hunk.path != path || !hunk.old.contains(old));
        let new = format!("{}Another text<", &text[element.opening.clone()]);
        (is_apart && text.matches(old).count() == 1).then(|| Hunk {
            path: path.clone(),
            old: old.to_owned(),
            new,
        })
    })
}
