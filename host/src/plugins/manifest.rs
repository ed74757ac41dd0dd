//! Manifests as the host reads them: the answer of `describe`, parsed and checked. The types, the checks and the rule of
//! the guards are `galley-manifest`'s, which the SDK uses too.

use galley_manifest::MAX_MANIFEST_BYTES;

use super::schedule::Schedule;
use crate::storage::slot_data::Schema;

pub use galley_manifest::{BodyKind, BodyLimits, GuardKind, ManifestError, Method};

/// A manifest that was read.
pub type Manifest = galley_manifest::Manifest<String, serde_json::Value>;
/// A route of one.
pub type Route = galley_manifest::Route<String>;
/// Who may call such a route.
pub type Guard = galley_manifest::Guard<String>;
/// How such a guard finds its project.
pub type ProjectSource = galley_manifest::ProjectSource<String>;

/// What a manifest says of the slot's data.
pub fn schema(manifest: &Manifest) -> Schema<'_> {
    Schema {
        name: manifest.schema_name(),
        steps: &manifest.migrations,
        compatible: manifest.compatible(),
        adopts: &manifest.adopts,
    }
}

/// Parses and checks the answer of `describe`.
pub fn parse(json: &[u8]) -> Result<Manifest, ManifestError> {
    if json.len() > MAX_MANIFEST_BYTES {
        let length = json.len();
        return Err(ManifestError::new(format!(
            "it has {length} bytes, at most {MAX_MANIFEST_BYTES} are read"
        )));
    }
    let manifest: Manifest = serde_json::from_slice(json).map_err(|error| ManifestError::new(error.to_string()))?;
    manifest.check()?;
    for job in &manifest.jobs {
        Schedule::of(job).map_err(ManifestError::new)?;
    }
    Ok(manifest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_checked_manifest_is_read() {
        assert_eq!(parse(br#"{"slot":"hello","version":"1"}"#).unwrap().slot, "hello");
        assert!(parse(br#"{"slot":"../x","version":"1"}"#).is_err());
        assert!(parse(b"[]").is_err());
        let long = format!(r#"{{"slot":"hello","version":"{}"}}"#, "1".repeat(MAX_MANIFEST_BYTES));
        assert!(
            parse(long.as_bytes())
                .unwrap_err()
                .to_string()
                .contains("at most 1048576 are read")
        );
    }
}
