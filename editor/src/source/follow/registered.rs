//! Components that templates name without importing them.
//!
//! In this order: the file itself, what `app.component('Card', Card)` registers, what a generated `components.d.ts` lists, and
//! Nuxt's folders. A name that means several files is not followed.

mod declared;
mod nuxt;

use std::sync::Arc;

use super::evaluate::Resolver;
use super::registry::{Rank, Registration, Registry, Source};
use super::value::{At, Candidate, FunctionAt, Provenance, Value};
use crate::source::imports::folder;
use crate::source::model::Code;
use crate::source::module::{Module, is_source};
use crate::source::sfc::component_name;

impl Resolver<'_> {
    /// The component of this name, as the file of `at` sees it.
    pub(super) fn registered(&self, at: &At, name: &str, provenance: &Provenance) -> Vec<Candidate> {
        let module = &at.module;
        if let Some(own) = module
            .component()
            .filter(|own| module[*own].name.as_deref() == Some(name))
        {
            let (module, id) = (module.clone(), own);
            return vec![Candidate::new(provenance, Value::Function(FunctionAt { module, id }))];
        }
        let registry = self.registry();
        let found = registry.find(name, &module.path);
        let found = match found.is_empty() {
            // Nuxt makes a component that is loaded when it is needed.
            true => name
                .strip_prefix("Lazy")
                .map_or(found, |name| registry.find(name, &module.path)),
            false => found,
        };
        match &found[..] {
            [source] => match (self.module(source.path()), source) {
                (Some(module), Source::File(_)) => self.export(&module, "default", provenance),
                (Some(module), Source::Node(_, id)) => self.follow(&At { module, id: *id }, provenance),
                (None, _) => {
                    let reason = format!("{} cannot be read as source", source.path());
                    Candidate::unknown(provenance, Code::FileUnreadable, reason)
                }
            },
            [] => {
                let reason = format!(
                    "<{name}> ({}) is a component that this file does not import and the project registers nowhere: a \
                     library's, or one that is registered when the code runs",
                    at.place()
                );
                Candidate::unknown(provenance, Code::NotDeclared, reason)
            }
            several => {
                let places: Vec<&str> = several.iter().map(Source::path).collect();
                let reason = format!(
                    "<{name}> ({}) can be several components of the project ({}): import the one that is meant",
                    at.place(),
                    places.join(", ")
                );
                Candidate::unknown(provenance, Code::NotDeclared, reason)
            }
        }
    }

    /// The file whose component templates of the file `from` can name so without importing it; `None` where that is none, or not certain.
    #[must_use]
    pub fn registered_file(&self, from: &str, name: &str) -> Option<String> {
        match self.registry().find(name, from).as_slice() {
            [Source::File(path)] => Some(path.clone()),
            [Source::Node(path, id)] => {
                let module = self.module(path)?;
                let found = self.component(&At { module, id: *id })?;
                Some(found.module.path.clone())
            }
            _ => None,
        }
    }

    /// What templates can name without an import.
    pub(super) fn registry(&self) -> Arc<Registry> {
        self.registry.get_or_init(|| Arc::new(self.read_registry())).clone()
    }

    fn read_registry(&self) -> Registry {
        let files = self.project.files();
        if !files.iter().any(|path| path.ends_with(".vue")) {
            return Registry::default();
        }
        let packages = files.iter().filter(|path| is_named(path, "package.json"));
        let mut packages: Vec<String> = packages.map(|path| folder(path).to_owned()).collect();
        packages.sort_by_key(|folder| std::cmp::Reverse(folder.len()));
        let mut registry = Registry {
            packages,
            ..Registry::default()
        };
        for path in files.iter().filter(|path| is_source(path) && !path.ends_with(".vue")) {
            let Some(module) = self.module(path) else { continue };
            for (name, node) in &module.registered {
                let source = Source::Node(module.path.clone(), *node);
                registry.add(component_name(name), path, Rank::Registered, source);
            }
        }
        for path in files.iter().filter(|path| is_named(path, "components.d.ts")) {
            let Some(text) = self.text(path) else { continue };
            for (name, target) in declared::components(path, &text) {
                if files.binary_search(&target).is_ok() || files.contains(&target) {
                    registry.add(component_name(&name), path, Rank::Declared, Source::File(target));
                }
            }
        }
        for (root, name, path) in self.nuxt_components(&files) {
            let within = root.clone();
            let (rank, source) = (Rank::Folder, Source::File(path));
            registry
                .names
                .entry(name)
                .or_default()
                .push(Registration { within, rank, source });
        }
        registry
    }

    /// The component a file exports, when its way is to be asked for elsewhere.
    pub(super) fn default_object(module: &Arc<Module>) -> Option<At> {
        let (_, export) = module.exports.iter().find(|(name, _)| name == "default")?;
        match export {
            crate::source::module::Export::Node(id) => Some(At {
                module: module.clone(),
                id: *id,
            }),
            _ => None,
        }
    }
}

fn is_named(path: &str, name: &str) -> bool {
    path.rsplit('/').next() == Some(name)
}
