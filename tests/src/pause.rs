//! Killing a server in a step of a change: it stops there when a file says so.

use std::path::PathBuf;
use std::time::Duration;

use crate::poll::eventually;
use crate::server::{Build, Server};

/// How long others go on while the server waits at a step.
const PAUSE: Duration = Duration::from_millis(150);

/// The file that names the step.
#[derive(Debug)]
pub struct Pause {
    file: PathBuf,
    _folder: tempfile::TempDir,
}

impl Pause {
    /// A file that names nothing yet, and the server that looks into it.
    pub fn of(build: Build) -> (Pause, Build) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("step");
        let build = build.env("GALLEY_TEST_PAUSE", &file);
        let pause = Pause { file, _folder: folder };
        (pause, build)
    }

    /// Lets the server run `change` up to this step, lets others act meanwhile, and lets it go on to its end.
    pub fn hold_at(&self, step: &str, server: &Server, change: impl FnOnce() + Send, meanwhile: impl FnOnce()) {
        std::fs::write(&self.file, step).expect("a file can be written");
        std::thread::scope(|scope| {
            scope.spawn(change);
            let line = format!("at the step `{step}`");
            eventually("the server stops", || server.log().contains(&line).then_some(()));
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(meanwhile));
            std::fs::remove_file(&self.file).expect("the file is there");
            if let Err(panic) = done {
                std::panic::resume_unwind(panic);
            }
        });
    }

    /// Lets the server run `change` up to this step, lets others go on for a moment, and kills it.
    pub fn kill_at(&self, step: &str, server: &Server, change: impl FnOnce() + Send) {
        std::fs::write(&self.file, step).expect("a file can be written");
        std::thread::scope(|scope| {
            scope.spawn(change);
            let line = format!("at the step `{step}`");
            eventually("the server stops", || server.log().contains(&line).then_some(()));
            std::thread::sleep(PAUSE);
            crate::kills::kill_after(&server.ids(), Duration::ZERO);
        });
        std::fs::remove_file(&self.file).expect("the file is there");
    }
}
