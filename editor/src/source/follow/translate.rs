//! Translations: from `t('key')` to the text in the language's file.

use super::catalogue::Catalogue;
use super::evaluate::Resolver;
use super::value::{At, Candidate, Decision, Provenance, Value, and};
use crate::source::model::Code;
use crate::source::model::plan::short;
use crate::source::module::{Module, NodeId, Origin, Shape};

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

/// What a translating function is asked for.
#[derive(Debug, Default, Clone)]
struct Wanted {
    namespace: Option<String>,
    prefix: Option<String>,
    scope: Scope,
}

/// Whether the file's own messages count.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Before all others, as for `t` of `useI18n`.
    First,
    /// Beside the others, as for `$t`: that depends on how the library is set up.
    #[default]
    Beside,
    /// They do not.
    Without,
}

impl Resolver<'_> {
    /// The texts a call shows, when it translates.
    pub(super) fn translation(
        &self,
        at: &At,
        callee: &At,
        arguments: &[NodeId],
        provenance: &Provenance,
    ) -> Option<Vec<Candidate>> {
        let name = self.callee_name(callee);
        let last = name.rsplit('.').next().unwrap_or_default();
        if !TRANSLATES.contains(&last) && !self.is_hooked(callee) {
            return None;
        }
        let first = at.with(*arguments.first()?);
        let wanted = self.wanted(callee);
        if let Some(unread) = at.module.unread_messages.filter(|_| wanted.scope != Scope::Without) {
            let reason = format!(
                "It may stand in the <i18n> block at {}, which is not JSON: change it in the code there",
                at.module.place(unread)
            );
            return Some(Candidate::unknown(provenance, Code::TranslationMissing, reason));
        }
        let mut found = Vec::new();
        for key in self.follow(&first, provenance) {
            let Value::Node(node) = &key.value else {
                continue;
            };
            match &node.node().shape {
                Shape::Text(fixed) => found.extend(self.translated(&at.module, &wanted, &fixed.text, &key.provenance)),
                Shape::Object(_) => found.extend(self.message(node, &key.provenance)),
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
        Some(Candidate::unknown(provenance, Code::TranslationMissing, reason))
    }

    /// The texts of a key, one for each language that has it.
    fn key(&self, from: &Module, key: &str, provenance: &Provenance) -> Vec<Candidate> {
        self.translated(from, &Wanted::default(), key, provenance)
    }

    /// `{ id, defaultMessage }`: the text in the language files, else the one that stands here.
    fn message(&self, message: &At, provenance: &Provenance) -> Vec<Candidate> {
        let whole = || vec![Candidate::new(provenance, Value::Node(message.clone()))];
        for id in self.members(whole(), "id") {
            if let Value::Node(node) = &id.value
                && let Shape::Text(fixed) = &node.node().shape
            {
                let found = self.key(&message.module, &fixed.text, &id.provenance);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        let default = self.members(whole(), "defaultMessage");
        default
            .into_iter()
            .filter(|candidate| matches!(candidate.value, Value::Node(_)))
            .collect()
    }

    fn translated(&self, from: &Module, wanted: &Wanted, key: &str, provenance: &Provenance) -> Vec<Candidate> {
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
        let of_locale = |locale: &str| -> Vec<Candidate> {
            let fitting = catalogues.iter().filter(|catalogue| catalogue.locale == locale);
            let (own, shared): (Vec<_>, Vec<_>) = fitting
                .filter(|catalogue| catalogue.serves(&from.path))
                .partition(|catalogue| catalogue.only.is_some());
            let own = match wanted.scope {
                Scope::Without => Vec::new(),
                _ => self.nearest(&own, from, namespace.as_deref(), &key, provenance),
            };
            if !own.is_empty() && wanted.scope == Scope::First {
                return own;
            }
            let shared = self.nearest(&shared, from, namespace.as_deref(), &key, provenance);
            own.into_iter().chain(shared).collect()
        };
        let found = locales.into_iter().map(|locale| (locale, of_locale(locale)));
        let found: Vec<_> = found.filter(|(_, candidates)| !candidates.is_empty()).collect();
        let having: Vec<&str> = found.iter().map(|(locale, _)| *locale).collect();
        let default = self.default_locale(&having);
        let mut candidates = Vec::new();
        for (locale, of_locale) in found {
            let is_default = default == Some(locale);
            for candidate in of_locale {
                let provenance = and(&candidate.provenance, Decision::Locale(locale.to_owned(), is_default));
                candidates.push(Candidate::new(&provenance, candidate.value));
            }
        }
        candidates
    }

    /// The texts of a key in those of one language's files that are the likeliest to hold it. Where a repository has several
    /// packages with such a file, the caller's own counts.
    fn nearest(
        &self,
        catalogues: &[&Catalogue],
        from: &Module,
        namespace: Option<&str>,
        key: &str,
        provenance: &Provenance,
    ) -> Vec<Candidate> {
        let mut best: Option<(usize, bool)> = None;
        let mut found: Vec<Candidate> = Vec::new();
        for catalogue in catalogues {
            let rank = (
                catalogue.distance(namespace, key),
                !self.same_package(&catalogue.by, &from.path),
            );
            if best.is_some_and(|best| best < rank) {
                continue;
            }
            let candidates = catalogue.names(namespace, key).into_iter().find_map(|name| {
                let candidates = self.lookup(catalogue, &name, provenance);
                (!candidates.is_empty()).then_some(candidates)
            });
            let Some(candidates) = candidates else { continue };
            if best != Some(rank) {
                found.clear();
                best = Some(rank);
            }
            found.extend(candidates);
        }
        let mut places = Vec::new();
        found.retain(|candidate| {
            let place = match &candidate.value {
                Value::Node(at) => (at.module.path.clone(), at.node().range.start),
                _ => return true,
            };
            let is_new = !places.contains(&place);
            places.push(place);
            is_new
        });
        found
    }

    /// The text of a key in a file, whether its parts are nested or joined by dots.
    fn lookup(&self, catalogue: &Catalogue, key: &str, provenance: &Provenance) -> Vec<Candidate> {
        let Some(module) = self.module(&catalogue.path) else {
            return Vec::new();
        };
        let whole = match catalogue.node {
            Some(id) => self.follow(&At { module, id }, provenance),
            None => self.export(&module, "default", provenance),
        };
        let found = self.descend(whole, key, 12);
        let is_text = |candidate: &Candidate| match &candidate.value {
            Value::Node(at) => matches!(at.node().shape, Shape::Text(_) | Shape::Joined(_)),
            _ => false,
        };
        found.into_iter().filter(is_text).collect()
    }

    fn descend(&self, objects: Vec<Candidate>, key: &str, depth: u32) -> Vec<Candidate> {
        let found = self.members(objects.clone(), key);
        let shows = |candidates: &[Candidate]| {
            candidates
                .iter()
                .any(|candidate| matches!(candidate.value, Value::Node(_)))
        };
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
        let scope = arguments.iter().find_map(|argument| option(argument, "useScope"));
        match name.as_str() {
            "useI18n" => Wanted {
                scope: match scope.as_deref() {
                    None | Some("local") => Scope::First,
                    _ => Scope::Without,
                },
                ..Wanted::default()
            },
            _ => Wanted {
                namespace,
                prefix,
                scope: Scope::Without,
            },
        }
    }

    /// The key of `<Trans i18nKey="…">` and its kin.
    pub(super) fn translation_element(
        &self,
        at: &super::value::ElementAt,
        provenance: &Provenance,
    ) -> Option<Vec<Candidate>> {
        let element = &at.module[at.id];
        let names: &[&str] = match element.tag.as_str() {
            "Trans" => &["i18nKey", "id"],
            "FormattedMessage" => &["id"],
            "i18n-t" | "I18nT" => &["keypath"],
            _ => return None,
        };
        let mut wanted = Wanted::default();
        for namespace in self.attribute(at, "ns", provenance) {
            if let Value::Node(node) = &namespace.value
                && let Shape::Text(fixed) = &node.node().shape
            {
                wanted.namespace = Some(fixed.text.clone());
            }
        }
        let mut found = Vec::new();
        for name in names {
            for key in self.attribute(at, name, provenance) {
                if let Value::Node(node) = &key.value
                    && let Shape::Text(fixed) = &node.node().shape
                {
                    found.extend(self.translated(&at.module, &wanted, &fixed.text, &key.provenance));
                }
            }
        }
        if found.is_empty() {
            let default = self.attribute(at, "defaultMessage", provenance);
            found.extend(
                default
                    .into_iter()
                    .filter(|candidate| matches!(candidate.value, Value::Node(_))),
            );
        }
        Some(found)
    }
}
