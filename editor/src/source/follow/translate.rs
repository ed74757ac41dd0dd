//! Translations: from `t('key')` to the text in the language's file.

use std::sync::Arc;

use super::evaluate::Follower;
use super::module::{Module, NodeId, Origin, Shape};
use super::value::{At, Decision, Lead, Trail, Value, and};
use crate::source::Code;
use crate::source::plan::short;

/// Functions that translate a key.
const TRANSLATES: [&str; 7] = ["t", "$t", "tc", "$tc", "formatMessage", "rich", "raw"];

/// Hooks that give such a function for a part of the texts.
const HOOKS: [&str; 6] = [
    "useTranslations",
    "getTranslations",
    "useTranslation",
    "useI18n",
    "useScopedI18n",
    "getFixedT",
];

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

/// Settings that name the language a prototype begins with.
const DEFAULTS: [&str; 6] = [
    "defaultLocale",
    "lng",
    "locale",
    "fallbackLng",
    "fallbackLocale",
    "defaultLanguage",
];

/// A file with the texts of a language.
#[derive(Debug)]
pub(super) struct Catalogue {
    locale: String,
    /// The part of the texts the file holds, if it is one of several.
    namespace: Option<String>,
    path: String,
}

/// What a translating function is asked for.
#[derive(Debug, Default, Clone)]
struct Wanted {
    namespace: Option<String>,
    prefix: Option<String>,
}

impl Follower<'_> {
    /// The texts a call shows, when it translates.
    pub(super) fn translation(&self, at: &At, callee: &At, arguments: &[NodeId], trail: &Trail) -> Option<Vec<Lead>> {
        let name = self.callee_name(callee);
        let last = name.rsplit('.').next().unwrap_or_default();
        if !TRANSLATES.contains(&last) && !self.is_hooked(callee) {
            return None;
        }
        let first = at.with(*arguments.first()?);
        let wanted = self.wanted(callee);
        let mut found = Vec::new();
        for key in self.follow(&first, trail) {
            let Value::Node(node) = &key.value else {
                continue;
            };
            match &node.node().shape {
                Shape::Text(fixed) => found.extend(self.translated(&wanted, &fixed.text, &key.trail)),
                Shape::Object(_) => found.extend(self.message(node, &key.trail)),
                _ => {}
            }
        }
        if !found.is_empty() {
            return Some(found);
        }
        // A function of the project that only looks like a translation is followed as a function.
        if self.catalogues().is_empty() && !name.starts_with('$') && !self.is_hooked(callee) {
            return None;
        }
        let reason = format!(
            "It is a translation ({} at {}) whose text was found in no language file of the project: add it there, or correct the key in the code",
            short(at.excerpt()),
            at.place()
        );
        Some(Lead::unknown(trail, Code::TranslationMissing, reason))
    }

    /// The texts of a key, one for each language that has it.
    pub(super) fn key(&self, key: &str, trail: &Trail) -> Vec<Lead> {
        self.translated(&Wanted::default(), key, trail)
    }

    /// `{ id, defaultMessage }`: the text in the language files, else the one that stands here.
    fn message(&self, message: &At, trail: &Trail) -> Vec<Lead> {
        let whole = || vec![Lead::new(trail, Value::Node(message.clone()))];
        for id in self.members(whole(), "id") {
            if let Value::Node(node) = &id.value
                && let Shape::Text(fixed) = &node.node().shape
            {
                let found = self.key(&fixed.text, &id.trail);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        let default = self.members(whole(), "defaultMessage");
        default
            .into_iter()
            .filter(|lead| matches!(lead.value, Value::Node(_)))
            .collect()
    }

    fn translated(&self, wanted: &Wanted, key: &str, trail: &Trail) -> Vec<Lead> {
        let (namespace, key) = match key.split_once(':') {
            Some((namespace, key)) if !namespace.contains(' ') => (Some(namespace.to_owned()), key),
            _ => (wanted.namespace.clone(), key),
        };
        let key = match &wanted.prefix {
            Some(prefix) => format!("{prefix}.{key}"),
            None => key.to_owned(),
        };
        let catalogues = self.catalogues();
        let mut locales: Vec<&str> = catalogues.iter().map(|catalogue| catalogue.locale.as_str()).collect();
        locales.sort_unstable();
        locales.dedup();
        let default = self.default_locale(&locales);
        let mut leads = Vec::new();
        for locale in locales {
            let is_default = default.as_deref() == Some(locale);
            let trail = and(trail, Decision::Locale(locale.to_owned(), is_default));
            let of_locale = catalogues.iter().filter(|catalogue| catalogue.locale == locale);
            let mut fitting: Vec<_> = of_locale.collect();
            fitting.sort_by_key(|catalogue| catalogue.distance(namespace.as_deref()));
            let found = fitting.into_iter().find_map(|catalogue| {
                let module = self.module(&catalogue.path)?;
                let names = [
                    catalogue
                        .namespace
                        .as_ref()
                        .filter(|own| Some(*own) == namespace.as_ref())
                        .map(|_| key.clone()),
                    namespace.as_ref().map(|namespace| format!("{namespace}.{key}")),
                    Some(key.clone()).filter(|_| namespace.is_none() || catalogue.namespace.is_some()),
                    Some(format!("translation.{key}")),
                ];
                let found = names
                    .into_iter()
                    .flatten()
                    .map(|name| self.lookup(&module, &name, &trail));
                found.into_iter().find(|found| !found.is_empty())
            });
            leads.extend(found.into_iter().flatten());
        }
        leads
    }

    /// The text of a key in a file, whether its parts are nested or joined by dots.
    fn lookup(&self, module: &Arc<Module>, key: &str, trail: &Trail) -> Vec<Lead> {
        let whole = self.export(module, "default", trail);
        let found = self.descend(whole, key, 12);
        let is_text = |lead: &Lead| match &lead.value {
            Value::Node(at) => matches!(at.node().shape, Shape::Text(_) | Shape::Joined(_)),
            _ => false,
        };
        found.into_iter().filter(is_text).collect()
    }

    fn descend(&self, objects: Vec<Lead>, key: &str, depth: u32) -> Vec<Lead> {
        let found = self.members(objects.clone(), key);
        let shows = |leads: &[Lead]| leads.iter().any(|lead| matches!(lead.value, Value::Node(_)));
        if shows(&found) {
            return found;
        }
        // Other words of the key may hold dots themselves; a few are tried.
        for (at, _) in key.match_indices('.').take(if depth > 0 { 12 } else { 0 }) {
            let inner = self.members(objects.clone(), &key[..at]);
            if shows(&inner) {
                return self.descend(inner, &key[at + 1..], depth - 1);
            }
        }
        Vec::new()
    }

    /// Whether a callee is a name that a hook for translations gave.
    fn is_hooked(&self, callee: &At) -> bool {
        self.hook(callee).is_some()
    }

    /// The call of the hook that a translating function comes from.
    fn hook(&self, callee: &At) -> Option<(At, String, Vec<NodeId>)> {
        let mut root = callee.clone();
        while let Shape::Member(object, _) = &root.node().shape {
            root = root.with(*object);
        }
        let Shape::Name(Some(symbol), _) = &root.node().shape else {
            return None;
        };
        let Origin::Value(path) = &root.module[*symbol].origin else {
            return None;
        };
        let mut call = root.with(path.of);
        while let Shape::Await(inner) = &call.node().shape {
            call = call.with(*inner);
        }
        let Shape::Call(hook, arguments) = &call.node().shape else {
            return None;
        };
        let name = self.callee_name(&call.with(*hook));
        let arguments = arguments.clone();
        HOOKS.contains(&name.as_str()).then_some((call, name, arguments))
    }

    /// Which part of the texts a function translates.
    fn wanted(&self, callee: &At) -> Wanted {
        let Some((call, name, arguments)) = self.hook(callee) else {
            return Wanted::default();
        };
        let text = |at: &At| match &at.node().shape {
            Shape::Text(fixed) => Some(fixed.text.clone()),
            _ => None,
        };
        let option = |at: &At, wanted: &str| match &at.node().shape {
            Shape::Object(properties) => {
                let named = properties
                    .iter()
                    .find(|property| property.key.as_deref() == Some(wanted));
                named.and_then(|property| text(&at.with(property.value)))
            }
            _ => None,
        };
        let arguments: Vec<At> = arguments.iter().map(|argument| call.with(*argument)).collect();
        let first = arguments.first().and_then(|first| match &first.node().shape {
            Shape::List(items) => items.first().and_then(|item| text(&first.with(item.value))),
            _ => text(first),
        });
        let prefix = arguments.iter().find_map(|argument| option(argument, "keyPrefix"));
        let namespace = first.or_else(|| arguments.iter().find_map(|argument| option(argument, "namespace")));
        match name.as_str() {
            "useI18n" => Wanted::default(),
            _ => Wanted { namespace, prefix },
        }
    }

    /// The project's files of translations.
    fn catalogues(&self) -> &[Catalogue] {
        self.catalogues.get_or_init(|| {
            let files = self.project.files();
            files.iter().filter_map(|path| catalogue(path)).collect()
        })
    }

    /// The language the prototype begins with: the one its code sets, or the only one.
    fn default_locale(&self, locales: &[&str]) -> Option<String> {
        if let [only] = locales {
            return Some((*only).to_owned());
        }
        let known = self.default_locale.get_or_init(|| {
            let mut best: Option<(usize, String)> = None;
            for module in self.sources() {
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
                            && locales.contains(&fixed.text.as_str())
                            && best.as_ref().is_none_or(|(known, _)| rank < *known)
                        {
                            best = Some((rank, fixed.text.clone()));
                        }
                    }
                }
            }
            best.map(|(_, locale)| locale)
        });
        known.clone()
    }

    /// The key of `<Trans i18nKey="…">` and its kin.
    pub(super) fn translation_element(&self, at: &super::value::ElementAt, trail: &Trail) -> Option<Vec<Lead>> {
        let element = &at.module[at.id];
        let names: &[&str] = match element.tag.as_str() {
            "Trans" => &["i18nKey", "id"],
            "FormattedMessage" => &["id"],
            "i18n-t" | "I18nT" => &["keypath"],
            _ => return None,
        };
        let mut found = Vec::new();
        for name in names {
            for key in self.attribute(at, name, trail) {
                if let Value::Node(node) = &key.value
                    && let Shape::Text(fixed) = &node.node().shape
                {
                    found.extend(self.key(&fixed.text, &key.trail));
                }
            }
        }
        if found.is_empty() {
            let default = self.attribute(at, "defaultMessage", trail);
            found.extend(default.into_iter().filter(|lead| matches!(lead.value, Value::Node(_))));
        }
        Some(found)
    }
}

impl Catalogue {
    /// How far the file is from a part of the texts: the smaller, the likelier it holds them.
    fn distance(&self, wanted: Option<&str>) -> usize {
        match (self.namespace.as_deref(), wanted) {
            (Some(own), Some(wanted)) if own == wanted => 0,
            (None, _) => 1,
            (Some("translation" | "common" | "index"), None) => 2,
            (Some(_), None) => 3,
            (Some(_), Some(_)) => 4,
        }
    }
}

/// `…/locales/en.json`, `…/locales/en/common.json`, and the same as scripts.
fn catalogue(path: &str) -> Option<Catalogue> {
    let (stem, ending) = path.rsplit_once('.')?;
    if !matches!(ending, "json" | "ts" | "js" | "mjs" | "json5") || stem.ends_with(".d") {
        return None;
    }
    let parts: Vec<&str> = stem.split('/').collect();
    let folder = parts.iter().position(|part| FOLDERS.contains(part))?;
    let locale = folder + 1 + parts[folder + 1..].iter().position(|part| is_locale(part))?;
    let rest = parts[locale + 1..].join("/");
    Some(Catalogue {
        locale: parts[locale].to_owned(),
        namespace: Some(rest).filter(|rest| !rest.is_empty() && rest != "index"),
        path: path.to_owned(),
    })
}

/// `en`, `pt-BR`, `zh_Hans`.
fn is_locale(part: &str) -> bool {
    let (language, region) = part.split_once(['-', '_']).unwrap_or((part, "XX"));
    let language_fits = matches!(language.len(), 2 | 3) && language.bytes().all(|byte| byte.is_ascii_lowercase());
    language_fits && (2..=4).contains(&region.len()) && region.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
