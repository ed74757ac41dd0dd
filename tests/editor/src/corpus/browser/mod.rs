//! The real program on a copy of a repository, and Chromium as the judge: after each edit the page must show exactly what was
//! asked for, and after its undo what it showed before. The judging is done by `tests/editor/browser/corpus`.

mod install;
mod report;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use galley_harness::node;
use galley_harness::poll::within;
use serde_json::{Value, json};
use tempfile::TempDir;

pub use report::Report;

use crate::editor::Editor;
use crate::{folders, paths, repository};

/// How long a dev server may take to answer: large ones read thousands of files first.
const BOOT_TIMEOUT: Duration = Duration::from_secs(180);

/// What is looked at, and how closely.
#[derive(Debug, Clone)]
pub struct Options {
    /// The prototype's folder inside the repository, when it is not the repository's own.
    pub app: PathBuf,
    /// Pages to begin with, as `/settings`. Pages they link to are looked at, too.
    pub routes: Vec<String>,
    /// At most this many pages.
    pub pages: usize,
    /// At most this many elements are edited, chosen from what the pages show.
    pub sample: usize,
    /// Another number chooses other elements.
    pub seed: u32,
    /// Whether packages may run their own scripts when they are installed.
    pub scripts: bool,
    /// Whether each outcome is printed.
    pub verbose: bool,
    /// Changes `from` to `to` in `path` beside each edit, as `{ path, from, to }`: to see that mistakes are noticed.
    pub spoil: Option<Value>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            app: PathBuf::new(),
            routes: vec!["/".to_owned()],
            pages: 8,
            sample: 20,
            seed: 1,
            scripts: false,
            verbose: false,
            spoil: None,
        }
    }
}

/// Edits a copy of the repository at `path`. Says on standard error how far it is.
///
/// # Errors
/// When the packages cannot be installed, the Editor or the dev server does not start, or the browser fails.
pub fn run(path: &Path, options: &Options) -> Result<Report, String> {
    let original = path
        .canonicalize()
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let copy = copied(&original)?;
    install::ensure(copy.path(), options.scripts)?;
    let root = copy.path().join(&options.app);
    let editor = Editor::on(&root).try_start()?;
    let page = previewed(&editor)?;
    let task = json!({
        "origin": editor.origin(), "page": page, "root": root, "original": original.join(&options.app),
        "routes": options.routes, "pages": options.pages, "sample": options.sample, "seed": options.seed,
        "spoil": options.spoil,
    });
    judge(&task, options.verbose)
}

/// A copy that is a repository of its own with one commit, so that nothing of the original's history is touched.
fn copied(original: &Path) -> Result<TempDir, String> {
    let failed = |error: std::io::Error| format!("cannot copy {}: {error}", original.display());
    let copy = tempfile::Builder::new()
        .prefix("galley-corpus-")
        .tempdir()
        .map_err(failed)?;
    folders::copy(original, copy.path(), &|name| name != ".git").map_err(failed)?;
    for arguments in [
        &["init", "--quiet", "--initial-branch=main"][..],
        &["add", "--all"],
        &[
            "commit",
            "--quiet",
            "--no-verify",
            "--allow-empty",
            "--message",
            "As it was",
        ],
    ] {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(copy.path());
        repository::plain_git(&mut git);
        let done = git.output().map_err(|error| format!("git: {error}"))?;
        if !done.status.success() {
            return Err(format!("git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr)));
        }
    }
    Ok(copy)
}

/// Waits for the dev server, and gives the prototype's own address.
fn previewed(editor: &Editor) -> Result<String, String> {
    let state = || editor.ask("/api/editor/state").json();
    let decided = within(BOOT_TIMEOUT, || {
        let state = state();
        matches!(state["host"]["status"].as_str(), Some("running" | "failed")).then_some(state)
    });
    let state = decided.unwrap_or_else(state);
    match state["previewUrl"].as_str() {
        Some(page) if state["host"]["status"] == "running" => Ok(page.to_owned()),
        _ => Err(format!(
            "the dev server does not run: {}\n{}",
            state["host"]["words"].as_str().unwrap_or_default(),
            editor.stderr()
        )),
    }
}

/// Runs the script, and takes in each outcome as it comes.
fn judge(task: &Value, verbose: bool) -> Result<Report, String> {
    node::packages(&paths::checkout().join("tests/browser"));
    let script = paths::checkout().join("tests/editor/browser/corpus/main.mjs");
    let mut command = Command::new("node");
    command.arg(script).arg(task.to_string()).stdout(Stdio::piped());
    let mut process = command.spawn().map_err(|error| format!("node: {error}"))?;
    let mut report = Report::default();
    for line in process
        .stdout
        .take()
        .into_iter()
        .flat_map(|stdout| BufReader::new(stdout).lines())
    {
        let line = line.map_err(|error| format!("node: {error}"))?;
        let record: Value = serde_json::from_str(&line).map_err(|_| format!("the script said: {line}"))?;
        if verbose || record["outcome"] == "wrong" {
            eprintln!("{record:#}");
        }
        report.take(&record);
    }
    let status = process.wait().map_err(|error| format!("node: {error}"))?;
    if !status.success() {
        return Err("the browser could not go on, for the reason above".to_owned());
    }
    if report.pages == 0 {
        return Err("no page of the prototype shows an element of its source".to_owned());
    }
    Ok(report)
}
