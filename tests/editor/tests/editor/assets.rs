//! Pictures: what is listed, what is taken, where it goes, and how an element names it.

use std::os::unix::fs::symlink;

use galley_editor_tests::{Editor, Repository, attached};
use galley_harness::http::Response;
use serde_json::{Value, json};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and pixels";
const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'/>";

/// The largest picture that is taken, in bytes.
const MAX_ASSET: usize = 8 << 20;

fn add(editor: &Editor, name: &str, content: &[u8]) -> Response {
    add_to(editor, name, "", content)
}

fn add_to(editor: &Editor, name: &str, folder: &str, content: &[u8]) -> Response {
    let encoded = |text: &str| -> String { text.bytes().map(|byte| format!("%{byte:02x}")).collect() };
    let query = format!("name={}&folder={}", encoded(name), encoded(folder));
    let put = editor.request("PUT", &format!("/api/editor/assets?{query}"));
    put.header("content-type", "application/octet-stream")
        .body(content)
        .send()
}

#[track_caller]
fn refused(answer: Response, status: u16, code: &str, part: &str) {
    let body = answer.expect(status).json();
    assert_eq!(body["ok"], json!(false), "{body}");
    assert_eq!(body["code"], json!(code), "{body}");
    assert!(
        body["reason"].as_str().is_some_and(|reason| reason.contains(part)),
        "{body}"
    );
}

fn listed(editor: &Editor) -> Vec<Value> {
    let answer = editor.ask("/api/editor/assets").expect(200).json();
    answer["assets"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_picture_goes_to_public_and_undo_takes_it_back() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let added = add(&editor, "Team Photo.PNG", PNG).expect(200).json();
    assert_eq!(added["path"], json!("public/team-photo.png"));
    assert_eq!(added["address"], json!("/team-photo.png"));
    assert_eq!(std::fs::read(repository.at("public/team-photo.png")).unwrap(), PNG);
    assert_eq!(
        listed(&editor),
        [json!({ "path": "public/team-photo.png", "address": "/team-photo.png" })]
    );
    let history = editor.ask("/api/editor/history").expect(200).json();
    assert_eq!(history["entries"][0]["editId"], added["editId"]);
    assert_eq!(
        editor.ask("/api/editor/undo").expect(200).json()["editId"],
        added["editId"]
    );
    assert!(!repository.at("public/team-photo.png").exists());
    assert_eq!(listed(&editor), Vec::<Value>::new());
}

#[test]
fn another_picture_of_the_same_name_gets_a_number_and_the_same_one_no_second_file() {
    let repository = Repository::react();
    let editor = attached(&repository);
    assert_eq!(
        add(&editor, "a.svg", SVG).expect(200).json()["path"],
        json!("public/a.svg")
    );
    let again = add(&editor, "a.svg", SVG).expect(200).json();
    assert_eq!(
        (&again["path"], &again["editId"]),
        (&json!("public/a.svg"), &json!(null))
    );
    let other = add(&editor, "a.svg", b"<svg><g/></svg>").expect(200).json();
    assert_eq!(other["path"], json!("public/a-2.svg"));
    assert_eq!(std::fs::read(repository.at("public/a.svg")).unwrap(), SVG);
    assert_eq!(listed(&editor).len(), 2);
}

#[test]
fn a_file_is_the_kind_of_picture_that_its_ending_says() {
    let repository = Repository::react();
    let editor = attached(&repository);
    for (name, content) in [
        ("a.png", PNG),
        ("a.jpg", b"\xff\xd8\xff\xe0 jpeg".as_slice()),
        ("a.jpeg", b"\xff\xd8\xff\xdb jpeg"),
        ("a.gif", b"GIF89a and pixels"),
        ("a.webp", b"RIFF\x10\0\0\0WEBPVP8 "),
        ("a.avif", b"\0\0\0\x20ftypavif"),
        ("a.svg", b"\xef\xbb\xbf<?xml version='1.0'?><svg/>"),
    ] {
        add(&editor, name, content).expect(200);
    }
    for (name, content, part) in [
        ("page.html", SVG, "no picture"),
        ("evil.js", b"alert(1)".as_slice(), "no picture"),
        ("noending", PNG, "no picture"),
        (".png", PNG, "no picture"),
        ("a.png", SVG, "does not hold what its ending says"),
        (
            "a.svg",
            b"<script>alert(1)</script>",
            "does not hold what its ending says",
        ),
        ("a.webp", b"RIFF", "does not hold what its ending says"),
        ("a.gif", b"", "does not hold what its ending says"),
    ] {
        refused(add(&editor, name, content), 400, "bad-request", part);
    }
    let put = editor.request("PUT", "/api/editor/assets").body(PNG).send();
    refused(put, 400, "bad-request", "`name` is missing");
    assert_eq!(listed(&editor).len(), 7);
}

#[test]
fn a_picture_is_at_most_8_mb() {
    let repository = Repository::react();
    let editor = attached(&repository);
    let mut content = PNG.to_vec();
    content.resize(MAX_ASSET, 0);
    add(&editor, "large.png", &content).expect(200);
    content.push(0);
    refused(add(&editor, "larger.png", &content), 413, "too-large", "8 MB");
    assert!(!repository.at("public/larger.png").exists());
}

#[test]
fn a_name_leads_nowhere_else() {
    let repository = Repository::react();
    let editor = attached(&repository);
    for (name, path) in [
        ("../../etc/up.png", "public/up.png"),
        ("..\\..\\windows.png", "public/windows.png"),
        ("/etc/root.png", "public/root.png"),
        ("..", ""),
        ("..png", ""),
        ("a/..", ""),
        (".git/hooks.png", "public/hooks.png"),
        ("a\0b.png", "public/a-b.png"),
    ] {
        let answer = add(&editor, name, PNG);
        match path {
            "" => drop(answer.expect(400)),
            path => assert_eq!(answer.expect(200).json()["path"], json!(path), "{name}"),
        }
    }
    for folder in [
        "src",
        "..",
        "/etc",
        "public/../src",
        ".git",
        "node_modules",
        "src/assets/..",
    ] {
        refused(
            add_to(&editor, "b.png", folder, PNG),
            400,
            "bad-request",
            "no folder for pictures",
        );
    }
    assert!(!repository.at("src/b.png").exists());
}

#[test]
fn a_link_out_of_the_folder_is_neither_listed_nor_written_through() {
    let repository = Repository::react();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.png"), PNG).unwrap();
    symlink(outside.path(), repository.at("public")).unwrap();
    let editor = attached(&repository);
    assert_eq!(listed(&editor), Vec::<Value>::new());
    let answer = add(&editor, "new.png", PNG);
    assert!((400..500).contains(&answer.status), "{}", answer.text());
    assert_eq!(
        std::fs::read_dir(outside.path()).unwrap().count(),
        1,
        "it was written outside"
    );

    std::fs::remove_file(repository.at("public")).unwrap();
    repository.write("public/a.png", PNG);
    symlink(outside.path(), repository.at("public/deep")).unwrap();
    symlink(outside.path().join("secret.png"), repository.at("public/link.png")).unwrap();
    assert_eq!(
        listed(&editor),
        [json!({ "path": "public/a.png", "address": "/a.png" })]
    );
    refused(
        add(&editor, "link.png", OTHER_PNG),
        400,
        "bad-request",
        "no path inside the prototype",
    );
    assert_eq!(std::fs::read(outside.path().join("secret.png")).unwrap(), PNG);
}

/// A picture with other bytes than [`PNG`].
const OTHER_PNG: &[u8] = b"\x89PNG\r\n\x1a\n and other pixels";

#[test]
fn a_picture_beside_the_source_is_imported_and_undo_gives_the_bytes_back() {
    let repository = Repository::react().file("src/assets/old.svg", SVG).file(
        "src/App.tsx",
        "import old from './assets/old.svg';\n\nexport const App = () => <img src={old} alt=\"\" />;\n",
    );
    repository.commit_all("A picture");
    let before = repository.read("src/App.tsx");
    let editor = attached(&repository);
    let folders = editor.ask("/api/editor/assets").expect(200).json()["folders"].clone();
    assert_eq!(folders, json!(["public", "src/assets"]));
    let added = add_to(&editor, "new-logo.png", "src/assets", PNG).expect(200).json();
    assert_eq!(added["path"], json!("src/assets/new-logo.png"));
    assert_eq!(added["address"], json!(null));
    let edit = json!({ "src": "src/App.tsx:3:25", "kind": "picture", "name": "src", "path": added["path"] });
    let done = editor.post("/api/editor/edit", &edit).expect(200).json();
    assert_eq!(
        repository.read("src/App.tsx"),
        "import old from './assets/old.svg';\nimport newLogo from './assets/new-logo.png';\n\nexport const App = () => <img src={newLogo} alt=\"\" />;\n"
    );
    assert_eq!(done["src"], json!("src/App.tsx:4:25"));
    assert!(
        done["notes"][0].as_str().is_some_and(|note| note.contains("old")),
        "{done}"
    );
    editor.ask("/api/editor/undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), before);
}

#[test]
fn vue_names_a_picture_beside_the_source_as_its_neighbours_do() {
    let repository = Repository::vue().file("src/assets/old.svg", SVG).file(
        "src/App.vue",
        "<template>\n  <div>\n    <img src=\"./assets/old.svg\" />\n    <img src=\"/other.png\" />\n  </div>\n</template>\n",
    );
    repository.commit_all("Pictures");
    let editor = attached(&repository);
    let added = add_to(&editor, "logo.png", "src/assets", PNG).expect(200).json();
    let edit = json!({ "src": "src/App.vue:4:4", "kind": "picture", "name": "src", "path": added["path"] });
    editor.post("/api/editor/edit", &edit).expect(200);
    assert!(
        repository
            .read("src/App.vue")
            .contains("<img src=\"./assets/logo.png\" />"),
        "{}",
        repository.read("src/App.vue")
    );
    let public = add(&editor, "logo.png", PNG).expect(200).json();
    let edit = json!({ "src": "src/App.vue:4:4", "kind": "picture", "name": "src", "path": public["path"] });
    editor.post("/api/editor/edit", &edit).expect(200);
    assert!(repository.read("src/App.vue").contains("<img src=\"/logo.png\" />"));
}
