//! The background pass over all libraries.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::{fetched, installed, storybook};
use crate::config::{DesignSystem, Source, Storybook};
use crate::source::model::{Library, LibraryComponent};

/// A package that nobody declared and that has more components is one of icons: it would hide all others.
const MAX_UNDECLARED: usize = 400;

/// What is to be prepared.
#[derive(Debug)]
pub struct Request {
    /// The prototype's folder.
    pub root: PathBuf,
    /// Where packages and repositories that are fetched are kept.
    pub kept: PathBuf,
    /// Libraries that are declared.
    pub declared: Vec<DesignSystem>,
    /// Servers of documentation.
    pub storybooks: Vec<Storybook>,
    /// Hosts of those that may be in a private network, in lower case.
    pub allowed: Vec<String>,
    /// Whether the prototype is one of Vue; else of React.
    pub is_vue: bool,
}

/// What became of a library.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Its name for people.
    pub label: String,
    /// Where it comes from: `installed`, `registry`, `repo` or `storybook`.
    pub kind: &'static str,
    /// Whether `designSystems` or EDITOR_STORYBOOK_URLS names it; else it was found among the prototype's packages.
    pub declared: bool,
    /// Its version, as its package.json says.
    pub version: String,
    /// How many components it has.
    pub components: usize,
    /// Why it cannot be used.
    pub problem: Option<String>,
    /// Its place among the libraries that can be used.
    #[serde(skip)]
    pub library: Option<usize>,
}

/// Prepares everything; each library fails alone.
pub async fn prepare(request: &Request) -> (Vec<Library>, Vec<Report>) {
    let mut prepared = Prepared::default();
    for system in &request.declared {
        let (kind, named) = match &system.source {
            Source::Installed { package } => ("installed", package),
            Source::Registry { spec } => ("registry", spec),
            Source::Repo { url, .. } => ("repo", url),
        };
        let label = system.label.clone().unwrap_or_else(|| named.clone());
        let read = match folder(request, system).await {
            Ok(folder) => read(folder).await,
            Err(problem) => Err(problem),
        };
        prepared.add(label, kind, Some(system), read);
    }
    for name in dependencies(&request.root) {
        if prepared.packages.contains(&name) {
            continue;
        }
        let Some(folder) =
            find(&request.root, &name).filter(|folder| is_of_framework(&request.root, folder, request.is_vue))
        else {
            continue;
        };
        let read = read(folder).await;
        // What has no components for this framework is no library of components, and nothing to speak of.
        let fits = |package: &installed::Package| {
            let fitting = package
                .components
                .iter()
                .filter(|component| component.is_vue == request.is_vue);
            (1..=MAX_UNDECLARED).contains(&fitting.count())
        };
        if let Ok(package) = read
            && fits(&package)
        {
            prepared.add(name, "installed", None, Ok(package));
        }
    }
    for book in &request.storybooks {
        let read = storybook::read(book, &request.allowed, request.is_vue).await;
        prepared.add_documented(book, read);
    }
    (prepared.libraries, prepared.reports)
}

#[derive(Default)]
struct Prepared {
    libraries: Vec<Library>,
    reports: Vec<Report>,
    packages: BTreeSet<String>,
}

impl Prepared {
    /// What is documented and known by its declarations already is left out: those say more.
    fn add_documented(&mut self, book: &Storybook, read: Result<Vec<LibraryComponent>, String>) {
        let label = book.label.clone().unwrap_or_else(|| book.url.to_string());
        let (components, mut problem) = match read {
            Ok(components) => (components, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        let count = components.len();
        let mut library = None;
        if count > 0 && book.import_path.is_none() {
            problem = Some(
                "no import path is named for it: write <url>|<label>|<import path> in EDITOR_STORYBOOK_URLS".to_owned(),
            );
        } else {
            let known = |component: &LibraryComponent| {
                let mut all = self.libraries.iter().flat_map(|library| &library.components);
                all.any(|known| known.package == component.package && known.export == component.export)
            };
            let components: Vec<_> = components.into_iter().filter(|component| !known(component)).collect();
            library = self.offer(&label, components, false);
        }
        self.reports.push(Report {
            label,
            kind: "storybook",
            declared: true,
            version: String::new(),
            components: count,
            problem,
            library,
        });
    }

    /// Puts the components beside the others; gives their library's place.
    fn offer(&mut self, label: &str, components: Vec<LibraryComponent>, hints: bool) -> Option<usize> {
        if components.is_empty() {
            return None;
        }
        self.libraries.push(Library {
            label: label.to_owned(),
            components,
            hints,
        });
        Some(self.libraries.len() - 1)
    }

    fn add(
        &mut self,
        label: String,
        kind: &'static str,
        declared: Option<&DesignSystem>,
        read: Result<installed::Package, String>,
    ) {
        let none = |package: &installed::Package| {
            let why = "it exports no component whose properties it declares";
            package.components.is_empty().then(|| why.to_owned())
        };
        let mut library = None;
        let (version, components, problem) = match read {
            Ok(package) => {
                self.packages.insert(package.name.clone());
                let problem = none(&package);
                let count = package.components.len();
                library = self.offer(&label, package.components, declared.is_some_and(|system| system.hints));
                (package.version, count, problem)
            }
            Err(problem) => (String::new(), 0, Some(problem)),
        };
        self.reports.push(Report {
            label,
            kind,
            declared: declared.is_some(),
            version,
            components,
            problem,
            library,
        });
    }
}

async fn folder(request: &Request, system: &DesignSystem) -> Result<PathBuf, String> {
    match &system.source {
        Source::Installed { package } => find(&request.root, package).ok_or_else(|| {
            format!("{package} is not installed: add it to the prototype's packages, or declare it as `registry`")
        }),
        Source::Registry { spec } => fetched::package(spec, &request.root, &request.kept).await,
        Source::Repo { url, reference, subdir } => {
            fetched::repository(
                url,
                reference.as_deref(),
                subdir.as_deref(),
                system.allow_build,
                &request.kept,
            )
            .await
        }
    }
}

async fn read(folder: PathBuf) -> Result<installed::Package, String> {
    let read = tokio::task::spawn_blocking(move || installed::read(&folder)).await;
    read.map_err(|error| format!("reading it failed: {error}"))?
}

/// The folder of a package, as Node finds it.
fn find(root: &Path, name: &str) -> Option<PathBuf> {
    let fits = !name
        .split('/')
        .any(|part| part.is_empty() || part == "." || part == "..");
    let folders = root.ancestors().map(|folder| folder.join("node_modules").join(name));
    folders
        .filter(|_| fits)
        .find(|folder| folder.join("package.json").is_file())
}

/// What the prototype states to need when it runs.
fn dependencies(root: &Path) -> Vec<String> {
    let description = installed::describe(root).unwrap_or(Value::Null);
    let names = description["dependencies"].as_object().into_iter().flatten();
    names.map(|(name, _)| name.clone()).collect()
}

/// Whether a package is made for the framework: it, or a package it needs, states to need the framework. What belongs to the
/// framework itself is no library.
fn is_of_framework(root: &Path, folder: &Path, is_vue: bool) -> bool {
    let Ok(description) = installed::describe(folder) else {
        return false;
    };
    let framework = if is_vue { "vue" } else { "react" };
    let states = |description: &Value| {
        let needs = ["peerDependencies", "dependencies"];
        needs.iter().any(|key| description[*key].get(framework).is_some())
    };
    let own = [
        "react-dom",
        "react-router",
        "react-router-dom",
        "next",
        "nuxt",
        "vue-router",
    ];
    if own.contains(&description["name"].as_str().unwrap_or_default()) {
        return false;
    }
    let needed = description["dependencies"].as_object().into_iter().flatten();
    states(&description)
        || needed
            .filter_map(|(name, _)| installed::describe(&find(root, name)?).ok())
            .any(|needed| states(&needed))
}
