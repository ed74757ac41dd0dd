//! Running programs of Node: npm, and scripts that drive a browser.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;

use crate::process::Process;

/// How long a script may take: the longest walk through all panels took 200 s beside other tests.
const RUN_TIMEOUT: Duration = Duration::from_secs(480);

/// Runs a script with its task. What it imports from `tests/browser` finds its packages there.
#[track_caller]
pub fn run(script: &Path, task: &Value) {
    packages(&checkout().join("tests/browser"));
    finish(Command::new("node").arg(script).arg(task.to_string()), RUN_TIMEOUT);
}

/// Installs the packages of a folder, once for each version of its lock file.
#[track_caller]
pub fn packages(folder: &Path) {
    // Tests run beside each other, and one installation is enough.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _one = INSTALLING.lock();
    let (wanted, mark) = (
        folder.join("package-lock.json"),
        folder.join("node_modules/.installed-lock"),
    );
    let lock = std::fs::read(&wanted).expect("the lock file is there");
    if std::fs::read(&mark).is_ok_and(|installed| installed == lock) {
        return;
    }
    npm(folder, &["ci", "--ignore-scripts"]);
    std::fs::write(mark, lock).expect("own folders can be written");
}

/// The top folder of the checkout.
fn checkout() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .ancestors()
        .nth(2)
        .expect("the package lies in the checkout")
        .to_owned()
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
