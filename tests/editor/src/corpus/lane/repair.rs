//! A model that is a script: it tries the texts that the engine refused, as any model would that sees the element. It writes the
//! words that were asked for where the expression stands. Elements of lists, and of components that are used in several places, it
//! leaves alone: the words would show at each of them.

use std::ops::Range;

use galley_editor::agent::gate::{self, Hunk, Limits, Proposal};
use galley_editor::agent::lanes::{self, Lane};
use galley_editor::source::engine;
use galley_editor::source::model::inspection::Run;
use galley_editor::source::model::{Inspection, Language, Operation, Plan, Project, Refusal, Request};

use crate::corpus::check;
use crate::corpus::folder::Folder;
use crate::corpus::report::Report;

/// Tries a refused text, and counts what comes of it.
pub fn measure(
    folder: &Folder,
    (request, inspection): (&Request, &Inspection),
    refusal: &Refusal,
    words: &str,
    report: &mut Report,
) {
    let Some(lane) = lanes::lane(&request.operation, request.scope, refusal.code) else {
        return;
    };
    let counted = report.lane.repairs.entry(refusal.code.to_string()).or_default();
    let Some(proposal) = proposed(folder, request, inspection) else {
        counted.left += 1;
        return;
    };
    let paths = vec![request.src.path.clone()];
    let limits = match lane {
        Lane::Save => Limits::save(paths),
        Lane::Repair => Limits::repair(paths),
    };
    let Ok(checked) = gate::check(folder, &|_| true, &proposal, &limits) else {
        counted.refused += 1;
        return;
    };
    let verdict = check::check(folder, request, &checked.plan, Some(inspection));
    // In the product the page says so.
    if verdict.mistake.is_some() {
        counted.refused += 1;
        return;
    }
    counted.repaired += 1;
    if !verdict.intact || !is_inside(folder, request, &checked.plan) {
        report
            .wrong
            .push(format!("{words}: a repaired text changes something else"));
    }
}

/// Whether all that is changed stands between the element's tags.
fn is_inside(folder: &Folder, request: &Request, plan: &Plan) -> bool {
    let Some((_, inner)) = element(folder, request) else {
        return false;
    };
    plan.changes.iter().all(|change| {
        let mut replacements = change.replacements.iter();
        change.path == request.src.path
            && replacements.all(|one| inner.start <= one.range.start && one.range.end <= inner.end)
    })
}

/// The file, and what stands between the element's tags.
fn element(folder: &Folder, request: &Request) -> Option<(String, Range<usize>)> {
    let text = folder.read(&request.src.path)?.to_string();
    let outline = engine::outline(&request.src.path, &text).ok()?;
    let element = outline.locate(request.src.at)?;
    let end = element.opening.end + text[element.opening.end..element.range.end].rfind("</")?;
    Some((text, element.opening.end..end))
}

/// What the model says; nothing where it cannot do what was asked for.
fn proposed(folder: &Folder, request: &Request, inspection: &Inspection) -> Option<Proposal> {
    let Operation::Text { text: wanted, run } = &request.operation else {
        return None;
    };
    if inspection.repeated || inspection.usages.len() > 1 {
        return None;
    }
    let run = inspection.text.iter().find(|known| Some(known.run) == *run)?;
    let (text, inner) = element(folder, request)?;
    let range = expression(&text, &inner, run, inspection.text.len() == 1)?;
    let new = written(inspection.language, wanted);
    // As much around it as it takes to stand there once.
    let mut start = range.start;
    let mut end = range.end;
    while text.matches(&text[start..end]).count() > 1 {
        start = text[..start.checked_sub(1)?].rfind('\n').map_or(0, |at| at + 1);
        end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
    }
    let (old, new) = (
        text[start..end].to_owned(),
        format!("{}{new}{}", &text[start..range.start], &text[range.end..end]),
    );
    let path = request.src.path.clone();
    let why = "The text is written out".to_owned();
    let files = vec![Hunk { path, old, new }];
    Some(Proposal { files, why })
}

/// Where the expression stands that shows the text: the one with this source, or the only one there is.
fn expression(text: &str, inner: &Range<usize>, run: &Run, is_only: bool) -> Option<Range<usize>> {
    let children = &text[inner.clone()];
    let found = braces(children)
        .into_iter()
        .map(|range| inner.start + range.start..inner.start + range.end);
    let all: Vec<Range<usize>> = found.collect();
    let named: Vec<&Range<usize>> = all
        .iter()
        .filter(|range| text[(*range).clone()].trim_matches(['{', '}', ' ', '\n']) == run.text.trim())
        .collect();
    match (named.as_slice(), all.as_slice()) {
        ([only], _) => Some((*only).clone()),
        ([], [only]) if is_only && children.trim() == &text[only.clone()] => Some(only.clone()),
        _ => None,
    }
}

/// What stands in braces, outermost, in order; none where they do not pair.
fn braces(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, sign) in text.char_indices() {
        match sign {
            '{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            '}' if depth == 0 => return Vec::new(),
            '}' => {
                depth -= 1;
                if depth == 0 {
                    found.push(start..at + 1);
                }
            }
            _ => {}
        }
    }
    if depth == 0 { found } else { Vec::new() }
}

/// A text as the language has it between tags.
fn written(language: Language, text: &str) -> String {
    match language {
        Language::Jsx => format!("{{{}}}", serde_json::json!(text)),
        Language::Vue => text
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace("{{", "{{ '{{' }}"),
    }
}
