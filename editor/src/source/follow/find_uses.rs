//! Finding where components are used.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use parking_lot::Mutex;

use super::evaluate::Resolver;
use super::registry::Registry;
use super::uses::Uses;
use super::value::{At, FunctionAt};
use crate::source::model::memo::{Kept, same};
use crate::source::model::{Stamp, Walker};
use crate::source::module::{ElementId, FunctionId, Module, SymbolId, is_json, is_source};

impl Uses {
    fn of_files(of_files: &[Arc<UsesOfFile>]) -> Self {
        let mut uses = Self::default();
        for of_file in of_files {
            let Some(module) = &of_file.module else { continue };
            for used in &of_file.uses {
                let of_path = uses.by_path.entry(used.path.clone()).or_default();
                let element = Resolver::element(module, used.element);
                let of_component = of_path.entry(used.function).or_default();
                of_component.push((element, used.stamp.clone()));
            }
        }
        uses
    }
}

/// What was found, kept across requests. Where names lead is asked again only in files that a changed file matters to.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The latest first. Going back and forth between two states is what undoing does.
    states: Mutex<Vec<Arc<State>>>,
}

/// How many states of the project are remembered.
const STATES: usize = 2;

impl Found {
    /// The remembered state that differs least from the project's, with the places of the sources that differ.
    fn nearest(&self, ground: &Ground, texts: &[Text]) -> Option<(Arc<State>, Vec<usize>)> {
        let states: Vec<_> = self.states.lock().clone();
        let comparable = states.into_iter().filter(|state| state.ground.is(ground));
        let compared = comparable.map(|state| {
            let pairs = state.texts.iter().zip(texts).enumerate();
            let changed = pairs.filter(|(_, (one, other))| !same_text(one, other));
            let changed = changed.map(|(place, _)| place).collect::<Vec<_>>();
            (state, changed)
        });
        compared.min_by_key(|(_, changed)| changed.len())
    }

    fn remember(&self, state: Arc<State>) {
        let mut states = self.states.lock();
        states.retain(|known| !Arc::ptr_eq(known, &state));
        states.insert(0, state);
        states.truncate(STATES);
    }
}

/// A text, unless the file cannot be read.
type Text = Option<Arc<str>>;

fn same_text(one: &Text, other: &Text) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// What imports are resolved by, besides the sources' own texts.
#[derive(Debug)]
struct Ground {
    files: Arc<[String]>,
    documents: Vec<Text>,
    type_config: Option<String>,
    registry: Arc<Registry>,
}

impl Ground {
    fn of(resolver: &Resolver<'_>) -> Self {
        let project = resolver.project;
        let files = project.files();
        let documents = files.iter().filter(|path| is_json(path));
        Self {
            documents: documents.map(|path| project.read(path)).collect(),
            type_config: project.type_config(),
            registry: resolver.registry(),
            files,
        }
    }

    fn is(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.files, &other.files) || self.files == other.files)
            && self.type_config == other.type_config
            && self.registry == other.registry
            && self
                .documents
                .iter()
                .zip(&other.documents)
                .all(|(one, other)| same_text(one, other))
    }
}

/// The uses in one state of the project.
#[derive(Debug)]
struct State {
    ground: Ground,
    /// Those of the sources, in the order of the files.
    texts: Vec<Text>,
    /// What was found in each of the sources.
    of_files: Vec<Arc<UsesOfFile>>,
    uses: Arc<Uses>,
}

/// The components that one file uses.
#[derive(Debug, Default)]
struct UsesOfFile {
    /// The file as it was read.
    module: Option<Arc<Module>>,
    /// The files that were looked at, itself among them.
    depends: HashSet<String>,
    uses: Vec<Used>,
}

#[derive(Debug)]
struct Used {
    /// The component's file.
    path: String,
    function: FunctionId,
    element: ElementId,
    stamp: Stamp,
}

impl Resolver<'_> {
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

    fn find_uses(&self) -> Arc<Uses> {
        let ground = Ground::of(self);
        let files = ground.files.clone();
        let paths: Vec<&String> = files.iter().filter(|path| is_source(path)).collect();
        let texts: Vec<Text> = paths.iter().map(|path| self.text(path)).collect();
        let found = self.project.kept().map(Kept::of::<Found>);
        let found = found.as_deref();
        let nearest = found.and_then(|found| found.nearest(&ground, &texts));
        if let (Some(found), Some((state, changed))) = (found, &nearest)
            && changed.is_empty()
        {
            found.remember(state.clone());
            return state.uses.clone();
        }
        let changed = nearest.as_ref().map_or(&[][..], |(_, changed)| changed.as_slice());
        let changed: HashSet<&str> = changed.iter().map(|place| paths[*place].as_str()).collect();
        let of_files = paths.iter().enumerate().map(|(place, path)| {
            let known = nearest.as_ref().map(|(state, _)| &state.of_files[place]);
            let holds = |known: &&Arc<UsesOfFile>| changed.iter().all(|path| !known.depends.contains(*path));
            known
                .filter(holds)
                .cloned()
                .unwrap_or_else(|| Arc::new(self.uses_of_file(path)))
        });
        let of_files: Vec<_> = of_files.collect();
        let uses = Arc::new(Uses::of_files(&of_files));
        if let Some(found) = found {
            found.remember(Arc::new(State {
                ground,
                texts,
                of_files,
                uses: uses.clone(),
            }));
        }
        uses
    }

    fn uses_of_file(&self, path: &str) -> UsesOfFile {
        let around = self.seen.replace(Some(HashSet::new()));
        let module = self.module(path);
        let uses = module.as_ref().map_or_else(Vec::new, |module| self.uses_in(module));
        let depends = self.seen.replace(around).unwrap_or_default();
        UsesOfFile { module, depends, uses }
    }

    fn uses_in(&self, module: &Arc<Module>) -> Vec<Used> {
        let mut uses = Vec::new();
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
            // `<component :is="…">` is named by its expression.
            let named = match element.tag.as_str() {
                "component" => module.excerpt(&module[tag].range),
                tag => tag,
            };
            let name = (module.root(tag), named);
            let Some(component) = known.entry(name).or_insert_with(|| self.component(&at)) else {
                continue;
            };
            let (path, function) = component.key();
            uses.push(Used {
                path: path.to_owned(),
                function,
                element: id,
                stamp: Stamp {
                    path: module.path.clone(),
                    at: positions.position(module[id].range.start),
                },
            });
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

#[cfg(test)]
mod tests {
    use crate::source::engine;
    use crate::source::model::{Inspect, Lanes, Project};

    use super::*;

    /// A project that keeps what it has read.
    struct Remembering<'k> {
        files: Vec<(&'k str, &'k str)>,
        kept: &'k Kept,
    }

    impl Project for Remembering<'_> {
        fn read(&self, path: &str) -> Option<Arc<str>> {
            let (_, text) = self.files.iter().find(|(name, _)| *name == path)?;
            Some(Arc::from(*text))
        }

        fn files(&self) -> Arc<[String]> {
            self.files.iter().map(|(path, _)| (*path).to_owned()).collect()
        }

        fn kept(&self) -> Option<&Kept> {
            Some(self.kept)
        }
    }

    #[test]
    fn uses_are_found_again_when_a_file_on_the_way_changed() {
        let kept = Kept::default();
        let card = ("src/Card.tsx", "export function Card() { return <p>one</p>; }");
        let other = ("src/Other.tsx", "export function Card() { return <p>two</p>; }");
        let page = (
            "src/Page.tsx",
            "import { Card } from '@/parts';\nexport const Page = () => <Card/>;",
        );
        let config = |folder| match folder {
            "src" => ("tsconfig.json", r#"{"compilerOptions":{"paths":{"@/*":["./src/*"]}}}"#),
            _ => ("tsconfig.json", r#"{"compilerOptions":{"paths":{"@/*":["./lib/*"]}}}"#),
        };
        let uses = |parts: &str, config: (&str, &str), page: (&str, &str)| {
            let project = Remembering {
                files: vec![card, other, page, ("src/parts.ts", parts), config],
                kept: &kept,
            };
            let inspect = Inspect {
                src: "src/Card.tsx:1:32".parse().unwrap(),
                item: None,
                within: None,
                viewport: Default::default(),
            };
            let inspection = engine::inspect(&project, &inspect, Lanes::default()).unwrap();
            inspection.usages.len()
        };
        let (own, others) = ("export * from './Card';", "export * from './Other';");
        for _ in 0..2 {
            assert_eq!(uses(own, config("src"), page), 1);
            assert_eq!(uses(others, config("src"), page), 0);
            assert_eq!(uses(own, config("lib"), page), 0);
            assert_eq!(uses(own, config("src"), ("src/Page.tsx", "export {};")), 0);
            assert_eq!(uses(own, config("src"), ("src/Moved.tsx", page.1)), 1);
        }
    }
}
