//! The engine as a model: the gate takes every edit that it proposes, byte for byte, and nothing of what a bad model makes of it.
//! `cargo xtask corpus PATH --lane` does the same on any repository.

use std::path::Path;

use galley_editor_tests::corpus::{self, Options, Report};
use galley_editor_tests::{folders, oracle, paths};

/// How many ways there are to spoil a proposal so that the gate has to refuse it.
const KINDS: usize = 21;

#[track_caller]
fn proposed(folder: &Path, sample: usize) -> Report {
    let options = Options {
        sample,
        kind: None,
        lane: true,
        verbose: false,
    };
    let report = corpus::run(folder, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.is_right(), "{report}");
    let lane = &report.lane;
    assert_eq!(lane.accepted + lane.closed, lane.proposed, "{report}");
    assert_eq!(lane.spoiled.len(), KINDS, "{report}");
    for (name, kind) in &lane.spoiled {
        // Few may be right by chance, and no kind may be so always.
        assert!(
            kind.taken == 0 && kind.refused > 10 * kind.right,
            "{name}: {kind:?}\n{report}"
        );
    }
    report
}

#[test]
fn every_edit_of_an_interface_in_react_and_none_that_was_spoiled() {
    let report = proposed(&paths::checkout().join("editor/ui/src"), 1);
    assert!(report.lane.accepted >= 300, "{report}");
    // What is in order in the source is for the page to judge, and most of it gets there.
    assert!(report.lane.for_the_page.values().all(|kind| kind.taken > 0), "{report}");
    let repairs = report.lane.repairs();
    assert!(
        repairs.all() > 0 && repairs.repaired * 10 >= repairs.all() * 3,
        "{report}"
    );
}

#[test]
fn line_ends_of_another_system_stay_in_every_edit() {
    let copy = tempfile::tempdir().expect("a temporary folder");
    let from = paths::checkout().join("editor/ui/src/components");
    folders::copy(&from, copy.path(), &|_| true).expect("own files can be copied");
    for file in oracle::files(copy.path(), &["tsx", "ts", "css"]) {
        let text = std::fs::read_to_string(&file).expect("own files are texts");
        std::fs::write(&file, text.replace('\n', "\r\n")).expect("own folders can be written");
    }
    let report = proposed(copy.path(), 2);
    assert!(report.lane.accepted >= 60, "{report}");
}

#[test]
fn every_edit_of_applications_in_both_languages_and_none_that_was_spoiled() {
    let report = proposed(&paths::checkout().join("tests/editor/apps"), usize::MAX);
    assert!(report.lane.accepted >= 200, "{report}");
    assert!(report.lane.for_the_page.values().all(|kind| kind.taken > 0), "{report}");
    let repairs = report.lane.repairs();
    assert!(repairs.repaired * 10 >= repairs.all() * 3, "{report}");
}
