//! Tests of the program that runs, once more in another world: a variable of the environment says in which.

use std::process::Command;

/// The names of all tests of this program.
///
/// # Panics
/// When it does not list them.
pub fn names() -> Vec<String> {
    let program = std::env::current_exe().expect("the program has a path");
    let list = Command::new(program).arg("--list").output();
    let list = String::from_utf8(list.expect("the program can be started").stdout).expect("names are texts");
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    names.map(str::to_owned).collect()
}

/// Runs this program's tests with these arguments, so many at a time, and the variable set. All have to pass, and at least `least`.
///
/// # Panics
/// When they do not.
#[track_caller]
pub fn pass_again(variable: &str, arguments: &[&str], threads: u8, least: usize) {
    let program = std::env::current_exe().expect("the program has a path");
    let tests = Command::new(program)
        .args(arguments)
        .arg(format!("--test-threads={threads}"))
        .env(variable, "1")
        .output()
        .expect("the program can be started");
    let said = String::from_utf8_lossy(&tests.stdout);
    let passed = said.lines().filter(|line| line.ends_with(" ... ok")).count();
    assert!(tests.status.success() && passed >= least, "{passed} passed:\n{said}");
}
