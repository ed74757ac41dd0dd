//! Beginning a plugin with nothing but the program and Rust: `galley plugins new`, `galley plugins build`, `galley sdk`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use galley_harness::ports::free_port;
use galley_tests::cli::{Ended, run, run_within};
use galley_tests::greeter::greets;
use galley_tests::http::Request;
use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;
use galley_tests::process::Process;

/// The first build compiles what the SDK is made of, SQLite among it.
const BUILD_TIMEOUT: Duration = Duration::from_secs(15 * 60);

/// `galley`, or another program, in a folder of the author's. What is compiled is kept between runs.
fn in_folder(program: impl AsRef<std::ffi::OsStr>, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", paths::cache("authored"));
    command
}

fn galley(folder: &Path, arguments: &[&str]) -> Ended {
    run(&mut in_folder(paths::galley(), folder, arguments))
}

#[test]
fn an_author_goes_from_an_empty_folder_to_a_plugin_that_serves() {
    let work = tempfile::tempdir().unwrap();
    galley(work.path(), &["plugins", "new", "greeter"]).expect(0);
    let folder = work.path().join("greeter");
    let source = folder.join("src/lib.rs");
    assert!(folder.join(".gitignore").is_file());
    // Others may read what was made, as after any compiler.
    assert_ne!(fs::metadata(&source).unwrap().permissions().mode() & 0o044, 0);

    let mut tests = in_folder("cargo", &folder, &["test", "--quiet"]);
    let tested = run_within(&mut tests, BUILD_TIMEOUT).expect(0);
    assert!(tested.stdout.contains("2 passed"), "{}", tested.stdout);
    let mut format = in_folder("cargo", &folder, &["fmt", "--check"]);
    run(&mut format).expect(0);

    let mut build = in_folder(paths::galley(), &folder, &["plugins", "build", "--json"]);
    let built = run_within(&mut build, BUILD_TIMEOUT).expect(0).json();
    assert_eq!(
        (&built["slot"], &built["version"], &built["routes"]),
        (&json!("greeter"), &json!("0.1.0"), &json!(1))
    );
    let component = Path::new(built["file"].as_str().unwrap());
    assert_eq!(component.file_name().unwrap(), "greeter.wasm");

    let mut requests = in_folder(paths::galley(), &folder, &["plugins", "test", "requests.json"]);
    let requests = run_within(&mut requests, BUILD_TIMEOUT).expect(0);
    assert!(
        requests.stdout.contains("2 steps passed, 0 failed"),
        "{}",
        requests.stdout
    );

    let operator = Operator::start();
    fs::copy(component, operator.plugins().join("greeter.wasm")).unwrap();
    operator.approve("greeter");
    greets(&operator.server, "greeter");
}

#[test]
fn what_cannot_be_begun_or_built_says_why_and_leaves_nothing() {
    let work = tempfile::tempdir().unwrap();
    let says = |arguments: &[&str], code: i32, words: &str| {
        let ended = galley(work.path(), arguments).expect(code);
        assert!(ended.stderr.contains(words), "`{words}` in {}", ended.stderr);
    };
    says(&["plugins", "new", "Big Name"], 1, "begins with a letter");
    says(&["plugins", "new", "x", "--sdk", "nowhere"], 1, "galley sdk nowhere");
    says(&["plugins", "build", "."], 1, "galley plugins new NAME");
    says(&["plugins", "build", "missing"], 1, "does not exist");
    fs::write(work.path().join("text.wasm"), "#!/bin/sh\n").unwrap();
    says(&["plugins", "build", "text.wasm"], 2, "text.wasm is not WebAssembly");
    fs::copy(paths::guest("empty"), work.path().join("done.wasm")).unwrap();
    says(&["plugins", "build", "done.wasm"], 2, "is a component already");
    says(&["sdk", "."], 1, "not an SDK's");
    let left: Vec<_> = fs::read_dir(work.path())
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn several_plugins_can_share_an_sdk() {
    let work = tempfile::tempdir().unwrap();
    galley(work.path(), &["sdk", "galley-sdk"]).expect(0);
    galley(work.path(), &["sdk", "galley-sdk"]).expect(0);
    galley(work.path(), &["plugins", "new", "one", "--sdk", "galley-sdk"]).expect(0);
    let folder = work.path().join("one");
    assert!(!folder.join("galley-sdk").exists());
    // As cargo reads it, without compiling anything.
    let metadata = run(&mut in_folder(
        "cargo",
        &folder,
        &["metadata", "--format-version", "1", "--no-deps"],
    ))
    .expect(0);
    assert_eq!(metadata.json()["packages"][0]["name"], "one");
    run(&mut in_folder("cargo", &folder, &["tree", "--quiet"])).expect(0);
}

/// Replaces a piece of a file, as an author who saves it.
fn rewrite(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "`{from}` is not in {}", file.display());
    fs::write(file, text.replace(from, to)).unwrap();
}

#[test]
fn a_plugin_is_served_while_it_is_written() {
    let work = tempfile::tempdir().unwrap();
    galley(work.path(), &["plugins", "new", "draft"]).expect(0);
    let folder = work.path().join("draft");
    let source = folder.join("src/lib.rs");
    let listen = format!("127.0.0.1:{}", free_port());
    let mut dev = in_folder(paths::galley(), &folder, &["plugins", "dev", "--listen", &listen]);
    dev.env("SERVICE_PLUGINS_DIR", paths::plugins())
        .env("SERVICE_BRIDGE_BUNDLE", paths::bridge());
    let mut dev = Process::start(&mut dev);
    let mut heard = 0;
    // Each of the words comes behind those before.
    let mut says = |dev: &mut Process, words: &str| {
        let end = Instant::now() + BUILD_TIMEOUT;
        loop {
            let log = dev.stderr();
            if let Some(at) = log[heard..].find(words) {
                heard += at + words.len();
                return;
            }
            assert!(Instant::now() < end, "it never says `{words}`:\n{log}");
            assert!(dev.wait(Duration::from_millis(50)).is_none(), "it ended:\n{log}");
        }
    };
    let address = listen.parse().unwrap();
    let greet = || Request::new(address, "POST", "/api/v1/projects/none/x/draft").send();
    says(&mut dev, "draft 0.1.0 serves 1 route");
    assert_eq!(greet().expect(404).error(), "Project not found");

    rewrite(&source, "Hello, ", "Hi, ");
    says(&mut dev, "draft 0.1.0 serves 1 route, ");
    rewrite(&source, "let name = name.trim();", "let name = name.trim()");
    says(&mut dev, "could not be built");
    // The one before serves on.
    assert_eq!(greet().expect(404).error(), "Project not found");
    rewrite(&source, "let name = name.trim()\n", "let name = name.trim();\n");
    rewrite(&folder.join("migrations/1.sql"), "name TEXT", "called TEXT, name TEXT");
    says(&mut dev, "the data of `draft` begin anew");
    says(&mut dev, "draft 0.1.0 serves 1 route, ");
    dev.signal("TERM");
    let ended = dev.wait(Duration::from_secs(30));
    assert!(ended.is_some_and(|status| status.success()), "{ended:?}");
}
