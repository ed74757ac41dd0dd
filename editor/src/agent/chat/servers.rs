//! Servers of a turn: which may be started, and their tools as they answer. A slow one does not hold the turn up: its tools come
//! with the next call of the model.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::time::timeout;

use super::turn::{About, Choice, Level};
use super::work::Work;
use crate::agent::mcp::fingerprint;
use crate::config::servers::{DESIGN_TOOL, Server};

/// How long a turn waits for servers; those that already run answer at once.
const READY_TIMEOUT: Duration = Duration::from_millis(1_000);
/// And for a design tool that is to be loaded for each message.
const ALWAYS_TIMEOUT: Duration = Duration::from_secs(5);
/// Servers of a turn.
const MAX_SERVERS: usize = 16;

/// Says what is wrong with the configuration, asks about servers that were not allowed yet, and starts the others.
pub(super) async fn begin(work: &Arc<Work>, git_root: &Path) {
    for (file, problem) in work.settings.problems() {
        work.notice(Level::Error, "settings", format!("{file}: {problem}"));
    }
    for warning in &work.settings.warnings {
        work.notice(Level::Warning, warning.code, warning.words.clone());
    }
    let declared = declared(work);
    work.pool
        .declare(declared.iter().map(|(id, server, _)| (id.as_str(), server)));
    let asked = declared.into_iter().map(|(id, server, always)| async move {
        let allowed = may_start(work, git_root, &id, &server).await;
        allowed.then_some((id, server, always))
    });
    let allowed: Vec<_> = join_all(asked).await.into_iter().flatten().collect();
    let (mut starting, mut always) = (Vec::new(), Vec::new());
    work.starting.send_replace(allowed.len());
    for (id, server, is_always) in allowed {
        work.servers.lock().insert(id.clone(), server.clone());
        let set = if is_always { &mut always } else { &mut starting };
        // Not ended with the turn: a server that takes longer than a short turn would never be there.
        set.push(tokio::spawn(start(Arc::clone(work), id, server)));
    }
    if !always.is_empty() {
        let _ = timeout(ALWAYS_TIMEOUT, join_all(always)).await;
    }
    if !starting.is_empty() {
        let _ = timeout(READY_TIMEOUT, join_all(starting)).await;
    }
}

async fn start(work: Arc<Work>, id: String, server: Server) {
    match work.pool.tools(&id, &server).await {
        Ok(tools) => drop(work.ready.lock().insert(id, tools)),
        Err(why) => {
            let words = format!("The server {id} cannot be used: {why}");
            work.notice(Level::Warning, "server", words);
        }
    }
    work.starting.send_modify(|starting| *starting -= 1);
}

/// Servers with their ids, and whether they are loaded for each message.
fn declared(work: &Work) -> Vec<(String, Server, bool)> {
    let mut declared = Vec::new();
    if let Ok(servers) = &work.settings.servers {
        for (id, server) in servers {
            declared.push((id.clone(), server.clone(), false));
        }
    }
    if let Ok(Some(tool)) = &work.settings.design_tool {
        declared.push((DESIGN_TOOL.to_owned(), tool.server.clone(), tool.always_load));
    }
    if declared.len() > MAX_SERVERS {
        let words = format!("Of {} servers the first {MAX_SERVERS} are used", declared.len());
        work.notice(Level::Warning, "server", words);
        declared.truncate(MAX_SERVERS);
    }
    declared
}

async fn may_start(work: &Work, git_root: &Path, id: &str, server: &Server) -> bool {
    let print = fingerprint(git_root, id, server);
    if work.approved.has(&print) {
        return true;
    }
    let refused = format!("no server {print}");
    if work.session.allows(&refused) {
        return false;
    }
    let title = format!("Start the server {id} of this repository?");
    let choices = [Choice::Once, Choice::Session, Choice::Always, Choice::No];
    let answer = work
        .ask(
            About::Server,
            &format!("server {print}"),
            title,
            shown(server),
            &choices,
        )
        .await;
    match answer {
        Some(Choice::Once | Choice::Session) => true,
        Some(Choice::Always) => {
            if let Err(error) = work.approved.add(&print) {
                let words = format!("That the server {id} may be started could not be kept: {error}");
                work.notice(Level::Warning, "server", words);
            }
            true
        }
        Some(Choice::No) => {
            work.session.allow(&refused);
            false
        }
        None => false,
    }
}

/// A command as people are asked about it. Values of variables may be secret, their names are not.
fn shown(server: &Server) -> String {
    let mut line = server.command.clone();
    for argument in &server.args {
        line.push(' ');
        if argument.contains(char::is_whitespace) || argument.is_empty() {
            line.push_str(&format!("{argument:?}"));
        } else {
            line.push_str(argument);
        }
    }
    let names: Vec<&str> = server.env.keys().map(String::as_str).collect();
    if !names.is_empty() {
        line.push_str(&format!("\nwith the variables {}", names.join(", ")));
    }
    line
}
