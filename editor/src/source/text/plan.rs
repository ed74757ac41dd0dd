//! Planning the `text` kind.

use std::collections::BTreeMap;

use super::choose::{Hints, choose};
use super::placeholders::{self, Reader};
use super::shown::{expect_one_shown, expect_shown, same};
use crate::source::follow::{ElementAt, Resolver, Run, Way};
use crate::source::model::{Change, Choice, Code, Plan, Project, Refusal, Replacement, Request};
use crate::source::module::{Fixed, Module};
use crate::source::names;
use crate::source::notation::{Notation, smallest};

/// What has to be replaced so that the element, or its `run` of that number, shows another text.
///
/// # Errors
/// With a choice when the text can be one of several, and with a refusal when it stands nowhere as text or is not what was shown.
pub fn plan(project: &dyn Project, request: &Request, (text, run): (&str, Option<usize>)) -> Result<Plan, Refusal> {
    let resolver = Resolver::new(project);
    let element = resolver.find(&request.src)?;
    let runs = resolver.runs(&element);
    if runs.is_empty() {
        let plan = fill(&resolver, &element, text)?;
        return expect_shown(request.before.as_deref(), "", false).map(|()| plan);
    }
    no_code(&element)?;
    let run = match (run, &runs[..]) {
        (Some(index), _) => runs.get(index).ok_or_else(|| {
            let reason = format!("The element has {} texts, there is no number {index}", runs.len());
            Refusal::uncertain(Code::NoText, reason)
        })?,
        (None, [only]) => only,
        (None, _) => by_text(&resolver, &element, &runs, request)?,
    };
    let ways = choose(&resolver, &element, run, &Hints::from(request))?;
    expect_one_shown(request.before.as_deref(), &ways, runs.len() > 1)?;
    let reader = if element.module.path.ends_with(".vue") {
        Reader::Vue
    } else {
        Reader::Other
    };
    let mut changes: BTreeMap<String, Vec<Replacement>> = BTreeMap::new();
    for way in ways {
        let (module, fixed) = way.end.as_ref().map_err(|why| Refusal::from(why.clone()))?;
        let replacement = replace(module, fixed, way.locale().map(|_| reader), text)?;
        changes.entry(module.path.clone()).or_default().push(replacement);
    }
    let changes = changes.into_iter();
    let changes = changes.map(|(path, replacements)| Change { path, replacements });
    Ok(Plan {
        changes: changes.collect(),
        ..Plan::default()
    })
}

/// The run that shows what was shown before the edit, or the question which one is meant.
fn by_text<'r>(
    resolver: &Resolver<'_>,
    element: &ElementAt,
    runs: &'r [Run],
    request: &Request,
) -> Result<&'r Run, Refusal> {
    if let Some(before) = &request.before {
        let mut fitting = runs
            .iter()
            .filter(|run| run.ways.iter().any(|way| same(way.text(), before)));
        if let (Some(only), None) = (fitting.next(), fitting.next()) {
            return Ok(only);
        }
    }
    let hints = Hints::from(request);
    let choices = runs.iter().enumerate().filter_map(|(index, run)| {
        let label = match choose(resolver, element, run, &hints) {
            Ok(ways) => ways.first().map(|way| way.label())?,
            Err(refusal) if refusal.choices.is_empty() => return None,
            Err(_) => {
                let texts: Vec<String> = run.ways.iter().take(3).map(Way::label).collect();
                texts.join(" or ")
            }
        };
        Some(Choice::run(index, label))
    });
    let choices: Vec<Choice> = choices.collect();
    if choices.is_empty() {
        let why = runs
            .iter()
            .flat_map(|run| &run.ways)
            .find_map(|way| way.end.as_ref().err());
        if let Some(why) = why {
            return Err(why.clone().into());
        }
    }
    Err(Refusal::choose(
        "The element shows several texts: choose which one to change",
        choices,
    ))
}

/// The replacement of one text; `reader` is of a translation's.
fn replace(module: &Module, fixed: &Fixed, reader: Option<Reader>, text: &str) -> Result<Replacement, Refusal> {
    let place = module.place(fixed.range.start);
    let notation = fixed.notation;
    if notation == Notation::Number {
        return number(fixed, &place, text);
    }
    if text.contains(['\n', '\r']) && !notation.takes_line_breaks() && !fixed.text.contains('\n') {
        let reason = format!(
            "The text is a string at {place}, where a line break would show as a space; write it in one line, or put the \
             lines into elements of their own"
        );
        return Err(Refusal::uncertain(Code::LineBreak, reason));
    }
    if text.contains('\0') {
        return Err(Refusal::uncertain(
            Code::ControlCharacter,
            "A text cannot hold the character U+0000: write it without",
        ));
    }
    let message = match reader {
        None => text.to_owned(),
        Some(reader) => placeholders::message(&fixed.text, text, reader).ok_or_else(|| {
            let reason = format!(
                "The translation at {place} reads “{}”: what stands in braces or tags is filled in by the code and has to \
                 stay as it is, each once",
                fixed.text
            );
            Refusal::uncertain(Code::Placeholders, reason)
        })?,
    };
    let text = at_edges(module, fixed, &message);
    let written = module.excerpt(&fixed.range);
    let (range, text) = smallest(notation, written, &fixed.text, &text);
    let range = fixed.range.start + range.start..fixed.range.start + range.end;
    Ok(Replacement::new(range, text))
}

/// White space at the edges of a text between tags belongs to the place and stays there.
fn at_edges(module: &Module, fixed: &Fixed, text: &str) -> String {
    if !fixed.notation.takes_line_breaks() {
        return text.to_owned();
    }
    let is_white = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_whitespace);
    let bytes = module.text.as_bytes();
    let mut text = text;
    if is_white(fixed.range.start.checked_sub(1).and_then(|at| bytes.get(at))) {
        text = text.trim_start_matches([' ', '\t', '\n', '\r']);
    }
    if is_white(bytes.get(fixed.range.end)) {
        text = text.trim_end_matches([' ', '\t', '\n', '\r']);
    }
    text.to_owned()
}

fn number(fixed: &Fixed, place: &str, text: &str) -> Result<Replacement, Refusal> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.ends_with(|last: char| last.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && digits.parse::<f64>().is_ok()
        && (!digits.starts_with('0') || digits == "0" || digits.starts_with("0."));
    if !is_number {
        let reason = format!(
            "It is the number {} at {place}, and the code may count with it: only a number can take its place",
            fixed.text
        );
        return Err(Refusal::uncertain(Code::NotANumber, reason));
    }
    Ok(Replacement::new(fixed.range.clone(), text))
}

/// Refuses the text of scripts and stylesheets.
pub(super) fn no_code(element: &ElementAt) -> Result<(), Refusal> {
    let written = &element.module[element.id];
    match names::content(&written.tag) {
        names::Content::Code if written.component.is_none() => takes_text(&written.tag),
        _ => Ok(()),
    }
}

/// Gives a text to an element that has none.
pub(super) fn fill(resolver: &Resolver<'_>, element: &ElementAt, text: &str) -> Result<Plan, Refusal> {
    let module = &element.module;
    let written = &module[element.id];
    let tag = &written.tag;
    if !written.is_empty() {
        let reason = format!("<{tag}> shows no text of its own: select the element inside it that holds the text");
        return Err(Refusal::uncertain(Code::NoText, reason));
    }
    let is_component = written.component.is_some();
    if !is_component && !names::is_host(tag) {
        let reason = format!(
            "<{tag}> is no element of the page: what it shows is decided by its own source or its properties: select an element inside it, or change a property"
        );
        return Err(Refusal::uncertain(Code::NoText, reason));
    }
    if !is_component {
        takes_text(tag)?;
    }
    let raw = [
        "dangerouslySetInnerHTML",
        "v-html",
        "v-text",
        "v-slots",
        "vHtml",
        "vText",
        "innerHTML",
        "textContent",
        "children",
    ];
    if written
        .attributes
        .iter()
        .any(|attribute| raw.contains(&attribute.name.as_str()) || attribute.name.is_empty())
    {
        let reason = format!(
            "What <{tag}> shows is given by an attribute at {}: change that in the code",
            module.place(written.range.start)
        );
        return Err(Refusal::uncertain(Code::NoText, reason));
    }
    if is_component {
        resolver.shows_content(element)?;
    }
    let shown = Notation::JsxText.write(text);
    let replacement = if written.closing.is_some() {
        Replacement::insert(written.opening.end, shown)
    } else {
        let before = module.excerpt(&(written.range.start..written.opening.end - "/>".len()));
        let start = written.range.start + layout(before);
        Replacement::new(start..written.range.end, format!(">{shown}</{tag}>"))
    };
    Ok(Plan::of(module.path.clone(), vec![replacement]))
}

/// Refuses an element of the page that shows no text which stands in it.
fn takes_text(tag: &str) -> Result<(), Refusal> {
    match names::content(tag).no_text(tag) {
        None => Ok(()),
        Some(why) => Err(Refusal::uncertain(Code::NoText, why)),
    }
}

/// How much of a tag before its `/>` stays: a line break before that belongs to the layout of the attributes.
fn layout(tag: &str) -> usize {
    let end = tag.trim_end();
    if tag[end.len()..].contains(['\n', '\r']) {
        tag.len()
    } else {
        end.len()
    }
}
