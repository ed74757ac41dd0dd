//! The host functions for plugins: one file for each interface in wit/, over the shared state of a call.
//!
//! Authority is checked here, below the plugin, from the caller that the host authenticated. A plugin's arguments cannot
//! change the caller.

pub mod accounts;
pub mod administration;
pub mod attachments;
pub mod bells;
pub mod blobs;
pub mod builds;
pub mod chosen;
pub mod clock;
pub mod config;
pub mod contract;
pub mod contract_0_1;
pub mod counters;
pub mod events;
pub mod files;
pub mod grants;
pub mod handles;
pub mod http;
pub mod jobs;
pub mod limits;
pub mod lines;
pub mod log;
pub mod logs;
pub mod mail;
pub mod objects;
pub mod outbound;
mod outbound_codehost;
mod outbound_hosts;
mod outbound_request;
mod printed;
mod problem;
pub mod projects;
pub mod random;
mod rate;
mod ringing;
pub mod rows;
pub mod settings;
pub mod sites;
pub mod sql;
pub mod state;
mod statements;
pub mod transaction;
pub mod trouble;

use wasmtime::component::{HasSelf, Linker};

pub use contract::galley::errors::errors::Problem;
pub use counters::Counters;
pub use grants::{Capability, Grants};
pub use limits::{Limits, help as limits_help};
pub use problem::{away, in_doubt, internal, problem, store_away, unexpected};
pub use rate::OutboundRate;
pub use state::{Call, Services, SlotState, State, Stopwatch};

/// Links every interface of the contract, and WASI with an empty world for components of other toolchains. Whether a
/// plugin may use an interface is decided at each call, from its [`Grants`].
pub fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    use contract::galley as g;
    type Own = HasSelf<State>;
    contract_0_1::link(linker)?;
    wasmtime_wasi::p2::add_to_linker_async(linker)?;
    g::errors::errors::add_to_linker::<_, Own>(linker, |state| state)?;
    g::http::types::add_to_linker::<_, Own>(linker, |state| state)?;
    g::sql::sql::add_to_linker::<_, Own>(linker, |state| state)?;
    g::files::tree::add_to_linker::<_, Own>(linker, |state| state)?;
    g::sites::versions::add_to_linker::<_, Own>(linker, |state| state)?;
    g::sites::publishing::add_to_linker::<_, Own>(linker, |state| state)?;
    g::blobs::blobs::add_to_linker::<_, Own>(linker, |state| state)?;
    g::logs::logs::add_to_linker::<_, Own>(linker, |state| state)?;
    g::bells::bells::add_to_linker::<_, Own>(linker, |state| state)?;
    g::events::types::add_to_linker::<_, Own>(linker, |state| state)?;
    g::events::events::add_to_linker::<_, Own>(linker, |state| state)?;
    g::builds::builds::add_to_linker::<_, Own>(linker, |state| state)?;
    g::projects::projects::add_to_linker::<_, Own>(linker, |state| state)?;
    g::accounts::accounts::add_to_linker::<_, Own>(linker, |state| state)?;
    g::settings::settings::add_to_linker::<_, Own>(linker, |state| state)?;
    g::mail::mail::add_to_linker::<_, Own>(linker, |state| state)?;
    administration::link(linker)?;
    g::attachments::attachments::add_to_linker::<_, Own>(linker, |state| state)?;
    g::outbound::outbound::add_to_linker::<_, Own>(linker, |state| state)?;
    g::config::config::add_to_linker::<_, Own>(linker, |state| state)?;
    g::jobs::types::add_to_linker::<_, Own>(linker, |state| state)?;
    g::log::log::add_to_linker::<_, Own>(linker, |state| state)?;
    g::clock::clock::add_to_linker::<_, Own>(linker, |state| state)?;
    g::random::random::add_to_linker::<_, Own>(linker, |state| state)
}
