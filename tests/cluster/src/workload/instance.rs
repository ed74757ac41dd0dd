//! What there is once in a cluster: its settings and its mail server.

use galley_harness::http::Response;
use rand::RngExt;
use serde_json::json;

use super::client::{As, Client, text};
use super::kept::History;
use crate::checker::record::{Call, Record};

const SETTINGS: &str = "/api/v1/instance/settings";
const MAIL: &str = "/api/v1/instance/email";

/// The fields of the settings.
const LINKS: usize = 0;
const ANONYMOUS: usize = 1;
/// The fields of the mail server.
const HOST: usize = 0;
const FROM: usize = 1;

/// The histories of both.
#[derive(Debug, Default)]
pub struct Instance {
    /// `allowPublicLinks` and `allowAnonymousComments`.
    pub settings: History<Call>,
    /// Host and sender of the mail server.
    pub mail: History<Call>,
}

/// The settings before the first request: [`Client::open_links`] has made them so.
pub fn settings() -> Record {
    Record::new(&["on", "on"])
}

/// The mail server before the first request.
pub fn mail() -> Record {
    Record::new(&["none", "none"])
}

impl Client {
    /// Changes one setting, or both.
    pub fn write_settings(&mut self) {
        let node = self.any_node();
        let (links, anonymous) = (self.random.random_bool(0.5), self.random.random_bool(0.5));
        let word = |is: bool| if is { "on" } else { "off" };
        let (body, call) = match self.random.random_range(0..3) {
            0 => (
                json!({ "allowPublicLinks": links }),
                Call::write([(LINKS, word(links))]),
            ),
            1 => (
                json!({ "allowAnonymousComments": anonymous }),
                Call::write([(ANONYMOUS, word(anonymous))]),
            ),
            _ => (
                json!({ "allowPublicLinks": links, "allowAnonymousComments": anonymous }),
                Call::write([(LINKS, word(links)), (ANONYMOUS, word(anonymous))]),
            ),
        };
        let request = self.request(node, As::Administrator, "PATCH", SETTINGS).json(&body);
        let history = &self.common.instance.settings;
        self.write(history, (node, request), call, |answer, call| {
            let (links, anonymous) = shown(answer)?;
            Some(call.and_reads([(LINKS, &links), (ANONYMOUS, &anonymous)]))
        });
    }

    /// Names another mail server. Nobody is there to get mail.
    pub fn write_mail(&mut self) {
        let node = self.any_node();
        let name = self.common.new_name("mail");
        let (host, from) = (format!("{name}.example.com"), format!("{name}@example.com"));
        let body = json!({ "host": host, "port": 587, "user": "galley", "pass": "secret", "from": from });
        let request = self.request(node, As::Administrator, "PUT", MAIL).json(&body);
        let call = Call::write([(HOST, &host), (FROM, &from)]);
        let history = &self.common.instance.mail;
        // The answer shows the mail server of a moment later, which may be another one already.
        self.write(history, (node, request), call, |_, call| Some(call));
    }

    /// Reads the settings at this server, which name the mail server, too.
    pub fn read_settings_at(&self, node: usize) -> bool {
        let request = || (node, self.request(node, As::Administrator, "GET", SETTINGS));
        let instance = &self.common.instance;
        let settings = self.read(&instance.settings, request(), &[], |answer| {
            let (links, anonymous) = shown(answer)?;
            Some(Call::read([(LINKS, &links), (ANONYMOUS, &anonymous)]))
        });
        let mail = self.read(&instance.mail, request(), &[], |answer| {
            let (host, from) = (text(answer, "/email/host")?, text(answer, "/email/from")?);
            Some(Call::read([(HOST, &host), (FROM, &from)]))
        });
        settings && mail
    }

    /// Reads a project with a public link as somebody without an account: it is there as long as links are on, and can be commented
    /// on as long as everybody may comment.
    pub fn look_from_outside(&mut self, open: &str) {
        let node = self.any_node();
        let request = self.request(node, As::Nobody, "GET", &format!("/api/v1/projects/{open}"));
        let history = &self.common.instance.settings;
        self.read(history, (node, request), &[401, 404], |answer| {
            if answer.status != 200 {
                return Some(Call::read([(LINKS, "off")]));
            }
            let anonymous = text(answer, "/canComment")?;
            Some(Call::read([(LINKS, "on"), (ANONYMOUS, &anonymous)]))
        });
    }
}

/// The two settings of an answer.
fn shown(answer: &Response) -> Option<(String, String)> {
    Some((
        text(answer, "/allowPublicLinks")?,
        text(answer, "/allowAnonymousComments")?,
    ))
}
