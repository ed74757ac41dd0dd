//! A part of the tests on PostgreSQL 18 as well: all tests of the crate that speaks to it, those of the core, and some that start
//! whole servers. All others run on Debian's version alone.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use galley_build::process::{cargo, command, read};
use serde_json::Value;

use crate::failures::Failures;
use crate::paths::Checkout;
use crate::program::with_galley;

/// Some of the tests of a program.
struct Part {
    /// The package's folder, and its library or test.
    folder: &'static str,
    target: &'static str,
    /// What the names of tests contain, and what those have that do not run.
    tests: &'static [&'static str],
    skipped: &'static [&'static str],
    /// Variables of the environment.
    with: &'static [(&'static str, &'static str)],
}

/// What runs.
const PARTS: [Part; 5] = [
    Part {
        folder: "tests/harness",
        target: "galley_harness",
        tests: &["the_chosen_version_is_the_one_that_runs"],
        skipped: &[],
        with: &[],
    },
    // PyPI's is built without TLS.
    Part {
        folder: "sdk/postgres",
        target: "galley_postgres",
        tests: &[],
        skipped: &["encryption::"],
        with: &[],
    },
    Part {
        folder: "host",
        target: "galley_host",
        tests: &[
            "postgres::",
            "core::tests::",
            "storage::engine::",
            "storage::transfer::",
            "claims::",
        ],
        skipped: &["sqlite::"],
        with: &[],
    },
    Part {
        folder: "tests",
        target: "api",
        tests: &["cluster_boot::", "cluster_bells::", "cluster_import::", "cluster_two::"],
        skipped: &[],
        with: &[],
    },
    Part {
        folder: "tests",
        target: "api",
        tests: &["comment_unread::", "instance_settings::", "members::", "resolve::"],
        skipped: &["instance_members::"],
        with: &[("GALLEY_TEST_NODES", "1")],
    },
];

/// Runs them.
pub fn test(checkout: &Checkout, failures: &mut Failures) -> Result<()> {
    let mut build = cargo();
    build
        .args([
            "test",
            "--workspace",
            "--no-run",
            "--message-format=json-render-diagnostics",
        ])
        .current_dir(checkout.root());
    let built = read(&mut build)?;
    let mut failed = Vec::new();
    for part in PARTS {
        let folder = checkout.at(part.folder);
        let program = program(&built, &folder, part.target);
        let mut test = command(program.with_context(|| format!("there are no tests of {}", part.target))?);
        test.args(part.tests)
            .args(part.skipped.iter().flat_map(|name| ["--skip", name]))
            .envs(part.with.iter().copied())
            .env("GALLEY_POSTGRES", checkout.postgres_18())
            .current_dir(folder);
        if failures.run(with_galley(&mut test, checkout)).is_err() {
            failed.push(part.target);
        }
    }
    if !failed.is_empty() {
        bail!("tests of {} failed", failed.join(" and of "));
    }
    Ok(())
}

/// The program with the tests of a package's target, by what cargo says it built.
fn program(built: &str, folder: &Path, target: &str) -> Option<PathBuf> {
    let messages = built
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let manifest = folder.join("Cargo.toml");
    let mut programs = messages.filter(|message| {
        message["profile"]["test"] == true
            && message["target"]["name"] == target
            && message["manifest_path"]
                .as_str()
                .is_some_and(|path| Path::new(path) == manifest)
    });
    programs.find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_the_one_with_the_tests_of_that_package() {
        let artifact = |folder: &str, test: bool, executable: Value| {
            serde_json::json!({
                "reason": "compiler-artifact", "manifest_path": format!("{folder}/Cargo.toml"), "target": { "name": "api" },
                "profile": { "test": test }, "executable": executable,
            })
        };
        let built = [
            artifact("/a/tests", false, "/a/plain".into()),
            artifact("/a/other", true, "/a/others".into()),
            artifact("/a/tests", true, Value::Null),
            artifact("/a/tests", true, "/a/it".into()),
        ];
        let built = built.map(|message| message.to_string()).join("\n");
        assert_eq!(program(&built, Path::new("/a/tests"), "api"), Some("/a/it".into()));
        assert_eq!(program(&built, Path::new("/a/tests"), "plugins"), None);
    }
}
