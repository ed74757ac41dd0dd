//! The texts of each language: files in folders that are named for it, and messages that stand in the code.

use std::collections::HashSet;
use std::sync::Arc;

use super::catalogue::Catalogue;
use super::evaluate::Resolver;
use super::value::{At, Provenance, Value};
use crate::source::imports::folder;
use crate::source::module::{Export, Module, NodeId, Origin, Shape};

/// Folders that hold translations.
const FOLDERS: [&str; 10] = [
    "locales",
    "locale",
    "messages",
    "i18n",
    "lang",
    "langs",
    "languages",
    "translations",
    "translation",
    "intl",
];

/// Settings that name the language a prototype begins with, the strongest first.
const DEFAULTS: [&str; 6] = [
    "defaultLocale",
    "lng",
    "locale",
    "fallbackLng",
    "fallbackLocale",
    "defaultLanguage",
];

impl Resolver<'_> {
    /// The project's translations.
    pub(super) fn catalogues(&self) -> &[Catalogue] {
        self.catalogues.get_or_init(|| {
            let files = self.project.files();
            let mut catalogues: Vec<Catalogue> = files.iter().filter_map(|path| of_file(path)).collect();
            for module in self.sources() {
                catalogues.extend(self.inline(&module));
            }
            catalogues
        })
    }

    /// Messages that stand in a file's code, or that it hands over from another.
    fn inline(&self, module: &Arc<Module>) -> Vec<Catalogue> {
        let own = module.component().map(|_| module.path.clone());
        let at = |id: NodeId| At {
            module: module.clone(),
            id,
        };
        let mut found = Vec::new();
        for block in &module.blocks {
            let texts = at(block.node);
            let only = own.clone().filter(|_| !block.global);
            match &block.locale {
                Some(locale) => found.push(given(module, locale, None, &texts, only)),
                None => found.extend(self.by_locale(module, &texts, false, only.as_ref())),
            }
        }
        if !module.messages.is_empty() && speaks(module) {
            for (is_resources, node) in &module.messages {
                found.extend(self.by_locale(module, &at(*node), *is_resources, own.as_ref()));
            }
        }
        found
    }

    /// `{ en: { … }, de: { … } }`, with parts in between for `resources`.
    fn by_locale(&self, module: &Module, at: &At, parts: bool, only: Option<&String>) -> Vec<Catalogue> {
        let mut found = Vec::new();
        for (locale, texts) in self.by_name(at) {
            if !is_locale(&locale) {
                continue;
            }
            if !parts {
                found.push(given(module, &locale, None, &texts, only.cloned()));
                continue;
            }
            for (part, texts) in self.by_name(&texts) {
                found.push(given(module, &locale, Some(part), &texts, only.cloned()));
            }
        }
        found
    }

    /// The properties of the object that an expression is.
    fn by_name(&self, at: &At) -> Vec<(String, At)> {
        let candidates = self.apart(|| self.follow(at, &Provenance::new()));
        let [only] = &candidates[..] else { return Vec::new() };
        let Value::Node(object) = &only.value else {
            return Vec::new();
        };
        let Shape::Object(properties) = &object.node().shape else {
            return Vec::new();
        };
        let plain = properties.iter().filter(|property| !property.spread);
        let named = plain.filter_map(|property| Some((property.key.clone()?, object.with(property.value))));
        named.collect()
    }

    /// Which of these languages the prototype begins with: the one its code sets, or that one's language without the
    /// country, or the only one.
    pub(super) fn default_locale<'l>(&self, having: &[&'l str]) -> Option<&'l str> {
        if let [only] = having {
            return Some(only);
        }
        let configured = self.default_locale.get_or_init(|| self.configured());
        configured.iter().find_map(|locale| {
            let language = locale.split(['-', '_']).next().unwrap_or(locale);
            let exact = having.iter().find(|one| *one == locale);
            let wide = exact.or_else(|| having.iter().find(|one| **one == language));
            wide.copied()
        })
    }

    /// The languages that the code sets, the strongest setting first. A setting with several values says nothing.
    fn configured(&self) -> Vec<String> {
        // By setting, then those near translations before others.
        let mut found: Vec<(usize, bool, String)> = Vec::new();
        for module in self.sources() {
            let mut of_module = Vec::new();
            for node in &module.nodes {
                let Shape::Object(properties) = &node.shape else {
                    continue;
                };
                for property in properties {
                    let key = property.key.as_deref().unwrap_or_default();
                    let Some(rank) = DEFAULTS.iter().position(|name| *name == key) else {
                        continue;
                    };
                    if let Shape::Text(fixed) = &module[property.value].shape
                        && is_locale(&fixed.text)
                    {
                        of_module.push((rank, fixed.text.clone()));
                    }
                }
            }
            if !of_module.is_empty() {
                let apart = !speaks(&module);
                found.extend(of_module.into_iter().map(|(rank, locale)| (rank, apart, locale)));
            }
        }
        found.sort();
        found.dedup();
        let of_rank = |rank: usize| {
            let near = |apart: bool| found.iter().filter(move |one| one.0 == rank && one.1 == apart);
            let all = |apart: bool| near(apart).map(|(_, _, locale)| locale.clone()).collect::<Vec<_>>();
            let own = all(false);
            let of_rank = if own.is_empty() { all(true) } else { own };
            match <[String; 1]>::try_from(of_rank) {
                Ok([only]) => Some(only),
                Err(_) => None,
            }
        };
        (0..DEFAULTS.len()).filter_map(of_rank).collect()
    }

    /// Whether two files belong to one package: the nearest folder with a `package.json`.
    pub(super) fn same_package(&self, one: &str, other: &str) -> bool {
        let packages: &HashSet<String> = self.packages.get_or_init(|| {
            let files = self.project.files();
            let manifests = files
                .iter()
                .filter(|path| path.rsplit('/').next() == Some("package.json"));
            manifests.map(|path| folder(path).to_owned()).collect()
        });
        let package = |path| {
            let mut at = folder(path);
            while !at.is_empty() && !packages.contains(at) {
                at = folder(at);
            }
            at
        };
        package(one) == package(other)
    }
}

fn given(module: &Module, locale: &str, namespace: Option<String>, texts: &At, only: Option<String>) -> Catalogue {
    Catalogue {
        locale: locale.to_owned(),
        namespace,
        path: texts.module.path.clone(),
        node: Some(texts.id),
        only,
        by: module.path.clone(),
    }
}

/// Whether a file has to do with translations.
fn speaks(module: &Module) -> bool {
    let is_about = |text: &str| {
        let text = text.to_lowercase();
        text.contains("i18n") || text.contains("intl")
    };
    is_about(&module.path)
        || module
            .exports
            .iter()
            .any(|(_, export)| matches!(export, Export::From(from, _) if is_about(from)))
        || module.symbols.iter().any(|symbol| match &symbol.origin {
            Origin::Import(specifier, _) => is_about(specifier),
            _ => false,
        })
        || module
            .nodes
            .iter()
            .any(|node| matches!(&node.shape, Shape::Name(_, name) if is_about(name)))
}

/// `…/locales/en.json`, `…/locales/en/common.json`, and the same as scripts.
fn of_file(path: &str) -> Option<Catalogue> {
    let (stem, ending) = path.rsplit_once('.')?;
    if !matches!(ending, "json" | "ts" | "js" | "mjs" | "json5") || stem.ends_with(".d") {
        return None;
    }
    let parts: Vec<&str> = stem.split('/').collect();
    let folders = (0..parts.len()).rev().filter(|at| FOLDERS.contains(&parts[*at]));
    let locale = folders
        .into_iter()
        .find_map(|folder| (folder + 1..parts.len()).find(|at| is_locale(parts[*at])))?;
    let rest = parts[locale + 1..].join("/");
    Some(Catalogue {
        locale: parts[locale].to_owned(),
        namespace: Some(rest).filter(|rest| !rest.is_empty() && rest != "index"),
        path: path.to_owned(),
        node: None,
        only: None,
        by: path.to_owned(),
    })
}

/// `en`, `pt-BR`, `zh_Hans`.
fn is_locale(part: &str) -> bool {
    // Names of folders that would pass for a language.
    if matches!(part, "src" | "lib" | "app" | "web" | "ui" | "api" | "cms" | "all") {
        return false;
    }
    let (language, region) = part.split_once(['-', '_']).unwrap_or((part, "XX"));
    let language_fits = matches!(language.len(), 2 | 3) && language.bytes().all(|byte| byte.is_ascii_lowercase());
    language_fits && (2..=4).contains(&region.len()) && region.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
