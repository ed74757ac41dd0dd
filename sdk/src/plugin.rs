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

use galley_manifest::{
    Adoption, Engine, HostRule, Job, Manifest, Migration, Publication, Schema, Setting, SettingKind, SettingValue,
};
use serde::de::DeserializeOwned;

use crate::error::{Error, Problem};
use crate::events::{Event, Received};
use crate::extract::Parts;
use crate::guard::{self, Guarantees};
use crate::json::Raw;
use crate::response::Response;
use crate::route::Route;
use crate::ui::{self, Ui};

mod data;

/// A plugin. Built once for each instance, by the function that [`export!`](crate::export) names.
pub struct Plugin {
    slot: &'static str,
    version: &'static str,
    pub(crate) routes: Vec<Route>,
    pub(crate) migrations: Vec<Migration>,
    pub(crate) engines: Vec<Engine>,
    id: Option<&'static str>,
    schema: Option<Schema<&'static str>>,
    adopts: Vec<Adoption<&'static str>>,
    pub(crate) subscribers: Vec<Subscriber>,
    openapi: Option<Raw<'static>>,
    pub(crate) hosts: Vec<HostRule<&'static str>>,
    pub(crate) settings: Vec<Setting<&'static str>>,
    jobs: Vec<(Job<&'static str>, RunJob)>,
    pub(crate) publishes: Vec<Publication<&'static str, Raw<'static>>>,
    ui: Vec<Ui>,
    assets: Vec<(&'static str, &'static [u8])>,
    start: Option<fn() -> Result<(), Error>>,
}

type RunJob = Box<dyn Fn() -> Result<(), Error>>;
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
            engines: vec![Engine::Sqlite],
            id: None,
            schema: None,
            adopts: Vec::new(),
            subscribers: Vec::new(),
            openapi: None,
            hosts: Vec::new(),
            settings: Vec::new(),
            jobs: Vec::new(),
            publishes: Vec::new(),
            ui: Vec::new(),
            assets: Vec::new(),
            start: None,
        }
    }

    /// The routes' part of the API description: a JSON text with `paths` and `components.schemas` of OpenAPI 3.1. The host adds
    /// summaries, path parameters, credentials and errors.
    pub fn openapi(mut self, json: &'static str) -> Plugin {
        self.openapi = Some(Raw(json));
        self
    }

    /// The plugin's own name, where it is not the one that its slot is named after: two plugins for one slot have two names.
    pub fn id(mut self, id: &'static str) -> Plugin {
        self.id = Some(id);
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

    /// Asks for a credential of [`outbound`](crate::outbound), by the part of its name before the colon, or for a host that is
    /// called without a secret: `api.example.com`.
    pub fn host(mut self, name: &'static str) -> Plugin {
        self.hosts.push(HostRule::Named(name));
        self
    }

    /// Asks for a host that is called with a [`secret`](Plugin::secret): the server sends it as `Authorization: Bearer …`.
    pub fn host_with(mut self, host: &'static str, secret: &'static str) -> Plugin {
        let header = None;
        self.hosts.push(HostRule::WithSecret { host, secret, header });
        self
    }

    /// The same with the secret, as it is, in another header, named in small letters: `x-api-key`.
    pub fn host_with_header(mut self, host: &'static str, secret: &'static str, header: &'static str) -> Plugin {
        let header = Some(header);
        self.hosts.push(HostRule::WithSecret { host, secret, header });
        self
    }

    /// A setting that the operator can change, read by [`config::get`](crate::config::get). It takes what its default is: a
    /// text, a number, or `true` and `false`. `words` say in one line what it is for.
    pub fn setting(
        mut self,
        key: &'static str,
        default: impl Into<SettingValue<&'static str>>,
        words: &'static str,
    ) -> Plugin {
        let default = default.into();
        let kind = default.kind();
        let default = Some(default);
        self.settings.push(Setting {
            key,
            kind,
            words,
            default,
        });
        self
    }

    /// A secret that the operator sets and the plugin never sees: it goes with requests to the hosts of
    /// [`host_with`](Plugin::host_with).
    pub fn secret(mut self, key: &'static str, words: &'static str) -> Plugin {
        self.settings.push(Setting {
            key,
            kind: SettingKind::Secret,
            words,
            default: None,
        });
        self
    }

    /// Does something from time to time. `when` is the time between two runs (`90s`, `15m`, `6h`, `1d`), or five fields of cron in
    /// UTC (`0 9 * * 1-5`: at nine from Monday to Friday). The caller is the host itself, the deadline is the slot's. Runs that
    /// were missed are one run; a run that fails is logged, and the job runs again the next time. A job can be begun again after a
    /// crash and must tolerate that.
    ///
    /// ```
    /// use galley_sdk::prelude::*;
    /// use galley_sdk::testing::TestHost;
    ///
    /// fn forget() -> Result<()> {
    ///     sql::execute("DELETE FROM notes WHERE old", params![])?;
    ///     Ok(())
    /// }
    ///
    /// let plugin = Plugin::new("notes", "1.0.0")
    ///     .migration(1, "CREATE TABLE notes (old INTEGER NOT NULL)")
    ///     .job("forget", "1d", forget);
    /// TestHost::new(plugin).run_job("forget").unwrap();
    /// ```
    pub fn job(
        self,
        name: &'static str,
        when: &'static str,
        handler: impl Fn() -> Result<(), Error> + 'static,
    ) -> Plugin {
        self.add_job(name, when, false, handler)
    }

    /// The same only where several servers share the plugin's data: a server alone never runs it, and looks after what was cut off
    /// when it starts ([`on_start`](Self::on_start)). In a cluster a start says nothing of what is under way at the others.
    pub fn cluster_job(
        self,
        name: &'static str,
        when: &'static str,
        handler: impl Fn() -> Result<(), Error> + 'static,
    ) -> Plugin {
        self.add_job(name, when, true, handler)
    }

    fn add_job(
        mut self,
        name: &'static str,
        when: &'static str,
        cluster: bool,
        handler: impl Fn() -> Result<(), Error> + 'static,
    ) -> Plugin {
        let (every, cron) = match when.contains(' ') {
            true => (None, Some(when)),
            false => (Some(when), None),
        };
        let job = Job {
            name,
            every,
            cron,
            cluster,
        };
        self.jobs.push((job, Box::new(handler)));
        self
    }

    /// A part of the pages; see [`ui`](crate::ui).
    pub fn ui(mut self, part: Ui) -> Plugin {
        if self.ui.is_empty() {
            self = self.asset(ui::HELPER_PATH, ui::HELPER);
        }
        self.ui.push(part);
        self
    }

    /// A file of its parts of the pages: at most 64 with at most 1 MiB each. The name's ending is its type.
    pub fn asset(mut self, path: &'static str, content: &'static (impl AsRef<[u8]> + ?Sized)) -> Plugin {
        self.assets.push((path, content.as_ref()));
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
            engines: self.engines.clone(),
            id: self.id,
            schema: self.schema,
            adopts: self.adopts.clone(),
            subscriptions: self.subscribers.iter().map(|subscriber| subscriber.topic).collect(),
            publishes: self.publishes.clone(),
            hosts: self.hosts.clone(),
            settings: self.settings.clone(),
            jobs: self.jobs.iter().map(|(job, _)| *job).collect(),
            ui: self.ui.iter().map(|part| part.0.clone()).collect(),
            openapi: self.openapi,
        }
    }

    /// The paths of its files.
    pub fn asset_paths(&self) -> impl Iterator<Item = &'static str> {
        self.assets.iter().map(|(path, _)| *path)
    }

    /// One of its files; the first of that path.
    pub fn asset_at(&self, path: &str) -> Option<&'static [u8]> {
        let found = self.assets.iter().find(|(known, _)| *known == path);
        found.map(|(_, content)| *content)
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

    /// Runs a job. One that the plugin does not have is an error.
    pub(crate) fn run_job(&self, name: &str) -> Result<(), Problem> {
        match self.jobs.iter().find(|(job, _)| job.name == name) {
            Some((_, run)) => run().map_err(Problem::from),
            None => Err(Problem {
                code: "not-found".into(),
                message: format!("The plugin has no job `{name}`."),
            }),
        }
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
