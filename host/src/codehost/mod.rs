//! The code host: a GitHub-compatible service with accounts and repositories. This module makes requests for two parties: the
//! app of this server, which signs with its key, and people, who authorized this server when they signed in.
//!
//! Keys and tokens stay here, and encrypted in `storage`. Callers of this module get answers, or a [`Secret`] for a program
//! that needs it.
//!
//! | file | what it owns |
//! |---|---|
//! | `client.rs` | one base address, bounded requests below it |
//! | `app.rs` | the app's signature, and tokens of its installations |
//! | `oauth.rs` | codes and tokens of people |
//! | `signer.rs` | the app's key |
//! | `people.rs` | people's profiles, and their stored tokens |

mod app;
mod client;
mod oauth;
mod people;
mod signer;

use crate::core::CoreError;
use crate::storage::seal::Unsealable;

pub use crate::config::Secret;
pub use app::{CodeHostApp, Installation, Opened};
pub use client::{Answer, Client, Outgoing};
pub use oauth::{OAuth, Tokens};
pub use people::{People, Person};

/// Why a request to the code host failed.
#[derive(Debug, thiserror::Error)]
pub enum CodeHostError {
    /// The configuration cannot be used. The text names the variable.
    #[error("{0}")]
    Configuration(String),
    /// No answer, or not all of it.
    #[error("the code host cannot be reached: {0}")]
    Unreachable(String),
    /// An answer of an unexpected shape, such as a page of HTML.
    #[error("the code host gave an answer this server does not understand: {0}")]
    Unexpected(String),
    /// The code host refused the request.
    #[error("the code host refused: {0}")]
    Refused(String),
    /// The named object does not exist there, or the credential has no access to it.
    #[error("the code host knows no such thing")]
    NotFound,
    /// The account has no (working) token: its owner did not sign in through the code host.
    #[error("this account is not linked with the code host")]
    NotLinked,
    /// A request that must not be sent.
    #[error("{0}")]
    Forbidden(String),
    /// A token could not be stored or read.
    #[error("a token of the code host could not be stored or read: {0}")]
    Storage(#[from] CoreError),
    /// A stored token does not open.
    #[error(transparent)]
    Sealed(#[from] Unsealable),
}
