//! Secrets of plugins: they go in, and nothing shows them again.

use std::io::Write;
use std::process::Stdio;

use galley_tests::operator::Operator;
use galley_tests::prelude::*;

const BY_COMMAND: &str = "a-secret-by-command-7c1f";
const BY_REQUEST: &str = "a-secret-by-request-90b2";

/// A server with a plugin that takes the secrets `token` and `other`.
fn errands() -> Operator {
    let operator = Operator::start();
    operator.add_serving_guest("errands", "starts");
    operator
}

/// Runs `config errands` with standard input; the answer is everything it printed.
fn config(server: &Server, arguments: &[&str], input: &str) -> (bool, String) {
    let mut command = server.command();
    command.args(["plugins", "config", "errands"]).args(arguments);
    let pipes = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut process = pipes.spawn().expect("it starts");
    let mut stdin = process.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let ended = process.wait_with_output().expect("it ends");
    let said = [ended.stdout, ended.stderr].concat();
    (ended.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_secret_is_in_no_output_answer_log_or_file() {
    let mut operator = errands();
    let server = &mut operator.server;
    let admin = server.admin();
    let place = "/api/v1/instance/plugins/errands/config";
    let mut said = String::new();
    let (done, output) = config(
        server,
        &["greeting=red", "--secret", "token"],
        &format!("{BY_COMMAND}\n"),
    );
    assert!(done && output.contains("token is set, and secret"), "{output}");
    said.push_str(&output);
    let body = json!({ "secrets": { "other": BY_REQUEST } });
    let answer = admin.patch(place, body).expect(200);
    assert_eq!(answer.json()["secrets"], json!(["other", "token"]));
    said.push_str(&answer.text());
    for arguments in [&[][..], &["--json"], &["no key=x"]] {
        said.push_str(&config(server, arguments, "").1);
    }
    said.push_str(&admin.get(place).expect(200).text());
    said.push_str(&admin.get("/api/v1/instance/audit").expect(200).text());
    for command in [
        &["plugins", "list", "--json"][..],
        &["plugins", "history", "errands", "--json"],
    ] {
        said.push_str(&server.galley(command).expect(0).stdout);
    }
    let long = json!({ "secrets": { "other": BY_REQUEST.repeat(1_000) } });
    said.push_str(&admin.patch(place, long).expect(400).text());
    server.stop();
    said.push_str(&server.log());
    for secret in [BY_COMMAND, BY_REQUEST] {
        assert!(!said.contains(secret), "{said}");
        for (file, bytes) in server.contents() {
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{file} holds a secret");
        }
    }
}

#[test]
fn a_secret_can_be_taken_out_and_needs_a_line() {
    let operator = errands();
    let server = &operator.server;
    let (done, _) = config(server, &["--secret", "token", "--secret", "other"], "one\ntwo\n");
    assert!(done);
    let (done, output) = config(server, &["--secret", "token", "--json"], "\n");
    assert!(
        done && output.contains("\"secrets\": [\n    \"other\"\n  ]"),
        "{output}"
    );
    let (done, output) = config(server, &["--secret", "token"], "");
    assert!(!done && output.contains("`token`"), "{output}");
    // A secret that no plugin asks for is nobody's.
    let (done, output) = config(server, &["--secret", "colour"], "red\n");
    assert!(!done && output.contains("has no setting `colour`"), "{output}");
    let (done, output) = config(server, &["other="], "");
    assert!(done && output.contains("other is not set"), "{output}");
}
