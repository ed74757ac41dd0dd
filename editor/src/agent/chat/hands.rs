//! Using a tool: what the model asked for, the item that tells of it, and the answer.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::desk::Unmade;
use super::eyes;
use super::proposing;
use super::subject::Subject;
use super::toolbox;
use super::turn::{About, By as Whose, Choice, Level, ToolStatus, What};
use super::work::Work;
use crate::agent::gate::{self, Code, Leave, Limits, Proposal};
use crate::agent::mcp::{Offer, Permission, offer};
use crate::agent::reading::Roots;
use crate::agent::web::Fetcher;

/// What a tool answered the model.
pub(super) struct Answer {
    /// Within its fence, without secrets.
    pub(super) text: String,
    /// PNG in base64.
    pub(super) picture: Option<String>,
    pub(super) is_error: bool,
}

/// How a use ended, before it is told.
struct Outcome {
    status: ToolStatus,
    /// For people, in short.
    detail: Option<String>,
    /// For the model.
    text: String,
    picture: Option<String>,
}

impl Outcome {
    fn done(text: impl Into<String>) -> Outcome {
        Outcome {
            status: ToolStatus::Done,
            detail: None,
            text: text.into(),
            picture: None,
        }
    }

    fn with(status: ToolStatus, why: impl Into<String>) -> Outcome {
        let text = why.into();
        Outcome {
            status,
            detail: Some(text.clone()),
            text,
            picture: None,
        }
    }

    fn failed(why: impl Into<String>) -> Outcome {
        Self::with(ToolStatus::Failed, why)
    }

    fn refused(why: impl Into<String>) -> Outcome {
        Self::with(ToolStatus::Refused, why)
    }
}

/// What is said of what was stopped.
const STOPPED: &str = "It was stopped.";
/// Bytes of a result that people are shown.
const MAX_DETAIL: usize = 300;
/// Bytes of a result that the model gets.
const MAX_RESULT: usize = 32 << 10;

/// Uses a tool by its name.
pub(super) async fn use_tool(work: &Arc<Work>, name: &str, input: Result<&Value, &str>) -> Answer {
    let input = input.cloned().map_err(str::to_owned);
    let known = awaited(work, name).await;
    let server = known.as_ref().map(|offer| offer.server.clone());
    let shown = input.as_ref().unwrap_or(&Value::Null);
    let n = work.add(What::Tool {
        tool: name.chars().take(128).collect(),
        title: title(name, shown, known.as_ref()),
        server,
        status: ToolStatus::Running,
        detail: None,
    });
    let outcome = match input {
        Ok(input) => dispatch(work, name, input, known).await,
        Err(text) => Outcome::failed(format!(
            "the arguments are no JSON object: {}",
            text.chars().take(200).collect::<String>()
        )),
    };
    let detail = outcome.detail.map(|detail| {
        let detail = work.hide(&detail);
        detail[..detail.floor_char_boundary(MAX_DETAIL.min(detail.len()))].to_owned()
    });
    work.session.update(n, |what| {
        if let What::Tool {
            status, detail: shown, ..
        } = what
        {
            (*status, *shown) = (outcome.status, detail);
        }
    });
    let mut text = work.hide(&outcome.text);
    if text.len() > MAX_RESULT {
        text.truncate(text.floor_char_boundary(MAX_RESULT));
        text.push_str("\n[cut here: the result is larger than 32 KB]");
    }
    Answer {
        text: work.fence.around(name, &text),
        picture: outcome.picture,
        is_error: outcome.status != ToolStatus::Done,
    }
}

/// The tool of a server by its name. One that still starts is waited for: the model may know its tools from an earlier turn.
async fn awaited(work: &Work, name: &str) -> Option<Offer> {
    let mut starting = work.starting.subscribe();
    loop {
        let is_last = *starting.borrow_and_update() == 0;
        let found = find(work, name);
        if found.is_some() || is_last || !name.starts_with("mcp__") {
            return found;
        }
        tokio::select! {
            changed = starting.changed() => if changed.is_err() { return None },
            () = work.stop.cancelled() => return None,
        }
    }
}

fn find(work: &Work, name: &str) -> Option<Offer> {
    let ready = work.ready.lock();
    let listed = ready.iter().map(|(id, tools)| (id.as_str(), tools.as_slice()));
    offer(listed).remove(name)
}

fn title(name: &str, input: &Value, server: Option<&Offer>) -> String {
    let part = |key: &str| {
        let text = input[key].as_str().unwrap_or_default();
        text.chars().take(80).collect::<String>()
    };
    match (name, server) {
        (_, Some(offer)) => format!("Use {} of {}", offer.tool.name, offer.server),
        (toolbox::INSPECT, _) => format!("Look at {}", part("src")),
        (toolbox::TREE, _) if input["path"].is_string() => format!("List the elements of {}", part("path")),
        (toolbox::TREE, _) => "List the files with elements".to_owned(),
        (toolbox::EDIT, _) => format!("Change {}", part("src")),
        (gate::TOOL, _) => {
            let why = part("why");
            if why.is_empty() {
                "Propose a change".to_owned()
            } else {
                why
            }
        }
        (toolbox::READ_FILE, _) => format!("Read {}", part("path")),
        (toolbox::SEARCH, _) => format!("Search for “{}”", part("query")),
        (toolbox::LIST_COMMITS, _) => "List commits".to_owned(),
        (toolbox::DIFF_FILE, _) => format!("Compare {}", part("path")),
        (toolbox::COMPONENTS, _) => "List components".to_owned(),
        (toolbox::LOOK, _) => "Look at the page".to_owned(),
        (toolbox::WEB_FETCH, _) => format!("Fetch {}", part("url")),
        _ => format!("Use {}", name.chars().take(80).collect::<String>()),
    }
}

async fn dispatch(work: &Arc<Work>, name: &str, input: Value, known: Option<Offer>) -> Outcome {
    if let Some(offer) = known {
        return call(work, &offer, &input).await;
    }
    match name {
        toolbox::WEB_FETCH => fetch(work, &input).await,
        toolbox::LOOK => look(work, &input).await,
        toolbox::EDIT => edit(work, input).await,
        gate::TOOL => propose(work, &input).await,
        _ => {
            let (work, name) = (Arc::clone(work), name.to_owned());
            let done = tokio::task::spawn_blocking(move || at_once(&work, &name, input)).await;
            done.unwrap_or_else(|_| Outcome::failed("the tool ended early"))
        }
    }
}

/// Tools that wait for files only.
fn at_once(work: &Work, name: &str, input: Value) -> Outcome {
    let roots = Roots {
        workspace: work.gate.workspace(),
        others: &work.roots,
    };
    let read = |result: Result<String, String>| match result {
        Ok(text) => Outcome::done(text),
        Err(why) => Outcome::failed(why),
    };
    match name {
        toolbox::READ_FILE => read(fit(input).and_then(|ask| roots.read_file(&ask))),
        toolbox::SEARCH => read(fit(input).and_then(|ask| roots.search(&ask))),
        toolbox::LIST_COMMITS => read(fit(input).and_then(|ask| roots.list_commits(&ask))),
        toolbox::DIFF_FILE => read(fit(input).and_then(|ask| roots.diff_file(&ask))),
        toolbox::INSPECT => asked(work.desk.inspect(&input)),
        toolbox::TREE => asked(work.desk.tree(input["path"].as_str())),
        toolbox::COMPONENTS => asked(work.desk.components(input["src"].as_str())),
        _ => Outcome::failed(format!("there is no tool {name}")),
    }
}

fn fit<T: DeserializeOwned>(input: Value) -> Result<T, String> {
    serde_path_to_error::deserialize(input).map_err(|error| error.to_string())
}

fn asked(result: Result<Value, Value>) -> Outcome {
    match result {
        Ok(answer) => Outcome::done(answer.to_string()),
        Err(refusal) => refused(&refusal),
    }
}

fn refused(refusal: &Value) -> Outcome {
    Outcome {
        status: ToolStatus::Refused,
        detail: refusal["reason"].as_str().map(str::to_owned),
        text: refusal.to_string(),
        picture: None,
    }
}

/// Each yes allows one more check of the gate, and there are two that can be allowed.
const MAX_ATTEMPTS: usize = 3;

/// An edit of the engine's through the gate, with a picture of its element before and after.
async fn edit(work: &Arc<Work>, input: Value) -> Outcome {
    let Value::Object(body) = input else {
        return Outcome::failed("the arguments are no object");
    };
    let mut leave = Leave {
        by: work.by(),
        limits: Limits::chat(),
        seen: None,
    };
    for _ in 0..MAX_ATTEMPTS {
        let (refusal, texts, diff) = match edit_once(work, body.clone(), leave.clone()).await {
            Ok(outcome) => return outcome,
            Err(Unmade::Refused(refusal)) => return refused(&refusal),
            Err(Unmade::Blocked { refusal, texts, diff }) => (refusal, texts, diff),
        };
        let diffs = diff.as_array().into_iter().flatten();
        let shown: String = diffs.filter_map(|file| file["diff"].as_str()).collect();
        match granted(work, *refusal, &shown).await {
            Ok(code) => leave.limits.granted.push(code),
            Err(outcome) => return outcome,
        }
        leave.seen = Some(texts);
    }
    Outcome::failed("the change was not made")
}

async fn edit_once(work: &Arc<Work>, body: Map<String, Value>, leave: Leave) -> Result<Outcome, Unmade> {
    let asked = body.clone();
    let shot = work
        .camera
        .before(move |project| Subject::of_edit(project, &asked))
        .await;
    if work.stop.is_cancelled() {
        return Ok(Outcome::failed(STOPPED));
    }
    let title = match (body.get("kind"), body.get("src")) {
        (Some(Value::String(kind)), Some(Value::String(src))) => format!("{kind} in {src}"),
        _ => "edit".to_owned(),
    };
    let work = Arc::clone(work);
    let done = tokio::task::spawn_blocking(move || {
        let answer = work.desk.edit(body, leave)?;
        if let Some(id) = answer["editId"].as_str() {
            let title = answer["title"].as_str().unwrap_or(&title);
            work.edited(id, title, answer["files"].clone(), Whose::Edit, shot);
        }
        Ok(Outcome::done(answer.to_string()))
    });
    done.await
        .unwrap_or_else(|_| Ok(Outcome::failed("the tool ended early")))
}

/// A change of the model's own, through the gate; where the gate would let it through with a yes, the user is asked.
async fn propose(work: &Arc<Work>, input: &Value) -> Outcome {
    let proposal = match Proposal::read(input) {
        Ok(proposal) => Arc::new(proposal),
        Err(why) => return Outcome::failed(why),
    };
    let mut limits = Limits::chat();
    for _ in 0..MAX_ATTEMPTS {
        let refusal = match attempt(work, &proposal, &limits).await {
            Ok(outcome) => return outcome,
            Err(refusal) => refusal,
        };
        match granted(work, refusal, &shown(&proposal)).await {
            Ok(code) => limits.granted.push(code),
            Err(outcome) => return outcome,
        }
    }
    Outcome::failed("the change was not made")
}

/// Asks the user for what the gate refuses, where that can be allowed: the check that is passed over from then on.
async fn granted(work: &Work, refusal: gate::Refusal, shown: &str) -> Result<Code, Outcome> {
    if !refusal.can_be_granted {
        let text = serde_json::to_string(&refusal).unwrap_or_default();
        return Err(Outcome {
            status: ToolStatus::Refused,
            detail: Some(refusal.reason),
            text,
            picture: None,
        });
    }
    let title = match refusal.code {
        Code::NewCapability => "Make a change that lets the prototype do something new?",
        _ => "Make a large change?",
    };
    let detail = format!("{}\n\n{shown}", refusal.reason);
    let choices = [Choice::Once, Choice::No];
    match work.ask(About::Change, "", title.to_owned(), detail, &choices).await {
        Some(Choice::Once) => Ok(refusal.code),
        _ => Err(Outcome::refused(
            "the user did not allow this change; do not try it in another way",
        )),
    }
}

async fn attempt(work: &Arc<Work>, proposal: &Arc<Proposal>, limits: &Limits) -> Result<Outcome, gate::Refusal> {
    let done = proposing::make(work, proposal, limits, step_title(proposal)).await?;
    let paths: Vec<&str> = done.files.iter().map(|file| file.path.as_str()).collect();
    Ok(Outcome::done(format!("done: {} changed", paths.join(", "))))
}

fn step_title(proposal: &Proposal) -> String {
    let why: String = proposal.why.split_whitespace().collect::<Vec<_>>().join(" ");
    let why: String = why.chars().take(60).collect();
    let path = proposal.files.first().map_or("", |hunk| hunk.path.as_str());
    if why.is_empty() { format!("Change {path}") } else { why }
}

fn shown(proposal: &Proposal) -> String {
    let mut text = String::new();
    for hunk in &proposal.files {
        text.push_str(&format!("--- {}\n", hunk.path));
        for (mark, side) in [('-', &hunk.old), ('+', &hunk.new)] {
            for line in side.lines() {
                text.push(mark);
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    text
}

async fn fetch(work: &Work, input: &Value) -> Outcome {
    let Some(url) = input["url"].as_str() else {
        return Outcome::failed("`url` is missing");
    };
    let hosts = match &work.settings.web {
        Ok(web) => web.allowed_hosts.clone(),
        Err(_) => {
            return Outcome::refused(
                "the web is off for this turn: its configuration has a mistake, which the chat shows",
            );
        }
    };
    let fetcher = Fetcher::new(hosts);
    let fetched = tokio::select! {
        fetched = fetcher.fetch(url) => fetched,
        () = work.stop.cancelled() => return Outcome::failed(STOPPED),
    };
    match fetched {
        Ok(text) => Outcome::done(text),
        Err(refused) => Outcome::refused(refused.to_string()),
    }
}

async fn look(work: &Work, input: &Value) -> Outcome {
    let (path, width) = eyes::asked(input, work.page.as_deref());
    let looked = tokio::select! {
        looked = eyes::look(&work.review, path, width) => looked,
        () = work.stop.cancelled() => return Outcome::failed(STOPPED),
    };
    match looked {
        Ok(seen) => {
            let complaints = match seen.complaints.as_slice() {
                [] => "none".to_owned(),
                complaints => complaints.join("\n"),
            };
            Outcome {
                picture: Some(seen.picture),
                ..Outcome::done(format!("{path}, {width} pixels wide. Errors of the page: {complaints}"))
            }
        }
        Err(error) => Outcome::failed(format!("the page cannot be looked at: {error}")),
    }
}

/// A tool of a server. What may be done is decided here, for each call, whatever a server says about itself.
async fn call(work: &Arc<Work>, offer: &Offer, input: &Value) -> Outcome {
    let Some(server) = work.servers.lock().get(&offer.server).cloned() else {
        return Outcome::failed(format!("the server {} is not there", offer.server));
    };
    match offer.permission(&work.settings.design_prefixes) {
        Permission::Reads => {}
        Permission::Denied => {
            let prefixes = work.settings.design_prefixes.join(", ");
            return Outcome::refused(format!(
                "{} is denied: the design tool only reads, by tools whose names begin with {prefixes}",
                offer.tool.name
            ));
        }
        Permission::Asks => {
            let key = format!("tool {} {}", offer.server, offer.tool.name);
            let title = format!("Let the chat use {} of {}?", offer.tool.name, offer.server);
            let detail = serde_json::to_string_pretty(input).unwrap_or_default();
            let choices = [Choice::Once, Choice::Session, Choice::No];
            match work.ask(About::Tool, &key, title, detail, &choices).await {
                Some(Choice::Once | Choice::Session) => {}
                _ => return Outcome::refused("the user did not allow this call; do not try it in another way"),
            }
        }
    }
    let called = tokio::select! {
        called = work.pool.call(&offer.server, &server, &offer.tool.name, input) => called,
        () = work.stop.cancelled() => return Outcome::failed(STOPPED),
    };
    match called {
        Ok(answered) if answered.is_error => Outcome::failed(answered.text),
        Ok(answered) => Outcome::done(answered.text),
        Err(why) => {
            work.notice(Level::Warning, "server", format!("The server {}: {why}", offer.server));
            Outcome::failed(why)
        }
    }
}
