//! What a test file finds: a server of its own in a temporary folder, accounts, projects, and the plugin.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

use super::difference::Answer;
use super::script::{Caller, Event, Script, Step, fill, fill_json};
use crate::capabilities::objects::Delivery;
use crate::capabilities::{Call, Services};
use crate::config::Config;
use crate::plugins::lock::{Bundle, Lock};
use crate::plugins::operations::{Artifact, Operations, Request};
use crate::storage::core::{Access, Actor, Event as Published, NewAccount, NewProject, Role};
use crate::web;

/// How long an answer may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The most bytes of an answer's body.
const MAX_BODY_BYTES: usize = 16 << 20;
/// The cookie of a session where the server is not behind https.
const COOKIE: &str = "galley_session";

/// The server as a test file finds it.
pub struct World {
    operations: Arc<Operations>,
    services: Arc<Services>,
    http: reqwest::Client,
    slot: String,
    sessions: BTreeMap<Caller, String>,
    /// Values for `{name}`: ids of projects by slug, and what steps saved.
    pub values: BTreeMap<String, String>,
    events: i64,
}

/// The configuration of a server in a temporary folder. Nothing of the environment counts but where the program's own
/// plugins are: a test sends no mail and asks no code host.
pub fn configuration(config: &Config, folder: &Path, script: &Script) -> anyhow::Result<Config> {
    let bridge = folder.join("bridge.js");
    std::fs::write(&bridge, "")?;
    let data = folder.join("data");
    std::fs::create_dir(&data)?;
    let variables = [
        ("SERVICE_LISTEN", "127.0.0.1:0".into()),
        ("SERVICE_DATA_DIR", data.as_os_str().to_owned()),
        ("SERVICE_PLUGINS_DIR", config.plugins_dir.as_os_str().to_owned()),
        ("SERVICE_BRIDGE_BUNDLE", bridge.into_os_string()),
        // What boot warns of is about real servers.
        ("SERVICE_LOG", "warn,galley_host::cli::boot=error".into()),
        // Nobody is offered the first account.
        ("SERVICE_ADMIN_TOKEN", crate::storage::id::new_id().into()),
    ];
    let variables = variables.map(|(name, value)| (name.into(), value));
    let config = Config::parse(variables, folder.to_owned())?;
    only_beside(&config, &script.beside)?;
    Ok(config)
}

/// Disables all slots of the program but those that are to serve beside: compiling them takes seconds.
fn only_beside(config: &Config, beside: &[String]) -> anyhow::Result<()> {
    let bundle = Bundle::read(&config.plugins_dir)?;
    let mut lock = Lock::default();
    lock.follow(&bundle);
    if let Some(unknown) = beside
        .iter()
        .find(|slot| lock.plugins.iter().all(|entry| entry.slot != **slot))
    {
        bail!("`beside` names the slot `{unknown}`, and the program comes with no plugin for it");
    }
    for entry in &mut lock.plugins {
        entry.enabled = beside.contains(&entry.slot);
    }
    Ok(lock.write(&config.data_dir)?)
}

impl World {
    /// Makes accounts and projects, and lets the plugin serve.
    pub async fn make(
        operations: Arc<Operations>,
        script: &Script,
        name: &str,
        wasm: Vec<u8>,
    ) -> anyhow::Result<(Self, String)> {
        let services = operations.services().clone();
        let artifact = Artifact {
            sha256: operations.stage(name, wasm).await?,
            source: Some(name.to_owned()),
            approved: true,
            ..Artifact::default()
        };
        let manifest = operations.manifest(&artifact).await?;
        let bundle = Bundle::read(&services.config.plugins_dir)?;
        let mut built = bundle.plugins.iter();
        let replaces = built.any(|built| built.manifest.slot == manifest.slot);
        let replaces = replaces.then(|| manifest.slot.clone());
        operations
            .run(Request::Install { artifact, replaces }, Actor::System)
            .await?;
        let mut world = Self {
            http: web::client().timeout(ANSWER_TIMEOUT).no_proxy().build()?,
            slot: manifest.slot.clone(),
            sessions: BTreeMap::new(),
            values: BTreeMap::new(),
            events: 0,
            operations,
            services,
        };
        world.people().await?;
        world.projects(script).await?;
        Ok((world, format!("{} {}", manifest.id(), manifest.version)))
    }

    async fn people(&mut self) -> anyhow::Result<()> {
        for caller in [Caller::Viewer, Caller::Editor, Caller::Admin] {
            let name = caller.role().unwrap_or_default();
            let account = NewAccount {
                email: format!("{name}@example.com"),
                display_name: name.to_owned(),
                role: Role::parse(name).context("a role has a name")?,
            };
            let account = self.services.core.create_account(account).await?;
            let session = self.services.core.create_session(&account.id).await?;
            self.sessions.insert(caller, session);
            self.values.insert(name.to_owned(), account.id);
        }
        Ok(())
    }

    async fn projects(&mut self, script: &Script) -> anyhow::Result<()> {
        for (slug, access) in &script.projects {
            let Some(access) = Access::parse(access) else {
                bail!("the project `{slug}` has the access `{access}`: it is all-members, invited or public-link");
            };
            let project = NewProject {
                slug: slug.clone(),
                name: slug.clone(),
                access,
                listed: None,
            };
            let project = self.services.core.create_project(project).await?;
            self.values.insert(slug.clone(), project.id.clone());
        }
        Ok(())
    }

    /// Runs one step; the answer, and how long it took.
    pub async fn perform(&mut self, step: &Step) -> anyhow::Result<(Answer, Duration)> {
        let begun = Instant::now();
        let answer = match (&step.request, &step.event) {
            (Some(request), _) => self.ask(step, request).await?,
            (None, Some(event)) => self.deliver(event).await?,
            (None, None) => bail!("it asks nothing"),
        };
        Ok((answer, begun.elapsed()))
    }

    async fn ask(&self, step: &Step, request: &str) -> anyhow::Result<Answer> {
        let (method, path) = request.split_once(' ').unwrap_or(("GET", request));
        let origin = format!("http://{}", self.services.config.listen);
        let address = format!("{origin}{}", fill(path, &self.values));
        let mut request = self.http.request(method.parse()?, address);
        if let Some(session) = self.sessions.get(&step.caller) {
            request = request
                .header("cookie", format!("{COOKIE}={session}"))
                .header("origin", origin);
        }
        for (name, value) in &step.headers {
            request = request.header(name, fill(value, &self.values));
        }
        if let Some(json) = &step.json {
            request = request.json(&fill_json(json, &self.values));
        }
        if let Some(text) = &step.text {
            request = request.body(fill(text, &self.values));
        }
        let mut answer = request.send().await.map_err(reqwest::Error::without_url)?;
        let headers: Vec<(String, String)> = answer
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
            .collect();
        let is_stream = headers
            .iter()
            .any(|(name, value)| name == "content-type" && value.starts_with("text/event-stream"));
        let mut body = Vec::new();
        while !is_stream && body.len() < MAX_BODY_BYTES {
            let Some(chunk) = answer.chunk().await? else { break };
            body.extend_from_slice(&chunk);
        }
        Ok(Answer {
            status: answer.status().as_u16(),
            headers,
            body,
        })
    }

    /// Gives the plugin an event, as the server would.
    async fn deliver(&mut self, event: &Event) -> anyhow::Result<Answer> {
        let present = self.operations.present();
        let plugin = present.plugin(&self.slot).context("the plugin does not serve")?;
        if !plugin.manifest.subscriptions.contains(&event.topic) {
            bail!(
                "the plugin is not subscribed to `{}`, but to: {}",
                event.topic,
                plugin.manifest.subscriptions.join(", ")
            );
        }
        self.events += 1;
        let source = event.topic.split_once('/').map(|(slot, _)| slot.to_owned());
        let published = Published {
            id: self.events,
            topic: event.topic.clone(),
            source,
            data: fill_json(&event.data, &self.values).to_string(),
            attempts: 0,
        };
        let call = Call::system(format!("event-{}", self.events), &plugin.state.limits());
        let delivery = Delivery {
            event: published,
            attempt: 1,
        };
        let (status, said) = match plugin.receive(call, delivery).await {
            Ok(Ok(())) => (204, None),
            Ok(Err(problem)) => (409, Some(problem.message)),
            Err(error) => (500, Some(error.to_string())),
        };
        let body = said.map(|said| serde_json::json!({ "error": said }).to_string());
        Ok(Answer {
            status,
            headers: Vec::new(),
            body: body.unwrap_or_default().into_bytes(),
        })
    }

    /// Keeps parts of an answer under their names.
    pub fn save(&mut self, step: &Step, answer: &Answer) -> Result<(), String> {
        let json = answer.json().unwrap_or(Value::Null);
        for (name, pointer) in &step.save {
            let found = json.pointer(pointer).ok_or_else(|| pointer.clone())?;
            let text = found.as_str().map_or_else(|| found.to_string(), str::to_owned);
            self.values.insert(name.clone(), text);
        }
        Ok(())
    }
}
