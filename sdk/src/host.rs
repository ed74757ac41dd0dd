//! The host's functions: on wasm the bindings to the real host, elsewhere the in-memory host of [`crate::testing`]. All code
//! above this module is the same in a component and in a native test.

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::current::header;

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::bindings::galley::{
    accounts::accounts, administration, attachments::attachments, bells::bells, blobs::blobs, builds::builds,
    clock::clock, config::config, events::events, files::tree as files, http::types as http, log::log, logs::logs,
    mail::mail, outbound::outbound, projects::projects, random::random, settings::settings, sites::publishing,
    sites::versions,
};

#[cfg(target_arch = "wasm32")]
pub(crate) use crate::sql::borrowing as sql;

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use crate::testing::imports::{
    accounts, administration, attachments, bells, blobs, builds, clock, config, events, files, header, http, log, logs,
    mail, outbound, projects, publishing, random, settings, sql, versions,
};
