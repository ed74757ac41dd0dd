//! `oci://`: plugins in a registry for containers.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use galley_tests::cli::{Ended, run};
use galley_tests::oci::{CREDENTIAL, Registry, digest};
use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;

/// Runs a command on plugins, with the folder of docker's configuration.
fn plugins(operator: &Operator, docker: &Path, arguments: &[&str]) -> Ended {
    let mut galley = operator.server.command();
    galley.arg("plugins").args(arguments).env("DOCKER_CONFIG", docker);
    run(&mut galley)
}

/// Other builds of the guest `empty`.
fn builds(operator: &Operator) -> [Vec<u8>; 2] {
    operator.add_guest("empty");
    [1, 2].map(|build| fs::read(operator.another("empty", build)).unwrap())
}

#[test]
fn a_plugin_comes_from_a_registry_and_an_update_follows_the_tag() {
    let operator = Operator::start();
    let registry = Registry::start();
    let [first, second] = builds(&operator);
    let nobody = Path::new("/nowhere");
    registry.push("team/empty", "1", &first);
    let source = format!("oci://{}/team/empty:1", registry.address());
    let refused = plugins(&operator, nobody, &["install", &source]).expect(4);
    assert!(refused.stdout.contains(&source), "{}", refused.stdout);
    plugins(&operator, nobody, &["install", &source, "--yes"]).expect(0);
    operator.anonymous().get("/api/v1/x/empty").expect(200);
    let hash = |wasm: &[u8]| json!(digest(wasm).trim_start_matches("sha256:"));
    let row = operator.slot("empty");
    assert_eq!((&row["source"], &row["sha256"]), (&json!(source), &hash(&first)));

    let pushed = registry.push("team/empty", "1", &second);
    plugins(&operator, nobody, &["update", "empty"]).expect(0);
    assert_eq!(operator.slot("empty")["sha256"], hash(&second));
    let by_digest = format!("oci://{}/team/empty@{pushed}", registry.address());
    plugins(&operator, nobody, &["update", "empty", &by_digest]).expect(0);
    assert_eq!(operator.slot("empty")["source"], json!(by_digest));
}

#[test]
fn what_a_registry_has_not_or_has_wrong_is_named() {
    let operator = Operator::start();
    let registry = Registry::start();
    let [first, second] = builds(&operator);
    let nobody = Path::new("/nowhere");
    let at = |rest: &str| format!("oci://{}/{rest}", registry.address());
    let refuse = |source: &str, code: i32, words: &[&str]| {
        let refused = plugins(&operator, nobody, &["install", source, "--yes"]).expect(code);
        for word in words {
            assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
        }
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
        assert_eq!(operator.slot("empty"), Value::Null);
    };
    registry.push("empty", "1", &first);
    refuse(&at("empty:2"), 1, &["empty:2", "404"]);
    refuse(&at("tea:1"), 1, &["tea:1", "404"]);
    registry.push_layers("image", "1", &[("application/vnd.oci.image.layer.v1.tar+gzip", b"tar")]);
    refuse(
        &at("image:1"),
        2,
        &["no layer of the type application/wasm", "tar+gzip", "wkg oci push"],
    );
    registry.push_layers(
        "two",
        "1",
        &[("application/wasm", &first), ("application/wasm", &second)],
    );
    refuse(&at("two:1"), 2, &["several layers"]);
    registry.push("text", "1", b"<html></html>");
    refuse(&at("text:1"), 2, &["text:1", "not WebAssembly"]);
    refuse("oci://127.0.0.1:1/empty:1", 1, &["oci://127.0.0.1:1/empty:1"]);
    refuse("oci://registry/", 1, &["oci://HOST/REPOSITORY:TAG"]);
    refuse("oci://ann:secret-word@registry/empty", 1, &["docker login"]);
    let announced = ["install", &at("empty:1"), "--yes", "--sha256", &"0".repeat(64)];
    let refused = plugins(&operator, nobody, &announced).expect(2);
    assert!(refused.stderr.contains(&"0".repeat(64)), "{}", refused.stderr);
    // A disk that changed a byte: what arrives is not what was pushed.
    let file = registry.file_of(&digest(&first));
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&file, bytes).unwrap();
    refuse(&at("empty:1"), 2, &[&digest(&first), "was announced"]);
}

#[test]
fn credentials_are_those_of_docker_and_are_never_shown() {
    let mut operator = Operator::start();
    let registry = Registry::with_password();
    let [first, _] = builds(&operator);
    registry.push("empty", "1", &first);
    let source = format!("oci://{}/empty:1", registry.address());
    let install = ["install", source.as_str(), "--yes", "--json"];
    let mut said = String::new();
    let unknown = plugins(&operator, Path::new("/nowhere"), &install).expect(1);
    assert!(
        unknown.stderr.contains("docker login") && unknown.stderr.contains(registry.address()),
        "{}",
        unknown.stderr
    );
    let wrong = registry.docker_config((CREDENTIAL.0, "a-wrong-password-77aa"));
    let wrong = plugins(&operator, &wrong, &install).expect(1);
    assert!(wrong.stderr.contains("401"), "{}", wrong.stderr);
    let docker = registry.docker_config(CREDENTIAL);
    let done = plugins(&operator, &docker, &install).expect(0);
    operator.anonymous().get("/api/v1/x/empty").expect(200);
    for ended in [&wrong, &done] {
        said.push_str(&ended.stdout);
        said.push_str(&ended.stderr);
    }
    said.push_str(
        &plugins(&operator, &docker, &["history", "empty", "--json"])
            .expect(0)
            .stdout,
    );
    operator.server.stop();
    said.push_str(&operator.server.log());
    let pair = data_encoding::BASE64.encode(format!("{}:{}", CREDENTIAL.0, CREDENTIAL.1).as_bytes());
    for secret in [CREDENTIAL.1, "a-wrong-password-77aa", &pair] {
        assert!(!said.contains(secret), "{said}");
        for (file, bytes) in operator.server.contents() {
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{file} holds a credential");
        }
    }
}

/// A registry that gives tokens, as the public ones do, and answers what `answer` says for a path below it.
fn with_tokens(answer: impl Fn(&str) -> Option<Vec<u8>> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let own = address.clone();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                if socket.read(&mut byte).unwrap_or(0) == 0 {
                    break;
                }
                head.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&head).to_lowercase();
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            let (status, more, body) = if path.starts_with("/token?") {
                let is_asked = path.contains("scope=repository%3aempty%3apull") && path.contains("service=tests");
                assert!(is_asked, "{path}");
                (200, String::new(), br#"{"token":"t0ken"}"#.to_vec())
            } else if !head.contains("authorization: bearer t0ken") {
                let realm = format!("www-authenticate: Bearer realm=\"http://{own}/token\",service=\"tests\"\r\n");
                (401, realm, Vec::new())
            } else {
                match answer(&path) {
                    Some(body) => (200, String::new(), body),
                    None => (404, String::new(), Vec::new()),
                }
            };
            let length = body.len();
            let head = format!("HTTP/1.1 {status} X\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n");
            let _ = socket.write_all(head.as_bytes());
            let _ = socket.write_all(&body);
        }
    });
    address
}

#[test]
fn tokens_are_fetched_and_sizes_are_held() {
    let operator = Operator::start();
    let wasm = fs::read(paths::guest("empty")).unwrap();
    let manifest = |size: usize| {
        let layer = json!({ "mediaType": "application/wasm", "digest": digest(&wasm), "size": size });
        json!({ "schemaVersion": 2, "layers": [layer] })
            .to_string()
            .into_bytes()
    };
    let (good, short, huge) = (manifest(wasm.len()), manifest(wasm.len() - 1), manifest(65 << 20));
    let blob = format!("/v2/empty/blobs/{}", digest(&wasm));
    let address = with_tokens(move |path| match path {
        "/v2/empty/manifests/good" => Some(good.clone()),
        "/v2/empty/manifests/short" => Some(short.clone()),
        "/v2/empty/manifests/huge" => Some(huge.clone()),
        path if path == blob => Some(wasm.clone()),
        _ => None,
    });
    let install = |tag: &str| {
        let source = format!("oci://{address}/empty:{tag}");
        plugins(&operator, Path::new("/nowhere"), &["install", &source, "--yes"])
    };
    for (tag, words) in [("short", "more than the"), ("huge", "at most 67108864 are taken")] {
        let refused = install(tag).expect(2);
        assert!(refused.stderr.contains(words), "`{words}` in {}", refused.stderr);
    }
    install("none").expect(1);
    install("good").expect(0);
    operator.anonymous().get("/api/v1/x/empty").expect(200);
}
