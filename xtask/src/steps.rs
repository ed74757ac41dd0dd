//! Saying what is under way: checks that run one after another, each under its own headline and none hidden by the
//! failure of an earlier one; and the phases of a build.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// The record of what was run.
pub struct Steps {
    started: Instant,
    passed: usize,
    failed: Vec<String>,
}

impl Steps {
    /// Begins.
    pub fn begin() -> Self {
        Self {
            started: Instant::now(),
            passed: 0,
            failed: Vec::new(),
        }
    }

    /// Runs one step and prints its headline before and its outcome after.
    pub fn step(&mut self, name: &str, work: impl FnOnce() -> Result<()>) {
        say(&format!("\n── {name}"));
        let started = Instant::now();
        let outcome = work();
        let took = duration(started.elapsed());
        match outcome {
            Ok(()) => {
                say(&format!("── {name}: passed in {took}"));
                self.passed += 1;
            }
            Err(error) => {
                say(&format!("── {name}: FAILED in {took}: {error:#}"));
                self.failed.push(name.to_owned());
            }
        }
    }

    /// Prints the summary as the last line, and fails when a step failed.
    pub fn finish(self) -> Result<()> {
        let took = duration(self.started.elapsed());
        say(&format!("\n{} in {took}", summary(self.passed, &self.failed)));
        if self.failed.is_empty() {
            return Ok(());
        }
        bail!(Reported)
    }
}

/// An error that was printed already: only the exit code is left to say.
#[derive(Debug)]
pub struct Reported;

impl std::fmt::Display for Reported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a step failed")
    }
}

impl std::error::Error for Reported {}

/// The phases of a build, each announced on standard error with its place among all of them: standard output belongs to
/// the program that is started afterwards.
pub struct Phases {
    started: Instant,
    total: usize,
    begun: usize,
}

impl Phases {
    /// Begins a build of `total` phases.
    pub fn of(total: usize) -> Self {
        Self {
            started: Instant::now(),
            total,
            begun: 0,
        }
    }

    /// Announces the next phase.
    pub fn begin(&mut self, what: &str) {
        self.begun += 1;
        eprintln!("xtask: [{}/{}] {what}", self.begun, self.total);
    }

    /// Says how long all of them took.
    pub fn end(self) {
        eprintln!("xtask: built in {}", duration(self.started.elapsed()));
    }
}

fn summary(passed: usize, failed: &[String]) -> String {
    let steps = format!("{passed} passed, {} failed", failed.len());
    if failed.is_empty() {
        steps
    } else {
        format!("{steps} ({})", failed.join(", "))
    }
}

/// Headlines share standard output with the tests' own results.
fn say(line: &str) {
    println!("{line}");
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_does_not_hide_later_steps() {
        let mut ran = 0;
        let mut steps = Steps::begin();
        steps.step("first", || bail!("broken"));
        steps.step("second", || {
            ran += 1;
            Ok(())
        });
        assert_eq!(ran, 1);
        assert_eq!(summary(steps.passed, &steps.failed), "1 passed, 1 failed (first)");
        assert!(steps.finish().unwrap_err().is::<Reported>());
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(Duration::from_millis(1234)), "1.2 s");
        assert_eq!(duration(Duration::from_secs(754)), "12 min 34 s");
    }
}
