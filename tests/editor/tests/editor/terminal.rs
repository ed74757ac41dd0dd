//! What the program says in a terminal.

use std::process::Command;

use galley_editor_tests::paths;

#[test]
fn the_program_starts() {
    let status = Command::new(paths::galley_editor()).arg("--help").status();
    assert!(status.unwrap().success());
}
