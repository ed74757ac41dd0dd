//! A browser that does not answer does not hold back a stop.

use std::time::Duration;

use galley_editor_tests::Repository;
use galley_editor_tests::provider::{Provider, Reply};
use galley_editor_tests::silent_browser::SilentBrowser;
use galley_harness::poll::{eventually, within};
use serde_json::{Value, json};

use super::{Desk, build};

/// What is done at once is done within this time on a busy machine. The browser is waited for much longer.
const AT_ONCE: Duration = Duration::from_secs(15);

fn desk(repository: &Repository, browser: &SilentBrowser) -> Desk {
    let (provider, home) = (Provider::start(), tempfile::tempdir().unwrap());
    let editor = build(repository, &provider, &home)
        .env("EDITOR_REVIEW_SURFACE", "on")
        .env("EDITOR_BROWSER", browser.path())
        .start();
    Desk { editor, provider, home }
}

/// Stops the turn, and gives it as it ended.
#[track_caller]
fn stopped(desk: &Desk, session: &str) -> Value {
    let stop = format!("/api/editor/chat/sessions/{session}/stop");
    assert_eq!(desk.editor.post(&stop, &json!({})).expect(200).json()["stopped"], true);
    let over = || Some(desk.newest(session)).filter(|turn| turn["status"] != "running");
    within(AT_ONCE, over).unwrap_or_else(|| panic!("the stop is not heard: {:#}", desk.newest(session)))
}

#[test]
fn a_stop_is_heard_while_the_page_of_a_proposal_is_opened() {
    let (repository, browser) = (Repository::react(), SilentBrowser::new());
    let desk = desk(&repository, &browser);
    let session = desk.session();
    desk.provider.script([Reply::propose("src/App.tsx", "Hello", "Servus")]);
    desk.begin(&session, "turn-0001", "Say Servus").expect(200);
    eventually("the page is being opened", || (browser.starts() > 0).then_some(()));
    let turn = stopped(&desk, &session);
    assert_eq!(turn["status"], "stopped", "{turn:#}");
    assert!(repository.read("src/App.tsx").contains("Hello"));
}
