//! Whether a component can be used at a place, and by which name.

use std::collections::{HashMap, HashSet};

use super::facts::{Definition, Import};
use super::properties::Types;
use super::read;
use super::site::Site;
use super::vue::own_name;
use crate::source::follow::Resolver;
use crate::source::imports::Target;
use crate::source::model::plan::Refusal;
use crate::source::model::{Code, Project};
use crate::source::sfc::component_name;

/// What a component is called where it is imported.
pub(super) fn name(path: &str, export: &str, component: &Definition) -> String {
    match (export, &component.local) {
        ("default", Some(local)) => local.clone(),
        ("default", None) => own_name(path),
        (named, _) => named.to_owned(),
    }
}

/// Refuses what cannot be used in the site's file, whatever it shows.
pub(super) fn fits(site: &Site<'_>, path: &str, component: &Definition) -> Result<(), Refusal> {
    let refuse = |reason: String| Err(Refusal::uncertain(Code::ComponentPlace, reason));
    if path.ends_with(".vue") != site.is_vue {
        return refuse(format!(
            "{path} holds a component of {}, and {} is written for another framework: choose a component of its own",
            if site.is_vue { "React" } else { "Vue" },
            site.path
        ));
    }
    if component.is_async {
        return refuse(format!(
            "The component of {path} is made on the server (an async function), and whether {} is shown there is not certain: use it in the code",
            site.path
        ));
    }
    Ok(())
}

/// The components that show the one a place is in: put into it, each would show itself for ever.
pub(super) struct Showing {
    own: String,
    /// As `(path, export or local name)`.
    by: HashSet<(String, String)>,
}

type Key = (String, String);

impl Showing {
    pub fn of(project: &dyn Project, types: &Types<'_>, resolver: &Resolver<'_>, site: &Site<'_>) -> Option<Self> {
        let facts = read::facts(project, site.path)?;
        let component = facts.around(site.offset)?;
        let target = key(site.path, component);
        let mut shown_by: HashMap<Key, Vec<Key>> = HashMap::new();
        for path in project
            .files()
            .iter()
            .filter(|path| path.ends_with(".vue") || path.ends_with("sx") || path.ends_with(".js"))
        {
            let Some(facts) = read::facts(project, path) else {
                continue;
            };
            for component in &facts.components {
                for tag in &component.tags {
                    let shown = match facts.import(tag).or_else(|| {
                        facts
                            .imports
                            .iter()
                            .find(|import| path.ends_with(".vue") && component_name(&import.local) == *tag)
                    }) {
                        Some(import) => match types.resolve(path, &import.from) {
                            Target::File(file) => exporter(project, types, &file, &import.imported, MAX_PASSED_ON),
                            Target::Library(_) | Target::Missing => None,
                        },
                        None if path.ends_with(".vue") && component_name(path) == *tag => Some(key(path, component)),
                        None if path.ends_with(".vue") => {
                            let file = resolver.registered_file(path, tag);
                            file.and_then(|file| exporter(project, types, &file, "default", MAX_PASSED_ON))
                        }
                        None => {
                            let local = facts
                                .components
                                .iter()
                                .find(|other| other.local.as_deref() == Some(tag));
                            local.map(|local| key(path, local))
                        }
                    };
                    if let Some(shown) = shown {
                        shown_by.entry(shown).or_default().push(key(path, component));
                    }
                }
            }
        }
        let mut by = HashSet::from([target.clone()]);
        let mut left = vec![target];
        while let Some(next) = left.pop() {
            for holder in shown_by.get(&next).into_iter().flatten() {
                if by.insert(holder.clone()) {
                    left.push(holder.clone());
                }
            }
        }
        let own = component.local.clone().unwrap_or_else(|| own_name(site.path));
        Some(Self { own, by })
    }

    /// Refuses a component that shows the one the place is in.
    pub fn does_not_show(&self, path: &str, export: &str, component: &Definition) -> Result<(), Refusal> {
        if !self.by.contains(&key(path, component)) {
            return Ok(());
        }
        let (name, own) = (name(path, export, component), &self.own);
        let reason = match name == *own {
            true => format!("The place is in {own} itself, which would show itself for ever: choose another place"),
            false => format!(
                "{name} shows {own}, which the place is in: both would show each other for ever. Choose another place"
            ),
        };
        Err(Refusal::uncertain(Code::ComponentPlace, reason))
    }
}

/// `export … from` is followed this far.
const MAX_PASSED_ON: usize = 6;

/// The component that a file exports by a name, through files that pass it on.
fn exporter(project: &dyn Project, types: &Types<'_>, path: &str, export: &str, left: usize) -> Option<Key> {
    let left = left.checked_sub(1)?;
    let facts = read::facts(project, path)?;
    if let Some(component) = facts.exported(export) {
        return Some(key(path, component));
    }
    let passed = |import: &Import, wanted: &str| match types.resolve(path, &import.from) {
        Target::File(file) => exporter(project, types, &file, wanted, left),
        Target::Library(_) | Target::Missing => None,
    };
    if let Some((_, import)) = facts.passed_on.iter().find(|(exported, _)| exported == export) {
        return passed(import, &import.imported);
    }
    let mut stars = facts.passed_on.iter().filter(|(exported, _)| exported == "*");
    stars.find_map(|(_, import)| passed(import, export))
}

fn key(path: &str, component: &Definition) -> Key {
    let name = component.local.clone().or_else(|| component.exports.first().cloned());
    (path.to_owned(), name.unwrap_or_default())
}
