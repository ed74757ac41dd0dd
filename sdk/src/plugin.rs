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

use galley_manifest::{Adoption, Manifest, Migration, Publication, Schema};
use serde::de::DeserializeOwned;

use crate::error::{Error, Problem};
use crate::events::{Event, Received};
use crate::extract::Parts;
use crate::guard::{self, Guarantees};
use crate::json::Raw;
use crate::response::Response;
use crate::route::Route;

/// A plugin. Built once for each instance, by the function that [`export!`](crate::export) names.
pub struct Plugin {
    slot: &'static str,
    version: &'static str,
    pub(crate) routes: Vec<Route>,
    pub(crate) migrations: Vec<Migration>,
    id: Option<&'static str>,
    schema: Option<Schema<&'static str>>,
    adopts: Vec<Adoption<&'static str>>,
    pub(crate) subscribers: Vec<Subscriber>,
    openapi: Option<Raw<'static>>,
    pub(crate) hosts: Vec<&'static str>,
    pub(crate) publishes: Vec<Publication<&'static str, Raw<'static>>>,
    start: Option<fn() -> Result<(), Error>>,
}

type Receive = Box<dyn Fn(&Received) -> Result<(), Error>>;

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
            id: None,
            schema: None,
            adopts: Vec::new(),
            subscribers: Vec::new(),
            openapi: None,
            hosts: Vec::new(),
            publishes: Vec::new(),
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
        self.migrations.push(Migration {
            version,
            sql,
            down: None,
        });
        self
    }

    /// A step that can be undone: `down` brings the schema back for the plugin before this one.
    pub fn migration_with_down(mut self, version: u32, sql: &'static str, down: &'static str) -> Plugin {
        let down = Some(down);
        self.migrations.push(Migration { version, sql, down });
        self
    }

    /// The plugin's own name, where it is not the one that its slot is named after: two plugins for one slot have two names.
    pub fn id(mut self, id: &'static str) -> Plugin {
        self.id = Some(id);
        self
    }

    /// The name of its schema, and the oldest version of the schema whose plugin can use the data of the last one. Without
    /// this it is the plugin's own name, and only a plugin with the same number of migrations can use the data.
    ///
    /// ```
    /// use galley_sdk::prelude::*;
    ///
    /// let plugin = Plugin::new("notes", "1.1.0")
    ///     .schema("notes", 1)
    ///     .migration(1, "CREATE TABLE notes (text TEXT NOT NULL)")
    ///     .migration(2, "ALTER TABLE notes ADD COLUMN color TEXT");
    /// let manifest: serde_json::Value = serde_json::from_slice(&plugin.describe()).unwrap();
    /// assert_eq!(manifest["schema"]["compatible"], 1);
    /// ```
    pub fn schema(mut self, name: &'static str, compatible: u32) -> Plugin {
        let compatible = Some(compatible);
        self.schema = Some(Schema { name, compatible });
        self
    }

    /// Another plugin's schema, as `name@1..3`, whose tables are the ones that this plugin's own first steps make: when the
    /// operator says so, this plugin goes on with a copy of those data.
    pub fn adopts(mut self, schema: &'static str) -> Plugin {
        self.adopts.push(Adoption::Same(schema));
        self
    }

    /// Another plugin's schema, as `name@1..3`, with other tables: when the operator says so, this plugin's steps run on a copy
    /// of those data, and then `sql`, which moves the rows and drops the others' tables.
    pub fn adopts_by(mut self, schema: &'static str, sql: &'static str) -> Plugin {
        self.adopts.push(Adoption::Moving { schema, sql });
        self
    }

    /// A route.
    pub fn route<Needs>(mut self, route: Route<Needs>) -> Plugin
    where
        guard::Default: Guarantees<Needs>,
    {
        self.routes.push(route.into_guarded());
        self
    }

    /// Publishes events of a topic: `SLOT/WORD`, with the plugin's own slot. `schema` is a JSON Schema of their data, for those
    /// who subscribe.
    pub fn publishes(mut self, topic: &'static str, schema: &'static str) -> Plugin {
        let schema = Some(Raw(schema));
        self.publishes.push(Publication { topic, schema });
        self
    }

    /// Subscribes to a topic: a word of the host, or `SLOT/WORD` of a slot. The handler may get an event twice and must tolerate that. Its error makes the host deliver the
    /// event again later.
    pub fn on<T: DeserializeOwned>(
        mut self,
        topic: &'static str,
        handler: impl Fn(Event<T>) -> Result<(), Error> + 'static,
    ) -> Plugin {
        let receive: Receive = Box::new(move |received| handler(Event::from_received(received)?));
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
            id: self.id,
            schema: self.schema,
            adopts: self.adopts.clone(),
            subscriptions: self.subscribers.iter().map(|subscriber| subscriber.topic).collect(),
            publishes: self.publishes.clone(),
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
    pub(crate) fn receive(&self, received: &Received) -> Result<(), Problem> {
        for subscriber in self
            .subscribers
            .iter()
            .filter(|subscriber| subscriber.topic == received.topic)
        {
            (subscriber.receive)(received)?;
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
