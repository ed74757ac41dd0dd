//! The use of a component: its markup, and the import that makes it known.

use serde_json::Value;

use super::facts::Facts;
use super::import::{Imported, Origin, Script, Wanted, import};
use super::properties::Types;
use super::read;
use super::site::{Setup, Site, setup};
use super::usable::{Showing, fits, name};
use crate::source::follow::Resolver;
use crate::source::model::library::{Kind, Property};
use crate::source::model::plan::{Refusal, Replacement};
use crate::source::model::{Code, ComponentUse, LibraryComponent, Project};
use crate::source::notation::Notation;

/// What has to be written.
#[derive(Debug)]
pub struct Written {
    /// The use.
    pub markup: String,
    /// The name it is used by.
    pub local: String,
    /// The import, where there is none yet.
    pub import: Option<Replacement>,
}

/// Writes the use of a component.
///
/// # Errors
/// When the component is not there, cannot be used at the site, or not so.
pub fn write(project: &dyn Project, site: &Site<'_>, wanted: &ComponentUse) -> Result<Written, Refusal> {
    if let Some(package) = &wanted.package {
        return of_library(project, site, wanted, package);
    }
    let missing = || {
        let reason = format!(
            "{} exports no component with the name {}: ask for the list of components again",
            wanted.path, wanted.export
        );
        Refusal::uncertain(Code::ImportMissing, reason)
    };
    let facts = project
        .files()
        .contains(&wanted.path)
        .then(|| read::facts(project, &wanted.path))
        .flatten();
    let facts = facts.ok_or_else(missing)?;
    let component = facts.exported(&wanted.export).ok_or_else(missing)?;
    fits(site, &wanted.path, component)?;
    let types = Types::new(project);
    let resolver = Resolver::new(project);
    if let Some(around) = Showing::of(project, &types, &resolver, site) {
        around.does_not_show(&wanted.path, &wanted.export, component)?;
    }
    let called = name(&wanted.path, &wanted.export, component);
    let properties = types.properties(&wanted.path, component);
    let attributes = attributes(site, &called, &properties.list, wanted)?;
    let text = wanted.text.as_deref().filter(|text| !text.is_empty());
    if text.is_some() && !resolver.export_shows_content(&wanted.path, &wanted.export) {
        let reason = format!(
            "{called} does not show what stands between its tags for certain ({}): leave the text out, or give it as a property",
            wanted.path
        );
        return Err(Refusal::uncertain(Code::ComponentChildren, reason));
    }
    let imported = known(project, &types, &resolver, site, wanted, &called)?;
    Ok(used(site, imported, &attributes, text))
}

/// Writes the use of a component of a library.
fn of_library(
    project: &dyn Project,
    site: &Site<'_>,
    wanted: &ComponentUse,
    package: &str,
) -> Result<Written, Refusal> {
    let libraries = project.libraries();
    let mut components = libraries.iter().flat_map(|library| &library.components);
    let component = components
        .find(|component| component.package == package && component.export == wanted.export)
        .ok_or_else(|| {
            let reason = format!(
                "{package} exports no component with the name {}: ask for the list of components again",
                wanted.export
            );
            Refusal::uncertain(Code::ImportMissing, reason)
        })?;
    fits_library(site, component)?;
    let attributes = attributes(site, &component.name, &component.props, wanted)?;
    let text = wanted.text.as_deref().filter(|text| !text.is_empty());
    if text.is_some() && !component.content {
        let reason = format!(
            "The declarations of {} do not say that it shows what stands between its tags: leave the text out, or give it as a property",
            component.name
        );
        return Err(Refusal::uncertain(Code::ComponentChildren, reason));
    }
    let script = script(site, &component.name)?;
    let wanted = Wanted {
        origin: Origin::Package(package),
        export: &wanted.export,
        local: &component.name,
    };
    let imported = import(project, &Types::new(project), &script, &wanted)?;
    Ok(used(site, imported, &attributes, text))
}

/// Refuses a component of a library that is made for the other framework.
pub(super) fn fits_library(site: &Site<'_>, component: &LibraryComponent) -> Result<(), Refusal> {
    if component.is_vue == site.is_vue {
        return Ok(());
    }
    let reason = format!(
        "{} of {} is a component of {}, and {} is written for another framework: choose a component of its own",
        component.name,
        component.package,
        if component.is_vue { "Vue" } else { "React" },
        site.path
    );
    Err(Refusal::uncertain(Code::ComponentPlace, reason))
}

fn used(site: &Site<'_>, imported: Imported, attributes: &str, text: Option<&str>) -> Written {
    let Imported { local, replacement } = imported;
    let markup = match text {
        Some(text) if site.is_vue => format!("<{local}{attributes}>{}</{local}>", Notation::HtmlText.write(text)),
        Some(text) => format!("<{local}{attributes}>{}</{local}>", Notation::JsxText.write(text)),
        None => format!("<{local}{attributes} />"),
    };
    Written {
        markup,
        local,
        import: replacement,
    }
}

/// The script of the site's file that imports go into.
fn script<'s>(site: &Site<'s>, called: &str) -> Result<Script<'s>, Refusal> {
    let mut script = Script {
        path: site.path,
        text: site.text,
        block: Some((0..site.text.len(), site.path)),
    };
    if site.is_vue {
        script.block = match setup(site)? {
            Setup::In(range, language) => Some((range, language)),
            Setup::None => None,
            Setup::Options => {
                let reason = format!(
                    "{} has no <script setup>, so that an import alone does not make {called} known to its template: add it to `components` in the code first",
                    site.path
                );
                return Err(Refusal::uncertain(Code::ComponentPlace, reason));
            }
        };
    }
    Ok(script)
}

/// Makes the component known to the site's file.
fn known(
    project: &dyn Project,
    types: &Types<'_>,
    resolver: &Resolver<'_>,
    site: &Site<'_>,
    wanted: &ComponentUse,
    called: &str,
) -> Result<Imported, Refusal> {
    let own = |local: &str| Imported {
        local: local.to_owned(),
        replacement: None,
    };
    if wanted.path == site.path {
        let facts = read::facts(project, site.path);
        let local = facts
            .as_ref()
            .and_then(|facts| facts.exported(&wanted.export)?.local.clone());
        return local.map(|local| own(&local)).ok_or_else(|| {
            let reason = format!("The component has no name in {}: give it one in the code", site.path);
            Refusal::uncertain(Code::NotInScope, reason)
        });
    }
    let is_registered = || resolver.registered_file(site.path, called).as_deref() == Some(&wanted.path);
    let script = match script(site, called) {
        // A component that is registered needs no import, and without `<script setup>` an import would not make it known.
        Ok(script) if script.block.is_some() => script,
        _ if is_registered() => return Ok(own(called)),
        script => script?,
    };
    let imports_it = |specifiers: &Facts| {
        specifiers.imports.iter().any(|import| {
            matches!(types.resolve(site.path, &import.from), crate::source::imports::Target::File(path) if path == wanted.path)
        })
    };
    if site.is_vue && !read::facts(project, site.path).is_some_and(|facts| imports_it(&facts)) && is_registered() {
        return Ok(own(called));
    }
    let wanted = Wanted {
        origin: Origin::File(&wanted.path),
        export: &wanted.export,
        local: called,
    };
    import(project, types, &script, &wanted)
}

/// The attributes of the use, in the order in which the source declares them.
fn attributes(
    site: &Site<'_>,
    called: &str,
    properties: &[Property],
    wanted: &ComponentUse,
) -> Result<String, Refusal> {
    let refuse = |reason: String| Err(Refusal::uncertain(Code::ComponentProperty, reason));
    let mut written = String::new();
    let mut add = |name: &str, value: &Value| {
        let notation = if site.is_vue {
            Notation::HtmlAttribute('"')
        } else {
            Notation::JsxAttribute('"')
        };
        let name = if site.is_vue { hyphenated(name) } else { name.to_owned() };
        let code = |code: &str| match site.is_vue {
            true => format!(" :{name}=\"{code}\""),
            false => format!(" {name}={{{code}}}"),
        };
        written.push_str(&match value {
            Value::Bool(true) => format!(" {name}"),
            Value::Bool(false) => code("false"),
            Value::Number(number) => code(&number.to_string()),
            Value::String(text) => format!(" {name}=\"{}\"", notation.write(text)),
            _ => String::new(),
        });
    };
    for property in properties {
        let name = &property.name;
        let Some(value) = wanted.props.get(name).filter(|value| !value.is_null()) else {
            match (property.required, &property.kind) {
                (false, _) => continue,
                (true, Kind::Code) => {
                    return refuse(format!(
                        "{called} has to be given “{name}” ({}), which only code can make: use it in the code",
                        property.written
                    ));
                }
                (true, _) => return refuse(format!("{called} has to be given “{name}”: name a value for it")),
            }
        };
        let fits = match (&property.kind, value) {
            (Kind::Text, Value::String(_)) | (Kind::Number, Value::Number(_)) | (Kind::Boolean, Value::Bool(_)) => {
                Ok(())
            }
            (Kind::Choice { options }, Value::String(value)) if options.contains(value) => Ok(()),
            (Kind::Choice { options }, _) => Err(format!("one of {}", options.join(", "))),
            (Kind::Text, _) => Err("a text".to_owned()),
            (Kind::Number, _) => Err("a number".to_owned()),
            (Kind::Boolean, _) => Err("true or false".to_owned()),
            (Kind::Code, _) => Err("what only code can make".to_owned()),
        };
        if let Err(takes) = fits {
            return refuse(format!("“{name}” of {called} takes {takes}, and not {value}"));
        }
        add(name, value);
    }
    let unknown = wanted
        .props
        .keys()
        .find(|name| !properties.iter().any(|property| property.name == **name));
    if let Some(name) = unknown {
        return refuse(format!(
            "The source of {called} names no property “{name}”: leave it out, or add it as an attribute afterwards"
        ));
    }
    Ok(written)
}

/// As templates write the names of properties: `isOpen` is `is-open`.
pub(super) fn hyphenated(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 4);
    for (index, character) in name.char_indices() {
        if character.is_ascii_uppercase() && index > 0 {
            written.push('-');
        }
        written.push(character.to_ascii_lowercase());
    }
    written
}
