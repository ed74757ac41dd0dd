//! Which of the places a text can come from is meant.

use std::collections::HashSet;

use super::shown::{folded, same};
use crate::source::follow::{ElementAt, Resolver, Run, Way};
use crate::source::model::{Branch, Choice, Code, Refusal, Request, Scope, Stamp};

/// More than these are no choice for people.
const MAX_CHOICES: usize = 60;

/// What a request or an inspection says about which text is meant.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints<'r> {
    pub branch: Option<Branch>,
    pub scope: Option<Scope>,
    pub item: Option<usize>,
    pub usage: Option<&'r Stamp>,
    pub at: Option<&'r Stamp>,
    pub before: Option<&'r str>,
}

impl<'r> From<&'r Request> for Hints<'r> {
    fn from(request: &'r Request) -> Self {
        Self {
            branch: request.branch,
            scope: request.scope,
            item: request.item,
            usage: request.usage.as_ref(),
            at: request.at.as_ref(),
            before: request.before.as_deref(),
        }
    }
}

/// The ways of a run that are meant: one, or all items when that is asked for.
///
/// # Errors
/// With a choice when several are left, or with the reason why the only one is no text.
pub fn choose<'w>(
    resolver: &Resolver<'_>,
    element: &ElementAt,
    run: &'w Run,
    hints: &Hints<'_>,
) -> Result<Vec<&'w Way>, Refusal> {
    let all = hints.scope == Some(Scope::All);
    let mut ways: Vec<&Way> = run.ways.iter().collect();
    if let Some(at) = hints.at {
        ways.retain(|way| way.at().as_ref() == Some(at));
        expect(&ways, || {
            format!("No text of this element stands at {at}: ask for its texts once more")
        })?;
    }
    if let Some(branch) = hints.branch {
        ways.retain(|way| way.branch().is_none_or(|of| of == branch));
        if ways.is_empty() {
            let reason = "That side of the condition shows no text: choose the other one";
            return Err(Refusal::uncertain(Code::Expression, reason));
        }
    }
    if let Some(usage) = hints.usage {
        ways.retain(|way| way.usages().next().is_none() || way.usages().any(|stamp| stamp == usage));
        expect(&ways, || {
            format!("The text does not come from {usage}: ask for its texts once more")
        })?;
    }
    if hints.scope == Some(Scope::Item) && resolver.is_repeated(element) && !ways.iter().any(|way| way.is_item()) {
        return Err(Refusal::uncertain(
            Code::SameForAll,
            "Every item of the list shows this text from one and the same place: it can only be changed for all of them",
        ));
    }
    if !all
        && let Some(instance) = hints
            .item
            .filter(|_| ways.len() > 1)
            .and_then(|item| resolver.instance(element, item))
    {
        narrow(&mut ways, |way| way.agrees(&instance));
    }
    distinct(&mut ways);
    if ways.len() > 1
        && !all
        && let Some(before) = hints.before
    {
        narrow(&mut ways, |way| same(way.text(), before));
        comes_from_elsewhere(&ways, before)?;
    }
    if ways.iter().all(|way| way.locale().is_some()) && ways.len() > 1 {
        narrow(&mut ways, |way| way.locale().is_some_and(|(_, default)| default));
    }
    if all && let Some(unknown) = ways.iter().find_map(|way| way.end.as_ref().err()) {
        return Err(unknown.clone().into());
    }
    if all && ways.iter().all(|way| way.is_item()) {
        return Ok(ways);
    }
    match &ways[..] {
        [only] => match &only.end {
            Ok(_) => Ok(ways),
            Err(why) => Err(why.clone().into()),
        },
        several => Err(ask(several)),
    }
}

/// Refuses what the page shows when none of the known texts is in it, and another one is unknown: it is that one, so that each of
/// the known would be a wrong answer to the question.
fn comes_from_elsewhere(ways: &[&Way], before: &str) -> Result<(), Refusal> {
    let shown = |way: &&Way| folded(before).contains(&folded(way.text()));
    let unknown = ways.iter().find_map(|way| way.end.as_ref().err());
    match unknown {
        Some(why) if ways.len() > 1 && !ways.iter().any(|way| way.end.is_ok() && shown(way)) => Err(why.clone().into()),
        _ => Ok(()),
    }
}

/// Keeps what fits, unless nothing would.
fn narrow(ways: &mut Vec<&Way>, fits: impl Fn(&Way) -> bool) {
    if ways.iter().any(|way| fits(way)) {
        ways.retain(|way| fits(way));
    }
}

fn expect(ways: &[&Way], reason: impl FnOnce() -> String) -> Result<(), Refusal> {
    if ways.is_empty() {
        Err(Refusal::changed(reason()))
    } else {
        Ok(())
    }
}

/// Several ways may lead to one place.
fn distinct(ways: &mut Vec<&Way>) {
    let mut seen = HashSet::new();
    ways.retain(|way| {
        let place = match &way.end {
            Ok((module, fixed)) => format!("{}:{}", module.path, fixed.range.start),
            Err(why) => why.reason.clone(),
        };
        seen.insert(place)
    });
}

/// The question which of several is meant, by the option that tells them apart.
fn ask(ways: &[&Way]) -> Refusal {
    let choices = choices(ways);
    let reason = match choices.first().map(|choice| choice.option) {
        Some("branch") => "The text depends on a condition: choose which of the two texts to change",
        Some("usage") => "The text is given where the component is used: choose which use to change",
        _ => "The text can come from several places: choose which one to change",
    };
    Refusal::choose(reason, choices)
}

/// What to choose between.
pub fn choices(ways: &[&Way]) -> Vec<Choice> {
    if ways.len() < 2 {
        return Vec::new();
    }
    let usages: Vec<Option<&Stamp>> = ways.iter().map(|way| telling(way, ways)).collect();
    let mut choices = Vec::new();
    if usages.iter().all(Option::is_some) && usages.iter().any(|usage| usage != &usages[0]) {
        for (way, usage) in ways.iter().zip(&usages) {
            if let Some(usage) = usage {
                choices.push(Choice::usage(
                    usage,
                    format!("{} – used in {}:{}", way.label(), usage.path, usage.at.line),
                ));
            }
        }
    } else if ways.iter().all(|way| way.branch().is_some()) && ways.iter().any(|way| way.branch() != ways[0].branch()) {
        for way in ways {
            if let Some(branch) = way.branch() {
                choices.push(Choice::branch(branch, format!("{}{}", way.label(), way.condition())));
            }
        }
    } else {
        for way in ways {
            if let Some(at) = way.at() {
                let label = format!("{} – {}{}:{}", way.label(), way.detail(), at.path, at.at.line);
                choices.push(Choice::new("at", at.to_string(), label));
            }
        }
        if ways.iter().all(|way| way.is_item() && way.end.is_ok()) {
            choices.push(Choice::scope(Scope::All, format!("All {} items", ways.len())));
        }
    }
    let mut seen = HashSet::new();
    choices.retain(|choice| seen.insert(choice.value.to_string()));
    choices.truncate(MAX_CHOICES);
    choices
}

/// The use that this way has and not all others have.
fn telling<'w>(way: &'w Way, all: &[&Way]) -> Option<&'w Stamp> {
    let shared = |stamp: &Stamp| all.iter().all(|other| other.usages().any(|usage| usage == stamp));
    way.usages().find(|stamp| !shared(stamp))
}
