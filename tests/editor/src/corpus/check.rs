//! Judging one edit from outside: by the bytes, by the elements, and by asking the engine again about the new text.

use std::collections::BTreeMap;
use std::sync::Arc;

use galley_editor::source::engine;
use galley_editor::source::model::outline::Outline;
use galley_editor::source::model::{Inspect, Inspection, Lanes, Language, Operation, Plan, Request, Stamp};

use super::edits::text_of;
use super::folder::{Edited, Folder};

/// What was found.
pub struct Verdict {
    /// Whether every byte outside the element and the replaced ranges is the same.
    pub intact: bool,
    /// What is wrong, if anything is.
    pub mistake: Option<String>,
}

/// Applies the plan in memory and looks at the outcome. `before` is the inspection of an edit of a text.
pub fn check(folder: &Folder, request: &Request, plan: &Plan, before: Option<&Inspection>) -> Verdict {
    let mut texts = BTreeMap::new();
    for change in &plan.changes {
        let old = text_of(folder, &change.path);
        let Some(new) = change.apply(&old) else {
            let mistake = Some(format!("the ranges do not fit {}", change.path));
            return Verdict { intact: false, mistake };
        };
        texts.insert(change.path.clone(), Arc::from(new));
    }
    let edited = Edited { folder, texts };
    let mistake = still_read(&edited)
        .or_else(|| elements(&edited, request))
        .or_else(|| meaning(&edited, request, before));
    Verdict {
        intact: intact(&edited, request, plan),
        mistake,
    }
}

/// Outside the element (in its file) and outside the replaced ranges (in others) nothing differs.
fn intact(edited: &Edited<'_>, request: &Request, plan: &Plan) -> bool {
    plan.changes.iter().all(|change| {
        let (old, new) = (text_of(edited.folder, &change.path), text_of(edited, &change.path));
        let mut ordered: Vec<_> = change.replacements.iter().collect();
        ordered.sort_by_key(|replacement| replacement.range.start);
        let (mut at, mut from) = (0, 0);
        for replacement in ordered {
            let kept = &old[at..replacement.range.start];
            if new.get(from..from + kept.len()) != Some(kept) {
                return false;
            }
            from += kept.len() + replacement.text.len();
            at = replacement.range.end;
        }
        let kept_end = new.get(from..) == Some(&old[at..]);
        kept_end
            && (!only_inside(request)
                || change.path != request.src.path
                || around(&old, request)
                    .is_none_or(|(start, end)| new.starts_with(&old[..start]) && new.ends_with(&old[end..])))
    })
}

/// Kinds that have no business outside their element, when the file is the element's own.
fn only_inside(request: &Request) -> bool {
    matches!(request.operation, Operation::Attribute { .. })
}

fn around(old: &str, request: &Request) -> Option<(usize, usize)> {
    let outline = engine::outline(&request.src.path, old).ok()?;
    let range = outline.locate(request.src.at)?.range.clone();
    Some((range.start, range.end))
}

/// Every changed source file can still be read.
fn still_read(edited: &Edited<'_>) -> Option<String> {
    edited.texts.iter().find_map(|(path, text)| {
        Language::of(path)?;
        let broken = engine::outline(path, text).err()?;
        Some(format!("{path} cannot be read any more: {broken}"))
    })
}

/// The elements of each changed file are those it had, but for what was asked.
fn elements(edited: &Edited<'_>, request: &Request) -> Option<String> {
    for (path, text) in &edited.texts {
        if Language::of(path).is_none() {
            continue;
        }
        let old = text_of(edited.folder, path);
        let (before, after) = (engine::outline(path, &old).ok()?, engine::outline(path, text).ok()?);
        let tags = |outline: &Outline| {
            outline
                .elements
                .iter()
                .map(|element| element.tag.clone())
                .collect::<Vec<_>>()
        };
        let (mut wanted, found) = (tags(&before), tags(&after));
        if *path == request.src.path {
            let index = before
                .elements
                .iter()
                .position(|element| element.at == request.src.at)?;
            let range = &before.elements[index].range;
            let size = before.elements[index..]
                .iter()
                .take_while(|element| element.range.start < range.end)
                .count();
            match &request.operation {
                Operation::Delete => drop(wanted.drain(index..index + size)),
                Operation::Duplicate => {
                    let copy: Vec<_> = wanted[index..index + size].to_vec();
                    wanted.splice(index + size..index + size, copy);
                }
                // Beside a side of a conditional is outside of it: the order of everything else is what counts.
                Operation::Insert { .. } => match found.iter().zip(&wanted).position(|(found, wanted)| found != wanted)
                {
                    _ if found.len() != wanted.len() + 1 => {}
                    Some(at) => wanted.insert(at, "span".to_owned()),
                    None => wanted.push("span".to_owned()),
                },
                _ => {}
            }
        }
        if wanted != found {
            return Some(format!("the elements of {path} are not those it should have"));
        }
    }
    None
}

/// Where the element stands after the edit: what is changed in a script above a template moves the template's lines.
/// Only for kinds that leave the elements before it as they are.
fn now(edited: &Edited<'_>, request: &Request) -> Option<Stamp> {
    let path = &request.src.path;
    let old = engine::outline(path, &text_of(edited.folder, path)).ok()?;
    let new = engine::outline(path, &text_of(edited, path)).ok()?;
    let index = old.elements.iter().position(|element| element.at == request.src.at)?;
    Some(new.elements.get(index)?.stamp(path))
}

/// The engine itself says of the new text what was asked for.
fn meaning(edited: &Edited<'_>, request: &Request, before: Option<&Inspection>) -> Option<String> {
    let src = now(edited, request).unwrap_or_else(|| request.src.clone());
    let again = || {
        engine::inspect(
            edited,
            &Inspect {
                src,
                item: Some(0),
                within: None,
                viewport: Default::default(),
            },
            Lanes::default(),
        )
    };
    match &request.operation {
        Operation::Text { run: Some(run), text } => {
            let again = match again() {
                Ok(again) => again,
                Err(refusal) => return Some(format!("it cannot be inspected any more: {}", refusal.reason)),
            };
            let Some(found) = again.text.get(*run) else {
                return Some("the run is gone".to_owned());
            };
            let is_there = found.text.trim() == text;
            let others_stay = before.is_none_or(|before| {
                before.text.len() == again.text.len()
                    && before.text.iter().zip(&again.text).all(|(one, other)| {
                        // Runs that show the same place change together.
                        one.run == *run || one.text == other.text || (one.at.is_some() && one.at == found.at)
                    })
            });
            (!is_there)
                .then(|| format!("the run reads {:?}", found.text))
                .or_else(|| (!others_stay).then(|| "another run changed too".to_owned()))
        }
        Operation::Attribute { name, value } => {
            let again = match again() {
                Ok(again) => again,
                Err(refusal) => return Some(format!("it cannot be inspected any more: {}", refusal.reason)),
            };
            let found = again
                .attributes
                .iter()
                .find(|attribute| attribute.name.trim_start_matches(':') == name.trim_start_matches(':'));
            let value_found = found.and_then(|attribute| attribute.value.clone());
            (value_found != *value).then(|| format!("{name} reads {value_found:?}"))
        }
        Operation::Class { add, .. } => {
            let again = match again() {
                Ok(again) => again,
                Err(refusal) => return Some(format!("it cannot be inspected any more: {}", refusal.reason)),
            };
            let all = add.iter().all(|class| again.classes.list.contains(class));
            (!all).then(|| format!("its classes are {:?}", again.classes.list))
        }
        _ => None,
    }
}
