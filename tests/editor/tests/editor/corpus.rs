//! `cargo xtask corpus --browser`, in short: what is edited in the templates that people begin with is exactly what Chromium
//! shows afterwards, and an edit that does more is noticed.

use galley_editor_tests::apps::{Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::corpus::browser::{self, Options, Report};
use serde_json::json;

#[track_caller]
fn judged(kind: Kind, options: Options) -> Report {
    let app = kind.make();
    browser::run(&app.path(), &options).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn is_right(kind: Kind) {
    let sample = 3;
    let report = judged(
        kind,
        Options {
            sample,
            ..Options::default()
        },
    );
    assert!(report.is_right(), "{report}");
    let all = report.all();
    assert!(all.applied >= 6 * sample, "too little was judged:\n{report}");
}

#[test]
fn edits_of_a_react_template_change_what_was_asked_for_and_nothing_else() {
    is_right(VITE_REACT_8);
}

#[test]
fn edits_of_a_vue_template_change_what_was_asked_for_and_nothing_else() {
    is_right(VITE_VUE_8);
}

#[test]
fn an_edit_that_changes_something_else_too_is_noticed() {
    let report = judged(
        VITE_REACT_8,
        Options {
            sample: 1,
            spoil: Some(json!({ "path": "src/App.tsx", "from": ">Documentation<", "to": ">Documents<" })),
            ..Options::default()
        },
    );
    assert!(!report.is_right(), "{report}");
    assert!(report.wrong[0].contains("Documents"), "{report}");
}
