//! What the commands of a build can reach, and how they are ended.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use galley_tests::poll::within;
use galley_tests::prelude::*;

use crate::sandbox::{CONNECT, TUNNEL};
use crate::studio::{COPY_PAGE, Studio};

/// Whether this machine confines builds as a whole: their logs would say what does not hold.
fn is_confined(log: &str) -> bool {
    !log.contains("does not confine builds")
}

/// Reports each attempt as `name: yes` or `name: no`.
fn attempts(all: &[(&str, String)]) -> String {
    let line = |(name, command): &(&str, String)| {
        format!("if ( {command} ) >/dev/null 2>&1; then echo \"{name}: yes\"; else echo \"{name}: no\"; fi\n")
    };
    all.iter().map(line).collect::<String>() + COPY_PAGE
}

#[test]
fn commands_reach_their_own_folder_and_the_systems_programs_only() {
    let mut studio = Studio::new(COPY_PAGE);
    let (_, log) = studio.built();
    let data = studio.server.data_dir().canonicalize().unwrap();
    let data = data.display();
    let program = galley_tests::paths::galley();
    let bridge = galley_tests::paths::bridge();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("note"), "x").unwrap();
    let outside = outside.path().display();
    let tried = [
        ("read the database", format!("cat {data}/core.db")),
        ("list the data folder", format!("ls {data}")),
        ("read a key", format!("cat {data}/keys/*")),
        ("read another build", format!("ls {data}/builds")),
        ("write into the data folder", format!("echo x > {data}/x")),
        ("link the database", format!("ln {data}/core.db stolen && cat stolen")),
        ("read another place", format!("cat {outside}/note")),
        ("write into another place", format!("echo x > {outside}/y")),
        ("write into /tmp", "echo x > /tmp/galley-build-was-here".to_owned()),
        ("read the bridge", format!("cat {}", bridge.display())),
        ("replace the program", format!("echo x >> {}", program.display())),
        (
            "read the server's environment",
            "cat /proc/$(cat server)/environ | grep -q SERVICE".to_owned(),
        ),
        (
            "read the server's memory",
            "head -c 1 /proc/$(cat server)/mem".to_owned(),
        ),
        ("signal the server", "kill -0 $(cat server)".to_owned()),
        // In a namespace, the supervisor outside has no name; process 1 is its part inside.
        ("signal the supervisor", "kill -0 $SUPERVISOR".to_owned()),
        (
            "read the supervisor's memory",
            "head -c 1 /proc/$SUPERVISOR/mem".to_owned(),
        ),
        ("signal process 1", "kill -0 1".to_owned()),
        (
            "connect to the API",
            format!("curl -s --noproxy '*' {}/api/v1/health", studio.server.url()),
        ),
        (
            "reach the API through the proxy",
            format!("curl -s -f -x $http_proxy {}/api/v1/health", studio.server.url()),
        ),
        (
            "limit the server",
            "prlimit --pid $(cat server) --nofile=30:30".to_owned(),
        ),
        ("slow the server down", "renice -n 19 -p $(cat server)".to_owned()),
        ("open the data folder", format!("chmod 777 {data}")),
        ("date the database", format!("touch -d 1999-01-01 {data}/core.db")),
        ("read passwords", "cat /etc/shadow".to_owned()),
        (
            "have capabilities",
            "! grep -q '^CapEff:.*0000000000000000' /proc/self/status".to_owned(),
        ),
    ];
    let allowed = [
        ("write into its folder", "echo x > y && mkdir z && mv y z/".to_owned()),
        ("write into HOME", "echo x > $HOME/y".to_owned()),
        ("make a temporary file", "mktemp".to_owned()),
        ("use /dev/null", "cat /dev/null > /dev/null".to_owned()),
        ("start programs", "git --version && node --version".to_owned()),
    ];
    let all: Vec<_> = tried.iter().chain(&allowed).cloned().collect();
    let shop = studio.shop.clone();
    studio.connect(&shop, "Storefront", "sh attempts.sh", "dist");
    let supervisor = "SUPERVISOR=$(cut -d ' ' -f 4 /proc/$PPID/stat); [ $SUPERVISOR = 0 ] && SUPERVISOR=$PPID\n";
    studio
        .copy
        .write("attempts.sh", &format!("{supervisor}{}", attempts(&all)));
    studio
        .copy
        .write("server", &studio.server.id().to_string())
        .push("main");
    let (deployment, log_of_attempts) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log_of_attempts}");
    for (name, _) in &allowed {
        assert!(log_of_attempts.contains(&format!("{name}: yes")), "{log_of_attempts}");
    }
    if is_confined(&log) {
        for (name, _) in &tried {
            assert!(log_of_attempts.contains(&format!("{name}: no")), "{log_of_attempts}");
        }
    }
}

/// The processes that have `mark` in their command line.
fn marked(mark: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read_to_string(process.path().join("cmdline")).ok());
    lines
        .filter(|line| line.contains(mark) && !line.contains("build-step"))
        .collect()
}

/// A number that occurs nowhere else, for `sleep`.
fn mark(number: u32) -> String {
    format!("{}.{:05}", 30_000 + number, std::process::id() % 100_000)
}

/// Leaves processes behind in every way: in the background, in a session of their own, as a daemon's grandchild, in
/// another group and deaf to signals.
fn leave_behind(mark: &str) -> String {
    format!(
        "sleep {mark} & setsid sleep {mark} & (setsid sh -c 'sleep {mark} & sleep {mark}' & ) ; \
         sh -c \"trap '' TERM HUP INT; sleep {mark}\" & echo left behind; "
    )
}

/// The line of the log comes before the processes in the background have become what they will be.
#[track_caller]
fn all_there(mark: &str) {
    let there = within(Duration::from_secs(10), || (marked(mark).len() >= 5).then_some(()));
    assert!(there.is_some(), "only {:?} run", marked(mark));
}

#[track_caller]
fn all_gone(mark: &str) {
    let gone = within(Duration::from_secs(10), || marked(mark).is_empty().then_some(()));
    assert!(gone.is_some(), "{:?} are left", marked(mark));
}

#[test]
fn a_build_that_takes_too_long_ends_with_every_process_it_started() {
    let mark = mark(1);
    let command = format!("{}sleep {mark}", leave_behind(&mark));
    let studio = Studio::with(&command, |build| build.env("SERVICE_BUILD_TIMEOUT_SECONDS", "8"));
    let id = studio.start();
    studio.says(&id, "left behind");
    all_there(&mark);
    let (deployment, log) = studio.ended(&id);
    assert_eq!(deployment["status"], "failed");
    assert!(
        log.ends_with("The build took longer than 8 seconds and was stopped (SERVICE_BUILD_TIMEOUT_SECONDS)\n"),
        "{log}"
    );
    all_gone(&mark);
}

#[test]
fn processes_that_outlive_their_command_are_ended() {
    let mark = mark(2);
    let studio = Studio::new(&format!("{}{COPY_PAGE}", leave_behind(&mark)));
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    all_gone(&mark);
}

#[test]
fn a_server_that_stops_ends_its_builds_and_says_so() {
    let mark = mark(3);
    let mut studio = Studio::new(&format!("{}sleep {mark}", leave_behind(&mark)));
    let id = studio.start();
    studio.says(&id, "left behind");
    assert!(studio.server.stop().success());
    all_gone(&mark);
    studio.server.again();
    let (deployment, log) = studio.ended(&id);
    assert_eq!(deployment["status"], "failed");
    assert!(
        log.ends_with("The server was stopped while this build was running: start it again\n"),
        "{log}"
    );
    assert_eq!(studio.heard(&id).last().unwrap().json(), json!({ "status": "failed" }));
}

#[test]
fn a_server_that_is_killed_takes_its_builds_with_it() {
    let mark = mark(4);
    let mut studio = Studio::new(&format!("{}sleep {mark}", leave_behind(&mark)));
    let id = studio.start();
    studio.says(&id, "left behind");
    studio.server.kill();
    all_gone(&mark);
}

#[test]
fn commands_have_nothing_to_read_from() {
    let studio = Studio::new(&format!("if read line; then echo got it; fi; {COPY_PAGE}"));
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready");
    assert!(!log.contains("got it\n"), "{log}");
}

#[test]
fn a_folder_that_a_build_made_unreadable_is_deleted_all_the_same() {
    let studio = Studio::new(&format!(
        "{COPY_PAGE} && mkdir -p a/b && echo x > a/b/c && chmod 000 a/b a"
    ));
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    studio.has_cleaned_up();
}

/// The program `git` of this machine.
fn git() -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let mut found = std::env::split_paths(&path).map(|folder| folder.join("git"));
    found.find(|file| file.is_file()).expect("git is installed")
}

/// A folder with a `git` that first tries to reach these ports of this machine, and reports it as `<step> <port>: yes`.
fn git_that_tries(ports: &[u16]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let attempt = |port: &u16| {
        format!(
            "if ({CONNECT} 127.0.0.1 {port}) 2>/dev/null || ({TUNNEL} 127.0.0.1:{port}) 2>/dev/null\n\
             then echo \"$1 {port}: yes\"; else echo \"$1 {port}: no\"; fi\n"
        )
    };
    let tries: String = ports.iter().map(attempt).collect();
    let script = format!(
        "#!/bin/sh\n{tries}exec {} \"$@\"\n",
        git().canonicalize().unwrap().display()
    );
    let program = folder.path().join("git");
    std::fs::write(&program, script).unwrap();
    for path in [folder.path(), &program] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

#[test]
fn the_steps_of_git_reach_the_code_host_and_nothing_else_of_this_machine() {
    let metrics = galley_harness::ports::free_port();
    let service = galley_tests::forward_proxy::answering("private");
    let tries = git_that_tries(&[metrics, service.port()]);
    let path = std::env::join_paths(
        std::iter::once(tries.path().to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let studio = Studio::with(COPY_PAGE, |build| {
        let build = build.env("SERVICE_METRICS_LISTEN", format!("127.0.0.1:{metrics}"));
        build.env("PATH", path.unwrap())
    });
    let (deployment, log) = studio.built();
    // The code host is on this machine, too, and was cloned from.
    assert_eq!(deployment["status"], "ready", "{log}");
    for step in ["init", "fetch", "checkout"] {
        for port in [metrics, service.port()] {
            let said = format!("{step} {port}: no\n");
            assert!(log.contains(&said), "{said}{log}");
        }
    }
}

#[test]
fn a_repository_leads_git_nowhere_else() {
    let service = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    service.set_nonblocking(true).unwrap();
    let address = format!("http://{}", service.local_addr().unwrap());
    let studio = Studio::new(COPY_PAGE);
    let pointer = "version https://git-lfs.github.com/spec/v1\n\
                   oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";
    studio
        .copy
        .write(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
        .write(".lfsconfig", &format!("[lfs]\n\turl = {address}/lfs\n"))
        .write("big.bin", pointer)
        .write(
            ".gitmodules",
            &format!("[submodule \"x\"]\n\tpath = x\n\turl = {address}/x.git\n"),
        )
        .write("x/.keep", "")
        .push("main");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    assert!(service.accept().is_err(), "git went where the repository led it");
    for note in [
        "Note: .gitattributes names Git LFS",
        "Note: the repository has submodules",
    ] {
        assert!(log.contains(note), "{log}");
    }
}

#[test]
fn a_repository_cannot_make_git_run_programs_or_read_files() {
    let studio = Studio::new(COPY_PAGE);
    // What a hostile repository may carry: filters, hooks, submodules that lie on this machine.
    studio.copy.write(".gitattributes", "*.html filter=evil\n");
    studio
        .copy
        .write(".git-hooks/post-checkout", "#!/bin/sh\ntouch /tmp/evil\n");
    studio.copy.write(
        ".gitmodules",
        "[submodule \"x\"]\n\tpath = x\n\turl = file:///etc\n\tupdate = !touch evil\n",
    );
    studio.copy.push("main");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
}
