//! The list of the components that can be put at a place.

use serde::Serialize;

use super::properties::Types;
use super::read;
use super::site::Site;
use super::usable::{Showing, fits, name};
use crate::source::follow::Resolver;
use crate::source::model::Project;
use crate::source::model::library::Property;

/// More components are not listed.
const MAX_LISTED: usize = 1000;

/// A component of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offered {
    /// What it is called.
    pub name: String,
    /// The file that exports it; empty for one of a library.
    pub path: String,
    /// What one of a library is imported from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// The name it is exported by, or `default`.
    pub export: String,
    /// Its properties, in the order of the source.
    pub props: Vec<Property>,
    /// Whether it takes more than those, as the attributes of an element.
    pub more: bool,
    /// Whether it certainly shows what stands between its tags.
    pub content: bool,
    /// An example of the use of one of a library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Why it cannot be used at the place that was named; absent where it can.
    pub why: Option<String>,
}

/// The components, by their names; with `site` only those of its framework, each with the reason why it cannot stand there.
#[must_use]
pub fn offered(project: &dyn Project, site: Option<&Site<'_>>) -> Vec<Offered> {
    let types = Types::new(project);
    let resolver = Resolver::new(project);
    let around = site.and_then(|site| Showing::of(project, &types, &resolver, site));
    let mut found = Vec::new();
    for path in project.files().iter().filter(|path| may_offer(path, site)) {
        let Some(facts) = read::facts(project, path) else {
            continue;
        };
        for component in &facts.components {
            let Some(export) = component.exports.first() else {
                continue;
            };
            if found.len() >= MAX_LISTED {
                return sorted(found);
            }
            let properties = types.properties(path, component);
            let why = site.and_then(|site| {
                let usable = fits(site, path, component).and_then(|()| match &around {
                    Some(around) => around.does_not_show(path, export, component),
                    None => Ok(()),
                });
                usable.err().map(|refusal| refusal.reason)
            });
            found.push(Offered {
                name: name(path, export, component),
                path: path.clone(),
                package: None,
                export: export.clone(),
                props: properties.list,
                more: properties.more,
                content: resolver.export_shows_content(path, export),
                hint: None,
                why,
            });
        }
    }
    found.extend(of_libraries(project, site).take(MAX_LISTED.saturating_sub(found.len())));
    sorted(found)
}

/// Components of libraries: with a site those of its framework.
fn of_libraries(project: &dyn Project, site: Option<&Site<'_>>) -> impl Iterator<Item = Offered> {
    let is_vue = site.map(|site| site.is_vue);
    let libraries = project.libraries();
    let components: Vec<_> = libraries
        .iter()
        .flat_map(|library| library.components.clone())
        .collect();
    let fitting = components
        .into_iter()
        .filter(move |component| is_vue.is_none_or(|is_vue| is_vue == component.is_vue));
    fitting.map(|component| Offered {
        name: component.name,
        path: String::new(),
        package: Some(component.package),
        export: component.export,
        props: component.props,
        more: component.more,
        content: component.content,
        hint: component.hint,
        why: None,
    })
}

fn sorted(mut found: Vec<Offered>) -> Vec<Offered> {
    found.sort_by(|one, other| (&one.name, &one.path, &one.package).cmp(&(&other.name, &other.path, &other.package)));
    found
}

/// Whether a file's components are offered: tests and stories are none of the page's.
fn may_offer(path: &str, site: Option<&Site<'_>>) -> bool {
    let is_vue = path.ends_with(".vue");
    let is_react = [".tsx", ".jsx"].iter().any(|ending| path.ends_with(ending));
    let file = path.rsplit('/').next().unwrap_or(path);
    let is_test = [".test.", ".spec.", ".stories.", ".story.", ".cy."]
        .iter()
        .any(|part| file.contains(part))
        || path
            .split('/')
            .any(|folder| matches!(folder, "__tests__" | "__mocks__"));
    let fits = match site {
        Some(site) => is_vue == site.is_vue,
        None => true,
    };
    (is_vue || is_react) && !is_test && fits
}
