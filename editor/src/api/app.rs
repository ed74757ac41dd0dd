//! What the handlers share, and the state the interface shows.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use parking_lot::{Mutex, RwLock};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, broadcast, watch};

use super::error::ApiError;
use super::event::Event;
use super::proposals::Proposals;
use super::readings::Readings;
use super::stamped::Answers;
use crate::agent::chat::Chats;
use crate::agent::hints;
use crate::canvas::Canvas;
use crate::config::{Config, Features, Warning};
use crate::gate::{Framework, Prototype};
use crate::hosts::smoke::Unstamped;
use crate::hosts::{Host, Restarter, State, Status};
use crate::libraries::{self, Report};
use crate::review::Surface;
use crate::source::model::{Lanes, Library};
use crate::workspace::git::Git;
use crate::workspace::{Change, Watch, Workspace, WorkspaceError};

/// Lines of the dev server that a page which was just opened is shown.
const MAX_LINES: usize = 200;
/// Events a slow reader may lag behind; it is told to read the state again then.
const MAX_EVENTS: usize = 256;

/// Everything the API needs to know.
pub struct Parts {
    /// What the gate found.
    pub prototype: Prototype,
    /// The configuration the Editor started with.
    pub config: Config,
    /// The prototype's files.
    pub workspace: Arc<Workspace>,
    /// Where the API listens: the only origin and host it obeys.
    pub address: SocketAddr,
    /// The prototype's own origin, that of the proxy: `http://127.0.0.1:<port>`.
    pub preview_url: String,
    /// What every message between the interface and the page carries.
    pub nonce: String,
    /// What the dev server's shim proves itself with.
    pub token: String,
    /// The folder of the interface's files.
    pub ui: PathBuf,
    /// Where people's own settings lie, outside of any repository: `~/.config/tool`.
    pub home: PathBuf,
}

/// The run of the program, as its API sees it.
pub struct App {
    pub(super) parts: Parts,
    pub(super) origin: String,
    pub(super) host_header: String,
    pub(super) events: broadcast::Sender<Event>,
    /// Counts changes of the state. Who waits for it reads the newest, however many there were.
    pub(super) state_changed: watch::Sender<u64>,
    pub(super) ending: watch::Sender<bool>,
    /// Rings when the link to a review server was changed.
    pub(super) linked: Notify,
    pub(super) web: reqwest::Client,
    pub(super) features: Features,
    /// Modules as the dev server got them.
    pub(super) stamped: Answers,
    /// The browser that looks at pages after a model changed something.
    pub(super) review: Surface,
    /// Held by the lane that works: one at a time.
    pub(super) lane: tokio::sync::Mutex<()>,
    /// Changes of models that wait for a yes.
    pub(super) proposals: Proposals,
    /// Questions to the page in the preview.
    pub(super) readings: Readings,
    host: RwLock<Option<Status>>,
    restarter: Mutex<Option<Restarter>>,
    log: Mutex<VecDeque<String>>,
    warnings: Mutex<Vec<Warning>>,
    unstamped: Mutex<BTreeMap<String, String>>,
    watch: Mutex<Option<Watch>>,
    /// `None` until all were looked at.
    libraries: Mutex<Option<Vec<Report>>>,
    /// What became of hints, by the place of their library.
    pub(super) hints: Mutex<BTreeMap<usize, hints::Report>>,
    /// Read when somebody asks for them first.
    pub(super) chats: OnceLock<Arc<Chats>>,
    /// Made when somebody looks at it first.
    pub(super) canvas: OnceLock<Arc<Canvas>>,
}

impl App {
    /// Everything but the serving.
    ///
    /// # Errors
    /// When there can be no client for the review server.
    pub fn new(parts: Parts) -> Result<Arc<Self>, reqwest::Error> {
        let origin = format!("http://{}", parts.address);
        let mut warnings = parts.config.warnings.clone();
        let found = parts.workspace.warnings().iter().map(|words| Warning {
            code: "workspace",
            words: words.clone(),
        });
        warnings.extend(found);
        let app = Arc::new(Self {
            host_header: parts.address.to_string(),
            origin,
            events: broadcast::Sender::new(MAX_EVENTS),
            state_changed: watch::Sender::new(0),
            ending: watch::Sender::new(false),
            linked: Notify::new(),
            web: super::client::client()?,
            features: parts.config.features(),
            stamped: Answers::default(),
            review: surface(&parts),
            lane: tokio::sync::Mutex::default(),
            proposals: Proposals::default(),
            readings: Readings::default(),
            host: RwLock::default(),
            restarter: Mutex::default(),
            log: Mutex::default(),
            warnings: Mutex::new(warnings),
            unstamped: Mutex::default(),
            watch: Mutex::default(),
            libraries: Mutex::default(),
            hints: Mutex::default(),
            chats: OnceLock::new(),
            canvas: OnceLock::new(),
            parts,
        });
        app.listen();
        Ok(app)
    }

    /// The origin of the interface: `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Which libraries are to be looked at.
    ///
    /// # Errors
    /// When there is no folder for what is fetched.
    pub fn libraries_wanted(&self) -> Result<libraries::Request, WorkspaceError> {
        let parts = &self.parts;
        Ok(libraries::Request {
            root: parts.workspace.root().to_owned(),
            kept: parts.workspace.own_folder("libraries")?,
            declared: parts.config.design_systems.clone(),
            storybooks: parts.config.environment.storybooks.clone(),
            allowed: parts.config.environment.storybook_hosts.clone(),
            is_vue: parts.prototype.framework == Framework::Vue,
        })
    }

    /// Says which libraries of components there are, and gives what is wrong with those that were declared, in words.
    pub fn set_libraries(&self, libraries: Vec<Library>, reports: Vec<Report>) -> Vec<String> {
        self.parts.workspace.set_libraries(libraries);
        let failed = reports.iter().filter_map(|report| {
            let problem = report.problem.as_ref()?;
            Some(format!(
                "The components of {} are not offered: {problem}.",
                report.label
            ))
        });
        let failed = failed.collect();
        *self.libraries.lock() = Some(reports);
        failed
    }

    pub(super) fn libraries(&self) -> Option<Vec<Report>> {
        self.libraries.lock().clone()
    }

    /// Tells of a dev server from now on, until it is dropped. Within a runtime only.
    pub fn follow(self: &Arc<Self>, host: &Host) {
        let (mut changes, mut lines) = (host.changes(), host.lines());
        *self.restarter.lock() = host.restarter();
        let known = host.status();
        for line in &known.log {
            self.log(line);
        }
        self.set_host(known);
        let app = Arc::clone(self);
        tokio::spawn(async move {
            while changes.changed().await.is_ok() {
                let status = changes.borrow_and_update().clone();
                app.set_host(status);
            }
        });
        let app = Arc::clone(self);
        tokio::spawn(async move {
            loop {
                match lines.recv().await {
                    Ok(line) => app.log(&line),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                }
            }
        });
    }

    /// Tells how the dev server is doing.
    pub fn set_host(&self, host: Status) {
        let event = json!({ "status": host.status, "words": host.words });
        let known = self.host.write().replace(host);
        if known.is_none_or(|known| json!({ "status": known.status, "words": known.words }) != event) {
            self.tell(Event::new("host", event));
            self.touch();
        }
    }

    /// Why the preview shows no page of the prototype; `None` when it does.
    pub(super) fn why_no_preview(&self) -> Option<String> {
        match &*self.host.read() {
            Some(host) if matches!(host.status, State::Running | State::Attached) => None,
            Some(host) => Some(host.words.clone()),
            None => Some("the dev server is about to be started".to_owned()),
        }
    }

    /// Ends the dev server and starts it again; whether it is one that the Editor started.
    pub(super) fn restart_host(&self) -> bool {
        self.restarter.lock().as_ref().is_some_and(Restarter::restart)
    }

    /// A line the dev server wrote.
    pub fn log(&self, line: &str) {
        let mut log = self.log.lock();
        if log.len() == MAX_LINES {
            log.pop_front();
        }
        log.push_back(line.to_owned());
        drop(log);
        self.tell(Event::new("log", json!({ "line": line })));
    }

    /// Something people should know. The same words twice are said once.
    pub fn warn(&self, code: &'static str, words: &str) {
        let warning = Warning {
            code,
            words: words.to_owned(),
        };
        let mut warnings = self.warnings.lock();
        if !warnings.contains(&warning) {
            warnings.push(warning);
            drop(warnings);
            self.touch();
        }
    }

    /// Files that carry no stamps, with the reason.
    #[must_use]
    pub fn unstamped(&self) -> Vec<Unstamped> {
        let unstamped = self.unstamped.lock();
        let list = unstamped.iter().map(|(path, why)| Unstamped {
            path: path.clone(),
            why: why.clone(),
        });
        list.collect()
    }

    /// Remembers why a file carries no stamps, or that it carries them now.
    pub(super) fn set_unstamped(&self, path: &str, why: Option<String>) {
        let mut unstamped = self.unstamped.lock();
        let changed = match &why {
            Some(why) => unstamped.insert(path.to_owned(), why.clone()).as_ref() != Some(why),
            None => unstamped.remove(path).is_some(),
        };
        drop(unstamped);
        if changed {
            self.touch();
        }
    }

    /// Which dormant lanes are awake.
    pub(super) fn lanes(&self) -> Lanes {
        let Features { detach, swap, .. } = self.features;
        Lanes { detach, swap }
    }

    pub(super) fn git(&self) -> Git {
        Git::new(self.parts.workspace.root())
    }

    /// Ends the turns and the servers of the chat, if it was used.
    pub fn end_chats(&self) {
        if let Some(chats) = self.chats.get() {
            chats.end();
        }
    }

    /// Sends an event to every page; nobody listening is fine.
    pub(super) fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }

    /// The state is another.
    pub(super) fn touch(&self) {
        self.state_changed.send_modify(|count| *count += 1);
    }

    /// What the interface shows. Reads a file, and may ask git: not for asynchronous code.
    pub(super) fn state(&self) -> Value {
        let Parts {
            prototype,
            workspace,
            preview_url,
            nonce,
            ..
        } = &self.parts;
        let mut host = match &*self.host.read() {
            Some(host) => json!(host),
            None => json!({ "kind": null, "status": "starting", "words": "The dev server is about to be started." }),
        };
        host["log"] = json!(*self.log.lock());
        json!({
            "ok": true,
            "root": workspace.root().display().to_string(),
            "name": prototype.name(),
            "framework": prototype.framework.id(),
            "host": host,
            "previewUrl": preview_url,
            "nonce": nonce,
            "branch": self.git().branch_by(&prototype.head).ok().flatten(),
            "features": self.features,
            "warnings": *self.warnings.lock(),
            "unstamped": self.unstamped(),
            "version": env!("CARGO_PKG_VERSION"),
        })
    }

    /// Hears of changes on disk. Without a watch the interface works, and sees them when it asks.
    fn listen(self: &Arc<Self>) {
        let app = Arc::downgrade(self);
        let heard = move |change| {
            let Some(app) = app.upgrade() else { return };
            match change {
                Change::Files(paths) => app.tell(Event::new("files", json!({ "paths": paths }))),
                Change::Git => {
                    app.tell(Event::new("git", json!({})));
                    app.touch();
                }
            }
        };
        match self.parts.workspace.watch(heard) {
            Ok(watch) => *self.watch.lock() = Some(watch),
            Err(error) => self.warn(
                "watch",
                &format!("Changes made outside of the Editor are not noticed at once: {error}"),
            ),
        }
    }
}

fn surface(parts: &Parts) -> Surface {
    let environment = &parts.config.environment;
    Surface::new(
        &parts.preview_url,
        environment.review_surface,
        environment.browser.as_deref(),
    )
}

/// Runs what waits for files or programs where it may.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(ApiError::internal("the work on this request ended early")),
    }
}
