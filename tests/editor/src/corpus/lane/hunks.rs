//! A plan as a model would propose it.

use std::ops::Range;

use galley_editor::agent::gate::{Hunk, Proposal};
use galley_editor::source::model::{Change, Plan, Project};

use crate::corpus::folder::Folder;

/// The lines that a plan changes, each stretch with so many around it that it stands in its file once. `None` when nothing changes.
pub fn proposal(folder: &Folder, plan: &Plan) -> Option<Proposal> {
    let mut files = Vec::new();
    for change in &plan.changes {
        let old = folder.read(&change.path)?;
        if change.apply(&old)? == *old {
            continue;
        }
        for range in stretches(&old, change) {
            let inside = |at: usize| range.start <= at && at <= range.end;
            let part = Change {
                path: change.path.clone(),
                replacements: change
                    .replacements
                    .iter()
                    .filter(|one| inside(one.range.start) && inside(one.range.end))
                    .map(|one| {
                        let mut one = one.clone();
                        one.range = one.range.start - range.start..one.range.end - range.start;
                        one
                    })
                    .collect(),
            };
            let old = old[range].to_owned();
            let new = part.apply(&old)?;
            files.push(Hunk {
                path: change.path.clone(),
                old,
                new,
            });
        }
    }
    let why = String::new();
    (!files.is_empty()).then_some(Proposal { files, why })
}

/// Whole lines around the replacements, none of which touch each other.
fn stretches(text: &str, change: &Change) -> Vec<Range<usize>> {
    let start = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    let mut found: Vec<Range<usize>> = change
        .replacements
        .iter()
        .map(|one| start(one.range.start)..end(one.range.end))
        .collect();
    loop {
        found.sort_by_key(|range| range.start);
        found.dedup_by(|next, before| {
            let is_one = next.start <= before.end;
            if is_one {
                before.end = before.end.max(next.end);
            }
            is_one
        });
        let Some(unclear) = found.iter_mut().find(|range| {
            let wanted = &text[(*range).clone()];
            wanted.is_empty() || text.find(wanted) != text.rfind(wanted)
        }) else {
            return found;
        };
        if *unclear == (0..text.len()) {
            return found;
        }
        *unclear = start(unclear.start.saturating_sub(1))..end(unclear.end.min(text.len()));
    }
}
