//! What leads from one file to another: imports and exports.

use std::sync::Arc;

use super::evaluate::{MAX_STEPS, Resolver};
use super::value::{At, Candidate, Provenance, Value};
use crate::source::imports::Target;
use crate::source::model::Code;
use crate::source::module::{Export, Imported, Module};

impl Resolver<'_> {
    /// What an import stands for.
    pub(super) fn import(
        &self,
        module: &Module,
        specifier: &str,
        imported: &Imported,
        provenance: &Provenance,
    ) -> Vec<Candidate> {
        let path = match self.resolver.resolve(&module.path, specifier) {
            Target::File(path) => path,
            Target::Library(name) => {
                let reason = format!(
                    "It comes from the library “{name}”, whose texts do not stand in this project; a library's text is \
                     changed by a property of its component or by its settings"
                );
                return Candidate::unknown(provenance, Code::Library, reason);
            }
            Target::Missing => {
                let reason = format!(
                    "{} imports “{specifier}”, which leads to no file of the project: correct the import first",
                    module.path
                );
                return Candidate::unknown(provenance, Code::ImportMissing, reason);
            }
        };
        let Some(target) = self.module(&path) else {
            let reason = format!(
                "{path}, where it comes from, cannot be read as source: correct its errors first, or change it in the code"
            );
            return Candidate::unknown(provenance, Code::FileUnreadable, reason);
        };
        match imported {
            Imported::All => vec![Candidate::new(provenance, Value::Namespace(target))],
            Imported::Name(name) => self.export(&target, name, provenance),
        }
    }

    /// What an export of a file stands for.
    pub(super) fn export(&self, module: &Arc<Module>, name: &str, provenance: &Provenance) -> Vec<Candidate> {
        let mut visited = Vec::new();
        let found = self.deeper(|| self.find_export(module, name, provenance, &mut visited));
        found.unwrap_or_else(|| {
            let reason = format!("{} has no export “{name}”: correct the import first", module.path);
            Candidate::unknown(provenance, Code::ImportMissing, reason)
        })
    }

    fn find_export(
        &self,
        module: &Arc<Module>,
        name: &str,
        provenance: &Provenance,
        visited: &mut Vec<String>,
    ) -> Option<Vec<Candidate>> {
        // Files that export each other's exports are fine, and common between barrels.
        self.steps.set(self.steps.get() + 1);
        if visited.contains(&module.path) || self.steps.get() > MAX_STEPS {
            return None;
        }
        visited.push(module.path.clone());
        if let Some((_, export)) = module.exports.iter().find(|(exported, _)| exported == name) {
            return match export {
                Export::Symbol(symbol) => Some(self.symbol(module, *symbol, provenance)),
                Export::Node(id) => {
                    let (module, id) = (module.clone(), *id);
                    Some(self.follow(&At { module, id }, provenance))
                }
                Export::From(specifier, Imported::Name(name)) => match self.resolver.resolve(&module.path, specifier) {
                    Target::File(path) => {
                        visited.retain(|path| *path != module.path);
                        self.deeper(|| self.find_export(&self.module(&path)?, name, provenance, visited))
                    }
                    _ => Some(self.import(module, specifier, &Imported::Name(name.clone()), provenance)),
                },
                Export::From(specifier, all) => Some(self.import(module, specifier, all, provenance)),
            };
        }
        if let Some(value) = module.json_member(name) {
            let at = At {
                module: module.clone(),
                id: value,
            };
            return Some(self.follow(&at, provenance));
        }
        // `export *` leaves the default export out.
        let stars = module.stars.iter().filter(|_| name != "default");
        let mut targets = stars.filter_map(|specifier| match self.resolver.resolve(&module.path, specifier) {
            Target::File(path) => self.module(&path),
            _ => None,
        });
        targets.find_map(|target| self.find_export(&target, name, provenance, visited))
    }
}
