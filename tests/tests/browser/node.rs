//! Running programs of Node: npm, and the scripts in `tests/browser`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use galley_tests::paths;
use galley_tests::process::Process;
use serde_json::Value;

/// Runs a script of `tests/browser` with its task.
#[track_caller]
pub fn run(script: &str, task: &Value) {
    let folder = scripts();
    finish(
        Command::new("node").arg(folder.join(script)).arg(task.to_string()),
        Duration::from_secs(240),
    );
}

/// The scripts' folder, with the packages they need.
fn scripts() -> PathBuf {
    // Tests run beside each other, and one installation is enough.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _one = INSTALLING.lock();
    let folder = paths::checkout().join("tests/browser");
    let (wanted, mark) = (
        folder.join("package-lock.json"),
        folder.join("node_modules/.installed-lock"),
    );
    let lock = std::fs::read(&wanted).expect("the lock file is there");
    if std::fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return folder;
    }
    npm(&folder, &["ci", "--ignore-scripts"]);
    std::fs::write(mark, lock).expect("own folders can be written");
    folder
}

/// Runs npm in a folder.
#[track_caller]
pub fn npm(folder: &Path, arguments: &[&str]) {
    let quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
    let mut npm = Command::new("npm");
    npm.args(arguments).current_dir(folder).env("CI", "true");
    if matches!(arguments[0], "ci" | "install") {
        npm.args(quiet);
    }
    finish(&mut npm, Duration::from_secs(600));
}

/// Waits for the end of a command.
///
/// # Panics
/// When it fails, with what it said.
#[track_caller]
pub fn finish(command: &mut Command, patience: Duration) {
    let mut process = Process::start(command);
    let status = process.wait(patience);
    if !status.is_some_and(|status| status.success()) {
        panic!("{command:?}: {status:?}\n{}{}", process.stdout(), process.stderr());
    }
}
