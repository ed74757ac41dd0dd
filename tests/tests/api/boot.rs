//! Configuration: what a boot accepts and how it refuses.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use galley_tests::cli;
use galley_tests::prelude::*;
use galley_tests::server::Build;

/// Names and values.
type Variables<'a> = &'a [(&'a str, &'a str)];

/// Boots with variables that must be refused, and gives the line that says why.
#[track_caller]
fn refusal(variables: Variables) -> String {
    let with = |build: Build| {
        variables
            .iter()
            .fold(build, |build, (name, value)| build.env(name, *value))
    };
    let failed = match with(Server::build().fresh()).try_start() {
        Ok(_) => panic!("it booted with {variables:?}"),
        Err(failed) => failed,
    };
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    assert_eq!(failed.stdout, "", "a boot that fails is silent on standard output");
    let lines: Vec<&str> = failed
        .stderr
        .lines()
        .filter(|line| line.starts_with("galley: "))
        .collect();
    assert_eq!(lines.len(), 1, "one line says why:\n{}", failed.stderr);
    assert_eq!(failed.stderr.lines().last(), Some(lines[0]));
    lines[0].to_owned()
}

#[track_caller]
fn names(line: &str, words: &[&str]) {
    for word in words {
        assert!(line.contains(word), "`{word}` in: {line}");
    }
}

#[test]
fn standard_output_is_one_line() {
    let mut server = Server::start();
    let address = server.address();
    server.anonymous().get("/api/v1/health").expect(200);
    assert!(server.stop().success());
    assert_eq!(server.stdout(), format!("galley listening on http://{address}\n"));
}

#[test]
fn sigterm_and_sigint_drain_and_end_with_zero() {
    for signal in ["TERM", "INT"] {
        let mut server = Server::start();
        let project = project(&server.user("ed"), "shop");
        let _open = server.user("ed").stream(&format!("{}/stream", comments(&project)));
        assert_eq!(server.end_with(signal).code(), Some(0), "{signal}");
    }
}

#[test]
fn a_signal_right_after_the_line_drains() {
    let mut server = Server::start();
    server.stop();
    for round in 0..25 {
        let signal = if round % 5 == 4 { "INT" } else { "TERM" };
        let (status, line) = signalled(&mut server, signal, |stdout| {
            let mut line = String::new();
            BufReader::new(stdout).read_line(&mut line).unwrap();
            line
        });
        assert!(line.starts_with("galley listening on http://"), "{line}");
        assert_eq!(status.code(), Some(0), "round {round}: {status}");
    }
}

#[test]
fn a_signal_before_the_line_ends_the_boot() {
    let mut server = Server::start();
    server.stop();
    // A process has its handlers a few milliseconds after it was started.
    for wait in [30, 60, 90, 120, 200] {
        let (status, ()) = signalled(&mut server, "TERM", |_| std::thread::sleep(Duration::from_millis(wait)));
        assert_eq!(status.code(), Some(0), "{wait} ms: {status}");
    }
}

/// Starts the program of a server that does not run, and sends a signal at once when `until` is over.
fn signalled<T>(server: &mut Server, signal: &str, until: impl FnOnce(&mut ChildStdout) -> T) -> (ExitStatus, T) {
    let mut command = server.command();
    command.arg("serve").stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    // The shell is there before the line is: nothing but a signal stands between them.
    let script = format!("read -r go; kill -s {signal} {}", child.id());
    let mut shell = Command::new("/bin/sh");
    let mut killer = shell
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    let seen = until(child.stdout.as_mut().expect("its output"));
    killer
        .stdin
        .take()
        .expect("its input")
        .write_all(b"go\n")
        .expect("the shell reads");
    killer.wait().expect("the shell ends");
    (child.wait().expect("the program ends"), seen)
}

#[test]
fn the_profile_is_selfhost_or_nothing() {
    names(&refusal(&[("SERVICE_PROFILE", "cloud")]), &["SERVICE_PROFILE", "cloud"]);
    names(&refusal(&[("SERVICE_PROFILE", "Selfhost")]), &["Selfhost"]);
}

#[test]
fn groups_are_all_or_nothing() {
    let cases: [(Variables, &str, &str); 8] = [
        (
            &[("SERVICE_CODEHOST_CLIENT_ID", "x")],
            "SERVICE_CODEHOST_CLIENT_SECRET",
            "sign-in",
        ),
        (
            &[("SERVICE_CODEHOST_CLIENT_SECRET", "x")],
            "SERVICE_CODEHOST_CLIENT_ID",
            "sign-in",
        ),
        (
            &[("SERVICE_REPO_APP_ID", "1"), ("SERVICE_REPO_APP_SLUG", "x")],
            "SERVICE_REPO_APP_PRIVATE_KEY",
            "repositories",
        ),
        (&[("SERVICE_REPO_APP_SLUG", "x")], "SERVICE_REPO_APP_ID", "repositories"),
        (
            &[
                ("SERVICE_SMTP_HOST", "mail.example"),
                ("SERVICE_SMTP_PORT", "587"),
                ("SERVICE_SMTP_USER", "x"),
                ("SERVICE_SMTP_PASS", "x"),
            ],
            "SERVICE_SMTP_FROM",
            "SMTP",
        ),
        (&[("SERVICE_SMTP_FROM", "a@example.com")], "SERVICE_SMTP_HOST", "SMTP"),
        (
            &[("SERVICE_OBJECTS_URL", "http://127.0.0.1:8333/galley")],
            "SERVICE_OBJECTS_ACCESS_KEY_ID",
            "objects",
        ),
        (&[("SERVICE_OBJECTS_CACHE_MB", "100")], "SERVICE_OBJECTS_URL", "objects"),
    ];
    for (variables, missing, group) in cases {
        names(&refusal(variables), &[missing, group]);
    }
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let server = Server::build()
        .fresh()
        .env("SERVICE_PROFILE", "")
        .env("SERVICE_CODEHOST_CLIENT_ID", "")
        .start();
    server.anonymous().get("/api/v1/health").expect(200);
}

#[test]
fn a_missing_bridge_bundle_is_named() {
    let line = refusal(&[("SERVICE_BRIDGE_BUNDLE", "/nonexistent/dist/bridge-bundle.js")]);
    names(&line, &["dist/bridge-bundle.js", "ENOENT"]);
}

#[test]
fn values_are_checked() {
    let cases = [
        ("SERVICE_LISTEN", "nonsense"),
        ("SERVICE_LISTEN", "127.0.0.1:99999"),
        ("SERVICE_PUBLIC_URL", "galley.example"),
        ("SERVICE_PUBLIC_URL", "ftp://galley.example"),
        ("SERVICE_PUBLIC_URL", "https://galley.example/path"),
        ("SERVICE_ADMIN_TOKEN", "short"),
        ("SERVICE_ADMIN_TOKEN", "tok_0123456789abcdef0123456789"),
        ("SERVICE_SERVE_DOMAIN", "http://proto.example"),
        ("SERVICE_SERVE_DOMAIN", "proto example"),
        ("SERVICE_SERVE_DOMAIN", "*.proto.example"),
        ("SERVICE_OUTBOUND_CA", "/etc/passwd"),
        ("SERVICE_TRUSTED_PROXIES", "10.0.0.0/99"),
        ("SERVICE_BUILD_TIMEOUT_SECONDS", "soon"),
        ("SERVICE_BUILD_CONCURRENCY", "-1"),
        ("SERVICE_LOG", "warning"),
        ("SERVICE_LOG_FORMAT", "xml"),
    ];
    for (name, value) in cases {
        names(&refusal(&[(name, value)]), &[name]);
    }
}

#[test]
fn a_secret_never_stands_in_a_message() {
    let line = refusal(&[("SERVICE_ADMIN_TOKEN", "tok_not-to-be-repeated")]);
    assert!(!line.contains("not-to-be-repeated"), "{line}");
}

#[test]
fn an_unknown_variable_gets_one_warning_line() {
    let server = Server::build()
        .fresh()
        .env("SERVICE_LISTENN", "x")
        .env("OTHER_VARIABLE", "x")
        .start();
    let lines = server
        .log()
        .lines()
        .filter(|line| line.contains("SERVICE_LISTENN"))
        .count();
    assert_eq!(lines, 1, "{}", server.log());
    assert!(!server.log().contains("OTHER_VARIABLE"));
}

#[test]
fn a_dashboard_folder_without_pages_gets_one_warning_line() {
    let empty = tempfile::tempdir().unwrap();
    let missing = empty.path().join("nowhere");
    let warnings = |folder: Option<&std::path::Path>| {
        let build = Server::build().fresh();
        let server = match folder {
            Some(folder) => build.env("SERVICE_DASHBOARD_DIR", folder),
            None => build,
        }
        .start();
        healthy(&server);
        let log = server.log();
        let lines = log.lines().filter(|line| line.contains("SERVICE_DASHBOARD_DIR"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    for folder in [empty.path(), &missing] {
        let lines = warnings(Some(folder));
        assert_eq!(lines.len(), 1, "{lines:?}");
        names(&lines[0], &["WARN", &folder.display().to_string(), "manifest.json"]);
    }
    assert!(warnings(None).is_empty());
    assert!(warnings(Some(galley_tests::dashboard::small().path())).is_empty());
}

#[test]
fn a_taken_port_is_said() {
    let server = Server::start();
    let address = server.address().to_string();
    names(&refusal(&[("SERVICE_LISTEN", &address)]), &[&address]);
    healthy(&server);
}

#[test]
fn one_data_folder_has_one_server() {
    let server = Server::start();
    let second = cli::run(
        std::process::Command::new("timeout")
            .arg("20")
            .arg(server.command().get_program())
            .args(["serve"])
            .env_clear()
            .envs(
                server
                    .command()
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            ),
    );
    assert_eq!(second.code, 1, "{}", second.stderr);
    assert!(
        second.stderr.lines().last().unwrap_or_default().starts_with("galley: "),
        "{}",
        second.stderr
    );
    healthy(&server);
}

#[test]
fn a_data_folder_that_cannot_be_made_is_said() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let folder = file.path().join("data");
    let server = Server::start();
    let ended = cli::run(
        server
            .command()
            .env("SERVICE_DATA_DIR", &folder)
            .env("SERVICE_LISTEN", "127.0.0.1:0")
            .arg("serve"),
    );
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    names(
        ended.stderr.lines().last().unwrap_or_default(),
        &["galley: ", &folder.display().to_string()],
    );
}

#[test]
fn check_config_says_what_serve_would() {
    let server = Server::start();
    server.galley(&["check-config"]).expect(0);
    let ended = cli::run(server.command().arg("check-config").env("SERVICE_PROFILE", "cloud")).expect(1);
    let line = ended.stderr.lines().last().unwrap_or_default();
    assert!(line.starts_with("galley: "), "{}", ended.stderr);
    assert_eq!(line, refusal(&[("SERVICE_PROFILE", "cloud")]));
}

#[test]
fn check_config_prints_the_configuration_page_whatever_is_configured() {
    let server = Server::start();
    let mut command = server.command();
    command
        .args(["check-config", "--variables"])
        .env("SERVICE_PROFILE", "cloud");
    let page = cli::run(&mut command).expect(0).stdout;
    assert!(page.contains("\n| `SERVICE_LISTEN` | `127.0.0.1:4310` | "), "{page}");
    assert!(page.contains("\n| `SERVICE_DASHBOARD_DIR` | "), "{page}");
}

#[test]
fn the_public_url_is_what_addresses_start_with() {
    let server = Server::build()
        .env("SERVICE_PUBLIC_URL", "https://galley.example:8443")
        .start();
    let made = server
        .admin()
        .post("/api/v1/projects", json!({ "slug": "shop", "name": "Shop" }))
        .expect(201)
        .json();
    assert_eq!(made["url"], "https://galley.example:8443/p/shop/");
}

#[test]
fn a_serve_domain_on_the_same_site_is_warned_of() {
    let server = Server::build()
        .env("SERVICE_PUBLIC_URL", "https://review.example.com")
        .env("SERVICE_SERVE_DOMAIN", "proto.example.com")
        .start();
    let log = server.log();
    assert!(
        log.lines()
            .any(|line| line.contains("SERVICE_SERVE_DOMAIN") || line.contains("proto.example.com")),
        "{log}"
    );
}

#[test]
fn help_and_mistakes_end_as_they_should() {
    let server = Server::start();
    let help = server.galley(&["--help"]).expect(0);
    for command in ["serve", "check-config", "plugins"] {
        assert!(help.stdout.contains(command), "{}", help.stdout);
    }
    let mistake = server.galley(&["no-such-command"]);
    assert_ne!(mistake.code, 0);
}
