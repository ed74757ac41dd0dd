//! The code host: a GitHub-compatible service where people sign in and repositories lie. What stands here speaks for two
//! parties: the app of this server, which signs with its key, and people, who let this server act for them when they
//! signed in.
//!
//! Keys and tokens live here and in `storage`, sealed; who asks through this room gets answers, or a [`Secret`] to hand to
//! a program that needs it, never something to show.
//!
//! | file | what it owns |
//! |---|---|
//! | `client.rs` | one base address, bounded requests below it |
//! | `app.rs` | the app's signature, and tokens of its installations |
//! | `oauth.rs` | codes and tokens of people |
//! | `people.rs` | who somebody is, and their tokens as they are stored |

mod app;
mod client;
mod oauth;
mod people;

use crate::storage::core::CoreError;
use crate::storage::seal::Unsealable;

pub use crate::config::Secret;
pub use app::{CodeHostApp, Installation};
pub use client::{Answer, Client, Outgoing};
pub use oauth::{OAuth, Tokens};
pub use people::{People, Person};

/// Why the code host did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum CodeHostError {
    /// The configuration cannot be used. The text names the variable.
    #[error("{0}")]
    Configuration(String),
    /// No answer, or not all of it.
    #[error("the code host cannot be reached: {0}")]
    Unreachable(String),
    /// An answer that makes no sense, such as a page of HTML.
    #[error("the code host gave an answer this server does not understand: {0}")]
    Unexpected(String),
    /// The code host understood, and said no.
    #[error("the code host refused: {0}")]
    Refused(String),
    /// What was named does not exist there, or the credential does not reach it.
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
