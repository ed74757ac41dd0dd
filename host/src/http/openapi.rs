//! `GET /api/v1/openapi.json`: the description of the API, built from the current routes.
//!
//! The host's own routes are described in `openapi.json` beside this file. A plugin's come from its manifest: method,
//! path, guard and body as it declared them, with the schemas of the fragment it may add. A fragment's paths that
//! are not the plugin's routes are dropped.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::response::{IntoResponse, Response};
use http::header;
use serde_json::{Value, json};

use crate::plugins::manifest::{BodyKind, Guard, GuardKind, Manifest, Route};
use crate::plugins::plugin::Plugin;
use crate::plugins::registry::Registry;

const OWN: &str = include_str!("openapi.json");
/// Schemas every fragment may refer to without having them.
const SHARED: [&str; 1] = ["Error"];

/// The document. It is built for the first request, so that boot does not wait for it.
pub struct Document {
    plugins: Vec<Arc<Plugin>>,
    text: OnceLock<Bytes>,
}

impl Document {
    /// Describes the host's routes and those of the plugins that serve.
    pub fn of(registry: &Registry) -> Self {
        Self {
            plugins: registry.ready().cloned().collect(),
            text: OnceLock::new(),
        }
    }

    fn write(&self) -> Bytes {
        let mut document = own();
        for plugin in &self.plugins {
            add(&mut document, &plugin.manifest);
        }
        serde_json::to_vec(&document).unwrap_or_default().into()
    }

    /// The answer.
    pub fn answer(&self) -> Response {
        (
            [(header::CONTENT_TYPE, "application/json")],
            self.text.get_or_init(|| self.write()).clone(),
        )
            .into_response()
    }
}

/// The host's own part, with the members that every operation has.
fn own() -> Value {
    let mut document: Value = serde_json::from_str(OWN).unwrap_or_default();
    document["info"]["version"] = env!("CARGO_PKG_VERSION").into();
    let paths = document["paths"].as_object_mut();
    for (path, operations) in paths.into_iter().flatten() {
        for (method, operation) in operations.as_object_mut().into_iter().flatten() {
            complete(operation, method, path);
        }
    }
    document
}

/// A name for generated clients, path parameters, and the one shape of errors.
fn complete(operation: &mut Value, method: &str, path: &str) {
    let plain = path.trim_start_matches("/api/v1/").replace(['{', '}'], "");
    operation["operationId"] = format!("{method}-{}", plain.replace(['/', '.'], "-")).into();
    let named = path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let in_path =
        named.map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }));
    let declared = operation["parameters"].as_array().cloned().unwrap_or_default();
    let all: Vec<Value> = in_path.chain(declared).collect();
    if !all.is_empty() {
        operation["parameters"] = all.into();
    }
    operation["responses"]["default"] = json!({ "$ref": "#/components/responses/Error" });
}

fn add(document: &mut Value, manifest: &Manifest) {
    let fragment = manifest.openapi.clone().unwrap_or_default();
    let slot = &manifest.slot;
    for route in &manifest.routes {
        let method = route.method.to_string().to_lowercase();
        let mut operation = fragment["paths"][&route.path][&method].clone();
        if !operation.is_object() {
            operation = json!({});
        }
        point_into(&mut operation, slot);
        describe(&mut operation, slot, route);
        complete(&mut operation, &method, &route.path);
        document["paths"][&route.path][&method] = operation;
    }
    let schemas = fragment["components"]["schemas"].as_object();
    for (name, schema) in schemas.into_iter().flatten() {
        let mut schema = schema.clone();
        point_into(&mut schema, slot);
        document["components"]["schemas"][own_name(slot, name)] = schema;
    }
}

/// Schemas of different plugins may have the same name.
fn own_name(slot: &str, name: &str) -> String {
    format!("{slot}.{name}")
}

fn point_into(part: &mut Value, slot: &str) {
    const SCHEMAS: &str = "#/components/schemas/";
    match part {
        Value::Object(fields) => {
            for (key, value) in fields {
                let target = value.as_str().filter(|_| key == "$ref");
                let name = target.and_then(|target| target.strip_prefix(SCHEMAS));
                match name.filter(|name| !SHARED.contains(name)) {
                    Some(name) => *value = format!("{SCHEMAS}{}", own_name(slot, name)).into(),
                    None => point_into(value, slot),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point_into(item, slot)),
        _ => {}
    }
}

/// Describes a route from its manifest.
fn describe(operation: &mut Value, slot: &str, route: &Route) {
    operation["tags"] = json!([slot]);
    if operation.get("summary").is_none() {
        operation["summary"] = route.summary.clone().into();
    }
    operation["security"] = security(&route.guard);
    if operation.get("requestBody").is_none()
        && let Some(content) = content(route.body.kind)
    {
        operation["requestBody"] = json!({ "content": content });
    }
    if !operation["responses"].is_object() {
        operation["responses"] = json!({});
    }
    if route.stream.is_some() || route.rate.is_some() {
        operation["responses"]["429"] = json!({ "$ref": "#/components/responses/TooMany" });
    }
    if route.body.kind != BodyKind::None {
        operation["responses"]["413"] = json!({ "$ref": "#/components/responses/TooLarge" });
    }
    if route.body.kind == BodyKind::Archive {
        operation["responses"]["507"] = json!({ "$ref": "#/components/responses/Full" });
    }
}

fn content(kind: BodyKind) -> Option<Value> {
    match kind {
        BodyKind::None => None,
        BodyKind::Json => Some(json!({ "application/json": { "schema": { "type": "object" } } })),
        BodyKind::Bytes => Some(json!({ "application/octet-stream": {} })),
        BodyKind::Archive => Some(json!({ "application/gzip": {} })),
    }
}

/// The credentials that a guard accepts. The empty one stands for anonymous callers.
fn security(guard: &Guard) -> Value {
    let (bearer, session, nobody) = (json!({ "bearer": [] }), json!({ "session": [] }), json!({}));
    match guard.kind {
        GuardKind::Session => json!([session]),
        GuardKind::Public => json!([nobody]),
        GuardKind::Signature => json!([{ "signature": [] }]),
        GuardKind::ProjectRead | GuardKind::ProjectComment if !guard.identified => json!([bearer, session, nobody]),
        _ => json!([bearer, session]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::OWN_PATHS;

    /// A path without the names of its parameters.
    fn shape(path: &str) -> String {
        let parts = path
            .split('/')
            .map(|part| if part.starts_with('{') { "{}" } else { part });
        parts.collect::<Vec<_>>().join("/")
    }

    #[test]
    fn every_route_of_the_host_is_described_and_no_other() {
        let document = own();
        let described: Vec<String> = document["paths"]
            .as_object()
            .unwrap()
            .keys()
            .map(|path| shape(path))
            .collect();
        for path in OWN_PATHS.iter().filter(|path| **path != "/api/v1") {
            assert!(
                described.contains(&(*path).to_owned()),
                "{path} is not described in openapi.json"
            );
        }
        for path in described {
            assert!(
                OWN_PATHS.contains(&path.as_str()),
                "{path} is described and not in OWN_PATHS"
            );
        }
    }

    #[test]
    fn a_plugins_schemas_are_its_own() {
        let manifest = r##"{
            "slot": "notes", "version": "1",
            "routes": [{ "method": "GET", "path": "/api/v1/projects/{project}/notes", "summary": "List", "guard": { "kind": "project:read" } }],
            "openapi": {
                "paths": {
                    "/api/v1/projects/{project}/notes": { "get": { "responses": { "200": { "description": "Notes", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Note" } } } } } } },
                    "/api/v1/me": { "get": { "summary": "not its own" } }
                },
                "components": { "schemas": { "Note": { "type": "object", "properties": { "why": { "$ref": "#/components/schemas/Error" } } } } }
            }
        }"##;
        let mut document = own();
        add(
            &mut document,
            &crate::plugins::manifest::parse(manifest.as_bytes()).unwrap(),
        );
        let operation = &document["paths"]["/api/v1/projects/{project}/notes"]["get"];
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        assert_eq!(schema["$ref"], "#/components/schemas/notes.Note");
        assert_eq!(operation["parameters"][0]["name"], "project");
        assert_eq!(
            operation["responses"]["default"]["$ref"],
            "#/components/responses/Error"
        );
        let note = &document["components"]["schemas"]["notes.Note"];
        assert_eq!(note["properties"]["why"]["$ref"], "#/components/schemas/Error");
        assert_ne!(document["paths"]["/api/v1/me"]["get"]["summary"], "not its own");
    }
}
