//! Edits that watchers of files do not tell of by themselves, and what those watch.

use std::collections::HashSet;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

use galley_editor_tests::{Editor, apps};
use galley_harness::http::Request;
use galley_harness::poll::within;
use serde_json::json;

use super::state_when;

/// What the dev server gives out may lag behind this long: the machine may be busy with other tests.
const LAG: Duration = Duration::from_secs(30);
/// Its first page may take longer: everything is made for it.
const FIRST_PAGE_TIMEOUT: Duration = Duration::from_secs(60);

/// Where the prototype answers, once its dev server does.
#[track_caller]
fn previewed(editor: &Editor) -> SocketAddr {
    state_when(editor, "running");
    editor.prototype()
}

#[test]
fn an_undo_right_after_an_edit_is_seen_by_the_dev_server() {
    let app = apps::VITE_REACT_8.make();
    let editor = Editor::on(app.path()).start();
    let address = previewed(&editor);
    let module_has = |mark: &str| {
        Request::new(address, "GET", "/src/App.tsx")
            .send()
            .text()
            .contains(mark)
    };
    assert!(!module_has("quick-0"), "nothing is edited yet");
    // Watchers keep silent for 50 ms after each change, so the undo falls into several parts of that time.
    for round in 0..12 {
        let mark = format!("quick-{round}");
        let edit = json!({ "src": "src/App.tsx:19:10", "kind": "attribute", "name": "title", "value": mark });
        assert_eq!(editor.post("/api/editor/edit", &edit).status, 200);
        within(LAG, || module_has(&mark).then_some(())).expect("the edit is seen");
        thread::sleep(Duration::from_millis(round % 4 * 8));
        assert_eq!(editor.post("/api/editor/undo", &json!({})).status, 200);
        within(LAG, || (!module_has(&mark)).then_some(()))
            .unwrap_or_else(|| panic!("round {round}: the undo is not seen"));
        // The next change is not to help this one.
        thread::sleep(Duration::from_millis(60));
    }
}

const PAGE: &str = "<script setup lang=\"ts\">\nimport { title } from '../words';\n</script>\n\n\
                    <template>\n  <main>\n    <h1>{{ title }}</h1>\n  </main>\n</template>\n";

#[test]
fn a_file_beside_the_root_of_a_dev_server_is_seen_to_change_each_time() {
    let app = apps::NUXT.make();
    app.write("app/app.vue", PAGE);
    app.write("words.ts", "export const title = 'Get started';\n");
    app.git(&["add", "--all"]);
    app.git(&["commit", "-qm", "Words"]);
    let editor = Editor::on(app.path()).start();
    let address = previewed(&editor);
    let root = app.path().canonicalize().expect("it is there");
    let module = format!("/_nuxt/@fs{}/words.ts", root.display());
    // The page is made by the one of Nuxt's two servers, its modules are given out by the other.
    let both_have = |words: &str| {
        let has = |target: &str| Request::new(address, "GET", target).send().text().contains(words);
        (has("/") && has(&module)).then_some(())
    };
    within(FIRST_PAGE_TIMEOUT, || both_have("Get started")).expect("both show it");
    for words in ["Begin here", "Begin there", "Begin anywhere"] {
        let edit = json!({ "src": "app/app.vue:7:4", "kind": "text", "text": words });
        let answer = editor.post("/api/editor/edit", &edit);
        assert_eq!(answer.status, 200, "{}", answer.text());
        within(LAG, || both_have(words)).unwrap_or_else(|| panic!("{words} is not seen"));
    }
    assert_eq!(editor.post("/api/editor/undo", &json!({})).status, 200);
    within(LAG, || both_have("Begin there")).expect("the undo is seen");
}

/// The inodes that the dev server in a folder is told of by the system.
fn watched(folder: &Path) -> HashSet<u64> {
    let mut watched = HashSet::new();
    for process in fs::read_dir("/proc").expect("there are processes").flatten() {
        let process = process.path();
        let words = fs::read(process.join("cmdline")).unwrap_or_default();
        let works_there = fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == folder);
        if !works_there || !String::from_utf8_lossy(&words).contains("runner.cjs") {
            continue;
        }
        for file in fs::read_dir(process.join("fdinfo")).into_iter().flatten().flatten() {
            let about = fs::read_to_string(file.path()).unwrap_or_default();
            let inodes = about.lines().filter_map(|line| {
                let line = line.strip_prefix("inotify ")?;
                let inode = line.split(' ').find_map(|word| word.strip_prefix("ino:"))?;
                u64::from_str_radix(inode, 16).ok()
            });
            watched.extend(inodes);
        }
    }
    watched
}

#[test]
fn a_dev_server_of_vite_does_not_watch_what_the_editor_keeps() {
    for kind in [apps::VITE_REACT_8, apps::VITE_VUE_7, apps::REACT_ROUTER, apps::ASTRO] {
        let app = kind.make();
        let editor = Editor::on(app.path()).start();
        state_when(&editor, "running");
        let root = app.path().canonicalize().expect("it is there");
        let inode = |path: &str| fs::metadata(root.join(path)).expect("it is there").ino();
        // Folders are found one after the other, those of the prototype's sources behind the Editor's.
        let sources = inode(if root.join("src").is_dir() { "src" } else { "app" });
        let found = within(LAG, || Some(watched(&root)).filter(|all| all.contains(&sources)))
            .unwrap_or_else(|| panic!("{}: the prototype is not watched", kind.name));
        // React Router has a watch of its own on the root and what stands directly in it.
        let own = [".tool/backups", ".tool/staging"];
        let seen: Vec<_> = own.iter().filter(|folder| found.contains(&inode(folder))).collect();
        assert!(seen.is_empty(), "{}: {seen:?} are watched", kind.name);
    }
}
