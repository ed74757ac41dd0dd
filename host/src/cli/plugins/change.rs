//! Commands that change a slot: they end when the outcome is known.

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, Write};

use anyhow::Context;
use serde_json::json;

use super::args::{ArtifactArgs, OptionalArtifactArgs, Terms};
use super::source;
use super::target::Target;
use crate::cli::output::{print, print_json};
use crate::config::Config;
use crate::plugins::operations::{Artifact, Kind, Outcome, Refused, Request, SecretText};

/// Runs a request that needs no artifact.
pub fn run(config: Config, request: Request, as_json: bool) -> anyhow::Result<()> {
    let target = Target::open(config)?;
    report(target.run(&request), as_json)
}

/// `install`.
pub fn install(config: Config, args: ArtifactArgs, replaces: Option<String>) -> anyhow::Result<()> {
    let target = Target::open(config)?;
    put(&target, &args.source, args.terms, |artifact| Request::Install {
        artifact,
        replaces: replaces.clone(),
    })
}

/// `update`. Without a source the plugin comes from where it came before.
pub fn update(config: Config, slot: String, args: OptionalArtifactArgs) -> anyhow::Result<()> {
    let target = Target::open(config)?;
    let source = match args.source {
        Some(source) => source,
        None => origin(&target, &slot)?,
    };
    put(&target, &source, args.terms, |artifact| Request::Update {
        slot: slot.clone(),
        artifact,
    })
}

fn origin(target: &Target, slot: &str) -> anyhow::Result<String> {
    let request = Request::History { slot: slot.to_owned() };
    let present = target.run(&request)?.details["present"].clone();
    let source = present["source"].as_str().filter(|_| present["bundled"] != json!(true));
    let source = source.map(str::to_owned);
    Ok(source.ok_or_else(|| {
        let message = format!(
            "`{slot}` has the plugin that came with the program: name the file or the address to update it from"
        );
        Refused::new(Kind::Conflict, message)
    })?)
}

/// Stages an artifact and puts it into a slot. Somebody at a terminal is asked what it may do.
fn put(target: &Target, from: &str, terms: Terms, request: impl Fn(Artifact) -> Request) -> anyhow::Result<()> {
    let fetched = source::fetch(from, terms.sha256.as_deref(), terms.plain_http)?;
    let signature = match (&terms.signature, fetched.signature) {
        (Some(place), _) => Some(source::signature(place, terms.plain_http)?),
        (None, Some(signature)) => Some(signature),
        (None, None) => source::signature_beside(from, terms.plain_http),
    };
    let sha256 = target.stage(&fetched.name, fetched.wasm)?;
    let mut artifact = Artifact {
        sha256,
        source: Some(fetched.name),
        signature,
        publisher: terms.publisher,
        approved: terms.yes,
        data: terms.data.choice(),
    };
    let mut done = target.run(&request(artifact.clone()));
    if let Err(refused) = &done
        && refused.kind == Kind::NeedsApproval
        && let Some(review) = &refused.review
        && !terms.json
        && std::io::stdin().is_terminal()
        && std::io::stdout().is_terminal()
    {
        print(&review.to_string())?;
        if !ask()? {
            let message = "nothing was changed: it was not approved";
            return Err(Refused::new(Kind::NeedsApproval, message).into());
        }
        artifact.approved = true;
        done = target.run(&request(artifact)).map(|outcome| Outcome {
            review: None,
            ..outcome
        });
    }
    report(done, terms.json)
}

/// Reads a line of standard input for each key.
pub fn read_secrets(keys: Vec<String>) -> anyhow::Result<BTreeMap<String, SecretText>> {
    let mut lines = std::io::stdin().lock().lines();
    let mut secrets = BTreeMap::new();
    for key in keys {
        let line = lines.next().transpose().context("standard input cannot be read")?;
        let Some(line) = line else {
            let message =
                format!("there is no line on standard input for the secret `{key}`: give an empty one to take it out");
            return Err(Refused::new(Kind::Invalid, message).into());
        };
        secrets.insert(key, SecretText(line));
    }
    Ok(secrets)
}

fn ask() -> anyhow::Result<bool> {
    print("Approve it? [y/N] ")?;
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin()
        .lock()
        .read_line(&mut answer)
        .context("the answer cannot be read")?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn report(done: Result<Outcome, Refused>, as_json: bool) -> anyhow::Result<()> {
    match done {
        Ok(outcome) if as_json => {
            let mut details = outcome.details;
            if let Some(review) = outcome.review {
                details["review"] = serde_json::to_value(review)?;
            }
            print_json(&details)
        }
        Ok(outcome) => {
            let review = outcome.review.map(|review| review.to_string()).unwrap_or_default();
            print(&format!("{review}{}\n", outcome.message))
        }
        Err(refused) => {
            if as_json {
                print_json(&json!({ "error": refused.message, "kind": refused.kind, "review": refused.review }))?;
            } else if let Some(review) = &refused.review {
                print(&review.to_string())?;
            }
            Err(refused.into())
        }
    }
}
