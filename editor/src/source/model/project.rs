//! What planning an edit may look at.

use std::sync::Arc;

use super::library::Library;
use super::memo::Kept;

/// Files of more bytes than this are not read as source.
pub const MAX_SOURCE_BYTES: u64 = 4 << 20;

/// The prototype's files. All paths are relative to the prototype's root, `/` between parts, never outside it.
pub trait Project {
    /// The text of a file without its byte order mark; `None` when it is missing, not UTF-8 or too large to be source.
    fn read(&self, path: &str) -> Option<Arc<str>>;

    /// Every file an edit may touch: what git tracks or would track, without node_modules and build output.
    fn files(&self) -> Arc<[String]>;

    /// The type configuration to use for every file instead of the nearest `tsconfig.json` (`EDITOR_PROTOTYPE_TSCONFIG`).
    fn type_config(&self) -> Option<String> {
        None
    }

    /// Libraries whose components can be used, as far as they are known yet.
    fn libraries(&self) -> Arc<[Library]> {
        Arc::new([])
    }

    /// Where what was made of files is kept across requests. A project that is asked more than once should have one.
    fn kept(&self) -> Option<&Kept> {
        None
    }
}

/// A project in memory, for tests.
impl<const N: usize> Project for [(&str, &str); N] {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        let (_, text) = self.iter().find(|(name, _)| *name == path)?;
        Some(Arc::from(*text))
    }

    fn files(&self) -> Arc<[String]> {
        self.iter().map(|(name, _)| (*name).to_owned()).collect()
    }
}
