//! What each interface lets a plugin do, in a sentence for the operator. The command line and the API show the same ones.

use super::super::contract::WASI;

/// What an interface means to an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// A power that somebody approves.
    Power(&'static str),
    /// Every plugin may do this: it concerns itself and the request it answers.
    Free(&'static str),
}

/// The interfaces of the contract, without versions; also those of earlier versions.
const WORDS: &[(&str, Words)] = &[
    (
        WASI,
        Words::Free("finds an empty WASI: no files, network, environment or arguments"),
    ),
    (
        "galley:accounts/accounts",
        Words::Power("may read the addresses, names and roles of all accounts"),
    ),
    (
        "galley:administration/audit",
        Words::Power("may read the audit log, when an admin asks"),
    ),
    (
        "galley:administration/domain-rules",
        Words::Power("may change which email domains get accounts, when an admin asks"),
    ),
    (
        "galley:administration/instance-settings",
        Words::Power("may change the settings of the instance, when an admin asks"),
    ),
    (
        "galley:administration/invites",
        Words::Power("may invite people to the instance and revoke invitations, when an admin asks"),
    ),
    (
        "galley:administration/mail-server",
        Words::Power("may change the mail server and send test mails, when an admin asks"),
    ),
    (
        "galley:administration/members",
        Words::Power("may change roles, remove accounts and make sign-in links, when an admin asks"),
    ),
    (
        "galley:attachments/attachments",
        Words::Power("may keep a value with each project, and read those of other plugins"),
    ),
    (
        "galley:bells/bells",
        Words::Power("may tell open pages that something of its own changed"),
    ),
    (
        "galley:blobs/blobs",
        Words::Power("may keep files of its own on the server's disk"),
    ),
    (
        "galley:builds/builds",
        Words::Power("may clone connected repositories and run their build commands in the sandbox"),
    ),
    ("galley:clock/clock", Words::Free("may read the time")),
    (
        "galley:config/config",
        Words::Free("may read its own settings, without secrets"),
    ),
    (
        "galley:errors/errors",
        Words::Free("names its failures as the server does"),
    ),
    (
        "galley:events/events",
        Words::Power("may publish events that other plugins receive"),
    ),
    ("galley:events/types", Words::Free("may read the events it is sent")),
    ("galley:files/tree", Words::Free("may read the files it is given")),
    (
        "galley:http/context",
        Words::Free("may read the headers of the request it answers, without credentials"),
    ),
    ("galley:http/types", Words::Free("may read the requests it is sent")),
    ("galley:jobs/types", Words::Free("may read which of its jobs it runs")),
    ("galley:log/log", Words::Free("may write to the server's log")),
    (
        "galley:logs/logs",
        Words::Power("may keep logs of its own that people can follow"),
    ),
    (
        "galley:mail/mail",
        Words::Power("may send notification mails to people who can read the project"),
    ),
    (
        "galley:outbound/outbound",
        Words::Power("may send requests to the outside, with credentials that it never sees"),
    ),
    (
        "galley:projects/projects",
        Words::Power("may read the names, access settings and access lists of projects"),
    ),
    ("galley:random/random", Words::Free("may make random numbers")),
    (
        "galley:settings/settings",
        Words::Power("may read the settings of the instance"),
    ),
    (
        "galley:sites/publishing",
        Words::Power("may store prototypes of projects, decide which one is live, and delete the others"),
    ),
    (
        "galley:sites/versions",
        Words::Power("may read which prototypes projects have, and which one is live"),
    ),
    ("galley:sql/sql", Words::Power("may keep data in a database of its own")),
];

/// What an interface means; `None` for one that has no words, which a test refuses.
pub fn of(interface: &str) -> Option<Words> {
    let known = WORDS.iter().find(|(name, _)| *name == interface);
    known.map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capabilities::grants::Capability;
    use crate::plugins::contract::INTERFACES;

    /// What plugins import; the others they export.
    fn imported() -> impl Iterator<Item = &'static str> {
        let names = INTERFACES.iter().map(|(name, _)| *name);
        names.filter(|name| !name.starts_with("galley:plugin/"))
    }

    #[test]
    fn every_interface_has_a_sentence() {
        for interface in imported() {
            assert!(
                of(interface).is_some(),
                "{interface} has no sentence in review/words.rs"
            );
        }
    }

    #[test]
    fn what_needs_a_grant_needs_an_approval() {
        for interface in imported() {
            let needs = Capability::ALL.iter().any(|capability| capability.name() == interface);
            let asks = matches!(of(interface), Some(Words::Power(_)));
            assert_eq!(needs, asks, "{interface}");
        }
    }
}
