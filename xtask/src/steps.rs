//! Saying what is under way: checks that run one after another, each under its own headline and none hidden by the
//! failure of an earlier one; and the phases of a build.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use galley_build::process::run;

use crate::failures::Failures;

/// The record of what was run.
pub struct Steps {
    started: Instant,
    passed: usize,
    failed: Vec<String>,
    failures: Failures,
    beside: Vec<JoinHandle<Vec<Done>>>,
}

/// A step that ran beside others.
struct Done {
    name: String,
    has_passed: bool,
}

impl Steps {
    /// Begins.
    pub fn begin() -> Self {
        Self {
            started: Instant::now(),
            passed: 0,
            failed: Vec::new(),
            failures: Failures::default(),
            beside: Vec::new(),
        }
    }

    /// Runs one step and prints its headline before and its outcome after.
    pub fn step(&mut self, name: &str, work: impl FnOnce() -> Result<()>) {
        self.tests(name, |_| work());
    }

    /// Runs one step with tests. What those that fail have to say is printed once more at the end.
    pub fn tests(&mut self, name: &str, work: impl FnOnce(&mut Failures) -> Result<()>) {
        say(&format!("\n── {name}"));
        let started = Instant::now();
        let outcome = work(&mut self.failures);
        say(&told(name, started, &outcome));
        self.count(name, outcome.is_ok());
    }

    /// Begins steps that run one after another beside those that follow, each a program. What one prints goes to a file in `folder`
    /// until it has ended: it would stand between the lines of others.
    pub fn beside(&mut self, folder: &Path, programs: Vec<(&str, Command)>) {
        let programs: Vec<(String, Command, PathBuf)> = programs
            .into_iter()
            .map(|(name, program)| {
                (
                    name.to_owned(),
                    program,
                    folder.join(format!("{}.log", name.replace(' ', "-"))),
                )
            })
            .collect();
        for (name, _, log) in &programs {
            say(&format!(
                "\n── {name}: begins beside the next steps, and prints to {}",
                log.display()
            ));
        }
        self.beside
            .push(std::thread::spawn(|| programs.into_iter().map(in_a_file).collect()));
    }

    fn count(&mut self, name: &str, has_passed: bool) {
        match has_passed {
            true => self.passed += 1,
            false => self.failed.push(name.to_owned()),
        }
    }

    /// Waits for the steps beside, prints which tests failed and the summary as the last line, and fails when a step failed.
    pub fn finish(mut self) -> Result<()> {
        for lane in std::mem::take(&mut self.beside) {
            let done = lane
                .join()
                .map_err(|_| anyhow!("the steps beside the others panicked"))?;
            done.iter().for_each(|step| self.count(&step.name, step.has_passed));
        }
        self.failures.told().iter().for_each(|failure| say(failure));
        let took = duration(self.started.elapsed());
        say(&format!("\n{} in {took}", summary(self.passed, &self.failed)));
        if self.failed.is_empty() {
            return Ok(());
        }
        bail!(Reported)
    }
}

/// Runs a step whose output is printed when it has ended.
fn in_a_file((name, mut program, log): (String, Command, PathBuf)) -> Done {
    let started = Instant::now();
    let mut ran = || -> Result<()> {
        fs::create_dir_all(log.parent().unwrap_or(Path::new(".")))?;
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        program.stdout(file.try_clone()?).stderr(file);
        run(&mut program)
    };
    let outcome = ran();
    let said = fs::read(&log).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let told = told(&name, started, &outcome);
    // In one piece: others print meanwhile.
    say(&format!("\n── {name}\n{said}{told}"));
    Done {
        has_passed: outcome.is_ok(),
        name,
    }
}

/// What is said of a step that has ended.
fn told(name: &str, started: Instant, outcome: &Result<()>) -> String {
    let took = duration(started.elapsed());
    match outcome {
        Ok(()) => format!("── {name}: passed in {took}"),
        Err(error) => format!("── {name}: FAILED in {took}: {error:#}"),
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

    #[cfg(unix)]
    #[test]
    fn steps_beside_others_run_in_turn_and_count() {
        let folder = tempfile::tempdir().unwrap();
        let script = |script: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]).current_dir(folder.path());
            shell
        };
        let mut steps = Steps::begin();
        let programs = vec![
            (
                "waits",
                script("until test -e go; do sleep 0.01; done; echo first; echo second >&2; touch gone"),
            ),
            ("follows", script("test -e gone && echo third")),
            ("fails", script("exit 3")),
        ];
        steps.beside(&folder.path().join("logs"), programs);
        steps.step("meanwhile", || {
            assert!(!folder.path().join("gone").exists());
            Ok(fs::write(folder.path().join("go"), "")?)
        });
        assert!(steps.finish().unwrap_err().is::<Reported>());
        let log = |name: &str| fs::read_to_string(folder.path().join(format!("logs/{name}.log"))).unwrap();
        assert_eq!(log("waits"), "first\nsecond\n");
        assert_eq!(log("follows"), "third\n", "it found what the one before it left");
    }

    #[test]
    fn durations_read_well() {
        assert_eq!(duration(Duration::from_millis(1234)), "1.2 s");
        assert_eq!(duration(Duration::from_secs(754)), "12 min 34 s");
    }
}
