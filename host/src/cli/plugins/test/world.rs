//! What a test file finds: a server of its own in a temporary folder, accounts, projects, and the plugin.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

use super::archive;
use super::difference::Answer;
use super::inside;
use super::script::{Caller, Script, Step, fill, fill_json, fill_path};
use super::stream::Stream;
use crate::accounts::{Actor, NewAccount, Role};
use crate::capabilities::Services;
use crate::config::Config;
use crate::core::Access;
use crate::plugins::lock::{Bundle, Lock};
use crate::plugins::operations::{Artifact, Operations, Request};
use crate::projects::NewProject;
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
    /// Streams that are open, by name.
    streams: BTreeMap<String, Stream>,
    /// Where the test file is.
    folder: PathBuf,
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
            streams: BTreeMap::new(),
            folder: script.folder.clone(),
            events: 0,
            operations,
            services,
        };
        world.people().await?;
        world.projects(script).await?;
        let configured = inside::configure(&world.operations, &world.slot, &script.config, &world.values).await;
        configured.context("`config` of the test file")?;
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
        let answer = if let Some(request) = &step.request {
            self.ask(step, request).await?
        } else if let Some(event) = &step.event {
            self.events += 1;
            inside::deliver(&self.operations, &self.slot, self.events, event, &self.values).await?
        } else if let Some(job) = &step.job {
            inside::run_job(&self.operations, &self.slot, job).await?
        } else if let Some(config) = &step.config {
            let changed = inside::configure(&self.operations, &self.slot, config, &self.values).await;
            inside::answer(changed.map_err(|refused| (400, refused.message)))
        } else if let Some(name) = &step.next {
            let stream = self.streams.get_mut(name);
            let stream = stream.with_context(|| format!("no step before has left a stream `{name}` open"))?;
            stream.next().await?
        } else {
            bail!("it asks nothing");
        };
        Ok((answer, begun.elapsed()))
    }

    async fn ask(&mut self, step: &Step, request: &str) -> anyhow::Result<Answer> {
        let (method, path) = request.split_once(' ').unwrap_or(("GET", request));
        let origin = format!("http://{}", self.services.config.listen);
        let address = format!("{origin}{}", fill_path(path, &self.values)?);
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
        if let Some(file) = &step.file {
            let file = self.folder.join(file);
            let bytes = std::fs::read(&file).with_context(|| format!("{} cannot be read", file.display()))?;
            request = request.body(bytes);
        }
        if let Some(files) = &step.archive {
            request = request.header("content-type", "application/gzip").body(archive::pack(
                files,
                &self.folder,
                &self.values,
            )?);
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
        let status = answer.status().as_u16();
        let mut body = Vec::new();
        while !is_stream && body.len() < MAX_BODY_BYTES {
            let Some(chunk) = answer.chunk().await? else { break };
            body.extend_from_slice(&chunk);
        }
        if let Some(name) = &step.stream {
            if !is_stream {
                bail!(
                    "the answer is no stream of events, but {status}: {}",
                    String::from_utf8_lossy(&body)
                );
            }
            self.streams.insert(name.clone(), Stream::new(answer));
        }
        Ok(Answer { status, headers, body })
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
