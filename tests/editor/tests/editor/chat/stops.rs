//! A browser that does not answer holds back neither a stop nor a change.

use std::time::Duration;

use galley_editor_tests::Repository;
use galley_editor_tests::provider::{Provider, Reply};
use galley_editor_tests::silent_browser::SilentBrowser;
use galley_harness::poll::{eventually, within};
use serde_json::{Value, json};

use super::{Desk, build, items, retype};

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

#[test]
fn a_change_does_not_wait_long_for_a_picture_and_a_stop_is_heard_at_its_judgement() {
    let (repository, browser) = (Repository::react(), SilentBrowser::new());
    let desk = desk(&repository, &browser);
    let session = desk.session();
    desk.provider
        .script([retype("Servus"), retype("Moin"), Reply::Text("Done.")]);
    desk.begin(&session, "turn-0001", "Greet").expect(200);
    eventually("the browser is started", || (browser.starts() > 0).then_some(()));
    let made = |text: &str| repository.read("src/App.tsx").contains(text).then_some(());
    assert!(
        within(AT_ONCE, || made("Moin")).is_some(),
        "{:#}",
        desk.newest(&session)
    );
    // The model said everything, and the page is looked at to judge it.
    let asked = || {
        let turn = desk.newest(&session);
        (!items(&turn, "text").is_empty()).then_some(turn)
    };
    let turn = eventually("the model is done", asked);
    let edits = items(&turn, "edit");
    assert_eq!(edits.len(), 2, "{turn:#}");
    assert!(
        edits
            .iter()
            .all(|edit| edit["before"].is_null() && edit["after"].is_null()),
        "{turn:#}"
    );
    let turn = stopped(&desk, &session);
    assert_eq!(turn["goal"], Value::Null, "{turn:#}");
}
