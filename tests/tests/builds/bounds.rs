//! What a build can use up, and as whom it runs.

use std::os::unix::fs::MetadataExt;

use galley_tests::codehost::Recorded;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

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
fn a_process_has_the_processor_time_that_fits_into_the_time_of_a_build() {
    let studio = Studio::with(&format!("ulimit -t; nice; {COPY_PAGE}"), |build| {
        build.env("SERVICE_BUILD_TIMEOUT_SECONDS", "300")
    });
    let (_, log) = studio.built();
    let processors = std::thread::available_parallelism().unwrap().get();
    // How far behind the tests themselves stand in the queue.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let own = stat.rsplit_once(')').unwrap().1.split_whitespace().nth(16).unwrap();
    let behind = (own.parse::<i32>().unwrap() + 10).min(19);
    assert!(log.contains(&format!("\n{}\n{behind}\n", 300 * processors)), "{log}");
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
    let studio = Studio::with(COPY_PAGE, |build| build.env("SERVICE_BUILD_USER", "no-such-user"));
    let (log, boot) = (studio.fails(), studio.server.log());
    for said in [&log, &boot] {
        let refusal = "Nothing is built: the user `no-such-user` is not known (SERVICE_BUILD_USER)";
        assert!(said.contains(refusal), "{said}");
    }
    assert!(
        !boot.contains("builds run") && !boot.contains("the server runs as root"),
        "{boot}"
    );
}

/// Runs `work` where the kernel gives neither namespaces nor Landlock to any process that is started: an old kernel in a
/// strict container.
fn where_nothing_confines<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    const LANDLOCK_CREATE_RULESET: i64 = 444;
    let confined = || {
        let rules = [libc::SYS_unshare, LANDLOCK_CREATE_RULESET].map(|call| (call, Vec::new()));
        let architecture = std::env::consts::ARCH.try_into().unwrap();
        let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let filter = SeccompFilter::new(rules.into(), SeccompAction::Allow, refuse, architecture).unwrap();
        // For this thread and what it starts.
        seccompiler::apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
        work()
    };
    std::thread::scope(|scope| scope.spawn(confined).join()).unwrap()
}

#[test]
fn where_nothing_confines_builds_boot_and_every_log_say_so() {
    let (studio, deployment, log) = where_nothing_confines(|| {
        let studio = Studio::new(COPY_PAGE);
        let (deployment, log) = studio.built();
        (studio, deployment, log)
    });
    assert_eq!(deployment["status"], "ready", "{log}");
    let gap = "read and change the files of the server's user, its data folder too, and reach its network";
    let note = format!("Note: this server does not confine builds as a whole: their commands can {gap}\n");
    assert!(log.contains(&note), "{log}");
    let boot = studio.server.log();
    assert!(
        boot.contains(&format!(
            "commands of builds can {gap}: build only repositories you trust"
        )),
        "{boot}"
    );
    assert!(
        boot.contains("builds run without namespaces, held by Landlock and seccomp"),
        "{boot}"
    );
}

#[test]
fn where_nothing_confines_builds_none_runs_if_confinement_is_required() {
    let (studio, log) = where_nothing_confines(|| {
        let studio = Studio::with(&format!("echo it ran; {COPY_PAGE}"), |build| {
            build.env("SERVICE_BUILD_REQUIRE_CONFINEMENT", "1")
        });
        let log = studio.fails();
        (studio, log)
    });
    let refusal =
        "Nothing is built: SERVICE_BUILD_REQUIRE_CONFINEMENT is set, and on this server, commands of builds can";
    assert!(log.contains(refusal), "{log}");
    assert!(!log.contains("Cloning") && !log.contains("it ran"), "{log}");
    assert!(studio.server.log().contains(refusal), "{}", studio.server.log());
    let is_clone = |request: &Recorded| request.path.contains(".git/") && request.query.contains("git-upload-pack");
    let cloned = studio.host.requests().into_iter().find(is_clone);
    assert!(cloned.is_none(), "{cloned:?}");
    studio.server.anonymous().get("/api/v1/health").expect(200);
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
