//! `galley-editor edit`: requests of the local API from a script, without a dev server, a port or a browser.

mod arguments;
mod words;

use std::ffi::OsString;
use std::io::BufRead;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use serde_json::{Map, Value};

use self::arguments::EditArguments;
use super::failure::Failure;
use super::{say, start};
use crate::api::{App, Direct, Parts, refused};
use crate::config::Config;
use crate::gate;
use crate::source::script;
use crate::workspace::Workspace;

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
    let direct = open(arguments)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .thread_stack_size(script::ROOMY)
        .build()
        .map_err(|error| Failure::new(format_args!("The Editor cannot start its threads: {error}")))?;
    let app = {
        let _inside = runtime.enter();
        direct()?
    };
    let direct = Direct::new(app);
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

/// Everything but the runtime: the prototype, its configuration and its files.
fn open(arguments: &EditArguments) -> Result<impl FnOnce() -> Result<Arc<App>, Failure> + use<>, Failure> {
    let prototype = gate::check(&arguments.path)?;
    let config = Config::load(&prototype)?;
    for warning in &config.warnings {
        say::warn(&warning.words);
    }
    let workspace = Workspace::open(&prototype.root, start::retention(&config))?;
    let tsconfig = config.environment.prototype_tsconfig.as_deref();
    let workspace = Arc::new(workspace.with_type_config(tsconfig));
    for warning in workspace.warnings() {
        say::warn(warning);
    }
    Ok(move || {
        let parts = Parts {
            home: start::home(&prototype),
            prototype,
            config,
            workspace,
            // Nobody listens: requests are made here and answered here.
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            preview_url: String::new(),
            nonce: String::new(),
            token: String::new(),
            ui: PathBuf::new(),
            provider: start::PROVIDER.to_owned(),
        };
        App::new(parts).map_err(|error| Failure::new(format_args!("The Editor cannot start: {error}")))
    })
}
