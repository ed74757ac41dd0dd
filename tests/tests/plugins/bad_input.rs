//! What is wrong with an artifact, a slot or a command, seen by the operator's command and by the API for admins: the message
//! names the parts, the exit code tells the kind, and nothing changes. More of the API is in `bad_input_by_api.rs`, signatures are in `signing.rs`, lost writes in
//! `data_operations.rs`, tripped slots in `tripping.rs`, secrets in `secrets.rs`.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;

use galley_tests::cli::Ended;
use galley_tests::operator::Operator;
use galley_tests::paths;
use galley_tests::prelude::*;
use galley_tests::shelf::{Shelf, put, texts};

pub(super) const PLUGINS: &str = "/api/v1/instance/plugins";
pub(super) const ITEMS: &str = "CREATE TABLE item (text TEXT NOT NULL)";

fn install(operator: &Operator, file: &Path, more: &[&str]) -> Ended {
    let file = file.to_string_lossy();
    let arguments = [&["plugins", "install", &*file], more].concat();
    operator.server.galley(&arguments)
}

fn guest(name: &str) -> Vec<u8> {
    fs::read(paths::guest(name)).unwrap()
}

/// The artifacts that are stored, and the approvals.
pub(super) fn kept(operator: &Operator) -> (Vec<String>, String) {
    (operator.server.components(), operator.server.approvals())
}

/// An interface's name with its version, as it stands in a component.
fn versioned(wasm: &[u8], name: &str) -> String {
    let mut places = wasm.windows(name.len() + "1.0.0".len());
    let found = places.find(|bytes| bytes.starts_with(name.as_bytes()));
    String::from_utf8(found.expect("the component has the interface").to_vec()).unwrap()
}

/// Another text of the same length in the file's place of `from`.
fn patched(mut wasm: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> = (0..wasm.len() - from.len())
        .filter(|at| wasm[*at..].starts_with(from.as_bytes()))
        .collect();
    assert!(!places.is_empty(), "no `{from}` in the component");
    for at in places {
        wasm[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    wasm
}

/// A component that exports the async function `run` and nothing else.
fn with_an_async_export() -> Vec<u8> {
    let module: &[u8] = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x07\x05\x01\x01f\0\0\x0a\x04\x01\x02\0\x0b";
    let sections: [(u8, &[u8]); 6] = [
        (1, module),
        (2, b"\x01\0\0\0"),
        (6, b"\x01\0\0\x01\0\x01f"),
        (7, &[1, 0x43, 0, 1, 0]),
        (8, b"\x01\0\0\0\0\0"),
        (11, b"\x01\0\x03run\x01\0\0"),
    ];
    let mut component = b"\0asm\x0d\0\x01\0".to_vec();
    for (id, content) in sections {
        component.extend([id, u8::try_from(content.len()).unwrap()]);
        component.extend(content);
    }
    component
}

/// Files that are no plugin for this server, and what their refusal says.
fn bad_files() -> Vec<(&'static str, Vec<u8>, Vec<String>)> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let whole = guest("empty");
    let mut files = vec![
        ("text", b"<html></html>".to_vec(), words(&["not WebAssembly"])),
        ("nothing", Vec::new(), words(&["not WebAssembly"])),
        (
            "module",
            b"\0asm\x01\0\0\0".to_vec(),
            words(&["module, not a component", "`galley plugins build`"]),
        ),
        ("async", with_an_async_export(), words(&["run", "async"])),
    ];
    for (version, remedy) in [
        ("0.0.1", "rebuild"),
        ("1.9.0", "update the server"),
        ("2.0.0", "update the server"),
    ] {
        let from = versioned(&whole, "galley:plugin/handler@");
        let to = format!("galley:plugin/handler@{version}");
        let wasm = patched(whole.clone(), &from, &to);
        files.push((
            "version",
            wasm,
            vec!["galley:plugin/handler@1.".into(), to, remedy.to_owned()],
        ));
    }
    let shelf = guest("shelf");
    let from = versioned(&shelf, "galley:sql/sql@");
    let to = from.replace("sql/sql", "tea/pot");
    let unknown = patched(shelf, &from, &to);
    files.push(("interface", unknown, vec![to, "no such interface".to_owned()]));
    for part in [8, 9, 100, whole.len() / 2, whole.len() - 1] {
        let message = format!("cut short at byte {part}");
        files.push(("cut", whole[..part].to_vec(), vec![message]));
    }
    files
}

#[test]
fn a_file_that_is_no_plugin_here_is_refused_by_the_command() {
    let operator = Operator::start();
    let before = kept(&operator);
    let folder = tempfile::tempdir().unwrap();
    for (name, wasm, words) in bad_files() {
        let file = folder.path().join(format!("{name}.wasm"));
        fs::write(&file, wasm).unwrap();
        let refused = install(&operator, &file, &["--yes"]).expect(2);
        for word in words.iter().map(String::as_str).chain([&*file.to_string_lossy()]) {
            assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
        }
        assert_eq!(refused.stderr.lines().count(), 1, "{}", refused.stderr);
    }
    assert_eq!(kept(&operator), before, "nothing is stored");
    healthy(&operator.server);
}

#[test]
fn a_file_that_is_no_plugin_here_is_refused_by_the_api() {
    let operator = Operator::start();
    let before = kept(&operator);
    let admin = operator.server.admin();
    for (name, wasm, words) in bad_files() {
        let stage = format!("{PLUGINS}/artifacts?name={name}.wasm");
        let refused = admin.request("POST", &stage).body(wasm).send().expect(400).json();
        assert_eq!(refused["kind"], "bad-file", "{refused}");
        let error = text(&refused, "error");
        for word in words.iter().map(String::as_str).chain([name]) {
            assert!(error.contains(word), "`{word}` in {error}");
        }
    }
    assert_eq!(kept(&operator), before, "nothing is stored");
}

/// A version of the shelf with one more route.
fn with_route(path: &str) -> Shelf {
    Shelf::new("1", &[ITEMS]).with("path", path.into())
}

#[test]
fn routes_lie_in_the_slots_own_place() {
    let operator = Operator::start();
    let before = kept(&operator).1;
    let ed = operator.server.user("ed");
    let shop = project(&ed, "shop");
    for (path, words) in [
        ("/api/v1/health", ["`shelf`", "server's own", "GET /api/v1/health"]),
        (
            "/api/v1/projects/{any}/comments",
            ["`shelf`", "`comments`", "GET /api/v1/projects/{any}/comments"],
        ),
        (
            "/api/v1/tea",
            ["outside of its place", "/api/v1/x/shelf/", "GET /api/v1/tea"],
        ),
        (
            "/api/v1/x/comments/tea",
            ["outside of its place", "`shelf`", "GET /api/v1/x/comments/tea"],
        ),
        (
            "/api/v1/projects/{project}/tea",
            [
                "outside of its place",
                "/api/v1/projects/{project}/x/shelf/",
                "GET /api/v1/projects/{project}/tea",
            ],
        ),
    ] {
        let file = with_route(path).file(&operator);
        let refused = install(&operator, Path::new(&file), &["--yes"]).expect(3);
        for word in words {
            assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
        }
        assert_eq!(operator.slot("shelf"), Value::Null);
    }
    assert_eq!(kept(&operator).1, before);
    // A path does not become free for others when its slot is disabled, and approvals keep to the rule as well.
    operator.server.galley(&["plugins", "disable", "comments"]).expect(0);
    operator.add_guest("clash");
    for ended in [
        operator.try_approve("clash"),
        install(&operator, &paths::guest("clash"), &["--yes"]),
    ] {
        let refused = ended.expect(3);
        assert!(refused.stderr.contains("outside of its place"), "{}", refused.stderr);
    }
    operator.server.galley(&["plugins", "enable", "comments"]).expect(0);
    comment(&ed, &shop, "They serve");

    let inside = with_route("/api/v1/projects/{project}/x/shelf/more").file(&operator);
    install(&operator, Path::new(&inside), &["--yes"]).expect(0);
    operator
        .anonymous()
        .get(&format!("/api/v1/projects/{shop}/x/shelf/more"))
        .expect(200);
    let admin = operator.server.admin();
    let wasm = with_route("/api/v1/tea").component();
    let staged = admin.request("POST", &format!("{PLUGINS}/artifacts")).body(wasm).send();
    let sha256 = text(&staged.expect(201).json(), "sha256");
    let refused = admin
        .post(
            &format!("{PLUGINS}/shelf/update"),
            json!({ "sha256": sha256, "approved": true }),
        )
        .expect(409)
        .json();
    assert!(text(&refused, "error").contains("GET /api/v1/tea"), "{refused}");
}

#[test]
fn a_replacement_says_which_routes_it_takes_over() {
    let operator = Operator::start();
    let first = with_route("/api/v1/x/shelf/more").file(&operator);
    install(&operator, Path::new(&first), &["--yes"]).expect(0);
    let boxes = Shelf::new("2", &["CREATE TABLE box (content TEXT NOT NULL)"])
        .with("id", "boxes".into())
        .with("insert", "INSERT INTO box VALUES (?1)".into())
        .with("list", "SELECT content FROM box".into())
        .file(&operator);
    let refused = install(&operator, Path::new(&boxes), &["--replaces", "shelf"]).expect(4);
    for line in [
        "+ takes over 3 routes of shelf",
        "+ leaves 1 route of shelf without an answer",
        "+ answers 3 routes, to anybody",
        "- answers 4 routes, to anybody",
    ] {
        assert!(refused.stdout.contains(line), "`{line}` in {}", refused.stdout);
    }
}

#[test]
fn a_permission_that_is_not_approved_is_named() {
    let operator = Operator::start();
    let before = kept(&operator).1;
    let file = paths::guest("hostile");
    let refused = install(&operator, &file, &[]).expect(4);
    for word in ["may read the audit log, when an admin asks", "--yes"] {
        assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
    }
    let refused = install(&operator, &file, &["--json"]).expect(4).json();
    assert_eq!(refused["kind"], "needs-approval", "{refused}");
    assert_eq!(kept(&operator).1, before);
}

/// The schema and the rows of the shelf's file.
pub(super) fn dump(operator: &Operator) -> Vec<String> {
    let database = rusqlite::Connection::open(operator.server.data_dir().join("slots/shelf.db")).unwrap();
    let all = "SELECT coalesce(sql, name) FROM sqlite_schema UNION ALL SELECT text FROM item UNION ALL \
               SELECT version || ' ' || name || ' ' || sha256 FROM _galley_schema ORDER BY 1";
    let mut rows = database.prepare(all).unwrap();
    let rows = rows.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// A version of the shelf that does not fit the data of the first one.
pub(super) struct Misfit {
    pub shelf: Shelf,
    /// Whether it is another plugin, and not an update.
    pub is_other: bool,
    /// What its refusal says.
    pub words: &'static [&'static str],
}

pub(super) fn misfits() -> [Misfit; 4] {
    let changed = Shelf::new("2", &["CREATE TABLE item (text TEXT)"]);
    let failing_step = Shelf::new("3", &[ITEMS, "INSERT INTO nowhere VALUES (1)"]);
    let failing_start = Shelf::new("4", &[ITEMS, "ALTER TABLE item ADD COLUMN more TEXT"])
        .with("start", "DELETE FROM item".into())
        .with("fails", true.into());
    let foreign = Shelf::new("5", &["CREATE TABLE box (content TEXT)"])
        .with("id", "boxes".into())
        .with("adopts", json!([["shelf@1", "INSERT INTO box SELECT text FROM item"]]));
    let misfit = |shelf, is_other, words| Misfit { shelf, is_other, words };
    [
        misfit(changed, false, &["`shelf`", "step 1", "changed"]),
        misfit(failing_step, false, &["step 2", "no such table: nowhere"]),
        misfit(failing_start, false, &["start", "the shelf fails on purpose"]),
        misfit(foreign, true, &["`boxes`", "`shelf`", "--adopt-data"]),
    ]
}

#[test]
fn data_that_do_not_fit_are_refused_and_stay_as_they_are() {
    let operator = Operator::start();
    let first = Shelf::new("1", &[ITEMS]).file(&operator);
    install(&operator, Path::new(&first), &["--yes"]).expect(0);
    put(&operator, "first");
    let before = dump(&operator);
    for Misfit { shelf, is_other, words } in misfits() {
        let file = shelf.file(&operator);
        let command: &[&str] = match is_other {
            true => &["install", "--replaces", "shelf", "--yes"],
            false => &["update", "shelf"],
        };
        let refused = operator
            .server
            .galley(&[&["plugins"], command, &[&*file]].concat())
            .expect(3);
        for word in words {
            assert!(refused.stderr.contains(word), "`{word}` in {}", refused.stderr);
        }
        assert_eq!(dump(&operator), before, "{}", refused.stderr);
        assert_eq!(text(&operator.slot("shelf"), "version"), "1");
    }
    put(&operator, "second");
    assert_eq!(texts(&operator), ["first", "second"]);
}

#[test]
fn a_server_that_is_gone_and_a_wrong_folder_are_named() {
    let mut operator = Operator::start();
    operator.server.stop();
    let data = operator.server.data_dir().to_owned();
    let folder = data.to_string_lossy().into_owned();
    // One that ends in the middle of its answer.
    let listener = UnixListener::bind(data.join("control.sock")).unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            drop(socket);
        }
    });
    for command in [
        &["enable", "comments"][..],
        &["install", &paths::guest("empty").to_string_lossy()],
    ] {
        let ended = operator.server.galley(&[&["plugins"], command].concat()).expect(1);
        for word in [&*folder, "SERVICE_DATA_DIR"] {
            assert!(ended.stderr.contains(word), "`{word}` in {}", ended.stderr);
        }
    }
    let empty = tempfile::tempdir().unwrap();
    let file = paths::guest("empty");
    let file = file.to_string_lossy();
    for command in [
        &["install", &*file, "--yes"][..],
        &["update", "comments"],
        &["rollback", "comments"],
    ] {
        let mut galley = operator.server.command();
        galley
            .arg("plugins")
            .args(command)
            .env("SERVICE_DATA_DIR", empty.path());
        let ended = galley_tests::cli::run(&mut galley).expect(1);
        for word in [&*empty.path().to_string_lossy(), "SERVICE_DATA_DIR"] {
            assert!(ended.stderr.contains(word), "`{word}` in {}", ended.stderr);
        }
    }
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0, "nothing was made there");
}
