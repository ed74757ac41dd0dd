//! What a build can use up, and as whom it runs.

use std::os::unix::fs::MetadataExt;

use crate::studio::{COPY_PAGE, Studio};

fn is_root() -> bool {
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Builds with this command and these variables, fails, and gives the log; the server answers afterwards.
#[track_caller]
fn stopped(command: &str, variables: &[(&str, &str)]) -> String {
    let studio = Studio::with(command, |build| {
        variables
            .iter()
            .fold(build, |build, (name, value)| build.env(name, *value))
    });
    let log = studio.fails();
    studio.server.anonymous().get("/api/v1/health").expect(200);
    log
}

#[test]
fn a_build_that_uses_too_much_memory_is_stopped() {
    // Three processes that each hold less than the bound, and together more: `tail` keeps a line until it ends.
    let hold = "(head -c 100m /dev/zero; sleep 60) | tail -n 1 > /dev/null &";
    let log = stopped(
        &format!("{hold} {hold} {hold} {hold} wait"),
        &[("SERVICE_BUILD_MEMORY_MB", "250")],
    );
    assert!(
        log.contains("it uses more than 250 MiB of memory (SERVICE_BUILD_MEMORY_MB)"),
        "{log}"
    );
}

#[test]
fn a_process_that_takes_too_much_memory_gets_none() {
    let log = stopped(
        "head -c 600m /dev/zero | tail -n 1 > /dev/null && echo it had it",
        &[("SERVICE_BUILD_MEMORY_MB", "250")],
    );
    assert!(!log.contains("\nit had it"), "{log}");
}

#[test]
fn a_build_that_fills_the_disk_is_stopped() {
    let log = stopped(
        "for i in 1 2 3 4; do head -c 30m /dev/zero > big$i; done; sleep 60",
        &[("SERVICE_BUILD_DISK_MB", "64")],
    );
    assert!(log.contains("holds more than 64 MiB (SERVICE_BUILD_DISK_MB)"), "{log}");
}

#[test]
fn a_build_that_starts_too_many_processes_is_stopped() {
    let log = stopped(
        "i=0; while [ $i -lt 1100 ]; do sleep 60 & i=$((i + 1)); done; wait",
        &[],
    );
    assert!(log.contains("it runs more than 1024 processes"), "{log}");
}

#[test]
fn a_reserve_of_the_disk_is_not_built_on() {
    let log = stopped(COPY_PAGE, &[("SERVICE_DISK_RESERVE_MB", "1000000000")]);
    assert!(
        log.contains("less than 1000000000 MiB are free on the disk of the server (SERVICE_DISK_RESERVE_MB)"),
        "{log}"
    );
    assert!(!log.contains("Cloning"), "{log}");
}

#[test]
fn builds_run_as_the_configured_user() {
    let command = format!("{COPY_PAGE} && id -u > dist/user.txt");
    if !is_root() {
        let log = stopped(&command, &[("SERVICE_BUILD_USER", "0")]);
        assert!(
            log.contains("the server does not run as root (SERVICE_BUILD_USER)"),
            "{log}"
        );
        return;
    }
    let studio = Studio::with(&command, |build| build.env("SERVICE_BUILD_USER", "nobody"));
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    let user = studio.server.user("ed").get("/p/shop/user.txt").expect(200).text();
    assert_ne!(user.trim(), "0");
    assert!(!studio.server.log().contains("and so do the commands of builds"));
}

#[test]
fn a_user_that_is_not_known_builds_nothing() {
    let log = stopped(COPY_PAGE, &[("SERVICE_BUILD_USER", "no-such-user")]);
    assert!(
        log.contains("the user `no-such-user` is not known (SERVICE_BUILD_USER)"),
        "{log}"
    );
}

#[test]
fn boot_says_what_holds_builds() {
    let studio = Studio::with(COPY_PAGE, |build| build.env("SERVICE_BUILD_REQUIRE_CONFINEMENT", "1"));
    let log = studio.server.log();
    assert!(
        log.contains("builds run in namespaces of their own") || log.contains("builds run without namespaces"),
        "{log}"
    );
    assert_eq!(
        log.contains("the server runs as root, and so do the commands of builds"),
        is_root(),
        "{log}"
    );
    let is_whole = !log.contains("commands of builds can");
    let (deployment, build) = studio.built();
    assert_eq!(deployment["status"] == "ready", is_whole, "{build}");
    assert_eq!(
        build.contains("SERVICE_BUILD_REQUIRE_CONFINEMENT"),
        !is_whole,
        "{build}"
    );
}
