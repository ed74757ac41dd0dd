//! Requests to hosts that plugins declare: HTTPS on port 443, to a public address, bounded in time and size.
//!
//! The names are resolved here, and the connection goes to the address that was looked at. A host of the operator's own
//! network can be reached when SERVICE_OUTBOUND_HOSTS says where it is.
//!
//! | file | what it owns |
//! |---|---|
//! | `address.rs` | which addresses are public |
//! | `resolve.rs` | from names to addresses that may be connected to |
//! | `client.rs` | one request and its answer |

mod client;
mod resolve;

pub use client::{Answer, Budget, Credential, Outgoing, Outside, OutsideError};
