//! Which slot each route belongs to: no two slots share one, and none takes a path of the host.

use std::collections::HashMap;

use super::manifest::{Manifest, Method};

/// The routes that are taken, by method and shape of the path.
pub struct Claims {
    own_paths: &'static [&'static str],
    taken: HashMap<(Method, String), String>,
}

/// Why a slot cannot have its routes. The text names both sides and the way out.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ClaimError {
    /// Another slot has one of them.
    #[error(
        "it claims {route}, which the plugin `{other}` has: only one of them can serve, and `galley plugins disable {other}` makes room"
    )]
    Taken {
        /// The slot that has it.
        other: String,
        /// Method and path.
        route: String,
    },
    /// One of them is the host's.
    #[error("it claims {route}, which is the server's own: the slot `{slot}` needs a plugin without this route")]
    OwnPath {
        /// The slot.
        slot: String,
        /// Method and path.
        route: String,
    },
    /// One of them lies where routes of other slots and of the server may come to be.
    #[error(
        "it claims {route}, which is outside of its place: routes of the slot `{slot}` lie below /api/v1/x/{slot}/ or \
         /api/v1/projects/{{project}}/x/{slot}/, and elsewhere only those of a plugin in the place of one that came with the program"
    )]
    Outside {
        /// The slot.
        slot: String,
        /// Method and path.
        route: String,
    },
}

impl Claims {
    /// Nothing is taken but `own_paths`, with `{}` for their parameters.
    pub fn new(own_paths: &'static [&'static str]) -> Self {
        Self {
            own_paths,
            taken: HashMap::new(),
        }
    }

    /// Gives all routes of a manifest to `slot`, or none of them.
    pub fn take(&mut self, slot: &str, manifest: &Manifest) -> Result<(), ClaimError> {
        for route in &manifest.routes {
            let shown = || format!("{} {}", route.method, route.path);
            if self.own_paths.contains(&route.shape().as_str()) {
                return Err(ClaimError::OwnPath {
                    slot: slot.to_owned(),
                    route: shown(),
                });
            }
            match self.taken.get(&(route.method, route.shape())) {
                Some(other) if other != slot => {
                    return Err(ClaimError::Taken {
                        other: other.clone(),
                        route: shown(),
                    });
                }
                _ => {}
            }
        }
        for route in &manifest.routes {
            self.taken.insert((route.method, route.shape()), slot.to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(slot: &str, paths: &[&str]) -> Manifest {
        let routes: Vec<_> = paths
            .iter()
            .map(|path| serde_json::json!({ "method": "GET", "path": path, "guard": { "kind": "public" }, "summary": "x" }))
            .collect();
        let json = serde_json::json!({ "slot": slot, "version": "1", "routes": routes });
        crate::plugins::manifest::parse(json.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn a_route_has_one_slot_whatever_its_parameters_are_called() {
        let mut claims = Claims::new(&["/api/v1/health"]);
        claims
            .take("a", &manifest("a", &["/api/v1/a/{id}", "/api/v1/b"]))
            .unwrap();
        let refused = claims.take("b", &manifest("b", &["/api/v1/free", "/api/v1/a/{other}"]));
        let error = refused.unwrap_err().to_string();
        assert!(
            error.contains("`galley plugins disable a`") && error.contains("GET /api/v1/a/{other}"),
            "{error}"
        );
        // Nothing of what was refused is taken.
        claims.take("c", &manifest("c", &["/api/v1/free"])).unwrap();
        // A newer plugin of the same slot has the same routes.
        claims
            .take("a", &manifest("a", &["/api/v1/a/{id}", "/api/v1/new"]))
            .unwrap();
    }

    #[test]
    fn the_hosts_own_paths_are_nobodys() {
        let mut claims = Claims::new(&["/api/v1/health"]);
        let error = claims.take("a", &manifest("a", &["/api/v1/health"])).unwrap_err();
        assert!(matches!(error, ClaimError::OwnPath { .. }));
        // The plugin may not be in the slot yet.
        assert!(!error.to_string().contains("disable"), "{error}");
    }
}
