//! What every request needs, and the routes as they are now.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, Weak};

use arc_swap::ArcSwap;
use axum::Router;
use http::{StatusCode, header};

use super::dashboard::Dashboard;
use super::error::{ApiError, RETRY_AFTER};
use super::matched::Route;
use super::{LocalSignIn, rate, sites, stream};
use crate::capabilities::Services;
use crate::config::Config;
use crate::core::{Core, Precision};
use crate::plugins::operations::Operations;
use crate::plugins::plugin::Plugin;

/// Attempts to sign in that one client has in a minute.
const MAX_SIGN_INS: u32 = 30;
/// Links by mail that one client may ask for in a minute.
const MAX_MAGIC_LINKS: u32 = 10;

/// What every request needs.
pub struct App {
    /// The configuration.
    pub config: Arc<Config>,
    /// Accounts, projects, settings, events.
    pub core: Arc<Core>,
    /// The host's services for plugins.
    pub services: Arc<Services>,
    /// Serving prototypes.
    pub sites: sites::Sites,
    /// The prebuilt pages; `None` when there is no whole build of them.
    pub(super) dashboard: Option<Dashboard>,
    /// The first sign-in of a new instance.
    pub local_sign_in: LocalSignIn,
    /// How often one client may try to sign in.
    pub sign_in_rate: rate::Rate,
    /// How often one client may ask for a link by mail.
    pub magic_link_rate: rate::Rate,
    /// Bounds the open streams of each client.
    pub stream_limits: Arc<stream::StreamLimits>,
    /// What the access line says of prototypes.
    pub(super) prototypes: Route,
    serving: ArcSwap<Serving>,
    /// They let this serve, and own it so: no circle.
    operations: OnceLock<Weak<Operations>>,
}

/// Routes, and the slots behind them. They change together.
#[derive(Default)]
pub struct Serving {
    /// The host's routes and those of the slots.
    pub router: Router,
    /// The plugins that serve, for the metrics.
    pub slots: Vec<Arc<Plugin>>,
    /// The names of the slots whose approved plugin does not serve.
    pub failing: Vec<String>,
}

impl App {
    /// An app without routes. Reads the prebuilt pages.
    pub fn new(services: Arc<Services>, sites: sites::Sites, local_sign_in: LocalSignIn) -> Self {
        let rate = |name, most| rate::Rate::per_minute(&services.core, name, most, Precision::Exact);
        Self {
            sign_in_rate: rate("sign-in", MAX_SIGN_INS),
            magic_link_rate: rate("magic-link", MAX_MAGIC_LINKS),
            stream_limits: Arc::new(stream::StreamLimits::of(&services.core)),
            config: services.config.clone(),
            core: services.core.clone(),
            dashboard: Dashboard::open(&services.config),
            services,
            sites,
            local_sign_in,
            prototypes: Route::fixed("prototypes"),
            serving: ArcSwap::default(),
            operations: OnceLock::new(),
        }
    }

    /// What changes the plugins.
    pub(super) fn operations(&self) -> Result<Arc<Operations>, ApiError> {
        let operations = self.operations.get().and_then(Weak::upgrade);
        operations.ok_or_else(|| {
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "The server is starting or ending")
                .with_header(header::RETRY_AFTER, RETRY_AFTER)
        })
    }

    /// Sets what changes the plugins, once.
    pub fn operate_by(&self, operations: &Arc<Operations>) {
        let _ = self.operations.set(Arc::downgrade(operations));
    }

    /// What is served now.
    pub fn serving(&self) -> Arc<Serving> {
        self.serving.load_full()
    }

    /// The slots whose approved plugin does not serve, and those that get no calls because most of them failed.
    pub fn failing(&self) -> Vec<String> {
        let serving = self.serving.load();
        let mut slots = serving.failing.clone();
        let tripped = serving.slots.iter().filter(|plugin| plugin.breaker.is_tripped());
        slots.extend(tripped.map(|plugin| plugin.state.name.clone()));
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The enabled slots by name, each with whether it takes calls now.
    pub fn slots(&self) -> BTreeMap<String, bool> {
        let serving = self.serving.load();
        let failing = serving.failing.iter().map(|slot| (slot.clone(), false));
        let ready = serving.slots.iter();
        let ready = ready.map(|plugin| (plugin.state.name.clone(), !plugin.breaker.is_tripped()));
        // A slot whose approved plugin does not serve may have the plugin before it, which does.
        failing.chain(ready).collect()
    }

    /// The routes as they are now.
    pub(super) fn router(&self) -> Router {
        self.serving.load().router.clone()
    }

    /// Replaces what is served; requests that are under way keep their routes.
    pub fn serve(&self, serving: Serving) {
        self.serving.store(Arc::new(serving));
    }
}
