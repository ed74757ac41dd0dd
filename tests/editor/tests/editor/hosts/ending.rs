//! However the Editor ends, its dev server ends too.

use std::fs;

use galley_editor_tests::{Editor, apps};
use galley_harness::poll::eventually;

use super::state_when;

/// The processes that work in a folder, this one's tests aside: command lines that name it, or that were started in it.
fn processes(folder: &std::path::Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("there are processes").flatten() {
        let process = entry.path();
        let works_there = fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        let words = fs::read(process.join("cmdline")).unwrap_or_default();
        // A process that ended and is not reaped has no command line.
        if works_there && !words.is_empty() {
            found.push(String::from_utf8_lossy(&words).replace('\0', " "));
        }
    }
    found
}

#[test]
fn nothing_is_left_after_sigterm_and_after_sigkill() {
    for kind in [apps::VITE_REACT_8, apps::NEXT, apps::NUXT] {
        let app = kind.make();
        let temporary = tempfile::tempdir().expect("a temporary folder");
        let start = || {
            let editor = Editor::on(app.path()).env("TMPDIR", temporary.path()).start();
            state_when(&editor, "running");
            assert!(
                processes(&app.path()).iter().any(|words| words.contains("runner.cjs")),
                "the dev server works in the prototype"
            );
            editor
        };
        let gone = |how: &str| {
            eventually(&format!("the end of {} after {how}", kind.name), || {
                let shims = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("galley-editor-");
                let mut files = fs::read_dir(temporary.path()).expect("it is there").flatten();
                (processes(&app.path()).is_empty() && !files.any(|file| shims(&file))).then_some(())
            });
        };
        start().end("TERM");
        gone("SIGTERM");
        start().kill();
        gone("SIGKILL");
    }
}
