//! Operations on plugins: one change of one slot at a time, whose outcome is known when it returns.
//!
//! A change is: read, link, describe, routes, permissions, compile, migrate, start, lock, commit, swap, drain. Whatever fails before
//! the lock is written leaves the plugin before in its place. The server runs operations for the control socket and the API;
//! without a server the command line runs the same code, and nothing is swapped.

mod change;
mod config;
mod data;
mod events;
mod fill;
mod request;
mod show;
mod switch;
mod turn;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use arc_swap::ArcSwap;
use tokio::sync::Mutex;

use super::approvals::Edition;
use super::beside;
use super::cache::sha256;
use super::load_error::LoaderError;
use super::loader::{Loaded, Loader};
use super::lock::LockError;
use super::manifest::Manifest;
use super::origin::{HAS_CREDENTIALS, has_credentials};
use super::registry::Registry;
use crate::accounts::Actor;
use crate::capabilities::Services;
use crate::storage::memory;
use crate::storage::objects::is_away;

pub use request::{Artifact, EventDeed, Kind, Outcome, Refused, Request, SecretText, is_passing};

/// What [`Front::put`] answers.
pub type Put<'a> = Pin<Box<dyn Future<Output = anyhow::Result<()>> + Send + 'a>>;

/// What serves the plugins: routes, deliveries, metrics.
pub trait Front: Send + Sync {
    /// Serves these slots from now on. Requests that are under way end as they began.
    fn put<'a>(&'a self, registry: &'a Registry) -> Put<'a>;
}

/// Where no server runs, nothing serves.
pub struct Nowhere;

impl Front for Nowhere {
    fn put<'a>(&'a self, _: &'a Registry) -> Put<'a> {
        Box::pin(async { Ok(()) })
    }
}

/// The slots of a server, and everything that changes them.
pub struct Operations {
    loader: Arc<Loader>,
    front: Box<dyn Front>,
    present: ArcSwap<Registry>,
    /// Held by who changes the slots.
    changing: Mutex<()>,
}

impl Operations {
    /// Loads all plugins and lets them serve.
    pub async fn start(loader: Arc<Loader>, front: Box<dyn Front>) -> anyhow::Result<Self> {
        let registry = loader.load(&Registry::default()).await?.registry;
        front.put(&registry).await?;
        // Not after later changes: requests would wait for the allocator.
        memory::give_back();
        Ok(Self {
            loader,
            front,
            present: ArcSwap::from_pointee(registry),
            changing: Mutex::default(),
        })
    }

    /// Operations where no server runs.
    pub async fn apart(loader: Arc<Loader>) -> Result<Self, LoaderError> {
        let known = loader.known().await?;
        let mut registry = loader.apart(&known.lock)?;
        registry.followed = Some(known.edition);
        Ok(Self {
            loader,
            front: Box::new(Nowhere),
            present: ArcSwap::from_pointee(registry),
            changing: Mutex::default(),
        })
    }

    /// The host's services.
    pub fn services(&self) -> &Arc<Services> {
        self.loader.services()
    }

    /// The slots as they are now.
    pub fn present(&self) -> Arc<Registry> {
        self.present.load_full()
    }

    /// The approvals when they differ from what the slots follow.
    pub async fn unfollowed(&self) -> Result<Option<Edition>, LockError> {
        let edition = self.loader.approvals().edition().await?;
        Ok(Some(edition).filter(|edition| self.present().followed.as_ref() != Some(edition)))
    }

    /// Loads what changed in the approvals; with `again`, which is the reason, also what failed before. `Err` when the approvals cannot be followed:
    /// the plugins then stay as they were.
    pub async fn follow(&self, again: Option<&str>) -> anyhow::Result<()> {
        let _changing = self.changing.lock().await;
        self.catch_up(again).await
    }

    /// The same for who holds the right to change the slots already.
    async fn catch_up(&self, again: Option<&str>) -> anyhow::Result<()> {
        // An operation may have been what changed it.
        if again.is_none() && self.unfollowed().await?.is_none() {
            return Ok(());
        }
        let changed = match self.loader.approvals().is_shared() {
            true => "the approvals of plugins changed",
            false => "plugins.lock changed",
        };
        tracing::info!("{}", again.unwrap_or(changed));
        let Loaded { registry, stopped } = self.loader.load(&self.present()).await?;
        self.front.put(&registry).await?;
        drop(stopped);
        tracing::info!("{} slots are enabled", registry.slots.len());
        self.present.store(Arc::new(registry));
        Ok(())
    }

    /// Stores an artifact that is a plugin for this server, for an operation that names its hash. Nothing else is stored.
    pub async fn stage(&self, name: &str, wasm: Vec<u8>) -> Result<String, Refused> {
        check_origin(name)?;
        let (loader, owned) = (self.loader.clone(), name.to_owned());
        let staged = beside::spawn(self.present().serves(), move || {
            if let Err(error) = loader.factory().inspect_bytes(&owned, &wasm) {
                return Err(Refused::new(Kind::BadFile, format!("{owned} cannot be used: {error}")));
            }
            let kept = loader.factory().components.keep(&wasm);
            kept.map_err(|error| {
                let kind = if is_away(&error) {
                    Kind::Unavailable
                } else {
                    Kind::Failed
                };
                Refused::new(kind, format!("{owned} cannot be stored: {error}"))
            })
        });
        staged.await.map_err(|error| Refused::failed(&error))?
    }

    /// What a staged artifact says of itself.
    pub async fn manifest(&self, artifact: &Artifact) -> Result<Manifest, Refused> {
        Ok(self.inspect(artifact).await?.built.manifest)
    }

    /// Runs one operation to its end. It goes on when the caller leaves.
    pub async fn run(self: &Arc<Self>, request: Request, actor: Actor) -> Result<Outcome, Refused> {
        let this = self.clone();
        let changes = request.is_change();
        let done = tokio::spawn(async move { this.perform(request, &actor).await }).await;
        if changes && self.loader.approvals().is_shared() {
            tokio::spawn(self.clone().tidy());
        }
        done.unwrap_or_else(|error| Err(Refused::failed(&error)))
    }

    async fn perform(&self, request: Request, actor: &Actor) -> Result<Outcome, Refused> {
        match request {
            Request::List => self.list().await,
            Request::History { slot } => self.history(&slot).await,
            Request::Approvals => self.approvals().await,
            request => {
                if let Some(origin) = request.artifact().and_then(|artifact| artifact.source.as_deref()) {
                    check_origin(origin)?;
                }
                let _changing = self.changing.lock().await;
                match request.is_change() {
                    true => self.in_turn(self.act(request, actor)).await,
                    false => self.act(request, actor).await,
                }
            }
        }
    }

    /// The same for who holds the right to change the slots.
    async fn act(&self, request: Request, actor: &Actor) -> Result<Outcome, Refused> {
        // What others wrote a moment ago counts.
        self.catch_up(None).await.map_err(|error| Refused::unfollowed(&error))?;
        match request {
            Request::List | Request::History { .. } | Request::Approvals => Err(Refused::failed(&"unreachable")),
            Request::Install { artifact, replaces } => self.install(artifact, replaces, actor).await,
            Request::Update { slot, artifact } => self.update(&slot, artifact, actor).await,
            Request::Rollback {
                slot,
                bundled,
                lose_writes,
            } => self.rollback(&slot, bundled, lose_writes, actor).await,
            Request::Remove { slot, purge } => self.remove(&slot, purge, actor).await,
            Request::Events { slot, deed } => self.events(&slot, deed, actor).await,
            Request::Enable { slot } => self.enable(&slot, actor).await,
            Request::Disable { slot } => self.disable(&slot, actor).await,
            Request::Limits { slot, changes } => self.limits(&slot, &changes, actor).await,
            Request::Config { slot, changes, secrets } => self.config(&slot, &changes, secrets, actor).await,
        }
    }
}

/// Whether an artifact has the hash that was announced for it, if one was.
pub fn check_announced(name: &str, announced: Option<&str>, wasm: &[u8]) -> Result<(), Refused> {
    let Some(announced) = announced.map(|announced| announced.trim().to_lowercase()) else {
        return Ok(());
    };
    let found = sha256(wasm);
    match announced == found {
        true => Ok(()),
        false => {
            let message = format!("{name} has the SHA-256 {found}, and {announced} was announced: it is another file");
            Err(Refused::new(Kind::BadFile, message))
        }
    }
}

/// Whether it may be kept and shown where an artifact came from.
fn check_origin(origin: &str) -> Result<(), Refused> {
    match has_credentials(origin) {
        true => Err(Refused::new(Kind::Invalid, HAS_CREDENTIALS)),
        false => Ok(()),
    }
}
