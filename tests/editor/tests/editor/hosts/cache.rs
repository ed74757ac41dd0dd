//! Dependencies that Vite prepared: the Editor's dev server and the prototype's own each keep theirs.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use galley_editor_tests::{Editor, apps};
use galley_harness::http::Request;
use galley_harness::poll::within;
use galley_harness::ports::free_port;

use super::{BOOT_TIMEOUT, attach, state_when};

/// What Vite writes behind dependencies that are ready, in one of its caches.
fn metadata(cache: &Path) -> PathBuf {
    cache.join("deps/_metadata.json")
}

/// Looks at the page until the dependencies of it are prepared in `cache`, and gives what Vite says of them.
#[track_caller]
fn prepared(address: SocketAddr, cache: &Path) -> String {
    let written = within(BOOT_TIMEOUT, || {
        for path in ["/", "/src/main.tsx"] {
            let _ = Request::new(address, "GET", path)
                .header("accept", "text/html")
                .try_send();
        }
        fs::read_to_string(metadata(cache)).ok()
    });
    written.unwrap_or_else(|| panic!("nothing was prepared in {}", cache.display()))
}

#[test]
fn the_editor_and_the_own_dev_server_leave_each_other_their_dependencies() {
    let app = apps::VITE_REACT_8.make();
    let theirs = app.path().join("node_modules/.vite");
    let ours = theirs.join("galley");
    let port = free_port();
    let first = attach::vite(&app, port);
    let before = prepared(([127, 0, 0, 1], port).into(), &theirs);
    drop(first);

    let editor = Editor::on(app.path()).start();
    state_when(&editor, "running");
    prepared(editor.prototype(), &ours);
    let of_the_editor = fs::metadata(metadata(&ours)).expect("it was read").modified().unwrap();

    // Beside the Editor, as people have it in a terminal.
    let own = attach::vite(&app, port);
    assert_eq!(prepared(([127, 0, 0, 1], port).into(), &theirs), before);
    let said = own.stdout() + &own.stderr();
    assert!(!said.contains("Re-optimizing"), "{said}");
    let now = fs::metadata(metadata(&ours))
        .expect("it is still there")
        .modified()
        .unwrap();
    assert_eq!(now, of_the_editor, "the Editor's are not touched");
}
