//! Texts of elements: runs of characters, and strings in `{{ }}`.

use super::document::Document;
use crate::source::follow::Resolver;
use crate::source::model::Code;
use crate::source::model::inspection::{Able, Run, RunForm};
use crate::source::model::plan::{Choice, Plan, Refusal, Replacement, short};
use crate::source::model::{Inspect, Operation, Project, Request, Stamp};
use crate::source::notation::{Notation, smallest};
use crate::source::sfc::names::{self, Content};
use crate::source::sfc::tree::{Attribute, Bound, Element, Id, NodeKind, Shown};
use crate::source::sfc::whitespace::{self, core};
use crate::source::text::expect_shown;

/// The nodes of an element that show text, in order: the runs that a request counts.
pub(super) fn runs(document: &Document<'_>, element: &Element) -> Vec<Id> {
    let shows = |id: &&Id| match document.sfc.nodes[**id].kind {
        NodeKind::Text(text) => {
            !matches!(text.shown, Shown::Nothing | Shown::Space)
                && !whitespace::shown(&document.sfc, **id).trim().is_empty()
        }
        NodeKind::Interpolation(_) => true,
        NodeKind::Comment | NodeKind::Element(_) => false,
    };
    element.children.iter().filter(shows).copied().collect()
}

/// Replaces one run.
///
/// Characters between the tags are changed here, since white space and `v-pre` have rules of their own; what stands in
/// `{{ }}` and slots is followed by [`crate::source::text`].
pub(super) fn plan(
    project: &dyn Project,
    document: &Document<'_>,
    id: Id,
    request: &Request,
    (text, run): (&str, Option<usize>),
) -> Result<Plan, Refusal> {
    let element = document.element(id)?;
    takes_text(document, element)?;
    let own = runs(document, element);
    let before = request.before.as_deref();
    if own.is_empty() && !has_slot(document, element) {
        let source = (project, &request.src);
        let plan = first(source, document, element, text)?;
        return expect_shown(before, "", false).map(|()| plan);
    }
    let node = if is_own(document, element) {
        Some(chosen(document, &own, run, before)?)
    } else {
        followed(project, document, &own, request, run)?
    };
    match node {
        Some(node) => {
            let replacement = replace(document, element, node, text)?;
            let shown = whitespace::shown(&document.sfc, node);
            expect_shown(before, &shown, own.len() > 1)?;
            Ok(document.plan(vec![replacement]))
        }
        None => crate::source::text::plan(project, request, (text, run)),
    }
}

/// Whether all the element shows of its own are characters between its tags.
fn is_own(document: &Document<'_>, element: &Element) -> bool {
    let is_followed = |id: &Id| matches!(document.sfc.nodes[*id].kind, NodeKind::Interpolation(_));
    !has_slot(document, element) && !element.children.iter().any(is_followed)
}

fn has_slot(document: &Document<'_>, element: &Element) -> bool {
    let elements = element.children.iter().filter_map(|id| document.sfc.element(*id));
    let tags = elements.map(|element| document.tag(element));
    // What a fragment and vue-i18n's component show is the element's own, too.
    tags.into_iter()
        .any(|tag| matches!(tag, "slot" | "template" | "i18n-t" | "I18nT"))
}

/// The one of several texts that is meant.
fn chosen(document: &Document<'_>, own: &[Id], run: Option<usize>, before: Option<&str>) -> Result<Id, Refusal> {
    if let Some(run) = run {
        return own.get(run).copied().ok_or_else(|| {
            let reason = format!("The element has {} texts, there is no number {run}", own.len());
            Refusal::uncertain(Code::NoText, reason)
        });
    }
    let reads = |id: &&Id| {
        before.is_none_or(|before| {
            whitespace::condensed(&whitespace::shown(&document.sfc, **id)).trim()
                == whitespace::condensed(before).trim()
        })
    };
    let mut fitting = own.iter().filter(reads);
    match (own, fitting.next(), fitting.next()) {
        ([only], ..) | (_, Some(only), None) => Ok(*only),
        _ => Err(choose(document, own)),
    }
}

/// The text between the tags that the run is, when it is one.
fn followed(
    project: &dyn Project,
    document: &Document<'_>,
    own: &[Id],
    request: &Request,
    run: Option<usize>,
) -> Result<Option<Id>, Refusal> {
    let resolver = Resolver::new(project);
    let runs = resolver.runs(&resolver.find(&request.src)?);
    let run = match (run, runs.as_slice()) {
        (Some(run), _) => runs.get(run),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let Some([way]) = run.map(|run| run.ways.as_slice()) else {
        return Ok(None);
    };
    let Ok((module, fixed)) = &way.end else { return Ok(None) };
    let here = |id: &&Id| {
        let is_text = matches!(document.sfc.nodes[**id].kind, NodeKind::Text(_));
        is_text && module.path == document.path && core(&document.sfc, **id).range() == fixed.range
    };
    Ok(own.iter().find(here).copied())
}

/// Refuses elements whose content is not what stands between their tags.
fn takes_text(document: &Document<'_>, element: &Element) -> Result<(), Refusal> {
    let tag = document.tag(element);
    let content = names::content(tag);
    if matches!(content, Content::Void | Content::Code)
        && let Some(why) = content.no_text(tag)
    {
        return Err(Refusal::uncertain(Code::NoText, why));
    }
    for (kind, name) in [(Bound::Html, "v-html"), (Bound::Text, "v-text")] {
        if let Some(directive) = document.directive(element, kind) {
            let source = short(directive.span.of(document.text));
            let reason =
                format!("{source} sets the element's content when the prototype runs; {name} is changed in the code");
            return Err(Refusal::uncertain(Code::Expression, reason));
        }
    }
    Ok(())
}

/// The first text of an element that has none.
fn first(
    (project, src): (&dyn Project, &Stamp),
    document: &Document<'_>,
    element: &Element,
    text: &str,
) -> Result<Plan, Refusal> {
    let holds = |id: &Id| matches!(document.sfc.nodes[*id].kind, NodeKind::Element(_));
    if element.children.iter().any(holds) {
        let reason = "The element has no text of its own, only other elements: select the one whose text is meant";
        return Err(Refusal::uncertain(Code::NoText, reason));
    }
    if document.sfc.is_component(element) {
        let resolver = Resolver::new(project);
        resolver.shows_content(&resolver.find(src)?)?;
    } else if !is_fragment(document, element)
        && let Some(why) = names::content(document.tag(element)).no_text(document.tag(element))
    {
        return Err(Refusal::uncertain(Code::NoText, why));
    }
    let text = notation(element).write(&trimmed(text));
    let replacement = match element.close {
        Some(close) => Replacement::insert(close.start, text),
        None => opened(document, element, &text),
    };
    Ok(document.plan(vec![replacement]))
}

/// `<template v-if>`, which is shown as what stands in it; without a directive it is an element that is not shown.
fn is_fragment(document: &Document<'_>, element: &Element) -> bool {
    let decides = |attribute: &Attribute| {
        let kind = attribute.directive.as_ref().map(|directive| directive.kind);
        matches!(
            kind,
            Some(Bound::If | Bound::ElseIf | Bound::Else | Bound::For | Bound::Slot)
        )
    };
    document.tag(element) == "template" && element.attributes.iter().any(decides)
}

/// `<p />` as `<p>content</p>`.
pub(super) fn opened(document: &Document<'_>, element: &Element, content: &str) -> Replacement {
    let slash = element.open.end - "/>".len();
    let before = document.text[..slash].trim_end();
    // A line break before the end belongs to the layout of the attributes.
    let start = match document.text[before.len()..slash].contains(['\n', '\r']) {
        true => slash,
        false => before.len().max(element.name.end),
    };
    // `a=b />` without the space would take the bracket into the value only if it had a slash; `>` ends it.
    Replacement::new(
        start..element.open.end,
        format!(">{content}</{}>", document.tag(element)),
    )
}

fn choose(document: &Document<'_>, runs: &[Id]) -> Refusal {
    let label = |id: &Id| match document.sfc.nodes[*id].kind {
        NodeKind::Interpolation(inner) => format!("{{{{ {} }}}}", short(inner.of(document.text))),
        _ => format!("“{}”", short(&whitespace::shown(&document.sfc, *id))),
    };
    let choices = runs.iter().enumerate().map(|(run, id)| Choice::run(run, label(id)));
    Refusal::choose(
        "The element has several texts: choose the one that is meant",
        choices.collect(),
    )
}

/// Replaces what the node shows.
fn replace(document: &Document<'_>, element: &Element, node: Id, text: &str) -> Result<Replacement, Refusal> {
    let NodeKind::Text(own) = document.sfc.nodes[node].kind else {
        let reason = "There is no text at that place: select the element once more";
        return Err(Refusal::uncertain(Code::NoText, reason));
    };
    if !own.solid {
        return Err(mixed());
    }
    if own.shown == Shown::Exact {
        return Ok(exact(document, element, node, text));
    }
    let span = core(&document.sfc, node);
    let text = trimmed(text);
    if element.verbatim {
        return Ok(Replacement::new(span.range(), notation(element).write(&text)));
    }
    let source = span.of(document.text);
    let shown = whitespace::shown(&document.sfc, node);
    let (range, mut new) = smallest(Notation::HtmlText, source, shown.trim(), &text);
    // A brace at an edge could join one beside it.
    if new.contains('{') || text.ends_with('{') {
        return Ok(Replacement::new(span.range(), Notation::HtmlText.write(&text)));
    }
    if new.contains('\u{a0}') {
        new = new.replace('\u{a0}', "&nbsp;");
    }
    Ok(Replacement::new(span.start + range.start..span.start + range.end, new))
}

/// Each line without the white space that the page would not show.
fn trimmed(text: &str) -> String {
    let lines = text.trim_matches(['\n', '\r', ' ', '\t']).lines();
    let lines: Vec<String> = lines
        .map(|line| whitespace::condensed(line).trim_matches(' ').to_owned())
        .collect();
    lines.join("\n")
}

fn notation(element: &Element) -> Notation {
    match element.verbatim {
        true => Notation::VerbatimText,
        false => Notation::HtmlText,
    }
}

/// In `pre` and `textarea` white space counts, but for a line end right behind the tag.
fn exact(document: &Document<'_>, element: &Element, node: Id, text: &str) -> Replacement {
    let whole = document.sfc.nodes[node].span;
    let span = core(&document.sfc, node);
    let line_end = document.line_end();
    let lines: Vec<&str> = text.lines().collect();
    let mut written = notation(element).write_with_lines(&lines.join(line_end));
    if text.ends_with('\n') {
        written.push_str(line_end);
    }
    // The first line end right behind the tag is none of the text's.
    let is_first = whole.start == element.open.end && span == whole;
    if is_first && written.starts_with(['\r', '\n']) {
        written.insert_str(0, line_end);
    }
    Replacement::new(span.range(), written)
}

/// The runs, for inspection.
pub(super) fn inspect(
    project: &dyn Project,
    document: &Document<'_>,
    element: &Element,
    inspect: &Inspect,
) -> Vec<Run> {
    let own = || {
        let runs = runs(document, element).into_iter().enumerate();
        runs.map(|(run, id)| describe(document, run, id)).collect()
    };
    let mut runs: Vec<Run> = if is_own(document, element) {
        own()
    } else {
        crate::source::text::texts(project, inspect).map_or_else(|_| own(), |texts| texts.runs)
    };
    // What is unknown is shown as its expression.
    let nodes = self::runs(document, element);
    if nodes.len() == runs.len() {
        for (run, id) in runs.iter_mut().zip(nodes) {
            if let (true, NodeKind::Interpolation(inner)) =
                (run.form == RunForm::Expression, &document.sfc.nodes[id].kind)
            {
                run.text = inner.of(document.text).to_owned();
            }
        }
    }
    if let Err(refusal) = takes_text(document, element) {
        for run in &mut runs {
            run.editable = false;
            run.why = Some(refusal.reason.clone());
        }
    }
    runs
}

/// Whether a text can be changed, or the element given its first.
pub(super) fn able(source: (&dyn Project, &Stamp), document: &Document<'_>, element: &Element, runs: &[Run]) -> Able {
    if runs.is_empty() && is_own(document, element) {
        return Able::of(&takes_text(document, element).and_then(|()| first(source, document, element, "x")));
    }
    if runs.is_empty() {
        // What stands there shows nothing: what can be done about that, an edit says.
        let (text, run) = ("x".to_owned(), None);
        let request = Request::of(source.1.clone(), Operation::Text { text, run });
        let planned = crate::source::text::plan(source.0, &request, ("x", None));
        return Able::of(&takes_text(document, element).and(planned));
    }
    match runs.iter().find_map(|run| run.why.as_ref()) {
        Some(why) if !runs.iter().any(|run| run.editable) => Able::No(why.clone()),
        _ => Able::Yes,
    }
}

fn describe(document: &Document<'_>, run: usize, id: Id) -> Run {
    let node = &document.sfc.nodes[id];
    let at = core(&document.sfc, id);
    let (form, text, refused) = match node.kind {
        NodeKind::Text(text) => {
            let shown = whitespace::shown(&document.sfc, id);
            let shown = if text.shown == Shown::Exact {
                shown
            } else {
                shown.trim().to_owned()
            };
            (RunForm::Plain, shown, (!text.solid).then(mixed))
        }
        // Only when the scripts of the file cannot be read.
        _ => {
            let source = node.span.of(document.text).to_owned();
            let reason = "The file's scripts cannot be read, so the expression cannot be followed: correct them first";
            (
                RunForm::Expression,
                source,
                Some(Refusal::uncertain(Code::SyntaxError, reason)),
            )
        }
    };
    Run {
        run,
        text,
        form,
        editable: refused.is_none(),
        why: refused.map(|refusal| refusal.reason),
        at: Some(document.stamp(at.start)),
        shared: 1,
        choices: Vec::new(),
    }
}

fn mixed() -> Refusal {
    let reason = "The text has a CDATA section, a declaration or a stray tag in it; change it in the code";
    Refusal::uncertain(Code::MixedText, reason)
}
