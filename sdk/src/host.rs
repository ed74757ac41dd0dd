//! The one seam between a component and a native test: the same functions, answered by the host through the bindings on
//! wasm, by the in-memory host of [`crate::testing`] elsewhere. Everything above this module is shared code.

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::bindings::galley::{
    accounts::accounts, administration, attachments::attachments, bells::bells, blobs::blobs, builds::builds,
    clock::clock, events::events, http::context, http::types as http, log::log, logs::logs, mail::mail,
    outbound::outbound, projects::projects, random::random, settings::settings, sites::sites, sql::sql,
};

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crate::testing::imports::{
    accounts, administration, attachments, bells, blobs, builds, clock, context, events, http, log, logs, mail,
    outbound, projects, random, settings, sites, sql,
};
