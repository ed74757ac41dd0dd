//! The texts of one language.

use crate::source::module::NodeId;

/// The texts of a language, or of a part of it.
#[derive(Debug)]
pub(super) struct Catalogue {
    pub locale: String,
    /// The part of the texts, if they are in several.
    pub namespace: Option<String>,
    /// The file, or the one whose code gives the texts.
    pub path: String,
    /// The texts, when they are not the file's default export.
    pub node: Option<NodeId>,
    /// The only file that they serve: a component's own messages.
    pub only: Option<String>,
    /// The file that made them messages; the same as the path for a language file.
    pub by: String,
}

impl Catalogue {
    /// Whether a file may use it.
    pub fn serves(&self, path: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == path)
    }

    /// How far it is from a part of the texts: the smaller, the likelier it holds them.
    pub fn distance(&self, wanted: Option<&str>, key: &str) -> usize {
        match (self.namespace.as_deref(), wanted) {
            (Some(own), Some(wanted)) if own == wanted => 0,
            (None, _) => 1,
            (Some(own), None) if within(own, key).is_some() => 1,
            (Some("translation" | "common" | "index"), None) => 2,
            (Some(_), None) => 3,
            (Some(_), Some(_)) => 4,
        }
    }

    /// The names that the key `key` of a part can have here.
    pub fn names(&self, wanted: Option<&str>, key: &str) -> Vec<String> {
        let own = self.namespace.as_deref();
        let names = [
            own.filter(|own| Some(*own) == wanted).map(|_| key.to_owned()),
            wanted.map(|wanted| format!("{wanted}.{key}")),
            Some(key.to_owned()).filter(|_| wanted.is_none() || own.is_some()),
            own.filter(|_| wanted.is_none())
                .and_then(|own| within(own, key))
                .map(str::to_owned),
            Some(format!("translation.{key}")),
        ];
        names.into_iter().flatten().collect()
    }
}

/// What is left of a key behind the name of a part, whose folders are words of the key, too.
fn within<'k>(namespace: &str, key: &'k str) -> Option<&'k str> {
    key.strip_prefix(&*namespace.replace('/', "."))?.strip_prefix('.')
}
