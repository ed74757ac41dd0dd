//! What an inspection says about texts.

use super::choose::{Hints, choices, choose};
use super::plan;
use crate::source::follow::{ElementAt, Resolver, Run as Found, Way};
use crate::source::model::inspection::{Able, Run, RunForm, Usage};
use crate::source::model::{Inspect, Project, Refusal};

/// All that an inspection says about texts.
#[derive(Debug)]
pub struct Texts {
    /// The element's runs.
    pub runs: Vec<Run>,
    /// Where the component that holds the element is used.
    pub usages: Vec<Usage>,
    /// Whether one of them can be changed.
    pub can: Able,
}

/// The element's texts, each with where it stands and whether it can be changed.
///
/// # Errors
/// When the element is not there.
pub fn texts(project: &dyn Project, inspect: &Inspect) -> Result<Texts, Refusal> {
    let resolver = Resolver::new(project);
    let element = resolver.find(&inspect.src)?;
    let runs = runs(&resolver, &element, inspect);
    let code = plan::no_code(&element).err();
    let can = match runs.iter().find_map(|run| run.why.clone()) {
        _ if code.is_some() && !runs.is_empty() => Able::No(code.map_or_else(String::new, |refusal| refusal.reason)),
        _ if runs.iter().any(|run| run.editable) => Able::Yes,
        Some(why) => Able::No(why),
        None => Able::of(&plan::fill(&resolver, &element, "x")),
    };
    let usages = usages(&resolver, &element, inspect);
    Ok(Texts { runs, usages, can })
}

fn runs(resolver: &Resolver<'_>, element: &ElementAt, inspect: &Inspect) -> Vec<Run> {
    let hints = Hints {
        item: inspect.item,
        ..Hints::default()
    };
    let runs = resolver.runs(element);
    let described = runs.iter().enumerate().map(|(number, run)| {
        let chosen = choose(resolver, element, run, &hints);
        let shown = match &chosen {
            Ok(ways) => ways.first().copied(),
            Err(_) => first(run),
        };
        let (editable, why, choices) = match chosen {
            Ok(_) => (true, None, Vec::new()),
            Err(refusal) if refusal.choices.is_empty() => (false, Some(refusal.reason), Vec::new()),
            Err(refusal) => (true, None, refusal.choices),
        };
        // Both sides of a conditional are offered even when the page decides.
        let choices = if choices.is_empty() && editable && run.ways.iter().any(|way| way.branch().is_some()) {
            self::choices(&run.ways.iter().collect::<Vec<_>>())
        } else {
            choices
        };
        Run {
            run: number,
            text: shown.map_or_else(String::new, |way| way.text().to_owned() + &way.source),
            form: shown.map_or(RunForm::Expression, |way| way.form),
            editable,
            why,
            at: shown.and_then(Way::at),
            shared: shown.map_or(1, |way| resolver.shared(element, way)),
            choices,
        }
    });
    described.collect()
}

fn usages(resolver: &Resolver<'_>, element: &ElementAt, inspect: &Inspect) -> Vec<Usage> {
    let Some(component) = resolver.component_of(element) else {
        return Vec::new();
    };
    let uses = resolver.usages(&component);
    let only = uses.len() == 1;
    let described = uses.into_iter().map(|(element, src)| {
        let written = &element.module[element.id];
        let likely = only
            || inspect
                .within
                .as_ref()
                .is_some_and(|within| resolver.stands_within(&element, within));
        Usage {
            path: src.path.clone(),
            component: written.tag.clone(),
            text: resolver.describe(&element),
            likely,
            src,
        }
    });
    described.collect()
}

/// The way to show while nothing is decided: the first that is a text.
fn first(run: &Found) -> Option<&Way> {
    run.ways.iter().find(|way| way.end.is_ok()).or_else(|| run.ways.first())
}
