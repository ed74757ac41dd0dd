//! The browser's process: leader of its own group, with a profile that goes when it ends.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use super::channel::Channel;
use super::error::ReviewError;

/// Its names on the PATH.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// Its third and fourth file are where it listens and answers; the shell puts the pipes there, and becomes the browser.
const SCRIPT: &str = r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null"#;

const ARGUMENTS: [&str; 20] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-dev-shm-usage",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication",
    "--disable-client-side-phishing-detection",
    "--disable-gpu",
    "--metrics-recording-only",
    "--mute-audio",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// A running browser.
pub(super) struct Browser {
    pub(super) channel: Channel,
    _child: Child,
    group: Option<Pid>,
    _profile: TempDir,
}

/// The program: the one that is named, if it is there, else the first on the PATH.
pub(super) fn find(named: Option<&Path>) -> Option<PathBuf> {
    if let Some(named) = named {
        return named.is_file().then(|| named.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .collect();
    let places = NAMES
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

impl Browser {
    pub(super) async fn start(program: &Path) -> Result<Self, ReviewError> {
        let failed = |error: std::io::Error| ReviewError::Failed(error.to_string());
        let profile = tempfile::Builder::new()
            .prefix("galley-review-")
            .tempdir()
            .map_err(failed)?;
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", SCRIPT])
            .arg(program)
            .args(ARGUMENTS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .process_group(0)
            .kill_on_drop(true)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // Nothing of the Editor's environment, where keys may be.
        for name in ["PATH", "LANG", "TMPDIR", "FONTCONFIG_PATH", "XDG_RUNTIME_DIR"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("HOME", profile.path());
        // Chromium's own sandbox refuses to work for root, as in containers.
        if rustix::process::geteuid().is_root() {
            command.arg("--no-sandbox");
        }
        command.arg("about:blank");
        let mut child = command.spawn().map_err(failed)?;
        let group = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(ReviewError::Failed("it has no pipes".into()));
        };
        let browser = Self {
            channel: Channel::new(input, output),
            _child: child,
            group,
            _profile: profile,
        };
        browser
            .channel
            .call(None, "Browser.getVersion", serde_json::json!({}))
            .await?;
        Ok(browser)
    }

    pub(super) fn is_alive(&self) -> bool {
        self.channel.is_open()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
