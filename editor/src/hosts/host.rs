//! Watching over the dev server: from its start to its end, and again after a restart.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt as _;
use serde::Deserialize;
use tokio::process::Child;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::attached::Look;
use super::detect::detect;
use super::early::Early;
use super::launch::{self, Launch, Readiness};
use super::log::Log;
use super::process::{self, Running};
use super::shims::Shims;
use super::status::{State, Status};
use super::{Options, StartError, attach, attached};
use crate::proxy::Upstream;

/// When a start is called slow.
const SLOW: Duration = Duration::from_secs(20);

/// How often an unready dev server is asked whether it answers, and a slow one is spoken of.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// How many of its own last lines are shown when it failed.
const MAX_SHOWN: usize = 20;

/// A dev server, its own or an attached one. Dropped, its process ends.
#[derive(Debug)]
pub struct Host {
    shared: Arc<Shared>,
    commands: mpsc::Sender<Command>,
    task: Option<JoinHandle<()>>,
    /// Attached: looks whether it is still there.
    watch: Option<JoinHandle<()>>,
    /// Attached: the shims the prototype's configuration refers to.
    _shims: Option<Shims>,
}

/// Restarts a dev server without keeping it alive.
#[derive(Debug, Clone)]
pub struct Restarter(mpsc::Sender<Command>);

impl Restarter {
    /// Asks for a restart; whether there is still something to restart. It is seen in the status when it happens.
    #[must_use]
    pub fn restart(&self) -> bool {
        // A full queue holds restarts that have not begun: one more would change nothing.
        !matches!(self.0.try_send(Command::Restart), Err(TrySendError::Closed(_)))
    }
}

#[derive(Debug)]
struct Shared {
    status: watch::Sender<Status>,
    upstream: watch::Sender<Upstream>,
    lines: broadcast::Sender<String>,
    log: Log,
    /// Why the first start failed, when the way out is outside of the Editor.
    fatal: parking_lot::Mutex<Option<StartError>>,
}

#[derive(Debug)]
enum Command {
    Restart,
    Stop,
}

/// Starts the dev server, or attaches to one. Returns at once: [`Host::booted`] waits until it answers.
///
/// # Errors
/// When there is nothing to start, or nothing to start it with. Every text tells what to do.
pub async fn start(options: Options, early: Option<Early>) -> Result<Host, StartError> {
    let unwritten = |error: std::io::Error| StartError::Shims {
        folder: options.root.join(super::shims::ATTACHED),
        error: error.to_string(),
    };
    let (commands, receiver) = mpsc::channel(8);
    if let Some(url) = &options.attach {
        let found = detect(&options.root);
        let how = attach::how(
            &options.root,
            found.as_ref().map(|found| found.kind),
            found.as_ref().and_then(|found| found.config.as_deref()),
        );
        let shims = Shims::for_attached(&options.root, &options.stamping).map_err(unwritten)?;
        let shared = Arc::new(Shared::new(attached_status(url, &how)));
        return Ok(Host {
            watch: Some(tokio::spawn(look_after(url.clone(), how, Arc::clone(&shared)))),
            shared,
            commands,
            task: None,
            _shims: Some(shims),
        });
    }
    let launch = Launch::of(&options.root, options.enabled)?;
    let early = early.filter(|early| early.is_for(&launch.root));
    if let Some(port) = options.port
        && TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err()
    {
        return Err(StartError::PortTaken(port));
    }
    let (shims, runner) = match early {
        Some(Early { shims, runner, .. }) => (shims, Some(runner)),
        None => (Shims::for_run().map_err(unwritten)?, None),
    };
    shims.set(&options.root, &options.stamping).map_err(unwritten)?;
    let shared = Arc::new(Shared::new(Status {
        kind: launch.found.kind.id(),
        status: State::Starting,
        words: format!("{} {} is starting.", launch.found.kind, launch.version),
        log: Vec::new(),
        origin: None,
        base: "/".to_owned(),
    }));
    let keeper = Keeper {
        launch,
        shims,
        runner,
        asked_port: options.port,
        secret: format!("galley:{:032x}:", rand::rng().random::<u128>()),
        shared: Arc::clone(&shared),
        commands: receiver,
    };
    Ok(Host {
        shared,
        commands,
        task: Some(tokio::spawn(keeper.keep())),
        watch: None,
        _shims: None,
    })
}

fn attached_status(url: &url::Url, how: &str) -> Status {
    let origin = url.origin().ascii_serialization();
    Status {
        kind: "attach",
        status: State::Attached,
        words: format!("Attached to the dev server at {origin}. {how}"),
        log: Vec::new(),
        origin: Some(origin),
        base: url.path().to_owned(),
    }
}

/// Shows when an attached dev server goes, and when it comes back. Its address stays: who asks in between may be lucky.
async fn look_after(url: url::Url, how: String, shared: Arc<Shared>) {
    let there = attached_status(&url, &how);
    let origin = url.origin().ascii_serialization();
    let words = format!(
        "The dev server at {origin} does not answer. Start it again where it was started: the page comes back by itself. {how}"
    );
    let gone = Status {
        status: State::Failed,
        words,
        ..there.clone()
    };
    let tell = |look| {
        let now = match look {
            Look::There => there.clone(),
            Look::Gone => gone.clone(),
        };
        shared.set(|status| *status = now);
    };
    attached::watch(&url, tell).await;
}

impl Shared {
    fn new(status: Status) -> Shared {
        Shared {
            upstream: watch::Sender::new(status.upstream()),
            status: watch::Sender::new(status),
            lines: broadcast::Sender::new(256),
            log: Log::default(),
            fatal: parking_lot::Mutex::default(),
        }
    }

    fn set(&self, change: impl FnOnce(&mut Status)) {
        self.status.send_modify(change);
        self.upstream.send_replace(self.status.borrow().upstream());
    }
}

impl Host {
    /// How it is doing now, with its last lines.
    #[must_use]
    pub fn status(&self) -> Status {
        let mut status = self.shared.status.borrow().clone();
        status.log = self.shared.log.last(MAX_SHOWN);
        status
    }

    /// Changes of the status; its `log` is filled when something went wrong.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<Status> {
        self.shared.status.subscribe()
    }

    /// Every line the dev server writes from now on.
    #[must_use]
    pub fn lines(&self) -> broadcast::Receiver<String> {
        self.shared.lines.subscribe()
    }

    /// Where to forward requests to: for [`crate::proxy::serve`].
    #[must_use]
    pub fn upstream(&self) -> watch::Receiver<Upstream> {
        self.shared.upstream.subscribe()
    }

    /// Where it listens, as `http://127.0.0.1:5173`; `None` while it does not.
    #[must_use]
    pub fn origin(&self) -> Option<String> {
        self.shared.status.borrow().origin.clone()
    }

    /// Waits until the dev server answers or has failed; which of them, [`Host::status`] says.
    ///
    /// # Errors
    /// When a module of the prototype is missing or there is no Node: the Editor says so and ends with 1.
    pub async fn booted(&self) -> Result<(), StartError> {
        let mut changes = self.changes();
        let _ = changes.wait_for(|status| status.status != State::Starting).await;
        match self.shared.fatal.lock().clone() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Ends the dev server and starts it again; nothing to do for an attached one.
    pub async fn restart(&self) {
        let _ = self.commands.send(Command::Restart).await;
    }

    /// For whoever may ask for a restart; `None` for an attached dev server, which is not the Editor's to restart.
    #[must_use]
    pub fn restarter(&self) -> Option<Restarter> {
        self.task.as_ref().map(|_| Restarter(self.commands.clone()))
    }

    /// Ends the dev server and everything it started, and returns when they are gone.
    pub async fn stop(mut self) {
        let _ = self.commands.send(Command::Stop).await;
        if let Some(task) = self.task.take() {
            let _ = task.await;
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        for task in self.task.iter().chain(&self.watch) {
            task.abort();
        }
    }
}

/// What the runner says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Told {
    Ready(Ready),
    Missing(Missing),
}

#[derive(Debug, Deserialize)]
struct Ready {
    #[serde(default)]
    secure: bool,
    base: Option<String>,
    port: Option<u16>,
}

#[derive(Debug, Deserialize)]
struct Missing {
    name: String,
    from: Option<String>,
}

/// Runs in a task of its own, for as long as the host lives.
struct Keeper {
    launch: Launch,
    shims: Shims,
    /// One that waits for the first task.
    runner: Option<Child>,
    asked_port: Option<u16>,
    secret: String,
    shared: Arc<Shared>,
    commands: mpsc::Receiver<Command>,
}

/// How a run of the process came to its end.
enum End {
    /// By itself; `true` when it never was ready.
    Alone {
        words: String,
        early: bool,
    },
    Asked(Option<Command>),
}

impl Keeper {
    async fn keep(mut self) {
        let mut another_port = self.asked_port.is_none();
        loop {
            match self.run().await {
                End::Asked(Some(Command::Restart)) => {}
                End::Asked(Some(Command::Stop) | None) => return,
                End::Alone { early: true, .. } if another_port && self.port_was_taken() => another_port = false,
                End::Alone { words, .. } => {
                    let log = self.shared.log.last(MAX_SHOWN);
                    self.shared.set(|status| {
                        status.status = State::Failed;
                        status.words = words;
                        status.log = log;
                        status.origin = None;
                    });
                    match self.commands.recv().await {
                        Some(Command::Restart) => {}
                        Some(Command::Stop) | None => return,
                    }
                }
            }
        }
    }

    /// Somebody was faster between choosing a free port and listening on it.
    fn port_was_taken(&self) -> bool {
        let taken = |line: &String| line.contains("EADDRINUSE") || line.contains("already in use");
        self.shared.log.last(MAX_SHOWN).iter().any(taken)
    }

    /// One life of the process.
    async fn run(&mut self) -> End {
        let kind = self.launch.found.kind;
        self.shared.log.clear();
        let port = match self.asked_port.map_or_else(free_port, Ok) {
            Ok(port) => port,
            Err(error) => return alone(format!("{kind} cannot start: there is no free port ({error}).")),
        };
        self.shared.set(|status| {
            status.status = State::Starting;
            status.words = format!("{kind} {} is starting.", self.launch.version);
            status.log = Vec::new();
            status.origin = None;
        });
        let spawned = match self.runner.take() {
            Some(runner) => Ok(runner),
            None => process::spawn(&mut launch::runner(&self.launch.root, &self.shims)),
        };
        let child = match spawned {
            Ok(child) => child,
            Err(error) => {
                let error = StartError::NoNode {
                    kind,
                    error: error.to_string(),
                };
                *self.shared.fatal.lock() = Some(error.clone());
                return alone(error.to_string());
            }
        };
        let (sender, mut lines) = mpsc::channel(256);
        let mut process = Running::of(child, &sender);
        drop(sender);
        process.tell(&self.launch.task(&self.shims, port, &self.secret)).await;
        let began = Instant::now();
        let mut tick = interval(CHECK_INTERVAL);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let answers = self.launch.readiness() == Readiness::Answers;
        let mut probe = answers.then(|| tokio::spawn(answers_at(port)));
        let mut ready = false;
        let end = loop {
            tokio::select! {
                Some(line) = lines.recv() => {
                    if self.hear(&line, port) {
                        ready = true;
                    }
                }
                status = process.ended() => {
                    // Its last words may still be in the pipes.
                    while let Ok(Some(line)) = tokio::time::timeout(CHECK_INTERVAL, lines.recv()).await {
                        self.hear(&line, port);
                    }
                    let how = status.map_or_else(|error| error.to_string(), |status| status.to_string());
                    let words = match (&*self.shared.fatal.lock(), ready) {
                        (Some(error), _) => error.to_string(),
                        (None, true) => format!("{kind} ended by itself ({how}). Its last lines tell why; it can be restarted here."),
                        (None, false) => format!("{kind} could not start ({how}). Its last lines tell why; it can be restarted here."),
                    };
                    break End::Alone { words, early: !ready };
                }
                () = finished(&mut probe) => {
                    probe = None;
                    ready = true;
                    self.ready(port, Ready { secure: false, base: None, port: None });
                }
                command = self.commands.recv() => {
                    process.end().await;
                    break End::Asked(command);
                }
                _ = tick.tick(), if !ready => self.speak_of_slowness(began),
            }
        };
        if let Some(probe) = probe {
            probe.abort();
        }
        end
    }

    /// Takes a line; `true` when it says that the dev server is ready.
    fn hear(&self, line: &str, port: u16) -> bool {
        let Some(told) = line.strip_prefix(&self.secret) else {
            if !line.is_empty() {
                self.shared.log.push(line.to_owned());
                let _ = self.shared.lines.send(line.to_owned());
            }
            return false;
        };
        match serde_json::from_str(told) {
            Ok(Told::Ready(ready)) => {
                self.ready(port, ready);
                true
            }
            Ok(Told::Missing(missing)) => {
                let error = self.launch.missing(&missing.name, missing.from.as_deref());
                *self.shared.fatal.lock() = Some(error);
                false
            }
            Err(_) => false,
        }
    }

    fn ready(&self, port: u16, ready: Ready) {
        let scheme = if ready.secure { "https" } else { "http" };
        let port = ready.port.unwrap_or(port);
        *self.shared.fatal.lock() = None;
        self.shared.set(|status| {
            status.status = State::Running;
            status.words = format!("{} {} is running.", self.launch.found.kind, self.launch.version);
            status.log = Vec::new();
            status.origin = Some(format!("{scheme}://127.0.0.1:{port}"));
            // A base may be a whole address, or relative: then the pages are at the root.
            status.base = ready
                .base
                .filter(|base| base.starts_with('/'))
                .unwrap_or_else(|| "/".to_owned());
        });
    }

    fn speak_of_slowness(&self, began: Instant) {
        let waited = began.elapsed();
        // Once when it becomes slow, and every five seconds from then on.
        let step = |time: Duration| time.as_secs() / 5;
        if waited < SLOW || step(waited) == step(waited - CHECK_INTERVAL) {
            return;
        }
        let log = self.shared.log.last(MAX_SHOWN);
        let (kind, seconds) = (self.launch.found.kind, waited.as_secs());
        self.shared.set(|status| {
            status.words = format!("{kind} has been starting for {seconds} s. Its last lines tell what it is doing.");
            status.log = log;
        });
    }
}

fn alone(words: String) -> End {
    End::Alone { words, early: true }
}

/// Waits for the probe's end; for ever without a probe.
async fn finished(probe: &mut Option<JoinHandle<()>>) {
    match probe {
        Some(probe) => {
            let _ = probe.await;
        }
        None => std::future::pending().await,
    }
}

/// Returns when something answers there, with anything but "not ready".
async fn answers_at(port: u16) {
    let Ok(client) = crate::proxy::client() else { return };
    let address = format!("http://127.0.0.1:{port}/");
    loop {
        let asked = client.get(&address).header("accept", "text/html").send().await;
        if asked.is_ok_and(|answer| !matches!(answer.status().as_u16(), 502 | 503)) {
            return;
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

/// A port nobody listens on. It could be taken again before the dev server listens there; then another one is tried.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
