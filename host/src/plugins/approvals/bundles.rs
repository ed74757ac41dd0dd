//! Whose bundled plugins the servers of a database go by, when their programs come with different ones: those that came to them
//! last. Each bundle is followed once, when the first server that has it looks; one that was followed before, or that came with an
//! older program than another, is not followed again. So a server that is still to be updated undoes nothing, and two never take turns.

use crate::plugins::cache::sha256;
use crate::plugins::lock::Bundle;
use crate::storage::engine::Rows;
use crate::storage::id::now_ms;
use crate::storage::sqlite::StorageError;

/// What a program comes with, to be told from what others come with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// `None` for a bundle without plugins, which nobody follows.
    sha256: Option<String>,
    /// The program's version.
    program: String,
}

impl Offer {
    /// The bundle of this program.
    pub fn of(bundle: &Bundle) -> Self {
        Self::by(bundle, env!("CARGO_PKG_VERSION"))
    }

    /// The bundle of a program of this version.
    pub fn by(bundle: &Bundle, program: &str) -> Self {
        let plugins = bundle.plugins.iter();
        let mut named: Vec<_> = plugins
            .map(|built| format!("{} {}\n", built.manifest.slot, built.sha256))
            .collect();
        named.sort();
        Self {
            sha256: Some(named.concat())
                .filter(|named| !named.is_empty())
                .map(|named| sha256(named.as_bytes())),
            program: program.to_owned(),
        }
    }

    /// Whether it is to be followed.
    pub fn is_due(&self, rows: &mut Rows<'_>) -> Result<bool, StorageError> {
        let Some(own) = &self.sha256 else {
            return Ok(false);
        };
        let sql = "SELECT sha256, program FROM bundles";
        let known = rows.fetch_all(sql, (), |row| Ok((row.get::<String>(0)?, row.get::<String>(1)?)))?;
        let is_new = known.iter().all(|(sha256, _)| sha256 != own);
        Ok(is_new && known.iter().all(|(_, other)| order(other) <= order(&self.program)))
    }

    /// Notes that it is followed.
    pub fn note(&self, rows: &mut Rows<'_>) -> Result<(), StorageError> {
        let sql = "INSERT INTO bundles (sha256, program, followed_at) VALUES (?1, ?2, ?3)";
        rows.execute(sql, (&self.sha256, &self.program, now_ms()))?;
        Ok(())
    }
}

/// The numbers of a version, in the order in which versions come.
fn order(version: &str) -> Vec<u64> {
    let numbers = version.split(['-', '+']).next().unwrap_or_default();
    numbers.split('.').map(|number| number.parse().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_come_in_the_order_of_their_numbers() {
        let versions = ["0.9.2", "0.10.0", "0.10.1-rc.1", "1.0.0"];
        assert!(versions.windows(2).all(|pair| order(pair[0]) < order(pair[1])));
        assert_eq!(order("0.1.0+a"), order("0.1.0"));
    }

    #[test]
    fn a_bundle_without_plugins_is_none() {
        assert_eq!(Offer::of(&Bundle::default()).sha256, None);
    }
}
