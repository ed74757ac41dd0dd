//! The administration of the in-memory host.

use crate::bindings::galley::administration::audit::Entry;
use crate::bindings::galley::administration::domain_rules::Rule;
use crate::bindings::galley::administration::invites::Invite;
use crate::bindings::galley::administration::mail_server::Server;

/// The administered data, apart from accounts and settings.
#[derive(Default)]
pub(crate) struct Administration {
    /// Oldest first; none of them is `expired`, which follows from the clock.
    pub(crate) invites: Vec<Invite>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) mail: Option<Server>,
    /// Whether the mail server is set by the environment.
    pub(crate) mail_by_environment: bool,
    pub(crate) entries: Vec<Entry>,
}
