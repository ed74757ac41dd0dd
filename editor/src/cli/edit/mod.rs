//! `galley-editor edit`: requests of the local API from a script, without a dev server, a port or a browser. While an Editor has the
//! same prototype open, it answers them.

mod arguments;
mod words;

use std::ffi::OsString;
use std::io::BufRead;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use serde_json::{Map, Value};

use self::arguments::EditArguments;
use super::failure::Failure;
use super::{say, start};
use crate::api::{App, Direct, Parts, refused};
use crate::config::Config;
use crate::gate::{self, Prototype};
use crate::source::script;
use crate::workspace::{Workspace, WorkspaceError};

/// The first argument that makes it this command. A folder of that name is `./edit`.
const NAME: &str = "edit";
/// At least one request was refused.
const REFUSED: u8 = 4;
/// At least one request failed by a defect.
const FAILED: u8 = 5;

/// The arguments behind `edit`, when that is what was typed.
pub fn arguments() -> Option<Vec<OsString>> {
    let mut typed = std::env::args_os().skip(1);
    if typed.next()? != NAME {
        return None;
    }
    let program = OsString::from(format!("galley-editor {NAME}"));
    Some(std::iter::once(program).chain(typed).collect())
}

/// Runs the command; gives the exit code.
pub fn run(typed: Vec<OsString>) -> u8 {
    let arguments = EditArguments::parse_from(typed);
    match answer_all(&arguments) {
        Ok(code) => code,
        Err(failure) => {
            say::note(&failure.words);
            failure.exit_code
        }
    }
}

fn answer_all(arguments: &EditArguments) -> Result<u8, Failure> {
    let prototype = gate::check(&arguments.path)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .thread_stack_size(script::ROOMY)
        .build()
        .map_err(|error| Failure::new(format_args!("The Editor cannot start its threads: {error}")))?;
    let direct = {
        let _inside = runtime.enter();
        match open(&prototype) {
            Err(Unopened::InUse(tool)) => runtime.block_on(running(&prototype.root, &tool))?,
            Err(Unopened::Failed(failure)) => return Err(failure),
            Ok(app) => Direct::new(app),
        }
    };
    let mut code = 0;
    let mut answer = |request: Result<Map<String, Value>, Value>| {
        let answer = match request {
            Ok(request) => runtime.block_on(direct.ask(request)),
            Err(answer) => answer,
        };
        let of_this = match (&answer["ok"], answer["status"].as_u64()) {
            (Value::Bool(true), _) => 0,
            (_, Some(500)) => FAILED,
            _ => REFUSED,
        };
        if arguments.json {
            say::out(format!("{answer}\n"));
        } else {
            words::say(&answer);
        }
        code = code.max(of_this);
        of_this == 0 || !arguments.fail_fast
    };
    if let Some(request) = arguments.asked() {
        answer(Ok(request));
    } else {
        for line in std::io::stdin().lock().split(b'\n') {
            let line = line.map_err(|error| Failure::new(format_args!("Standard input cannot be read: {error}")))?;
            if line.trim_ascii().is_empty() {
                continue;
            }
            if !answer(parse(&line)) {
                break;
            }
        }
    }
    Ok(code)
}

fn parse(line: &[u8]) -> Result<Map<String, Value>, Value> {
    serde_json::from_slice(line).map_err(|error| {
        let reason = format!(
            "The line is no JSON object: {error}. Write each request in one line, as {{ \"request\": \"tree\" }}"
        );
        refused("request", &reason)
    })
}

/// Why the prototype could not be opened.
enum Unopened {
    /// Another program has it, whose lock is in this folder.
    InUse(PathBuf),
    Failed(Failure),
}

impl Unopened {
    fn failed(failure: impl Into<Failure>) -> Self {
        Self::Failed(failure.into())
    }
}

/// The Editor that has the prototype open.
async fn running(root: &Path, tool: &Path) -> Result<Direct, Failure> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let found = match Workspace::announced(&root) {
        Some(port) => Direct::running(port, &root).await,
        None => None,
    };
    found.ok_or_else(|| {
        let tool = tool.display();
        Failure::new(format_args!(
            "Another program has this repository open ({tool}), and it is no Editor that answers requests: perhaps another galley-editor edit, or an Editor that is just starting. Wait for its end, or try again"
        ))
    })
}

/// The prototype, its configuration and its files.
fn open(prototype: &Prototype) -> Result<Arc<App>, Unopened> {
    let config = Config::load(prototype).map_err(Unopened::failed)?;
    let workspace = match Workspace::open(&prototype.root, start::retention(&config)) {
        Err(WorkspaceError::InUse(tool)) => return Err(Unopened::InUse(tool)),
        opened => opened.map_err(Unopened::failed)?,
    };
    for warning in &config.warnings {
        say::warn(&warning.words);
    }
    let tsconfig = config.environment.prototype_tsconfig.as_deref();
    let workspace = Arc::new(workspace.with_type_config(tsconfig));
    for warning in workspace.warnings() {
        say::warn(warning);
    }
    let parts = Parts {
        home: start::home(prototype),
        prototype: prototype.clone(),
        config,
        workspace,
        // Nobody listens: requests are made here and answered here.
        address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        preview_url: String::new(),
        nonce: String::new(),
        token: String::new(),
        ui: PathBuf::new(),
    };
    let failed = |error| Unopened::Failed(Failure::new(format_args!("The Editor cannot start: {error}")));
    App::new(parts).map_err(failed)
}
