//! The host functions, as the bindings have them, answered by the current [`World`](super::world::World). One module for
//! each interface of the contract.

pub(crate) mod administration;
pub(crate) mod attachments;
pub(crate) mod builds;
pub(crate) mod files;
pub(crate) mod http;
pub(crate) mod logs;
pub(crate) mod outbound;
pub(crate) mod sites;
pub(crate) mod sql;

pub(crate) use http::header;
pub(crate) use sites::{publishing, versions};
pub(crate) use small::{accounts, bells, blobs, clock, config, events, log, mail, projects, random, settings};

mod small;
