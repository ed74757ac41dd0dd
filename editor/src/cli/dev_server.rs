//! The dev server as the command line sees it: one that is started or attached to, or none.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use super::failure::Failure;
use super::say;
use crate::api::App;
use crate::config::Hosts;
use crate::hosts::{self, Early, Enabled, Host, StartError, State, Status, smoke};
use crate::proxy::Upstream;

/// How long the proxy may take to know of a dev server that answers.
const FORWARD_TIMEOUT: Duration = Duration::from_secs(5);

/// When the check begins: whoever opened the Editor wants to see the first page, and the dev server makes one thing at a time.
const UNHURRIED: Duration = Duration::from_secs(1);

/// The dev server, or the words that say why there is none.
#[derive(Debug)]
pub enum DevServer {
    /// Started, or attached to.
    Host(Arc<Host>),
    /// Somebody has to start it. The Editor goes on: its interface shows the words, and the source can be edited.
    None {
        /// What to do, as the interface shows it.
        status: Status,
        /// For the proxy, which shows the same.
        upstream: watch::Sender<Upstream>,
    },
}

/// The `hosts` block, as the room of hosts takes it.
pub fn enabled(hosts: &Hosts) -> Enabled {
    Enabled {
        vite: hosts.allows("vite"),
        nuxt: hosts.allows("nuxt"),
        react_router: hosts.allows("react-router"),
        next: hosts.allows("next"),
        astro: hosts.allows("astro"),
    }
}

/// Starts it or attaches to it. What has to be attached to and is not yet is no failure.
///
/// # Errors
/// When a package or Node is missing, or the port is taken.
pub async fn start(options: hosts::Options, early: Option<Early>) -> Result<DevServer, StartError> {
    match hosts::start(options, early).await {
        Ok(host) => Ok(DevServer::Host(Arc::new(host))),
        Err(StartError::AttachNeeded(words)) => {
            let status = Status {
                kind: "attach",
                status: State::Failed,
                words,
                log: Vec::new(),
                origin: None,
                base: "/".to_owned(),
            };
            let upstream = watch::Sender::new(status.upstream());
            Ok(DevServer::None { status, upstream })
        }
        Err(error) => Err(error),
    }
}

impl DevServer {
    /// Where requests for the prototype go.
    pub fn upstream(&self) -> watch::Receiver<Upstream> {
        match self {
            DevServer::Host(host) => host.upstream(),
            DevServer::None { upstream, .. } => upstream.subscribe(),
        }
    }

    /// Its first start.
    pub fn boot(&self) -> Boot {
        match self {
            DevServer::Host(host) => Boot(Some(Arc::clone(host))),
            DevServer::None { .. } => Boot(None),
        }
    }

    /// Tells the interface and the terminal how it is doing, as long as it lives.
    pub fn tell(&self, app: &Arc<App>) {
        match self {
            DevServer::None { status, .. } => {
                say::note(&status.words);
                app.set_host(status.clone());
            }
            DevServer::Host(host) => {
                app.follow(host);
                tokio::spawn(speak(Arc::downgrade(host), host.changes()));
            }
        }
    }

    /// Ends it, and returns when it is gone.
    pub async fn stop(self) {
        if let DevServer::Host(host) = self {
            // Everybody else who had it was ended before.
            match Arc::try_unwrap(host) {
                Ok(host) => host.stop().await,
                Err(shared) => drop(shared),
            }
        }
    }
}

/// The first start of a dev server.
#[derive(Debug, Clone)]
pub struct Boot(Option<Arc<Host>>);

impl Boot {
    /// Waits until the dev server answers or has failed; not at all when there is none.
    ///
    /// # Errors
    /// When it failed in a way that only its owner can repair.
    pub async fn ended(&mut self) -> Result<(), Failure> {
        match &self.0 {
            Some(host) => host.booted().await.map_err(Failure::from),
            None => Ok(()),
        }
    }
}

/// Says on standard error what is worth a line: not that it starts, but that it is slow, runs, fails, or needs something.
async fn speak(host: Weak<Host>, mut changes: watch::Receiver<Status>) {
    let mut said = String::new();
    loop {
        let status = changes.borrow_and_update().clone();
        if status.status == State::Failed && is_fatal(&host).await {
            return;
        }
        let is_worth_it = status.status != State::Starting || !status.log.is_empty();
        if is_worth_it && status.words != said {
            say::note(&status.words);
            for line in &status.log {
                say::note(format_args!("  {line}"));
            }
            said = status.words;
        }
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// Whether the Editor ends because of it. Then its last words are the same.
async fn is_fatal(host: &Weak<Host>) -> bool {
    match host.upgrade() {
        Some(host) => host.booted().await.is_err(),
        None => true,
    }
}

/// Looks, once the prototype runs, whether its pages carry the bridge and its modules positions.
pub async fn check(boot: Boot, app: &App, preview: &str) {
    let Some(host) = &boot.0 else { return };
    if host.booted().await.is_err() || host.status().status == State::Failed {
        return;
    }
    // The proxy hears of it a moment later.
    let mut upstream = host.upstream();
    let forwarded = upstream.wait_for(|upstream| upstream.origin.is_some());
    let _ = timeout(FORWARD_TIMEOUT, forwarded).await;
    tokio::time::sleep(UNHURRIED).await;
    for warning in smoke::check(preview, || app.unstamped()).await {
        say::warn(&warning.words);
        app.warn(warning.code, &warning.words);
    }
}
