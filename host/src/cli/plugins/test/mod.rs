//! `galley plugins test`: an author's requests on the real component in the real server, which lives in a temporary folder
//! for as long as that takes.

mod archive;
mod difference;
mod inside;
mod script;
mod stream;
mod world;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use anyhow::{Context, bail};
use serde::Serialize;
use serde_json::json;
use tempfile::TempDir;

use self::difference::{Difference, differences};
use self::script::{Expected, Script, Step, fill_json};
use self::world::World;
use crate::author;
use crate::cli::boot;
use crate::cli::output::{print, print_json};
use crate::config::Config;
use crate::plugins::review::counted;

/// How long the folder may take to be deleted, and how long a try waits for the next.
const REMOVE_TIMEOUT: Duration = Duration::from_secs(5);
const REMOVE_PAUSE: Duration = Duration::from_millis(20);

/// How one step went.
#[derive(Debug, Serialize)]
struct Done {
    name: String,
    request: Option<String>,
    #[serde(rename = "as")]
    caller: &'static str,
    status: Option<u16>,
    ms: u64,
    ok: bool,
    differences: Vec<Difference>,
}

/// Runs the steps of a file. `plugin` takes the place of what the file names.
pub fn run(config: &Config, file: &Path, plugin: Option<PathBuf>, as_json: bool) -> anyhow::Result<()> {
    let script = script::read(file)?;
    let (name, wasm) = component(&script, plugin)?;
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let config = world::configuration(config, folder.path(), &script)?;
    let mut finished = None;
    boot::serve_unannounced(config, async |operations, signals| {
        let work = async {
            let (mut world, title) = World::make(operations, &script, &name, wasm).await?;
            let mut steps = Vec::new();
            for step in &script.steps {
                steps.push(perform(&mut world, step).await);
            }
            anyhow::Ok((title, steps))
        };
        finished = tokio::select! {
            done = work => Some(done?),
            () = signals.stop() => None,
        };
        Ok(())
    })?;
    remove(folder);
    let Some((title, steps)) = finished else {
        bail!("stopped by a signal");
    };
    report(&title, &steps, as_json)
}

/// Deletes the server's folder. Files of an upload are compressed behind its answer, by threads that end with the program: one of
/// them may write while the folder is emptied.
fn remove(folder: TempDir) {
    let path = folder.keep();
    let end = Instant::now() + REMOVE_TIMEOUT;
    while let Err(error) = fs::remove_dir_all(&path) {
        if error.kind() == io::ErrorKind::NotFound || Instant::now() >= end {
            return;
        }
        std::thread::sleep(REMOVE_PAUSE);
    }
}

/// The component to test, and what it is called.
fn component(script: &Script, plugin: Option<PathBuf>) -> anyhow::Result<(String, Vec<u8>)> {
    let folder = script.folder.as_path();
    let named = plugin.or_else(|| script.plugin.as_ref().map(|plugin| folder.join(plugin)));
    let Some(named) = named else {
        let built = author::build::build(folder, None)?;
        return Ok((built.file.display().to_string(), built.wasm));
    };
    let wasm = std::fs::read(&named).with_context(|| {
        format!(
            "{} cannot be read: `galley plugins build` makes it, and --plugin names another file",
            named.display()
        )
    })?;
    Ok((named.display().to_string(), wasm))
}

async fn perform(world: &mut World, step: &Step) -> Done {
    let mut done = Done {
        name: step.title(),
        request: step.request.clone(),
        caller: step.caller.role().unwrap_or("nobody"),
        status: None,
        ms: 0,
        ok: false,
        differences: Vec::new(),
    };
    let failed = |error: String| Difference {
        at: "request".into(),
        expected: "an answer".into(),
        was: error,
    };
    match world.perform(step).await {
        Err(error) => done.differences.push(failed(format!("{error:#}"))),
        Ok((answer, took)) => {
            done.status = Some(answer.status);
            done.ms = milliseconds(took);
            let expected = Expected {
                json: step.expect.json.as_ref().map(|json| fill_json(json, &world.values)),
                headers: step.expect.headers.clone(),
                text: step.expect.text.clone(),
                status: step.expect.status,
            };
            done.differences = differences(&expected, &answer);
            if let Err(pointer) = world.save(step, &answer) {
                done.differences.push(Difference {
                    at: format!("json {pointer}"),
                    expected: "a value to save".into(),
                    was: "absent".into(),
                });
            }
        }
    }
    done.ok = done.differences.is_empty();
    done
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn report(title: &str, steps: &[Done], as_json: bool) -> anyhow::Result<()> {
    let failed = steps.iter().filter(|step| !step.ok).count();
    let passed = steps.len() - failed;
    if as_json {
        print_json(&json!({ "plugin": title, "passed": passed, "failed": failed, "steps": steps }))?;
    } else {
        let mut text = format!("{title}\n");
        for (index, step) in steps.iter().enumerate() {
            let mark = if step.ok { "ok  " } else { "FAIL" };
            write!(text, "{mark} {:>2} {}", index + 1, step.name)?;
            if let (Some(_), true) = (&step.request, step.caller != "nobody") {
                write!(text, " as {}", step.caller)?;
            }
            match step.status {
                Some(status) => writeln!(text, " → {status} ({} ms)", step.ms)?,
                None => writeln!(text)?,
            }
            for Difference { at, expected, was } in &step.differences {
                writeln!(text, "        {at}: expected {expected}, was {was}")?;
            }
        }
        writeln!(text, "{} passed, {failed} failed", counted(passed, "step"))?;
        print(&text)?;
    }
    if failed > 0 {
        bail!("{failed} of {} failed", counted(steps.len(), "step"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::script::Caller;
    use super::*;

    #[test]
    fn a_caller_has_a_name() {
        assert_eq!(Caller::Nobody.role(), None);
        let script: Script =
            serde_json::from_str(r#"{ "steps": [{ "request": "GET /api/v1/x/a", "as": "editor" }] }"#).unwrap();
        assert_eq!(script.steps[0].caller.role(), Some("editor"));
    }
}
