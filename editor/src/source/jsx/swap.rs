//! Replacing a component's use by the use of another component.

use std::collections::BTreeMap;

use super::super::imports::{ImportResolver, Target};
use super::attribute::removed;
use super::scope;
use super::source::Source;
use crate::source::model::Code;
use crate::source::model::plan::{Plan, Refusal, Replacement};
use crate::source::model::project::Project;
use crate::source::module::{Element, ElementId, ElementKind, Written};
use crate::source::script;

/// Names the other component, keeps the props that are mapped, and imports it when needed.
pub(super) fn plan(
    project: &dyn Project,
    source: &Source,
    index: ElementId,
    component: &str,
    from: Option<&str>,
    props: &BTreeMap<String, String>,
) -> Result<Plan, Refusal> {
    let element = source.element(index);
    if element.kind != ElementKind::Component {
        let reason = "Only the use of a component can be swapped for another component: select one";
        return Err(Refusal::uncertain(Code::NoComponent, reason));
    }
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '$'))
            && name
                .chars()
                .all(|character| character.is_alphanumeric() || matches!(character, '_' | '$'))
    };
    let upper = component.starts_with(char::is_uppercase);
    let bad = [component]
        .into_iter()
        .chain(component.split('.'))
        .chain(props.values().map(String::as_str));
    if !upper || bad.skip(1).any(|part| !is_name(part)) {
        return Err(Refusal::uncertain(
            Code::ComponentName,
            format!("“{component}” and the new properties have to be names, as Card or Menu.Item, and title or size"),
        ));
    }
    let mut replacements = named(element, component);
    replacements.extend(mapped(source, element, props)?);
    let local = component.split('.').next().unwrap_or(component);
    replacements.extend(import(project, source, element.range.start, local, from)?);
    Ok(source.plan(replacements))
}

fn named(element: &Element, component: &str) -> Vec<Replacement> {
    let opening = Replacement::new(element.name.start..element.behind_name, component);
    let closing = element.closing.as_ref().map(|closing| {
        let start = closing.start + "</".len();
        Replacement::new(start..closing.end - ">".len(), component)
    });
    [Some(opening), closing].into_iter().flatten().collect()
}

/// Renames the props that are mapped and drops the others; `key` is nobody's prop.
fn mapped(source: &Source, element: &Element, props: &BTreeMap<String, String>) -> Result<Vec<Replacement>, Refusal> {
    let mut replacements = Vec::new();
    for attribute in &element.attributes {
        if let Written::Spread(range, _) = &attribute.written {
            let reason = format!(
                "It is not known which props {{...{}}} gives to the component: name them in the code first",
                source.slice(range)
            );
            return Err(Refusal::uncertain(Code::Spread, reason));
        }
        match props.get(&attribute.name) {
            Some(new) => {
                let start = attribute.range.start;
                replacements.push(Replacement::new(start..start + attribute.name.len(), new.as_str()));
            }
            None if attribute.name == "key" => {}
            None => replacements.push(removed(source, element, attribute)),
        }
    }
    Ok(replacements)
}

/// What makes the name known to the file.
fn import(
    project: &dyn Project,
    source: &Source,
    offset: usize,
    name: &str,
    from: Option<&str>,
) -> Result<Option<Replacement>, Refusal> {
    let known = scope::unknown(&source.path, &source.script, offset, &[name.to_owned()]).is_empty();
    let Some(from) = from else {
        let reason = || {
            format!(
                "{name} is not known in {}; name the module it is imported from",
                source.path
            )
        };
        return if known {
            Ok(None)
        } else {
            Err(Refusal::uncertain(Code::NotInScope, reason()))
        };
    };
    match source.module.import(name) {
        Some(import) if import.from == from => return Ok(None),
        _ if known => {
            let reason = format!(
                "{name} means something else in {} already: rename one of the two in the code first",
                source.path
            );
            return Err(Refusal::uncertain(Code::NameTaken, reason));
        }
        _ => {}
    }
    if from.contains(['\'', '"', '\\', '\n', '\r']) || from.is_empty() {
        return Err(Refusal::uncertain(
            Code::ModuleName,
            format!("“{from}” is no name of a module: write it as an import does, like ./Card or a package's name"),
        ));
    }
    let names = match is_default(project, source, name, from)? {
        true => name.to_owned(),
        false => format!("{{ {name} }}"),
    };
    let last = source.module.imports.iter().max_by_key(|range| range.end);
    let style = last.map_or("'';", |range| source.slice(range));
    let quote = if style.contains('"') { '"' } else { '\'' };
    let end = if style.ends_with(';') { ";" } else { "" };
    let line = format!("import {names} from {quote}{from}{quote}{end}");
    let line_end = source.line_end();
    Ok(Some(match last {
        Some(range) => Replacement::insert(range.end, format!("{line_end}{line}")),
        None => Replacement::insert(directives(source), format!("{line}{line_end}")),
    }))
}

/// Behind `'use client'` and its like, which have to come first.
fn directives(source: &Source) -> usize {
    let first = script::with_program(&source.path, &source.text, |program| {
        let hashbang = program.hashbang.as_ref().map(|hashbang| hashbang.span.end);
        let last = program.directives.last().map(|directive| directive.span.end);
        last.or(hashbang).map(|end| end as usize)
    });
    match first.ok().flatten() {
        None => 0,
        Some(end) => {
            end + source.text[end..]
                .find('\n')
                .map_or(source.text.len() - end, |line| line + 1)
        }
    }
}

/// Whether a module's own file gives the component as its default; libraries give names.
fn is_default(project: &dyn Project, source: &Source, name: &str, from: &str) -> Result<bool, Refusal> {
    let path = match ImportResolver::new(project).resolve(&source.path, from) {
        Target::File(path) => path,
        Target::Library(_) => return Ok(false),
        Target::Missing => {
            let reason = format!("{from} leads to no file of this project: check the path");
            return Err(Refusal::uncertain(Code::ImportMissing, reason));
        }
    };
    let exports = project.read(&path).and_then(|text| {
        script::with_exports(&path, &text, |exported| {
            (
                exported.contains(&name.to_owned()),
                exported.iter().any(|name| name == "default"),
            )
        })
        .ok()
    });
    match exports {
        Some((true, _)) => Ok(false),
        Some((false, true)) => Ok(true),
        _ => {
            let reason = format!("{path} exports nothing with the name {name}: check the name");
            Err(Refusal::uncertain(Code::ImportMissing, reason))
        }
    }
}
