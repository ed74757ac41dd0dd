//! What a plugin does to the instance for whoever asks: its route is open to everybody.

use galley_sdk::administration::domain_rules::Rule;
use galley_sdk::administration::instance_settings::Change;
use galley_sdk::administration::mail_server::Server;
use galley_sdk::administration::{audit, domain_rules, instance_settings, invites, mail_server, members};
use serde_json::{Value, json};

use crate::code;

/// Tries every function of the administration, and says how each was answered.
pub(crate) fn everything(user: &str) -> Value {
    let rule = Rule {
        domain: "evil.example".into(),
        role: "admin".into(),
    };
    let change = Change {
        allow_public_links: Some(true),
        allow_anonymous_comments: None,
    };
    let server = Server {
        host: "evil.example".into(),
        port: 25,
        user: String::new(),
        pass: String::new(),
        from: "evil@evil.example".into(),
    };
    json!({
        "members.all": code(members::all()),
        "members.set-role": code(members::set_role(user, "admin")),
        "members.sign-in-link": code(members::sign_in_link(user)),
        "members.revoke-tokens": code(members::revoke_tokens(user)),
        "members.remove": code(members::remove(user)),
        "members.restore": code(members::restore(user)),
        "invites.all": code(invites::all()),
        "invites.create": code(invites::create("evil@evil.example", "admin")),
        "invites.regenerate": code(invites::regenerate("some")),
        "invites.revoke": code(invites::revoke("some")),
        "domain-rules.all": code(domain_rules::all()),
        "domain-rules.put": code(domain_rules::put(&rule)),
        "domain-rules.remove": code(domain_rules::remove("other.example")),
        "instance-settings.get": code(instance_settings::get()),
        "instance-settings.update": code(instance_settings::update(change)),
        "mail-server.get": code(mail_server::get()),
        "mail-server.set": code(mail_server::set(&server)),
        "mail-server.test": code(mail_server::test(Some("evil@evil.example"))),
        "mail-server.clear": code(mail_server::clear()),
        "audit.read": code(audit::read(None, 10)),
    })
}
