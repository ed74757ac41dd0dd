//! The description of the API, against the API: every operation is there, nothing else is, and answers are as described.

use std::process::Command;
use std::time::Duration;

use galley_tests::codehost::CodeHost;
use galley_tests::paths;
use galley_tests::prelude::*;
use galley_tests::process::Process;

fn document(server: &Server) -> Value {
    server.anonymous().get("/api/v1/openapi.json").expect(200).json()
}

#[test]
fn every_path_answers_the_described_methods_and_no_others() {
    // Some routes are there only when what they need is configured.
    let host = CodeHost::start();
    let build = host.configure(Server::build());
    let server = build
        .env("SERVICE_UNSUBSCRIBE_SECRET", "for unsubscribing in tests")
        .start();
    let document = document(&server);
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 20, "{} paths", paths.len());
    for (path, operations) in paths {
        let target = path.replace(['{', '}'], "");
        let mut described: Vec<String> = operations
            .as_object()
            .unwrap()
            .keys()
            .map(|m| m.to_uppercase())
            .collect();
        if described.contains(&"GET".to_owned()) {
            described.push("HEAD".to_owned());
        }
        described.sort();
        let answer = server.anonymous().request("OPTIONS", &target).send();
        let allow = answer.expect(405).header("allow").unwrap_or_default().to_owned();
        let mut allowed: Vec<String> = allow.split(',').map(|method| method.trim().to_owned()).collect();
        allowed.sort();
        assert_eq!(allowed, described, "{path}");
    }
}

#[test]
fn an_upload_says_when_it_is_refused_for_its_size() {
    let server = Server::start();
    let document = document(&server);
    let upload = &document["paths"]["/api/v1/projects/{project}/deployments"]["post"]["responses"];
    for status in ["413", "507", "default"] {
        assert!(upload[status]["$ref"].is_string(), "{status}: {upload}");
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let server = Server::start();
    let document = document(&server);
    let mut open = vec![&document];
    let mut found = 0;
    while let Some(part) = open.pop() {
        match part {
            Value::Object(fields) => {
                if let Some(target) = fields.get("$ref").and_then(Value::as_str) {
                    let pointer = target.strip_prefix('#').unwrap_or_else(|| panic!("{target}"));
                    assert!(document.pointer(pointer).is_some(), "{target} leads nowhere");
                    found += 1;
                }
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    assert!(found > 50, "{found} references");
}

#[test]
fn a_disabled_plugin_is_not_described() {
    let operator = galley_tests::operator::Operator::start();
    let comments = "/api/v1/projects/{project}/comments";
    assert!(document(&operator.server)["paths"][comments].is_object());
    galley_tests::cli::run(operator.server.command().args(["plugins", "disable", "comments"])).expect(0);
    eventually("the description follows", || {
        document(&operator.server)["paths"][comments].is_null().then_some(())
    });
}

/// Schemathesis makes requests from the schemas, good ones and bad ones, and chains what belongs together.
#[test]
fn schemathesis_finds_no_server_error_and_no_violation() {
    // `cargo xtask test` installs the packages of tests/openapi/requirements.txt.
    let packages = paths::target().join("galley/openapi");
    // Without a code host some routes say, rightly, that they are not available.
    let host = CodeHost::start();
    for (who, server) in [
        ("admin", host.configure(Server::build()).start()),
        ("editor", host.configure(Server::build().public_links(true)).start()),
    ] {
        let credential = match who {
            "admin" => format!("Authorization: Bearer {}", galley_tests::server::ADMIN_TOKEN),
            _ => format!("Cookie: {}", server.user("ed").secret()),
        };
        let mut run = Command::new("python3");
        run.args(["-m", "schemathesis.cli", "run"])
            .arg(format!("{}/api/v1/openapi.json", server.url()))
            .args(["-H", &credential])
            // Streams do not end, pages are no JSON, and it can make neither archives nor components.
            .args(["--exclude-path-regex", "stream|/auth/|/unsubscribe"])
            .args(["--exclude-operation-id", "post-projects-project-deployments"])
            .args(["--exclude-operation-id", "post-instance-plugins-artifacts"])
            // It would sign itself out.
            .args(["--exclude-operation-id", "delete-me-sessions-id"])
            .args(["--phases", "examples,coverage,fuzzing,stateful"])
            .args([
                "--max-examples",
                "20",
                "--seed",
                "1",
                "--workers",
                "2",
                "--request-timeout",
                "30",
            ])
            .args([
                "--checks",
                "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,\
                 response_schema_conformance,unsupported_method",
            ])
            .env("PYTHONPATH", &packages)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(server.data_dir());
        let mut process = Process::start(&mut run);
        let status = process.wait(Duration::from_secs(300));
        let ended_well = status.is_some_and(|status| status.success());
        assert!(
            ended_well,
            "as {who}: {status:?}\n{}{}",
            process.stdout(),
            process.stderr()
        );
        healthy(&server);
    }
}
