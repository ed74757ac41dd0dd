//! What people have: made on a server alone, and looked for wherever it has to be afterwards.

use std::net::{IpAddr, SocketAddr};

use anyhow::{Context, Result, ensure};
use galley_harness::bundle::Bundle;
use galley_harness::http::Request;
use serde_json::{Value, json};

use crate::ask::{self, until_it_serves};
use crate::checks::PORT;
use crate::machine::Machine;

/// Who may do everything on the server alone.
const ADMIN_TOKEN: &str = "of-the-machine-that-was-alone";

/// What the README of `target/dist` says, for a machine that serves its network.
const INSTALL: &str = "cp -r ~/galley /opt/galley
useradd --system --home-dir /var/lib/galley --shell /usr/sbin/nologin galley
install -m 0600 /dev/null /etc/galley.env
cp /opt/galley/galley.service /etc/systemd/system/
systemctl daemon-reload";

/// The versions of the project, each with a file of its own.
const VERSIONS: [&str; 2] = ["let first = 1;", "let second = 2;"];

/// The comments of the project.
const COMMENTS: [&str; 3] = ["plain", "é \u{1f600}", "with a reply"];

/// Somebody's session, and the project of that person.
#[derive(Debug)]
pub struct Instance {
    session: String,
    /// The project's id.
    pub project: String,
}

/// What people get to see of it at one server.
#[derive(Debug, PartialEq)]
pub struct Seen(Value);

impl Instance {
    /// Installs a server alone, and lets somebody work there.
    pub fn make(machine: &Machine) -> Result<Instance> {
        let server = SocketAddr::from((machine.address, PORT));
        machine.run(&format!(
            "{INSTALL}\nprintf 'SERVICE_LISTEN={server}\\nSERVICE_ADMIN_TOKEN={ADMIN_TOKEN}\\n' > /etc/galley.env\n\
             systemctl enable --now galley"
        ))?;
        until_it_serves(server)?;
        let invite = Request::new(server, "POST", "/api/v1/instance/invites")
            .header("authorization", format!("Bearer {ADMIN_TOKEN}"))
            .json(&json!({ "email": "ed@example.com", "role": "editor" }));
        let invite = ask::json(201, &invite)?;
        let link = invite["url"]
            .as_str()
            .and_then(|url| url.split_once(&server.to_string()));
        let (_, link) = link.with_context(|| format!("an invite has a link: {invite}"))?;
        let signed_in = ask::answer(303, &Request::new(server, "POST", link).json(&json!({})))?;
        let cookies = signed_in.all("set-cookie");
        let session = cookies.iter().find(|cookie| cookie.contains("galley_session="));
        let session = session
            .and_then(|cookie| cookie.split(';').next())
            .context("a session")?;
        let mut instance = Instance {
            session: session.to_owned(),
            project: String::new(),
        };
        let project = json!({ "slug": "shop", "name": "Shop", "access": "all-members" });
        let project = instance.post(server, "/api/v1/projects", &project)?;
        instance.project = project["id"].as_str().context("a project has an id")?.to_owned();
        for script in VERSIONS {
            instance.upload(server, script)?;
        }
        for body in COMMENTS {
            let position = json!({ "anchorSelector": "main", "page": "/" });
            let comment = json!({ "body": body, "position": position });
            let comment = instance.post(server, &instance.comments(), &comment)?;
            let id = comment["id"].as_str().context("a comment has an id")?;
            let replies = format!("{}/{id}/replies", instance.comments());
            instance.post(server, &replies, &json!({ "body": format!("to {body}") }))?;
        }
        Ok(instance)
    }

    /// A request of that person.
    pub fn request(&self, server: SocketAddr, method: &str, target: &str) -> Request {
        Request::new(server, method, target)
            .header("cookie", &self.session)
            .header("origin", format!("http://{server}"))
    }

    fn post(&self, server: SocketAddr, target: &str, body: &Value) -> Result<Value> {
        ask::json(201, &self.request(server, "POST", target).json(body))
    }

    /// The address of the project's comments.
    pub fn comments(&self) -> String {
        format!("/api/v1/projects/{}/comments", self.project)
    }

    fn deployments(&self) -> String {
        format!("/api/v1/projects/{}/deployments", self.project)
    }

    /// Uploads a version.
    pub fn upload(&self, server: SocketAddr, script: &str) -> Result<()> {
        ask::answer(201, &self.uploading(server, script))?;
        Ok(())
    }

    /// The request that does.
    pub fn uploading(&self, server: SocketAddr, script: &str) -> Request {
        let bundle = Bundle::page("<h1>the shop</h1>").file("app.js", script.repeat(5_000));
        let upload = self.request(server, "POST", &self.deployments());
        upload.header("content-type", "application/gzip").body(bundle.build())
    }

    /// What this person sees at a server, but for the comments that came later.
    pub fn seen(&self, server: SocketAddr) -> Result<Seen> {
        let get = |target: &str| ask::answer(200, &self.request(server, "GET", target));
        let json = |target: &str| anyhow::Ok(serde_json::from_slice::<Value>(&get(target)?.body)?);
        let mut comments = json(&self.comments())?["comments"].take();
        let comments = comments.as_array_mut().context("a list of comments")?;
        comments.truncate(COMMENTS.len());
        ensure!(comments.len() == COMMENTS.len(), "{server} lacks comments");
        let all = json!({
            "me": json("/api/v1/me")?["user"],
            "sessions": json("/api/v1/me/sessions")?,
            "project": json(&format!("/api/v1/projects/{}", self.project))?,
            "deployments": json(&self.deployments())?,
            "comments": comments,
            "page": get("/p/shop/")?.text(),
        });
        let mut all = serde_json::from_str(&comparable(&all.to_string(), server.ip()))?;
        forget_when(&mut all);
        Ok(Seen(all))
    }

    /// The scripts of all versions, each of which is live for as long as it takes to look at it. The newest stays.
    pub fn scripts(&self, server: SocketAddr) -> Result<Vec<String>> {
        let list = ask::json(200, &self.request(server, "GET", &self.deployments()))?;
        let list = list["deployments"].as_array().context("a list of versions")?;
        let mut scripts = Vec::new();
        // The newest is the first.
        for version in list.iter().rev() {
            let id = version["deploymentId"].as_str().context("a version has an id")?;
            let target = format!("/api/v1/deployments/{id}/activate");
            ask::answer(200, &self.request(server, "POST", &target))?;
            let script = ask::answer(200, &self.request(server, "GET", "/p/shop/app.js"))?;
            scripts.push(script.text());
        }
        Ok(scripts)
    }
}

/// Records and pages know where they were served from.
fn comparable(text: &str, server: IpAddr) -> String {
    text.replace(&server.to_string(), "")
}

/// When a session was used last differs from moment to moment.
fn forget_when(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("lastSeenAt");
            members.values_mut().for_each(forget_when);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_when),
        _ => {}
    }
}

/// Whether both are the same; if not, what differs first.
pub fn is_same(before: &Seen, after: &Seen, place: &str) -> Result<()> {
    for (key, value) in before.0.as_object().context("what was seen is a record")? {
        ensure!(
            after.0[key] == *value,
            "{place}: `{key}` is {}, and was {value}",
            after.0[key]
        );
    }
    Ok(())
}
