//! The people of the instance: their accounts, how they are admitted and sign in, what they may administer, and the record of it.
//! The rows are in `core.db`.
//!
//! Mails stand here too: an invite that is revoked drops the mails with its link, and a mail that was sent marks its invite, each in
//! one transaction. Their texts, and sending them, are the room `mail`'s.

mod account;
mod admit;
pub(crate) mod audit;
mod code_host;
mod domain_rules;
mod first_link;
mod identities;
mod invites;
mod links;
mod mail;
mod sessions;
mod tokens;

pub use account::{Account, NewAccount, Role};
pub use admit::{Admission, Verified};
pub use audit::{Actor, AuditEntry};
pub use domain_rules::Domain;
pub use identities::Identity;
pub use invites::{INVITE_LENGTH, Invite, InviteState};
pub use links::{MAGIC_LINK_LENGTH, SIGN_IN_LINK_LENGTH};
pub use mail::{MailKind, MailOutcome, NewMail, StoredMailServer, WaitingMail};
pub use sessions::{SESSION_LENGTH, Session};
pub use tokens::{NewToken, Token};

pub(crate) use account::COLUMNS as ACCOUNT_COLUMNS;

#[cfg(test)]
mod tests;
