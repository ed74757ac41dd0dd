//! Where the routes of each slot may lie, so that no later route of the server or of a bundled plugin meets a stranger's.

use std::collections::HashMap;

use super::claims::ClaimError;
use super::entry::Entry;
use super::inspect::Inspected;
use super::lock::Bundle;
use super::manifest::Manifest;

/// The places of all slots.
#[derive(Debug, Default)]
pub struct Places {
    /// The shapes of the routes that came with the program, by slot.
    bundled: HashMap<String, Vec<String>>,
    /// Whether an approval may be of what another server's program came with.
    is_shared: bool,
}

impl Places {
    /// A slot that came with the program has the paths of its bundled plugin as well, and those below them.
    pub fn of(bundle: &Bundle) -> Self {
        let shapes = |manifest: &Manifest| manifest.routes.iter().map(|route| route.shape()).collect();
        let slots = bundle.plugins.iter();
        let bundled = slots.map(|built| (built.manifest.slot.clone(), shapes(&built.manifest)));
        Self {
            bundled: bundled.collect(),
            is_shared: false,
        }
    }

    /// The same where servers share the approvals: what came with the program of one of them has the routes it has.
    pub fn shared(bundle: &Bundle) -> Self {
        Self {
            is_shared: true,
            ..Self::of(bundle)
        }
    }

    /// Refuses a plugin that claims a route outside of its place. Components of the contract's version 0.1 keep the
    /// routes they had: the rule is younger.
    pub fn check(&self, inspected: &Inspected) -> Result<(), ClaimError> {
        match inspected.is_0_1 {
            true => Ok(()),
            false => self.check_manifest(&inspected.built.manifest),
        }
    }

    /// The same for what is approved.
    pub fn check_approved(&self, entry: &Entry, inspected: &Inspected) -> Result<(), ClaimError> {
        match self.is_shared && entry.bundled {
            true => Ok(()),
            false => self.check(inspected),
        }
    }

    fn check_manifest(&self, manifest: &Manifest) -> Result<(), ClaimError> {
        let slot = manifest.slot.as_str();
        let own = [format!("/api/v1/x/{slot}"), format!("/api/v1/projects/{{}}/x/{slot}")];
        let bundled = self.bundled.get(slot).map(Vec::as_slice).unwrap_or_default();
        let is_inside = |shape: &str| own.iter().chain(bundled).any(|place| is_at_or_below(shape, place));
        match manifest.routes.iter().find(|route| !is_inside(&route.shape())) {
            None => Ok(()),
            Some(route) => Err(ClaimError::Outside {
                slot: slot.to_owned(),
                route: format!("{} {}", route.method, route.path),
            }),
        }
    }
}

fn is_at_or_below(path: &str, place: &str) -> bool {
    path.strip_prefix(place)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugins::lock::Built;

    fn manifest(slot: &str, path: &str) -> Manifest {
        let route = serde_json::json!({ "method": "GET", "path": path, "guard": { "kind": "public" }, "summary": "x" });
        let json = serde_json::json!({ "slot": slot, "version": "1", "routes": [route] });
        crate::plugins::manifest::parse(json.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn routes_lie_in_the_slots_own_place_or_in_that_of_a_bundled_plugin() {
        let bundle = Bundle {
            plugins: vec![Built {
                file: "notes.wasm".into(),
                sha256: String::new(),
                imports: Vec::new(),
                manifest: manifest("notes", "/api/v1/projects/{project}/notes"),
            }],
        };
        let places = Places::of(&bundle);
        let is_allowed = |slot: &str, path: &str| places.check_manifest(&manifest(slot, path)).is_ok();
        for (slot, path) in [
            ("tea", "/api/v1/x/tea"),
            ("tea", "/api/v1/x/tea/{cup}"),
            ("tea", "/api/v1/projects/{id}/x/tea"),
            ("notes", "/api/v1/x/notes/all"),
            ("notes", "/api/v1/projects/{p}/notes"),
            ("notes", "/api/v1/projects/{p}/notes/{note}/marks"),
        ] {
            assert!(is_allowed(slot, path), "{slot} {path}");
        }
        for (slot, path) in [
            ("tea", "/api/v1/tea"),
            ("tea", "/api/v1/x/tea-pot"),
            ("tea", "/api/v1/x/other/tea"),
            ("tea", "/api/v1/projects/{p}/notes"),
            ("tea", "/api/v1/projects/{p}/tea"),
            ("notes", "/api/v1/projects/{p}/notes-too"),
        ] {
            assert!(!is_allowed(slot, path), "{slot} {path}");
        }
        let error = places.check_manifest(&manifest("tea", "/api/v1/tea")).unwrap_err();
        for words in ["GET /api/v1/tea", "/api/v1/x/tea/", "/api/v1/projects/{project}/x/tea/"] {
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}
