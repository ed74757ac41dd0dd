//! Where components are used.

use std::collections::HashMap;
use std::sync::Arc;

use super::evaluate::Follower;
use super::lower::is_json;
use super::module::{FunctionId, Module, SymbolId};
use super::value::{At, ElementAt, FunctionAt};
use crate::source::{Stamp, Walker};

/// All uses of the project's components.
#[derive(Debug, Default)]
pub(super) struct Uses {
    by_path: HashMap<String, HashMap<FunctionId, Vec<(ElementAt, Stamp)>>>,
}

impl Uses {
    /// The uses of one component, in the order of the files and their text.
    pub fn of(&self, component: &FunctionAt) -> &[(ElementAt, Stamp)] {
        let (path, id) = component.key();
        let of_file = self.by_path.get(path);
        of_file.and_then(|of_file| of_file.get(&id)).map_or(&[], Vec::as_slice)
    }
}

/// Files that hold code.
const SOURCES: [&str; 9] = [".tsx", ".jsx", ".ts", ".js", ".vue", ".mts", ".mjs", ".cts", ".cjs"];

impl Follower<'_> {
    /// The uses of all components; found once, when they are first asked for.
    pub(super) fn uses(&self) -> &Uses {
        if let Some(uses) = self.uses.get() {
            return uses;
        }
        // Finding them follows names, which may lead to a question for uses (`<props.Icon>`): it is answered with none.
        if self.finding_uses.replace(true) {
            return &self.no_uses;
        }
        let uses = self.apart(|| self.find_uses());
        self.finding_uses.set(false);
        self.uses.get_or_init(|| uses)
    }

    fn find_uses(&self) -> Uses {
        let mut uses = Uses::default();
        for module in self.sources() {
            // One file uses one component many times: it is followed once.
            let mut known: HashMap<(Option<SymbolId>, &str), Option<FunctionAt>> = HashMap::new();
            let mut positions = Walker::new(&module.text);
            for (id, element) in module.elements() {
                let Some(tag) = element.component else {
                    continue;
                };
                let at = At {
                    module: module.clone(),
                    id: tag,
                };
                let name = (module.root(tag), element.tag.as_str());
                let Some(component) = known.entry(name).or_insert_with(|| self.component(&at)) else {
                    continue;
                };
                let element = Self::element(&module, id);
                let stamp = Stamp {
                    path: module.path.clone(),
                    at: positions.position(module[id].at),
                };
                let (path, function) = component.key();
                let of_file = uses.by_path.entry(path.to_owned()).or_default();
                of_file.entry(function).or_default().push((element, stamp));
            }
        }
        uses
    }

    /// All files with code.
    pub(super) fn sources(&self) -> impl Iterator<Item = Arc<Module>> {
        let files = self.project.files();
        let paths: Vec<String> = files.iter().filter(|path| is_source(path)).cloned().collect();
        paths.into_iter().filter_map(|path| self.module(&path))
    }
}

fn is_source(path: &str) -> bool {
    !is_json(path) && SOURCES.iter().any(|ending| path.ends_with(ending)) && !path.ends_with(".d.ts")
}
