//! Styles on the use of a component that gives none on to the element it shows: they go to the component's own source, for all
//! its uses, or on an element around this use. People choose which.

use super::follow::{ElementAt, Resolver};
use super::model::{Choice, Code, Operation, Plan, Project, Refusal, Request, Scope, Stamp};
use super::names::{self, Content};

/// Elements that hold no `<div>`.
const PHRASING: [&str; 24] = [
    "a", "abbr", "b", "button", "cite", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "i", "kbd", "label",
    "legend", "mark", "p", "pre", "small", "span", "strong", "summary",
];

/// Puts an element of a name around the one that stands there, with a style: a property and its value.
type Wrap<'w> = dyn Fn(&Stamp, &str, (&str, &str)) -> Result<Plan, Refusal> + 'w;

/// How the languages do what is chosen.
pub struct Ways<'w> {
    /// Plans the style of another element.
    pub style: &'w dyn Fn(&Request) -> Result<Plan, Refusal>,
    /// Puts an element around another.
    pub wrap: &'w Wrap<'w>,
}

/// Plans what was chosen for a style that the element itself cannot be given, or asks.
///
/// # Errors
/// With the choices, or with `refusal` where there are none.
pub fn plan(project: &dyn Project, request: &Request, refusal: Refusal, ways: &Ways<'_>) -> Result<Plan, Refusal> {
    let resolver = Resolver::new(project);
    let Ok(element) = resolver.find(&request.src) else {
        return Err(refusal);
    };
    if style(request).is_none() || element.module[element.id].component.is_none() {
        return Err(refusal);
    }
    match request.scope {
        Some(Scope::All) => everywhere(&resolver, &element, request, ways).unwrap_or(Err(refusal)),
        Some(Scope::Item) => here(&element, request, ways).unwrap_or(Err(refusal)),
        None => Err(ask(&resolver, &element, request, refusal, ways)),
    }
}

/// On the root of the component's own source; `None` when that is not certain.
fn everywhere(
    resolver: &Resolver<'_>,
    element: &ElementAt,
    request: &Request,
    ways: &Ways<'_>,
) -> Option<Result<Plan, Refusal>> {
    let root = root(resolver, element)?;
    let with = |scope| Request {
        scope,
        ..Request::of(root.clone(), request.operation.clone())
    };
    // All that share a rule are meant, when one is shared.
    Some(match (ways.style)(&with(None)) {
        Err(shared) if !shared.choices.is_empty() => (ways.style)(&with(Some(Scope::All))),
        planned => planned,
    })
}

/// The only root of the component that an element is a use of.
fn root(resolver: &Resolver<'_>, element: &ElementAt) -> Option<Stamp> {
    let component = resolver.used(element)?;
    match &resolver.roots(&component)[..] {
        [root] if root != element => Some(root.stamp()),
        _ => None,
    }
}

/// On an element around this use; `None` where none can stand.
fn here(element: &ElementAt, request: &Request, ways: &Ways<'_>) -> Option<Result<Plan, Refusal>> {
    Some((ways.wrap)(&request.src, wrapper(element)?, style(request)?))
}

/// The property a request sets, and its value; `None` when it sets none.
fn style(request: &Request) -> Option<(&str, &str)> {
    match &request.operation {
        Operation::Style { property, value } => Some((property, value.as_deref()?)),
        _ => None,
    }
}

/// The name of an element that may stand around a component's use; `None` where what is around it holds certain children only,
/// or is a component, which may look at its children.
fn wrapper(element: &ElementAt) -> Option<&'static str> {
    let module = &element.module;
    let around = std::iter::successors(module[element.id].parent, |id| module[*id].parent);
    let mut around = around.filter(|id| !module[*id].tag.is_empty()).peekable();
    if let Some(parent) = around.peek() {
        let parent = &module[*parent];
        if parent.component.is_some() || names::content(&parent.tag) != Content::Any || is_drawing(&parent.tag) {
            return None;
        }
    }
    let phrasing = around.any(|id| PHRASING.contains(&module[id].tag.as_str()));
    Some(if phrasing { "span" } else { "div" })
}

/// Text of SVG and MathML holds none of HTML's elements.
fn is_drawing(tag: &str) -> bool {
    matches!(
        tag,
        "text" | "tspan" | "textPath" | "mi" | "mn" | "mo" | "ms" | "mtext" | "annotation"
    )
}

/// The question, as far as there are answers.
fn ask(resolver: &Resolver<'_>, element: &ElementAt, request: &Request, refusal: Refusal, ways: &Ways<'_>) -> Refusal {
    let name = &element.module[element.id].tag;
    let mut choices = Vec::new();
    if let Some(root) = root(resolver, element)
        && let Some(Ok(_)) = everywhere(resolver, element, request, ways)
    {
        let label = format!("Everywhere <{name}> is used, in {}", root.path);
        choices.push(Choice::scope(Scope::All, label));
    }
    if let Some(Ok(_)) = here(element, request, ways) {
        let wrapper = wrapper(element).unwrap_or_default();
        let label = format!("Only here, on a <{wrapper}> around it");
        choices.push(Choice::scope(Scope::Item, label));
    }
    let why = match resolver.used(element) {
        Some(_) if resolver.given_on(element).style => "what is spread into it may set its style".to_owned(),
        Some(component) => format!("{} gives no style on to what it shows", component.module.path),
        None => "its source is not in this project".to_owned(),
    };
    if choices.is_empty() {
        let reason = format!(
            "<{name}> is a component, and {why}; nor can an element stand around it here: select an element inside of it, or change that in the code"
        );
        return Refusal { reason, ..refusal };
    }
    let reason = format!("<{name}> is a component, and {why}: choose what the change is for");
    Refusal {
        code: Code::ChoiceNeeded,
        ..Refusal::choose(reason, choices)
    }
}

#[cfg(test)]
mod tests;
