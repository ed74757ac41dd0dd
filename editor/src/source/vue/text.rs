//! Texts of elements: runs of characters, and strings in `{{ }}`.

use super::document::Document;
use super::entities::{self, Within};
use super::expression::{self, Value};
use super::tree::{Bound, Element, Id, Kind, Sfc, Shown, Span};
use super::{attribute, names, whitespace};
use crate::source::Branch;
use crate::source::inspection::{Run, RunForm};
use crate::source::plan::{Choice, Plan, Refusal, Replacement};

/// The nodes of an element that show text, in order: the runs that a request counts.
pub(super) fn runs(document: &Document<'_>, element: &Element) -> Vec<Id> {
    let shows = |id: &&Id| match document.sfc.nodes[**id].kind {
        Kind::Text(text) => {
            !matches!(text.shown, Shown::Nothing | Shown::Space)
                && !whitespace::shown(&document.sfc, **id).trim().is_empty()
        }
        Kind::Interpolation(_) => true,
        Kind::Comment | Kind::Element(_) => false,
    };
    element.children.iter().filter(shows).copied().collect()
}

/// Whether the element's texts are followed to where they stand: all but those whose characters mean something else than
/// in the rest of a template, and elements that are still empty.
pub(super) fn is_followed(document: &Document<'_>, id: Id) -> Result<bool, Refusal> {
    let element = document.element(id)?;
    let plain = |id: &Id| match document.sfc.nodes[*id].kind {
        Kind::Text(text) => text.solid && !text.raw && text.shown != Shown::Exact,
        _ => true,
    };
    let filled = element.children.iter().any(|id| match &document.sfc.nodes[*id].kind {
        Kind::Element(inner) => matches!(document.tag(inner), "slot" | "template" | "i18n-t" | "I18nT"),
        Kind::Interpolation(_) => true,
        Kind::Text(text) => text.shown != Shown::Nothing,
        Kind::Comment => false,
    });
    Ok(filled && !element.verbatim && element.children.iter().all(plain) && takes_text(document, element).is_ok())
}

/// Replaces one run.
pub(super) fn plan(
    document: &Document<'_>,
    id: Id,
    text: &str,
    run: Option<usize>,
    branch: Option<Branch>,
) -> Result<Plan, Refusal> {
    let element = document.element(id)?;
    takes_text(document, element)?;
    let runs = runs(document, element);
    let node = match (runs.as_slice(), run) {
        ([], None | Some(0)) => return first(document, element, text),
        ([one], None) => *one,
        (several, None) => return Err(choose(document, several)),
        (several, Some(run)) => *several.get(run).ok_or_else(|| {
            Refusal::changed(format!(
                "The element has no text number {run} any more: the file was changed meanwhile"
            ))
        })?,
    };
    let replacement = replace(document, element, node, text, branch)?;
    Ok(document.plan(vec![replacement]))
}

/// Refuses elements whose content is not what stands between their tags.
fn takes_text(document: &Document<'_>, element: &Element) -> Result<(), Refusal> {
    let tag = document.tag(element);
    if names::is_void(tag) {
        return Err(Refusal::uncertain("no-text", format!("<{tag}> has no text")));
    }
    for (kind, name) in [(Bound::Html, "v-html"), (Bound::Text, "v-text")] {
        if let Some(directive) = document.directive(element, kind) {
            let source = attribute::short(directive.span.of(document.text));
            let reason =
                format!("{source} sets the element's content when the prototype runs; {name} is changed in the code");
            return Err(Refusal::uncertain("expression", reason));
        }
    }
    Ok(())
}

/// The first text of an element that has none.
fn first(document: &Document<'_>, element: &Element, text: &str) -> Result<Plan, Refusal> {
    let holds = |id: &Id| matches!(document.sfc.nodes[*id].kind, Kind::Element(_));
    if element.children.iter().any(holds) {
        let reason = "The element has no text of its own, only other elements: select the one whose text is meant";
        return Err(Refusal::uncertain("no-text", reason));
    }
    let text = entities::text(whitespace::condensed(text).trim(), element.verbatim);
    let replacement = match element.close {
        Some(close) => Replacement::insert(close.start, text),
        None => opened(document, element, &text),
    };
    Ok(document.plan(vec![replacement]))
}

/// `<p />` as `<p>content</p>`.
pub(super) fn opened(document: &Document<'_>, element: &Element, content: &str) -> Replacement {
    let before = document.text[..element.open.end - 2].trim_end();
    let start = before.len().max(element.name.end);
    // `a=b />` without the space would take the bracket into the value only if it had a slash; `>` ends it.
    Replacement::new(
        start..element.open.end,
        format!(">{content}</{}>", document.tag(element)),
    )
}

fn choose(document: &Document<'_>, runs: &[Id]) -> Refusal {
    let label = |id: &Id| match document.sfc.nodes[*id].kind {
        Kind::Interpolation(inner) => format!("{{{{ {} }}}}", attribute::short(inner.of(document.text))),
        _ => format!("“{}”", attribute::short(&whitespace::shown(&document.sfc, *id))),
    };
    let choices = runs.iter().enumerate().map(|(run, id)| Choice::run(run, label(id)));
    Refusal::choose(
        "The element has several texts: choose the one that is meant",
        choices.collect(),
    )
}

/// Replaces what the node shows.
fn replace(
    document: &Document<'_>,
    element: &Element,
    node: Id,
    text: &str,
    branch: Option<Branch>,
) -> Result<Replacement, Refusal> {
    match document.sfc.nodes[node].kind {
        Kind::Interpolation(inner) => {
            let literal = match interpolated(document, inner) {
                Value::Text(literal) => literal,
                Value::Condition(sides) => sides.chosen(branch)?.clone(),
                _ => return Err(computed(document, inner)),
            };
            let written = entities::script(text, literal.quote, Within::Interpolation);
            Ok(Replacement::new(literal.inner.range(), written))
        }
        Kind::Text(own) if !own.solid => Err(mixed()),
        Kind::Text(own) if own.shown == Shown::Exact => Ok(exact(document, element, node, text)),
        Kind::Text(_) => {
            let span = core(&document.sfc, node);
            let text = entities::text(whitespace::condensed(text).trim(), element.verbatim);
            Ok(Replacement::new(span.range(), text))
        }
        Kind::Comment | Kind::Element(_) => Err(Refusal::changed("There is no text any more")),
    }
}

/// The range of a text without the white space around it.
#[must_use]
pub fn core(sfc: &Sfc<'_>, node: Id) -> Span {
    let space = [' ', '\t', '\n', '\r', '\x0c'];
    let span = sfc.nodes[node].span;
    let source = span.of(sfc.text);
    let start = span.start + source.len() - source.trim_start_matches(space).len();
    Span::new(start, start + source.trim_matches(space).len())
}

/// In `pre` and `textarea` white space counts, but for a line end right behind the tag.
fn exact(document: &Document<'_>, element: &Element, node: Id, text: &str) -> Replacement {
    let span = document.sfc.nodes[node].span;
    let source = span.of(document.text);
    let is_first = span.start == element.open.end && matches!(document.tag(element), "pre" | "textarea");
    let dropped = ["\r\n", "\n"]
        .iter()
        .find(|line| is_first && source.starts_with(**line))
        .map_or(0, |line| line.len());
    let line_end = document.line_end();
    let lines: Vec<&str> = text.lines().collect();
    let mut written = entities::text(&lines.join(line_end), element.verbatim);
    if text.ends_with('\n') {
        written.push_str(line_end);
    }
    if is_first && dropped == 0 && written.starts_with(['\r', '\n']) {
        written.insert_str(0, line_end);
    }
    Replacement::new(span.start + dropped..span.end, written)
}

/// What stands in `{{ }}`.
fn interpolated(document: &Document<'_>, inner: Span) -> Value {
    let source = inner.of(document.text);
    // Vue reads character references in expressions, and then places do not agree.
    if entities::decode(source) != source {
        return Value::Other;
    }
    expression::value(document.text, inner)
}

fn computed(document: &Document<'_>, inner: Span) -> Refusal {
    let source = attribute::short(inner.of(document.text));
    let reason = format!("{{{{ {source} }}}} is computed when the prototype runs; change it in the code");
    Refusal::uncertain("expression", reason)
}

/// The runs, for inspection.
pub(super) fn inspect(document: &Document<'_>, element: &Element) -> Vec<Run> {
    let refused = takes_text(document, element).err();
    let runs = runs(document, element);
    runs.iter()
        .enumerate()
        .map(|(run, id)| {
            let mut shown = describe(document, run, *id);
            if let Some(refusal) = &refused {
                shown.editable = false;
                shown.why = Some(refusal.reason.clone());
            }
            shown
        })
        .collect()
}

fn describe(document: &Document<'_>, run: usize, id: Id) -> Run {
    let node = &document.sfc.nodes[id];
    let mut result = Run {
        run,
        text: String::new(),
        form: RunForm::Plain,
        editable: true,
        why: None,
        at: Some(document.stamp(node.span.start)),
        shared: 1,
        choices: Vec::new(),
    };
    let refuse = |result: &mut Run, refusal: Refusal| {
        result.editable = false;
        result.why = Some(refusal.reason);
    };
    match node.kind {
        Kind::Interpolation(inner) => match interpolated(document, inner) {
            Value::Text(literal) => {
                result.form = RunForm::Literal;
                result.at = Some(document.stamp(literal.inner.start));
                result.text = literal.text;
            }
            Value::Condition(sides) => {
                result.form = RunForm::Branch;
                result.text = inner.of(document.text).to_owned();
                result.choices = sides.choices();
            }
            _ => {
                result.form = RunForm::Expression;
                result.text = inner.of(document.text).to_owned();
                refuse(&mut result, computed(document, inner));
            }
        },
        Kind::Text(text) => {
            let shown = whitespace::shown(&document.sfc, id);
            if text.shown == Shown::Exact {
                result.text = shown;
            } else {
                result.text = shown.trim().to_owned();
                result.at = Some(document.stamp(core(&document.sfc, id).start));
            }
            if !text.solid {
                refuse(&mut result, mixed());
            }
        }
        Kind::Comment | Kind::Element(_) => {}
    }
    result
}

fn mixed() -> Refusal {
    let reason = "The text has a CDATA section, a declaration or a stray tag in it; change it in the code";
    Refusal::uncertain("mixed-text", reason)
}
