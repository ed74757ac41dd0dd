//! The rules that hold for an element: of its CSS modules, its component's `<style>` blocks, and the prototype's stylesheets.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use crate::source::model::inspection::StyleFrom;
use crate::source::model::memo::Memo;
use crate::source::model::{Plan, Project, Replacement, Viewport};

use super::inline::words;
use super::links::{imported, loaded, resolve};
use super::loading::{Loading, name_widths};
use super::mentions::{self, Mention};
use super::scripts::{Scripts, is_script};
use super::subject::{Ancestor, ModuleClass, Subject};
use crate::source::css::matching::{Facts, Match, Sure, matches};
use crate::source::css::selector::{Compound, Simple};
use crate::source::css::{Dialect, Node, NodeKind, Sheet};

/// A stylesheet with the rules that hold for the element.
#[derive(Debug)]
pub(super) struct Source {
    /// The file it stands in.
    pub path: String,
    /// The file's text.
    file: Arc<str>,
    /// Its part of that.
    range: Range<usize>,
    pub from: StyleFrom,
    /// The name by which a script knows its classes.
    object: Option<String>,
    pub sheet: Arc<Sheet>,
    pub matches: Vec<Match>,
    scripts: Rc<Scripts>,
}

/// A stylesheet, unless a bracket or string does not close.
type Scanned = Option<Arc<Sheet>>;

/// What is kept of stylesheets.
#[derive(Debug, Default)]
struct Sheets(Memo<Scanned>);

/// Stylesheets whose braces or strings do not close.
pub(super) type Broken = Vec<String>;

impl Source {
    /// The stylesheet's own text; its offsets begin at [`Self::start`] of the file.
    pub fn text(&self) -> &str {
        &self.file[self.range.clone()]
    }

    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn start(&self) -> usize {
        self.range.start
    }

    /// A replacement within it, in its file.
    pub fn plan(&self, replacement: Replacement) -> Plan {
        let range = replacement.range.start + self.start()..replacement.range.end + self.start();
        Plan::of(&self.path, vec![Replacement { range, ..replacement }])
    }

    /// The declarations of a rule, in order.
    pub fn declarations(&self, rule: usize) -> impl Iterator<Item = Declared<'_>> {
        let text = self.text();
        self.sheet
            .children(Some(rule))
            .filter_map(move |(index, node)| match &node.kind {
                NodeKind::Declaration {
                    property,
                    value,
                    important,
                    ..
                } => {
                    let name = &text[property.clone()];
                    let property = if name.starts_with("--") {
                        name.to_owned()
                    } else {
                        name.to_ascii_lowercase()
                    };
                    Some(Declared {
                        index,
                        node,
                        property,
                        value: &text[value.clone()],
                        important: important.is_some(),
                    })
                }
                _ => None,
            })
    }

    /// The selector of a rule, as it is written; that of the rule around it for an at-rule nested in one.
    pub fn selector(&self, rule: usize) -> String {
        let mut around = std::iter::successors(Some(rule), |index| self.sheet.nodes[*index].parent);
        let selector = around.find_map(|index| match &self.sheet.nodes[index].kind {
            NodeKind::Rule { selector, .. } => Some(selector),
            _ => None,
        });
        let Some(selector) = selector else {
            return String::new();
        };
        let text = self.text()[selector.clone()]
            .split_ascii_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        text.chars().take(120).collect()
    }

    /// In how many places of the source elements stand that the rule might hold for; at least 1.
    pub fn shared(&self, project: &dyn Project, subject: &Subject<'_>, found: &Match) -> usize {
        let count: usize = found.own.iter().map(|own| self.places(project, subject, own)).sum();
        count.max(1)
    }

    fn places(&self, project: &dyn Project, subject: &Subject<'_>, own: &Compound) -> usize {
        let counts = own.iter().filter_map(|simple| match simple {
            Simple::Id(_) => Some(1),
            Simple::Class(name) => Some(self.mentions(project, subject, name, Mention::Class)),
            Simple::Tag(name) => Some(self.mentions(project, subject, name, Mention::Tag)),
            _ => None,
        });
        // Whatever has no name may stand anywhere.
        counts.min().unwrap_or(usize::MAX / 1024)
    }

    fn mentions(&self, project: &dyn Project, subject: &Subject<'_>, name: &str, mention: Mention) -> usize {
        let template = || {
            let mut text = subject.text.to_owned();
            for block in subject.blocks.iter().rev() {
                text.replace_range(block.content.clone(), "");
            }
            text
        };
        match (self.from, &self.object) {
            (StyleFrom::Module, Some(object)) if self.path != subject.path => {
                let file = self.path.rsplit('/').next().unwrap_or(&self.path);
                let files = project.files();
                let texts = files.iter().filter(|path| is_script(path)).filter_map(|path| {
                    if path == subject.path {
                        Some(Arc::from(subject.text))
                    } else {
                        project.read(path)
                    }
                });
                texts
                    .filter(|text| text.contains(file))
                    .map(|text| member_mentions(&text, object, name))
                    .sum()
            }
            (StyleFrom::Module, Some(object)) => member_mentions(&template(), object, name),
            (StyleFrom::Scoped, _) => mention.count(&template(), name),
            _ => mention.count(&template(), name) + mentions::count(project, &self.scripts, subject, mention, name),
        }
    }
}

/// A declaration of a rule.
#[derive(Debug, Clone)]
pub(super) struct Declared<'s> {
    pub index: usize,
    pub node: &'s Node,
    pub property: String,
    pub value: &'s str,
    pub important: bool,
}

/// How often `styles.card` or `['card']` stands there.
fn member_mentions(text: &str, object: &str, name: &str) -> usize {
    let camel = super::properties::camel(name);
    let count = |name: &str| {
        words(text, name)
            .filter(|at| {
                let before = &text[..*at];
                before.ends_with('.') && !before.ends_with("..") || before.ends_with("['") || before.ends_with("[\"")
            })
            .count()
    };
    let _ = object;
    count(name) + if camel == name { 0 } else { count(&camel) }
}

/// All stylesheets with a rule that holds for the element, or might.
pub(super) fn sources(project: &dyn Project, subject: &Subject<'_>, viewport: &Viewport) -> (Vec<Source>, Broken) {
    let mut collected = Collected {
        project,
        subject,
        viewport,
        sources: Vec::new(),
        broken: Vec::new(),
        scripts: Rc::default(),
    };
    if !subject.is_component {
        collected.plain();
        collected.blocks();
        collected.modules();
    }
    (collected.sources, collected.broken)
}

struct Collected<'a> {
    project: &'a dyn Project,
    subject: &'a Subject<'a>,
    viewport: &'a Viewport,
    sources: Vec<Source>,
    broken: Broken,
    scripts: Rc<Scripts>,
}

impl Collected<'_> {
    /// Stylesheets of the prototype that something loads.
    fn plain(&mut self) {
        let scripts = Rc::clone(&self.scripts);
        let texts = scripts.texts(self.project).iter();
        let sheets =
            texts.filter(|(path, _)| Dialect::of(path).is_some() && path.contains('.') && !path.contains(".module."));
        // To all of these the elements look the same.
        let element = self.element(&[]);
        let elements = std::iter::once(&element).chain(&self.subject.ancestors);
        let facts: Vec<Facts<'_>> = elements.map(|element| facts(element, None)).collect();
        let mut loads = Vec::new();
        for (path, text) in sheets {
            let range = 0..text.len();
            if let Some(sheet) = self.scanned(path, text, &range, path) {
                loads.push((path.clone(), sheet.loads(text)));
                let (file, from) = (text.clone(), StyleFrom::Stylesheet);
                self.hold((path, file, range), from, None, &sheet, &facts);
            }
        }
        let names: Vec<String> = self.sources.iter().map(|source| source.path.clone()).collect();
        let named = loaded(self.project, &self.scripts, &names);
        self.sources.retain(|source| named.contains(&source.path));
        let matched: Vec<String> = self.sources.iter().map(|source| source.path.clone()).collect();
        let loading = Loading::new(self.project, &self.scripts, loads, &matched);
        for source in &mut self.sources {
            loading.place(&source.path, &mut source.matches, self.viewport);
        }
        // The later one wins: those that are imported by the same one stand in that order.
        self.sources.sort_by_cached_key(|source| loading.order(&source.path));
        let broken = std::mem::take(&mut self.broken);
        let named = loaded(self.project, &self.scripts, &broken);
        self.broken = broken.into_iter().filter(|path| named.contains(path)).collect();
    }

    fn blocks(&mut self) {
        let file: Arc<str> = Arc::from(self.subject.text);
        for block in &self.subject.blocks {
            let (from, object) = match &block.module {
                Some(object) => (StyleFrom::Module, Some(object.clone())),
                None if block.scoped => (StyleFrom::Scoped, None),
                None => (StyleFrom::Stylesheet, None),
            };
            let modules = self.subject.modules.clone();
            let known = self.sources.len();
            self.add(
                self.subject.path,
                file.clone(),
                block.content.clone(),
                &block.lang,
                from,
                object,
                &modules,
            );
            let found = self.sources[known..].iter_mut().flat_map(|source| &mut source.matches);
            for found in found.filter(|_| !block.certain) {
                found.selects = found.selects.min(Sure::Maybe);
            }
        }
    }

    /// CSS modules that the element's classes come from, and those that they compose.
    fn modules(&mut self) {
        let mut objects: Vec<&str> = self
            .subject
            .modules
            .iter()
            .map(|module| module.object.as_str())
            .collect();
        objects.sort_unstable();
        objects.dedup();
        for object in objects {
            let path = imported(self.subject, object)
                .and_then(|specifier| resolve(self.project, self.subject.path, &specifier));
            let Some(path) = path.filter(|path| Dialect::of(path).is_some()) else {
                continue;
            };
            let mut wanted = vec![(path, self.subject.modules.clone())];
            let mut seen = HashSet::new();
            while let Some((path, modules)) = wanted.pop().filter(|_| seen.len() < 16) {
                if !seen.insert(path.clone()) {
                    continue;
                }
                let Some(text) = self.project.read(&path) else { continue };
                let range = 0..text.len();
                self.add(
                    &path,
                    text.clone(),
                    range,
                    &path,
                    StyleFrom::Module,
                    Some(object.to_owned()),
                    &modules,
                );
                let own = modules
                    .iter()
                    .filter(|module| module.object == object)
                    .map(|module| module.name.clone())
                    .collect();
                for (specifier, names) in composed(&text, own).1 {
                    if let Some(path) = resolve(self.project, &path, &specifier) {
                        let names = names.into_iter().map(|name| ModuleClass {
                            object: object.to_owned(),
                            name,
                        });
                        wanted.push((path, names.collect()));
                    }
                }
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "everything that tells one stylesheet from another"
    )]
    fn add(
        &mut self,
        path: &str,
        file: Arc<str>,
        range: Range<usize>,
        language: &str,
        from: StyleFrom,
        object: Option<String>,
        modules: &[ModuleClass],
    ) {
        let Some(sheet) = self.scanned(path, &file, &range, language) else {
            return;
        };
        let text = &file[range.clone()];
        let local = |modules: &[ModuleClass]| -> Option<HashSet<String>> {
            let object = object.as_deref()?;
            let own = modules
                .iter()
                .filter(|module| module.object == object)
                .map(|module| module.name.clone())
                .collect();
            Some(composed(text, own).0)
        };
        let subject = self.subject;
        let mut locals = vec![local(modules)];
        locals.extend(subject.ancestors.iter().map(|ancestor| local(&ancestor.modules)));
        let element = self.element(modules);
        let elements = std::iter::once(&element).chain(&subject.ancestors);
        let facts: Vec<Facts<'_>> = elements
            .zip(&locals)
            .map(|(element, local)| facts(element, local.as_ref()))
            .collect();
        self.hold((path, file.clone(), range), from, object.clone(), &sheet, &facts);
    }

    /// The element itself.
    fn element(&self, modules: &[ModuleClass]) -> Ancestor {
        let subject = self.subject;
        Ancestor {
            tag: subject.tag.to_owned(),
            attributes: subject.attributes.clone(),
            open: subject.open,
            classes: subject.classes.clone(),
            classes_open: subject.classes_open,
            modules: modules.to_vec(),
        }
    }

    /// A stylesheet's statements; `None` when it has none, or is broken.
    fn scanned(&mut self, path: &str, file: &Arc<str>, range: &Range<usize>, language: &str) -> Option<Arc<Sheet>> {
        let (dialect, text) = (Dialect::of(language)?, file.get(range.clone())?);
        let scan = || Sheet::parse(text, dialect).ok().map(Arc::new);
        let sheet = match self.project.kept() {
            Some(kept) if path == language && *range == (0..file.len()) => kept.of::<Sheets>().0.get(path, file, scan),
            _ => scan(),
        };
        if sheet.is_none() {
            self.broken.push(path.to_owned());
        }
        sheet
    }

    /// Keeps what of a stylesheet holds for the element, or might.
    fn hold(
        &mut self,
        (path, file, range): (&str, Arc<str>, Range<usize>),
        from: StyleFrom,
        object: Option<String>,
        sheet: &Arc<Sheet>,
        facts: &[Facts<'_>],
    ) {
        let mut matches = matches(sheet, &file[range.clone()], facts, self.viewport);
        name_widths(self.project, &mut matches, self.viewport);
        if !matches.is_empty() {
            self.sources.push(Source {
                path: path.to_owned(),
                file,
                range,
                from,
                object,
                sheet: Arc::clone(sheet),
                matches,
                scripts: Rc::clone(&self.scripts),
            });
        }
    }
}

fn facts<'a>(element: &'a Ancestor, local: Option<&'a HashSet<String>>) -> Facts<'a> {
    let global: Vec<&str> = element.classes.iter().map(String::as_str).collect();
    Facts {
        tag: Some(&element.tag),
        attributes: element
            .attributes
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_deref()))
            .collect(),
        open: element.open,
        classes: local.map_or_else(|| global.clone(), |local| local.iter().map(String::as_str).collect()),
        global,
        classes_open: element.classes_open,
    }
}

/// The classes of a module with those they compose from the same file, and what they compose from others: the specifier and
/// the names. `styles.cardTitle` may mean `.card-title`.
fn composed(text: &str, classes: Vec<String>) -> (HashSet<String>, Vec<(String, Vec<String>)>) {
    let mut local: HashSet<String> = HashSet::new();
    for class in classes {
        let kebab = super::properties::kebab(&class);
        if kebab != class && words(text, &class).next().is_none() {
            local.insert(kebab);
        }
        local.insert(class);
    }
    let mut elsewhere: Vec<(String, Vec<String>)> = Vec::new();
    if !text.contains("composes") {
        return (local, elsewhere);
    }
    let Ok(sheet) = Sheet::parse(text, Dialect::Scss) else {
        return (local, elsewhere);
    };
    // By class: what it composes.
    let mut composes: HashMap<&str, Vec<&str>> = HashMap::new();
    for node in &sheet.nodes {
        let NodeKind::Declaration { property, value, .. } = &node.kind else {
            continue;
        };
        let rule = node.parent.map(|parent| &sheet.nodes[parent].kind);
        if let ("composes", Some(NodeKind::Rule { selector, .. })) = (&text[property.clone()], rule) {
            let class = text[selector.clone()].trim().trim_start_matches('.');
            composes.entry(class).or_default().push(&text[value.clone()]);
        }
    }
    let mut open: Vec<String> = local.iter().cloned().collect();
    while let Some(class) = open.pop() {
        for value in composes.get(class.as_str()).into_iter().flatten() {
            let (names, from) = value
                .split_once(" from ")
                .map_or((*value, None), |(names, from)| (names, Some(from.trim())));
            let names = names
                .split([' ', ',', '\t', '\n'])
                .filter(|name| !name.is_empty())
                .map(str::to_owned);
            match from.map(|from| from.trim_matches(['"', '\''])) {
                None => {
                    for name in names {
                        if local.insert(name.clone()) {
                            open.push(name);
                        }
                    }
                }
                Some("global") => {}
                Some(specifier) => elsewhere.push((specifier.to_owned(), names.collect())),
            }
        }
    }
    (local, elsewhere)
}
