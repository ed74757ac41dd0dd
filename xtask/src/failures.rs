//! What tests that failed had to say, kept for the end of a run: thousands of lines come after it.

use std::process::Command;

use anyhow::Result;
use galley_build::process::run_seen;

/// How many lines of what one test printed are said again: the last ones, where it says why.
const LINES: usize = 40;

/// Begins the calls that led to a panic, where they were asked for. They stand above.
const CALLS: &str = "stack backtrace:";

/// Tests that failed, by what their programs print.
#[derive(Debug, Default)]
pub struct Failures {
    /// Each with its headline, and what it printed.
    tests: Vec<Vec<String>>,
    /// Whether the program is at what its tests printed that failed.
    is_telling: bool,
}

impl Failures {
    /// Runs `tests` with this program's own output, and keeps what those print that fail.
    pub fn run(&mut self, tests: &mut Command) -> Result<()> {
        self.is_telling = false;
        run_seen(tests, |line| self.see(&String::from_utf8_lossy(line)))
    }

    /// The format is that of Rust's `libtest` for people: `failures:`, then for each test `---- its name stdout ----` and what it
    /// printed, then once more `failures:` with nothing but the names.
    fn see(&mut self, line: &str) {
        let line = line.trim_end();
        let is_headline = line.starts_with("---- ") && line.ends_with(" ----");
        match (line, self.is_telling) {
            ("failures:", is_telling) => self.is_telling = !is_telling,
            (_, true) if is_headline => self.tests.push(vec![line.to_owned()]),
            (_, true) => self
                .tests
                .last_mut()
                .into_iter()
                .for_each(|test| test.push(line.to_owned())),
            (_, false) => {}
        }
    }

    /// A text for each test that failed: its name, and the end of what it printed.
    pub fn told(&self) -> Vec<String> {
        self.tests.iter().map(|printed| told(printed)).collect()
    }
}

fn told(printed: &[String]) -> String {
    let Some((headline, rest)) = printed.split_first() else {
        return String::new();
    };
    let rest = rest.split(|line| line == CALLS).next().unwrap_or_default();
    let left_out = rest.len().saturating_sub(LINES);
    let mut text = format!("\n{headline}\n");
    if left_out > 0 {
        text.push_str(&format!("({left_out} lines more stand above)\n"));
    }
    text.push_str(rest[left_out..].join("\n").trim_end());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_tests_printed_is_told_again_and_nothing_else() {
        let printed = "\
running 3 tests
test a::good ... ok
test a::bad ... FAILED
test b::worse ... FAILED

successes:

successes:
    a::good

failures:

---- a::bad stdout ----
thread 'a::bad' panicked at a.rs:1:1:
no
stack backtrace:
   0: begin

---- b::worse stdout ----
neither


failures:
    a::bad
    b::worse

test result: FAILED. 1 passed; 2 failed

running 1 test
test c ... ok
";
        let mut failures = Failures::default();
        printed.lines().for_each(|line| failures.see(line));
        assert_eq!(
            failures.told(),
            [
                "\n---- a::bad stdout ----\nthread 'a::bad' panicked at a.rs:1:1:\nno",
                "\n---- b::worse stdout ----\nneither",
            ]
        );
    }

    #[test]
    fn of_a_test_that_printed_much_the_end_is_told() {
        let mut failures = Failures::default();
        failures.see("failures:");
        failures.see("---- much stdout ----");
        (0..100).for_each(|line| failures.see(&format!("line {line}")));
        let [told] = &failures.told()[..] else {
            panic!("one test");
        };
        assert!(
            told.starts_with("\n---- much stdout ----\n(60 lines more stand above)\nline 60\n"),
            "{told}"
        );
        assert!(told.ends_with("line 99"), "{told}");
    }
}
