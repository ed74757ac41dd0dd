//! A plugin: its slot, routes, migrations and subscriptions, from which `describe` is derived.
//!
//! ```
//! use galley_sdk::prelude::*;
//!
//! fn list(_project: ProjectId) -> Json<[&'static str; 0]> {
//!     Json([])
//! }
//!
//! fn plugin() -> Plugin {
//!     Plugin::new("notes", env!("CARGO_PKG_VERSION"))
//!         .migration(1, "CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL)")
//!         .route(get("/api/v1/projects/{project}/notes", list).guard(Guard::project_read()))
//! }
//! galley_sdk::export!(plugin);
//!
//! let manifest: serde_json::Value = serde_json::from_slice(&plugin().describe()).unwrap();
//! assert_eq!(manifest["routes"][0]["guard"]["kind"], "project:read");
//! ```

use galley_manifest::{Manifest, Migration};
use serde::de::DeserializeOwned;

use crate::error::{Error, Problem};
use crate::events::{Delivery, Event};
use crate::extract::Parts;
use crate::json::Raw;
use crate::response::Response;
use crate::route::Route;

/// A plugin. Built once for each instance, by the function that [`export!`](crate::export) names.
pub struct Plugin {
    slot: &'static str,
    version: &'static str,
    pub(crate) routes: Vec<Route>,
    pub(crate) migrations: Vec<Migration>,
    pub(crate) subscribers: Vec<Subscriber>,
    openapi: Option<Raw<'static>>,
    pub(crate) hosts: Vec<&'static str>,
    start: Option<fn() -> Result<(), Error>>,
}

type Receive = Box<dyn Fn(Delivery) -> Result<(), Error>>;

pub(crate) struct Subscriber {
    pub(crate) topic: &'static str,
    receive: Receive,
}

impl Plugin {
    /// A plugin for `slot` (1 to 32 of a-z, 0-9 and `-`, starting with a letter), with its own version.
    pub fn new(slot: &'static str, version: &'static str) -> Plugin {
        Plugin {
            slot,
            version,
            routes: Vec::new(),
            migrations: Vec::new(),
            subscribers: Vec::new(),
            openapi: None,
            hosts: Vec::new(),
            start: None,
        }
    }

    /// The routes' part of the API description: a JSON text with `paths` and `components.schemas` of OpenAPI 3.1. The host adds
    /// summaries, path parameters, credentials and errors.
    pub fn openapi(mut self, json: &'static str) -> Plugin {
        self.openapi = Some(Raw(json));
        self
    }

    /// A step of the slot's database schema: versions 1, 2, 3 … without a gap.
    pub fn migration(mut self, version: u32, sql: &'static str) -> Plugin {
        self.migrations.push(Migration { version, sql });
        self
    }

    /// A route.
    pub fn route(mut self, route: Route) -> Plugin {
        self.routes.push(route);
        self
    }

    /// Subscribes to a topic. The handler may get an event twice and must tolerate that. Its error makes the host deliver the
    /// event again later.
    pub fn on<T: DeserializeOwned>(
        mut self,
        topic: &'static str,
        handler: impl Fn(Event<T>) -> Result<(), Error> + 'static,
    ) -> Plugin {
        let receive: Receive = Box::new(move |delivery| handler(Event::from_delivery(delivery)?));
        self.subscribers.push(Subscriber { topic, receive });
        self
    }

    /// Asks for a credential of [`outbound`](crate::outbound), by the part of its name before the colon.
    pub fn host(mut self, credential: &'static str) -> Plugin {
        self.hosts.push(credential);
        self
    }

    /// Runs `handler` each time the plugin is loaded, after its migrations and before its routes answer. An error keeps the
    /// slot from serving.
    pub fn on_start(mut self, handler: fn() -> Result<(), Error>) -> Plugin {
        self.start = Some(handler);
        self
    }

    /// The slot.
    pub fn slot(&self) -> &'static str {
        self.slot
    }

    /// The manifest, as JSON.
    pub fn describe(&self) -> Vec<u8> {
        crate::json::to_vec(&self.manifest()).unwrap_or_default()
    }

    /// The manifest.
    pub(crate) fn manifest(&self) -> Manifest<&'static str, Raw<'static>> {
        Manifest {
            slot: self.slot,
            version: self.version,
            routes: self.routes.iter().map(|route| route.rule).collect(),
            migrations: self.migrations.clone(),
            subscriptions: self.subscribers.iter().map(|subscriber| subscriber.topic).collect(),
            hosts: self.hosts.clone(),
            openapi: self.openapi,
        }
    }

    /// Answers one request for one of the routes.
    pub(crate) fn handle<'a>(&'a self, parts: &mut Parts<'a>) -> Response {
        let Some(route) = self.routes.get(parts.route()) else {
            return Response::json(404, br#"{"error":"Not found"}"#.to_vec());
        };
        parts.name(&route.names);
        let mut response = (route.handler)(parts);
        if response.failed {
            let message = format!("Something went wrong on the server (request {})", parts.id());
            response.body = serde_json::json!({ "error": message }).to_string().into_bytes();
        }
        response
    }

    /// Takes one event.
    pub(crate) fn receive(&self, delivery: Delivery) -> Result<(), Problem> {
        for subscriber in self
            .subscribers
            .iter()
            .filter(|subscriber| subscriber.topic == delivery.topic)
        {
            (subscriber.receive)(delivery.clone())?;
        }
        Ok(())
    }

    /// Runs the start handler, if there is one.
    pub(crate) fn start(&self) -> Result<(), Problem> {
        self.start.map_or(Ok(()), |start| start().map_err(Problem::from))
    }
}

impl std::fmt::Debug for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plugin")
            .field("slot", &self.slot)
            .field("routes", &self.routes)
            .finish_non_exhaustive()
    }
}
