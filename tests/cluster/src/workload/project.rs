//! A project and its parts: name and access, live version, comments and their numbers.

use galley_harness::bundle::Bundle;
use galley_harness::http::Response;
use rand::RngExt;
use serde_json::{Value, json};

use super::caller::Answer;
use super::client::{As, Client, text};
use super::kept::{History, Kept};
use crate::checker::comments::{Listed, Outcome, Sent};
use crate::checker::history::Operation;
use crate::checker::record::{Call, Record};
use crate::checker::{counter, history::Moment};

/// The fields of a project.
const NAME: usize = 0;
const ACCESS: usize = 1;
/// The only field of what is live: the mark of the version.
const MARK: usize = 0;

/// What stands before a mark in a page, and behind it.
const MARKED: (&str, &str) = ("<h1>", "</h1>");

/// How often a comment is sent again when nobody knows what became of it.
const MAX_ATTEMPTS: u32 = 4;
/// How likely it is sent again, each time.
const PERSISTENCE: f64 = 0.7;

/// A project.
#[derive(Debug)]
pub struct Project {
    /// Its id.
    pub id: String,
    slug: String,
    initial_name: String,
    /// Name and access.
    pub facts: History<Call>,
    /// The live version.
    pub live: History<Call>,
    /// What its comments are counted by.
    pub numbers: History<counter::Call>,
    /// The comments that were sent.
    pub sent: Kept<Sent>,
    /// The lists of them.
    pub listed: Kept<Listed>,
}

impl Project {
    /// Name and access before the first request.
    pub fn record(&self) -> Record {
        Record::new(&[&self.initial_name, "all-members"])
    }

    /// How many requests it had.
    pub fn requests(&self) -> usize {
        self.facts.len() + self.live.len() + self.numbers.len()
    }
}

/// The live version before the first request.
pub fn nothing_live() -> Record {
    Record::new(&["none"])
}

impl Client {
    /// Makes a project, if the server does.
    pub fn new_project(&mut self) -> Option<Project> {
        let node = self.any_node();
        let name = self.common.new_name("project");
        let body = json!({ "slug": name, "name": name });
        let request = self
            .request(node, As::Administrator, "POST", "/api/v1/projects")
            .json(&body);
        let Answer::Done(answer) = self.send(node, request, &[]) else {
            return None;
        };
        Some(Project {
            id: text(&answer, "/id")?,
            slug: text(&answer, "/slug")?,
            initial_name: name,
            facts: History::default(),
            live: History::default(),
            numbers: History::default(),
            sent: Kept::default(),
            listed: Kept::default(),
        })
    }

    /// Gives it another name, another access, or both.
    pub fn write_facts(&mut self, project: &Project) {
        let node = self.any_node();
        let name = self.common.new_name("name");
        let access = if self.random.random_bool(0.5) {
            "invited"
        } else {
            "all-members"
        };
        let (body, call) = match self.random.random_range(0..4) {
            0 => (json!({ "access": access }), Call::write([(ACCESS, access)])),
            1 => (
                json!({ "name": name, "access": access }),
                Call::write([(NAME, &name), (ACCESS, access)]),
            ),
            _ => (json!({ "name": name }), Call::write([(NAME, &name)])),
        };
        let request = self
            .request(node, As::Administrator, "PATCH", &project.path(""))
            .json(&body);
        self.write(&project.facts, (node, request), call, |answer, call| {
            let (name, access) = (text(answer, "/name")?, text(answer, "/access")?);
            Some(call.and_reads([(NAME, &name), (ACCESS, &access)]))
        });
    }

    /// Reads name and access at this server: of the project alone, or in the list of all.
    pub fn read_facts_at(&mut self, project: &Project, node: usize) -> bool {
        let is_list = self.random.random_bool(0.2);
        let target = if is_list {
            "/api/v1/projects".to_owned()
        } else {
            project.path("")
        };
        let request = self.request(node, As::Administrator, "GET", &target);
        self.read(&project.facts, (node, request), &[], |answer| {
            let at = match is_list {
                true => format!("/projects/{}", place(answer, "/projects", &project.id)?),
                false => String::new(),
            };
            let (name, access) = (
                text(answer, &format!("{at}/name"))?,
                text(answer, &format!("{at}/access"))?,
            );
            Some(Call::read([(NAME, &name), (ACCESS, &access)]))
        })
    }

    /// Makes another version live.
    pub fn upload(&mut self, project: &Project) {
        let node = self.any_node();
        let mark = self.common.new_name("version");
        let page = format!(
            "<!doctype html><html><body>{}{mark}{}</body></html>",
            MARKED.0, MARKED.1
        );
        let request = self
            .request(node, As::Administrator, "POST", &project.path("/deployments"))
            .header("content-type", "application/gzip")
            .body(Bundle::page(&page).build());
        let call = Call::write([(MARK, &mark)]);
        self.write(&project.live, (node, request), call, |answer, call| {
            (answer.status == 201).then_some(call)
        });
    }

    /// Opens the live version at this server.
    pub fn open_at(&self, project: &Project, node: usize) -> bool {
        let request = self.request(node, As::Browser, "GET", &format!("/p/{}/", project.slug));
        self.read(&project.live, (node, request), &[404], |answer| {
            let page = answer.text();
            let mark = match answer.status {
                200 => page.split_once(MARKED.0)?.1.split_once(MARKED.1)?.0,
                _ => page.contains("Prototype has no").then_some("none")?,
            };
            Some(Call::read([(MARK, mark)]))
        })
    }

    /// Writes a comment. When nobody knows what became of it, it may be sent again, to any server: it has a key, so that it is there
    /// once.
    pub fn comment(&mut self, project: &Project) {
        let body = self.common.new_name("comment");
        let new = json!({ "body": body, "clientKey": body, "position": { "anchorSelector": "h1", "page": "/" } });
        let invoked = self.common.clock.now();
        let mut outcome = Outcome::Refused;
        let mut node = self.any_node();
        for _ in 0..MAX_ATTEMPTS {
            let request = self.request(node, As::Administrator, "POST", &project.path("/comments"));
            match self.send(node, request.json(&new), &[]) {
                Answer::Done(answer) => {
                    let Some(number) = text(&answer, "/number").and_then(|number| number.parse().ok()) else {
                        self.odd(&answer);
                        continue;
                    };
                    let returned = self.common.clock.now();
                    outcome = Outcome::Acknowledged { number, returned };
                    break;
                }
                Answer::Refused | Answer::Denied(_) => {}
                Answer::Unknown | Answer::Failed(_) => outcome = Outcome::Unknown,
            }
            if !self.random.random_bool(PERSISTENCE) {
                break;
            }
            node = self.any_node();
        }
        project.sent.add(Sent { body, invoked, outcome });
        let (number, returned) = match outcome {
            Outcome::Acknowledged { number, returned } => (Some(number), Some(returned)),
            Outcome::Unknown => (None, None),
            Outcome::Refused => return,
        };
        self.count(project, node, counter::Call::Add(number), invoked, returned);
    }

    /// Lists the comments at this server.
    pub fn list_at(&self, project: &Project, node: usize) -> bool {
        let request = self.request(node, As::Administrator, "GET", &project.path("/comments"));
        let invoked = self.common.clock.now();
        let Answer::Done(answer) = self.send(node, request, &[]) else {
            return false;
        };
        let returned = self.common.clock.now();
        let Some(comments) = numbers_and_texts(&answer) else {
            self.odd(&answer);
            return false;
        };
        let last = comments.last().map_or(0, |(number, _)| *number);
        self.count(project, node, counter::Call::Read(last), invoked, Some(returned));
        project.listed.add(Listed {
            client: self.number,
            node,
            invoked,
            returned,
            comments,
        });
        true
    }

    fn count(&self, project: &Project, node: usize, call: counter::Call, invoked: Moment, returned: Option<Moment>) {
        project.numbers.add(Operation {
            client: self.number,
            node,
            call,
            invoked,
            returned,
        });
    }
}

impl Project {
    fn path(&self, rest: &str) -> String {
        format!("/api/v1/projects/{}{rest}", self.id)
    }
}

/// Where the record with this id stands in a list.
fn place(answer: &Response, list: &str, id: &str) -> Option<usize> {
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    let records = body.pointer(list)?.as_array()?;
    records.iter().position(|record| record["id"] == id)
}

/// The comments of a list; `None` when it is none, or goes on.
fn numbers_and_texts(answer: &Response) -> Option<Vec<(u64, String)>> {
    let body: Value = serde_json::from_slice(&answer.body).ok()?;
    if !body["next"].is_null() {
        return None;
    }
    let comments = body["comments"].as_array()?.iter();
    comments
        .map(|comment| Some((comment["number"].as_u64()?, comment["body"].as_str()?.to_owned())))
        .collect()
}
