//! How the prototype's stylesheets come to the page: imported by others into a layer, under conditions, and in which order.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::source::classes::breakpoints;
use crate::source::css::condition::Condition;
use crate::source::css::load::{Import, Loads};
use crate::source::css::matching::{Across, Layer, Match};
use crate::source::model::{Project, Viewport};

use super::links::{LoadedBy, loaded_by, means};
use super::scripts::Scripts;

/// Stylesheets imported by imported ones are followed this far.
const MAX_DEPTH: usize = 16;
/// More statements than any prototype's stylesheets have on all ways from one to another.
const MAX_STEPS: usize = 10_000;

/// The layers that Tailwind's own stylesheet declares, in their order.
const TAILWIND: [&str; 4] = ["theme", "base", "components", "utilities"];

/// What the stylesheets of a prototype say of each other.
pub(super) struct Loading<'p> {
    project: &'p dyn Project,
    sheets: Vec<Sheet>,
    links: Arc<Links>,
    /// Those that a script names, too.
    scripted: Vec<bool>,
    layers: Layers,
}

/// Which stylesheets mean each other.
#[derive(Debug, Default)]
struct Links {
    /// By stylesheet, for each of its imports: the stylesheet that is meant.
    targets: Vec<Vec<Option<usize>>>,
    /// By stylesheet: the imports of it, each with the stylesheet it stands in.
    imports: HashMap<usize, Vec<(usize, Import)>>,
}

/// A stylesheet: its path and what it says.
type Sheet = (String, Arc<Loads>);

/// What was found out last, with the stylesheets it was found out of.
type Known = Option<(Vec<Sheet>, Arc<Links>)>;

/// What is kept of that: between two edits most stylesheets stay as they are.
#[derive(Debug, Default)]
struct Last(Mutex<Known>);

impl Links {
    fn of(project: &dyn Project, sheets: &[Sheet]) -> Arc<Self> {
        let Some(kept) = project.kept() else {
            return Arc::new(Self::read(sheets));
        };
        let last = kept.of::<Last>();
        let mut last = last.0.lock();
        let same = |(one, other): (&Sheet, &Sheet)| Arc::ptr_eq(&one.1, &other.1) && one.0 == other.0;
        match &*last {
            Some((known, links)) if known.len() == sheets.len() && known.iter().zip(sheets).all(same) => links.clone(),
            _ => {
                let links = Arc::new(Self::read(sheets));
                *last = Some((sheets.to_vec(), links.clone()));
                links
            }
        }
    }

    fn read(sheets: &[Sheet]) -> Self {
        let mut links = Self::default();
        for (from, (path, loads)) in sheets.iter().enumerate() {
            let meant = loads.imports.iter().map(|import| {
                let stem = stem(&import.specifier);
                let mut others = sheets.iter().enumerate();
                let found = others.find(|(other, (sheet, _))| {
                    *other != from && sheet.contains(stem) && means(path, &import.specifier, sheet)
                });
                found.map(|(target, _)| target)
            });
            let meant: Vec<Option<usize>> = meant.collect();
            for (target, import) in meant.iter().zip(&loads.imports) {
                if let Some(target) = target {
                    links.imports.entry(*target).or_default().push((from, import.clone()));
                }
            }
            links.targets.push(meant);
        }
        links
    }
}

/// The layers of all stylesheets in the order of their first mention.
#[derive(Default)]
struct Layers {
    order: Vec<Vec<String>>,
    /// Whether one stylesheet decides that order: between several, scripts do.
    sure: bool,
}

/// How one stylesheet is loaded.
#[derive(Debug, Clone, Default, PartialEq)]
struct Way {
    layer: Vec<String>,
    conditions: Vec<Condition>,
    /// The stylesheet at the beginning, and the statements from there; `None` when there are several ways.
    place: Option<(usize, Vec<usize>)>,
}

impl<'p> Loading<'p> {
    /// Of all stylesheets, by their paths; `matched` are those that matter.
    pub fn new(project: &'p dyn Project, scripts: &Scripts, sheets: Vec<Sheet>, matched: &[String]) -> Self {
        let mut loading = Self {
            project,
            scripted: vec![false; sheets.len()],
            links: Links::of(project, &sheets),
            sheets,
            layers: Layers::default(),
        };
        loading.ask_scripts(scripts, matched);
        if loading.mentions_layers() {
            loading.layers = loading.layers();
        }
        loading
    }

    fn mentions_layers(&self) -> bool {
        let mentions =
            |loads: &Loads| !loads.layers.is_empty() || loads.imports.iter().any(|one| !one.layer.is_empty());
        self.sheets.iter().any(|(_, loads)| mentions(loads))
    }

    /// Finds out which stylesheets scripts name: of those that other stylesheets import, too, on the way to the ones that matter, and of all
    /// where layers have to be put in order.
    fn ask_scripts(&mut self, scripts: &Scripts, matched: &[String]) {
        let layers = self.mentions_layers();
        let says = |loads: &Loads| layers && (!loads.layers.is_empty() || !loads.imports.is_empty());
        let wanted = self.sheets.iter().enumerate();
        let wanted = wanted.filter(|(_, (path, loads))| says(loads) || matched.contains(path));
        let mut open: Vec<usize> = wanted.map(|(sheet, _)| sheet).collect();
        let mut asked = BTreeSet::new();
        while let Some(sheet) = open.pop() {
            let imports = self.links.imports.get(&sheet);
            if (imports.is_some() || says(&self.sheets[sheet].1)) && asked.insert(sheet) {
                open.extend(imports.into_iter().flatten().map(|(from, _)| *from));
            }
        }
        let paths: Vec<String> = asked.iter().map(|sheet| self.sheets[*sheet].0.clone()).collect();
        let by = loaded_by(self.project, scripts, &paths);
        for sheet in asked {
            self.scripted[sheet] = by.get(&self.sheets[sheet].0) == Some(&LoadedBy::Scripts);
        }
    }

    /// Tells rules of a stylesheet where they stand among those of the others, and under which conditions.
    pub fn place(&self, path: &str, found: &mut [Match], viewport: &Viewport) {
        let Some(index) = self.sheets.iter().position(|(sheet, _)| sheet == path) else {
            return;
        };
        let way = self.way(index, 0);
        for one in found {
            if !way.layer.is_empty() {
                one.layer.insert(0, 0);
            }
            let own = one.names.iter().map(|name| own_name(path, name));
            one.names = way.layer.iter().cloned().chain(own).collect();
            let known = self.layers.find(&one.names);
            one.across = Across {
                sure: known.is_some() && self.layers.sure,
                layer: known.unwrap_or_else(|| one.layer.clone()),
                place: way.place.clone().map(|(root, mut steps)| {
                    steps.push(one.rule);
                    (root, steps)
                }),
            };
            if !way.conditions.is_empty() {
                one.conditions.splice(0..0, way.conditions.iter().cloned());
                one.judge(viewport);
            }
        }
    }

    /// Where a stylesheet stands: for the order of those that are imported by the same one.
    pub fn order(&self, path: &str) -> Option<(usize, Vec<usize>)> {
        let index = self.sheets.iter().position(|(sheet, _)| sheet == path)?;
        let (root, mut steps) = self.way(index, 0).place?;
        // Its own rules come behind what it imports.
        steps.push(usize::MAX);
        Some((root, steps))
    }

    fn way(&self, sheet: usize, depth: usize) -> Way {
        let imports = self.links.imports.get(&sheet).map(Vec::as_slice).unwrap_or_default();
        match imports {
            [] => Way {
                place: Some((sheet, Vec::new())),
                ..Way::default()
            },
            // A script loads it as it is, whatever others say.
            _ if self.scripted[sheet] || depth == MAX_DEPTH => Way::default(),
            [(from, import)] => {
                let mut way = self.way(*from, depth + 1);
                let path = &self.sheets[*from].0;
                way.layer.extend(import.layer.iter().map(|name| own_name(path, name)));
                way.conditions.extend(import.conditions.iter().cloned());
                if let Some((_, steps)) = &mut way.place {
                    steps.push(import.node);
                }
                way
            }
            several => {
                let plain = |(_, import): &&(usize, Import)| import.layer.is_empty() && import.conditions.is_empty();
                let conditions = match several.iter().all(|each| plain(&each)) {
                    true => Vec::new(),
                    // It holds where one of them does.
                    false => vec![Condition::read("import", &format!("in {} places", several.len()))],
                };
                Way {
                    conditions,
                    ..Way::default()
                }
            }
        }
    }

    fn layers(&self) -> Layers {
        let mut layers = Layers::default();
        let (mut steps, mut roots) = (0, 0);
        for sheet in 0..self.sheets.len() {
            let before = layers.order.len();
            // What nothing loads has no part in the page.
            if self.scripted[sheet] {
                self.walk(sheet, &[], &mut layers, &mut steps, 0);
            }
            roots += usize::from(layers.order.len() > before);
        }
        layers.sure = roots == 1 && steps < MAX_STEPS;
        layers
    }

    /// Notes the layers that a stylesheet mentions, and those it imports, in their order.
    fn walk(&self, sheet: usize, outer: &[String], layers: &mut Layers, steps: &mut usize, depth: usize) {
        let (path, loads) = &self.sheets[sheet];
        let mut mentions = loads.layers.iter().peekable();
        for (import, target) in loads.imports.iter().zip(&self.links.targets[sheet]) {
            while let Some((_, names)) = mentions.next_if(|(node, _)| *node < import.node) {
                layers.mention(outer.iter().chain(names));
            }
            *steps += 1;
            if *steps > MAX_STEPS || depth == MAX_DEPTH {
                return;
            }
            let mut around = outer.to_vec();
            around.extend(import.layer.iter().map(|name| own_name(path, name)));
            layers.mention(&around);
            if import.specifier == "tailwindcss" {
                for name in TAILWIND {
                    layers.mention(around.iter().chain([&name.to_owned()]));
                }
            }
            if let Some(target) = target {
                self.walk(*target, &around, layers, steps, depth + 1);
            }
        }
        for (_, names) in mentions {
            layers.mention(outer.iter().chain(names));
        }
    }
}

impl Layers {
    fn mention<'n>(&mut self, names: impl IntoIterator<Item = &'n String>) {
        let mut layer = Vec::new();
        for name in names {
            layer.push(name.clone());
            if !self.order.contains(&layer) {
                self.order.push(layer.clone());
            }
        }
    }

    /// Where a layer stands: the number of each from the outermost on.
    fn find(&self, names: &[String]) -> Option<Layer> {
        let depths = 1..=names.len();
        depths
            .map(|depth| self.order.iter().position(|layer| layer == &names[..depth]))
            .collect()
    }
}

/// What the path of a stylesheet has to hold for a specifier to mean it.
fn stem(specifier: &str) -> &str {
    let specifier = specifier.split('?').next().unwrap_or_default();
    let file = specifier.rsplit('/').next().unwrap_or_default();
    let file = file.trim_start_matches('_');
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Layers without a name are another one in each stylesheet.
fn own_name(path: &str, name: &str) -> String {
    match name.starts_with('#') {
        true => format!("#{path}{name}"),
        false => name.to_owned(),
    }
}

/// Writes the widths that conditions name by Tailwind's breakpoints in their place.
pub(super) fn name_widths(project: &dyn Project, found: &mut [Match], viewport: &Viewport) {
    let known = OnceCell::new();
    let width = |name: &str| -> Option<f64> {
        let known: &Vec<_> = known.get_or_init(|| breakpoints(project));
        known.iter().find(|each| each.name == name).map(|each| each.width)
    };
    for one in found {
        let mut is_changed = false;
        for condition in &mut one.conditions {
            if let Some(named) = condition.with_breakpoints(&width) {
                *condition = named;
                is_changed = true;
            }
        }
        if is_changed {
            one.judge(viewport);
        }
    }
}
