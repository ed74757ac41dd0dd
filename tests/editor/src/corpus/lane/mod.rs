//! The engine as a model: what it plans is proposed to the gate as texts and what takes their place. The gate has to take all of it,
//! byte for byte, and nothing of what a bad model would make of it.
//!
//! Here is no page, so nobody looks at one: what only a page can tell from what was asked for is counted apart, and judged in a
//! browser (`tests/editor/tests/editor/models_page.rs`).

mod hunks;
mod repair;
mod spoil;

use galley_editor::agent::gate::{self, Checked, Code, Limits, Proposal, Refusal};
use galley_editor::source::model::{Change, Plan, Project};
use serde_json::Value;

use super::folder::Folder;
use super::proposals::Spoiled;
use super::report::Report;
use spoil::{Case, FOR_THE_GATE, FOR_THE_PAGE, Kind};

pub use repair::measure as repair;

/// Proposes a plan, and spoiled versions of it.
pub fn measure(folder: &Folder, plan: &Plan, words: &str, report: &mut Report) {
    let Some(proposal) = hunks::proposal(folder, plan) else {
        return;
    };
    report.lane.proposed += 1;
    let (limits, is_in_lane, checked) = match narrowest(folder, &proposal) {
        Ok(narrowest) => narrowest,
        // No model changes these files, whoever asks.
        Err(refusal) if refusal.code == Code::OffLimits => {
            report.lane.closed += 1;
            return;
        }
        Err(refusal) => {
            let (code, reason) = (refusal.code, refusal.reason);
            report
                .wrong
                .push(format!("{words}: the gate refuses it ({code}): {reason}"));
            return;
        }
    };
    if !same(folder, plan, &checked) {
        report.wrong.push(format!("{words}: the gate makes another text of it"));
        return;
    }
    report.lane.in_lanes += usize::from(is_in_lane);
    let case = Case {
        folder,
        proposal: &proposal,
        limits: &limits,
        turn: report.lane.accepted,
    };
    report.lane.accepted += 1;
    for kind in &FOR_THE_GATE {
        let Some(arguments) = (kind.spoil)(&case) else { continue };
        let is_taken = count(
            &case,
            kind,
            plan,
            &arguments,
            report.lane.spoiled.entry(kind.name).or_default(),
        );
        if is_taken {
            let name = kind.name;
            report
                .wrong
                .push(format!("{words}: the gate takes it with {name}: {arguments}"));
        }
    }
    for kind in &FOR_THE_PAGE {
        let Some(arguments) = (kind.spoil)(&case) else { continue };
        count(
            &case,
            kind,
            plan,
            &arguments,
            report.lane.for_the_page.entry(kind.name).or_default(),
        );
    }
}

/// Whether what a bad model calls the tool with gets through, and changes something else than what was asked for.
fn count(case: &Case<'_>, kind: &Kind, plan: &Plan, arguments: &Value, counted: &mut Spoiled) -> bool {
    let mut limits = case.limits.clone();
    if kind.is_anywhere {
        limits.paths = None;
    }
    let checked = Proposal::read(arguments)
        .ok()
        .and_then(|proposal| gate::check(case.folder, &|_| true, &proposal, &limits).ok());
    let Some(checked) = checked else {
        counted.refused += 1;
        return false;
    };
    let is_right = same(case.folder, plan, &checked);
    counted.right += usize::from(is_right);
    counted.taken += usize::from(!is_right);
    !is_right
}

/// The narrowest limits that let a proposal through, whether they are those of a lane, and what comes of it. What is copied may be
/// long, and do what its original does: a person has to allow that.
fn narrowest(folder: &Folder, proposal: &Proposal) -> Result<(Limits, bool, Checked), Refusal> {
    let paths: Vec<String> = proposal.files.iter().map(|hunk| hunk.path.clone()).collect();
    let chat = Limits {
        paths: Some(paths.clone()),
        ..Limits::chat()
    };
    let granted = Limits {
        granted: vec![Code::NewCapability, Code::TooMuch],
        ..chat.clone()
    };
    let check = |limits: &Limits| gate::check(folder, &|_| true, proposal, limits);
    for (limits, is_lane) in [
        (Limits::save(paths.clone()), true),
        (Limits::repair(paths), true),
        (chat, false),
    ] {
        match check(&limits) {
            Ok(checked) => return Ok((limits, is_lane, checked)),
            Err(refusal) if matches!(refusal.code, Code::TooMuch | Code::NewCapability) => {}
            Err(refusal) => return Err(refusal),
        }
    }
    let checked = check(&granted)?;
    Ok((granted, false, checked))
}

/// Whether the gate makes of a proposal what the engine makes of its plan, byte for byte.
fn same(folder: &Folder, plan: &Plan, checked: &Checked) -> bool {
    let changed = |change: &&Change| {
        let old = folder.read(&change.path).unwrap_or_default();
        change.apply(&old).is_some_and(|new| new != *old)
    };
    plan.changes.iter().filter(changed).count() == checked.texts.len()
        && checked.texts.iter().all(|(path, old, new)| {
            let change = plan.changes.iter().find(|change| change.path == *path);
            change.and_then(|change| change.apply(old)).as_deref() == Some(new)
        })
}
