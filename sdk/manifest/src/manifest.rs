//! What a plugin says of itself, and the checks that need no database and no server.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::engine::{self, Engine};
use crate::error::ManifestError;
use crate::events::{HOST_TOPICS, is_word};
use crate::hosts::{self, HostRule};
use crate::jobs::{self, Job};
use crate::route::Route;
use crate::schema::{self, Adoption, Migration, Schema};
use crate::settings::{self, Setting};
use crate::ui::{self, UiPart};

/// The largest manifest the host reads, in bytes.
pub const MAX_MANIFEST_BYTES: usize = 1 << 20;
/// The longest version, in bytes.
const MAX_VERSION_BYTES: usize = 64;

/// What a plugin says of itself. `D` holds its part of the API's description (OpenAPI).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest<S, D> {
    /// The place the plugin fills: 1 to 32 of a-z, 0-9 and `-`, starting with a letter.
    pub slot: S,
    /// The plugin's own version: 1 to 64 letters, digits, `.`, `-`, `+`, `_` and `~`.
    pub version: S,
    /// Its routes; requests name one by its index here.
    #[serde(default)]
    pub routes: Vec<Route<S>>,
    /// Its database schema, step by step.
    #[serde(default)]
    pub migrations: Vec<Migration<S>>,
    /// The engines that its SQL is for. The default is SQLite.
    #[serde(default = "sqlite", skip_serializing_if = "is_default")]
    pub engines: Vec<Engine>,
    /// The plugin's own name, of the same form as a slot. The default is the slot.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub id: Option<S>,
    /// The name of its schema, and what can use it. The default is the plugin's own name.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema<S>>,
    /// Schemas of other plugins whose data it can take over.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub adopts: Vec<Adoption<S>>,
    /// Topics whose events the plugin receives.
    #[serde(default)]
    pub subscriptions: Vec<S>,
    /// Topics whose events the plugin publishes.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub publishes: Vec<Publication<S, D>>,
    /// Where it sends outbound requests: credentials of the server, by the part of their names before the colon, and hosts.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<HostRule<S>>,
    /// What the operator can set.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub settings: Vec<Setting<S>>,
    /// What it does by itself.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<Job<S>>,
    /// Its parts of the pages.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub ui: Vec<UiPart<S>>,
    /// What the API's description says of its routes: `paths` and `components` of OpenAPI.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub openapi: Option<D>,
}

/// A topic that a plugin publishes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Publication<S, D> {
    /// `SLOT/WORD`, with the plugin's own slot.
    pub topic: S,
    /// A JSON Schema of the events' data.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub schema: Option<D>,
}

fn none<D>() -> Option<D> {
    None
}

fn sqlite() -> Vec<Engine> {
    engine::DEFAULT.to_vec()
}

fn is_default(engines: &[Engine]) -> bool {
    engines == engine::DEFAULT
}

impl<S: AsRef<str>, D> Manifest<S, D> {
    /// Checks slot, version, engines, migrations, topics, settings, hosts, jobs, parts of the pages and routes.
    pub fn check(&self) -> Result<(), ManifestError> {
        schema::check_name("slot", self.slot.as_ref())?;
        check_version(self.version.as_ref())?;
        if let Some(id) = &self.id {
            schema::check_name("plugin's id", id.as_ref())?;
        }
        schema::check_engines(&self.engines, &self.migrations)?;
        schema::check(&self.migrations, self.schema.as_ref(), &self.adopts)?;
        for topic in self.subscriptions.iter().map(AsRef::as_ref) {
            let (slot, word) = topic.split_once('/').unwrap_or(("host", topic));
            if schema::check_name("slot", slot).is_err() || !is_word(word) {
                return Err(ManifestError::new(format!("the subscription `{topic}` is not a topic")));
            }
        }
        for topic in self.publishes.iter().map(|publication| publication.topic.as_ref()) {
            let slot = self.slot.as_ref();
            if !topic
                .split_once('/')
                .is_some_and(|(owner, word)| owner == slot && is_word(word))
            {
                return Err(ManifestError::new(format!(
                    "it publishes `{topic}`, and its topics are `{slot}/` and a word of a-z, 0-9 and `-`"
                )));
            }
        }
        settings::check(&self.settings)?;
        hosts::check(&self.hosts, &self.settings)?;
        jobs::check(&self.jobs)?;
        ui::check(&self.ui)?;
        self.routes.iter().try_for_each(Route::check)?;
        self.check_routes_differ()
    }

    /// The plugin's own name: its slot, unless it says otherwise.
    pub fn id(&self) -> &str {
        self.id.as_ref().unwrap_or(&self.slot).as_ref()
    }

    /// The name of its schema: the plugin's own, unless it says otherwise.
    pub fn schema_name(&self) -> &str {
        self.schema
            .as_ref()
            .map_or_else(|| self.id(), |schema| schema.name.as_ref())
    }

    /// Whether its SQL is for an engine.
    pub fn runs_on(&self, engine: Engine) -> bool {
        self.engines.contains(&engine)
    }

    /// A setting or a secret that it declares.
    pub fn setting(&self, key: &str) -> Option<&Setting<S>> {
        self.settings.iter().find(|setting| setting.key.as_ref() == key)
    }

    /// The version of its schema: the number of its migrations.
    pub fn schema_version(&self) -> u32 {
        self.migrations.last().map_or(0, |step| step.version)
    }

    /// The oldest version of the schema whose plugin can use this one's data.
    pub fn compatible(&self) -> u32 {
        let compatible = self.schema.as_ref().and_then(|schema| schema.compatible);
        compatible.unwrap_or_else(|| self.schema_version())
    }

    /// The first subscription to a word that is no topic of the host. Components of the contract's version 0.1 have such.
    pub fn subscribed_word(&self) -> Option<&str> {
        let mut topics = self.subscriptions.iter().map(AsRef::as_ref);
        topics.find(|topic| !topic.contains('/') && !HOST_TOPICS.contains(topic))
    }

    fn check_routes_differ(&self) -> Result<(), ManifestError> {
        let mut seen = BTreeMap::new();
        for route in &self.routes {
            if let Some(first) = seen.insert((route.method, route.shape()), &route.path) {
                let (method, first, second) = (route.method, first.as_ref(), route.path.as_ref());
                return Err(ManifestError::new(format!(
                    "{method} {first} and {method} {second} are the same route"
                )));
            }
        }
        Ok(())
    }
}

/// The version stands in the review that an operator approves: it cannot hold lines of its own.
fn check_version(version: &str) -> Result<(), ManifestError> {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b".-+_~".contains(&b);
    if !version.is_empty() && version.len() <= MAX_VERSION_BYTES && version.bytes().all(is_plain) {
        return Ok(());
    }
    Err(ManifestError::new(format!(
        "the version `{}` is not 1 to {MAX_VERSION_BYTES} letters, digits, `.`, `-`, `+`, `_` and `~`",
        version.escape_debug()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyKind, Guard};

    type Owned = Manifest<String, serde_json::Value>;

    fn parse(routes: &str) -> Result<Owned, String> {
        let text = format!(r#"{{"slot":"hello","version":"1","routes":[{routes}]}}"#);
        let manifest: Owned = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        manifest.check().map_err(|error| error.to_string())?;
        Ok(manifest)
    }

    #[test]
    fn defaults_are_filled_in() {
        let route = r#"{"method":"GET","path":"/api/v1/projects/{project}/x","guard":{"kind":"project:read"},"new":1}"#;
        let manifest = parse(route).unwrap();
        let route = &manifest.routes[0];
        assert_eq!(route.guard.project_parameter(), "project");
        assert_eq!((route.body.kind, route.body.max_bytes()), (BodyKind::None, 1 << 20));
        assert_eq!(route.shape(), "/api/v1/projects/{}/x");
        assert!(route.guard.write && !route.guard.hidden);
    }

    #[test]
    fn a_version_is_one_plain_word() {
        let check = |version: &str| {
            let manifest = serde_json::json!({ "slot": "hello", "version": version });
            let manifest: Owned = serde_json::from_value(manifest).unwrap();
            manifest.check().map_err(|error| error.to_string())
        };
        for version in ["1", "0.1.0", "1.0.0-rc.1+build_7~2", &"1".repeat(64)] {
            assert_eq!(check(version), Ok(()));
        }
        for version in [
            "",
            "1.0.0 for the slot hello\n+ answers 1 route\x1b[8m",
            "1\u{202e}0",
            &"1".repeat(65),
        ] {
            let error = check(version).unwrap_err();
            assert!(
                error.contains("the version") && !error.contains(char::is_control),
                "{error}"
            );
        }
    }

    #[test]
    fn a_plugin_publishes_topics_of_its_own() {
        let publishes = |topic: &str| {
            let text = format!(r#"{{"slot":"hello","version":"1","publishes":[{{"topic":"{topic}","schema":{{}}}}]}}"#);
            serde_json::from_str::<Owned>(&text)
                .unwrap()
                .check()
                .map_err(|error| error.to_string())
        };
        assert_eq!(publishes("hello/said"), Ok(()));
        for topic in ["said", "comments/written", "hello/", "hello/A", "project-deleted"] {
            assert!(publishes(topic).unwrap_err().contains(topic), "{topic}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let get = |path: &str, guard: &str| format!(r#"{{"method":"GET","path":"{path}","guard":{{{guard}}}}}"#);
        let public = r#""kind":"public""#;
        for (routes, part) in [
            (get("/x", public), "/x"),
            (get("/api/v1//x", public), "/api/v1//x"),
            (get("/api/v1/{}", public), "/api/v1/{}"),
            (get("/api/v1/auth/localx/{deed}", public), "/api/v1/auth/localx/{deed}"),
            (get("/api/v1/unsubscribe", public), "/api/v1/unsubscribe"),
            (get("/api/v1/{any}/local/{deed}", public), "/api/v1/auth"),
            (get("/api/v1/x", public).replace("GET", "FETCH"), "FETCH"),
            (get("/api/v1/x", r#""kind":"sudo""#), "sudo"),
            (get("/api/v1/x", r#""kind":"project:read""#), "{project}"),
            (get("/api/v1/x", r#""kind":"public","anonymousStatus":200"#), "401"),
            (
                get("/api/v1/x", public).replace("}}", r#"},"summary":"a\u001b[8m"}"#),
                "one line",
            ),
            (
                get("/api/v1/x", public).replace("}}", r#"},"summary":"a\u202eb"}"#),
                "one line",
            ),
            (
                format!("{},{}", get("/api/v1/x/{a}", public), get("/api/v1/x/{b}", public)),
                "GET /api/v1/x/{a} and GET /api/v1/x/{b} are the same route",
            ),
        ] {
            let error = parse(&routes).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        for slot in ["", "../x", "1a", "A", &"a".repeat(33)] {
            assert!(schema::check_name("slot", slot).is_err(), "{slot}");
        }
    }

    #[test]
    fn the_schema_is_named_after_the_plugin() {
        let read = |rest: &str| -> Owned {
            serde_json::from_str(&format!(r#"{{"slot":"hello","version":"1"{rest}}}"#)).unwrap()
        };
        assert_eq!((read("").id(), read("").schema_name()), ("hello", "hello"));
        let other = read(r#","id":"hello-tree""#);
        assert_eq!((other.id(), other.schema_name()), ("hello-tree", "hello-tree"));
        let fork =
            read(r#","id":"fork","schema":{"name":"hello","compatible":1},"migrations":[{"version":1,"sql":""}]"#);
        assert_eq!(
            (fork.schema_name(), fork.schema_version(), fork.compatible()),
            ("hello", 1, 1)
        );
        assert!(read(r#","id":"../x""#).check().is_err());
    }

    #[test]
    fn what_the_builder_writes_is_read_back() {
        let guard = Guard::project_manage().read_only().hidden().message("No");
        let text = serde_json::to_string(&guard).unwrap();
        let read: Guard<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert!(!read.write && read.hidden);
        assert_eq!(read.kind.to_string(), "project:manage");
    }
}
