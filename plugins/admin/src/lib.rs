//! The administration of an instance: its members, invites, domain rules, settings, mail server and audit log.
//!
//! The host enforces the invariants (one active admin, one pending invite of an address, secrets that are never read back)
//! and checks at every function that the caller is an admin. This crate defines the routes' inputs, answers and messages.

mod audit;
mod domain_rules;
mod invites;
mod mail;
mod members;
mod role;
mod settings;

use galley_sdk::Route;
use galley_sdk::guard::{Guarantees, InstanceAdmin};
use galley_sdk::prelude::*;

galley_sdk::export!(plugin);

/// Test mails a minute from one client address.
const MAIL_TESTS: u32 = 6;

/// A route for admins.
fn open<Needs>(route: Route<Needs>, summary: &'static str) -> Route
where
    InstanceAdmin: Guarantees<Needs>,
{
    route.guard(Guard::instance_admin()).summary(summary)
}

/// The plugin of the slot `admin`.
pub fn plugin() -> Plugin {
    let member = "/api/v1/instance/members/{user}";
    let invite = "/api/v1/instance/invites/{invite}";
    let rule = "/api/v1/instance/domain-rules/{domain}";

    Plugin::new("admin", env!("CARGO_PKG_VERSION"))
        .postgres()
        .openapi(include_str!("../openapi.json"))
        .route(open(
            get("/api/v1/instance/members", members::list),
            "List every account, removed ones too",
        ))
        .route(open(patch(member, members::update), "Change an account's role"))
        .route(open(
            delete(member, members::remove),
            "Remove an account; its sessions and tokens end at once",
        ))
        .route(open(
            post("/api/v1/instance/members/{user}/restore", members::restore),
            "Bring a removed account back",
        ))
        .route(open(
            post("/api/v1/instance/members/{user}/signin-link", members::sign_in_link),
            "Make a link that signs an account in once, within 24 hours",
        ))
        .route(
            post("/api/v1/admin/users/{user}/tokens/revoke-all", members::revoke_tokens)
                .guard(Guard::instance_admin().hidden())
                .summary("Delete every token of an account"),
        )
        .route(open(
            get("/api/v1/instance/invites", invites::list),
            "List the invites, newest first",
        ))
        .route(open(
            post("/api/v1/instance/invites", invites::create),
            "Invite an address for 7 days",
        ))
        .route(open(
            post("/api/v1/instance/invites/{invite}/regenerate", invites::regenerate),
            "Give an invite a fresh link and end the old one",
        ))
        .route(open(delete(invite, invites::revoke), "Revoke an invite"))
        .route(open(
            get("/api/v1/instance/domain-rules", domain_rules::list),
            "List the domain rules",
        ))
        .route(open(put(rule, domain_rules::put), "Set the rule of a domain"))
        .route(open(delete(rule, domain_rules::remove), "Remove the rule of a domain"))
        .route(open(
            get("/api/v1/instance/settings", settings::show),
            "The instance's settings",
        ))
        .route(open(
            patch("/api/v1/instance/settings", settings::update),
            "Change the instance's settings; they are in force at once",
        ))
        .route(open(
            put("/api/v1/instance/email", mail::set),
            "Set the mail server; its password is never shown again",
        ))
        .route(open(
            delete("/api/v1/instance/email", mail::clear),
            "Turn mail off and forget the password",
        ))
        .route(
            open(
                post("/api/v1/instance/mail/test", mail::test),
                "Send a test mail to oneself, and hear what the mail server says",
            )
            .rate(MAIL_TESTS),
        )
        .route(open(
            get("/api/v1/instance/audit", audit::list),
            "List administrative acts, newest first",
        ))
}
