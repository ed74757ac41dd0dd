//! HTTP: sockets, requests, answers, and the routes that are the host's own.

pub mod access;
pub mod body;
mod connections;
pub mod error;
pub mod guard;
mod health;
mod home;
mod json;
mod me;
mod members;
pub mod metrics;
mod openapi;
mod origin;
mod outer;
mod own_headers;
mod page;
pub mod plugin_routes;
mod projects;
pub mod rate;
mod repo_url;
pub mod request;
mod resolve;
pub mod return_path;
mod routes;
pub mod server;
pub mod sign_in;
mod signature;
pub mod sites;
mod slug;
pub mod stream;
mod tokens;
mod unsubscribe;

use std::sync::Arc;

use arc_swap::ArcSwap;
use axum::Router;

use crate::capabilities::{Services, SlotState};
use crate::config::Config;
use crate::storage::core::Core;

pub use routes::{OWN_PATHS, router};
pub use sign_in::LocalSignIn;

/// Attempts to sign in that one client has in a minute.
const SIGN_INS: u32 = 30;
/// Links by mail that one client may ask for in a minute.
const MAGIC_LINKS: u32 = 10;

/// What every request needs.
pub struct App {
    /// The configuration.
    pub config: Arc<Config>,
    /// Accounts, projects, settings, events.
    pub core: Arc<Core>,
    /// What the host lends to plugins.
    pub services: Arc<Services>,
    /// Serving prototypes.
    pub sites: sites::Sites,
    /// The first sign-in of a new instance.
    pub local_sign_in: LocalSignIn,
    /// How often one client may try to sign in.
    pub sign_in_rate: rate::Rate,
    /// How often one client may ask for a link by mail.
    pub magic_link_rate: rate::Rate,
    /// Open streams of each client.
    pub places: Arc<stream::Places>,
    /// What the access line says of prototypes.
    prototypes: access::Route,
    slots: ArcSwap<Vec<Arc<SlotState>>>,
    router: ArcSwap<Router>,
}

impl App {
    /// An app without routes.
    pub fn new(services: Arc<Services>, sites: sites::Sites, local_sign_in: LocalSignIn) -> Self {
        Self {
            config: services.config.clone(),
            core: services.core.clone(),
            services,
            sites,
            local_sign_in,
            sign_in_rate: rate::Rate::per_minute(SIGN_INS),
            magic_link_rate: rate::Rate::per_minute(MAGIC_LINKS),
            places: Arc::default(),
            prototypes: access::Route::fixed("prototypes"),
            slots: ArcSwap::default(),
            router: ArcSwap::from_pointee(Router::new()),
        }
    }

    /// The plugins that serve.
    pub fn slots(&self) -> Arc<Vec<Arc<SlotState>>> {
        self.slots.load_full()
    }

    /// Tells which plugins serve, for whoever watches them.
    pub fn set_slots(&self, slots: Vec<Arc<SlotState>>) {
        self.slots.store(Arc::new(slots));
    }

    /// The routes as they are now.
    fn router(&self) -> Router {
        self.router.load().as_ref().clone()
    }

    /// Replaces the routes; requests that are under way keep theirs.
    pub fn set_router(&self, router: Router) {
        self.router.store(Arc::new(router));
    }
}
