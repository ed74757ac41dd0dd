//! Every dev server in Chromium: the page answers 200 and carries the bridge, its elements carry their positions, it takes
//! over what the server made without complaint, and an edit of a source file is seen at once.

use galley_editor_tests::apps::{self, App, Kind};
use galley_editor_tests::{Editor, paths};
use galley_harness::node;
use serde_json::json;

use super::state_when;

/// Where the heading of an application stands.
pub struct Heading {
    file: &'static str,
    line: u32,
    column: u32,
}

#[track_caller]
fn works(kind: Kind, heading: &Heading, reloads: bool) {
    let app = kind.make();
    let editor = Editor::on(app.path()).start();
    let state = state_when(&editor, "running");
    assert!(
        !editor.stderr().contains("not found in"),
        "the smoke check finds nothing missing:\n{}",
        editor.stderr()
    );
    look(
        &app,
        &editor,
        state["previewUrl"].as_str().expect("an address"),
        heading,
        reloads,
    );
    let changed = app.git(&["status", "--porcelain"]);
    assert_eq!(
        changed,
        format!(" M {}", heading.file),
        "nothing else of the prototype changed"
    );
}

#[track_caller]
pub fn look(app: &App, editor: &Editor, page: &str, heading: &Heading, reloads: bool) {
    let Heading { file, line, column } = heading;
    node::run(
        &paths::checkout().join("tests/editor/browser/hosts.mjs"),
        &json!({
            "page": page,
            "root": app.path(),
            "file": file,
            "stamp": format!("{file}:{line}:{column}"),
            "parent": editor.origin(),
            "reloads": reloads,
        }),
    );
}

pub const REACT: Heading = Heading {
    file: "src/App.tsx",
    line: 19,
    column: 10,
};

const VUE: Heading = Heading {
    file: "src/components/HelloWorld.vue",
    line: 18,
    column: 6,
};

#[test]
fn vite_8_with_react() {
    works(apps::VITE_REACT_8, &REACT, false);
}

#[test]
fn vite_7_with_react() {
    works(apps::VITE_REACT_7, &REACT, false);
}

#[test]
fn vite_8_with_vue() {
    works(apps::VITE_VUE_8, &VUE, false);
}

#[test]
fn vite_7_with_vue() {
    works(apps::VITE_VUE_7, &VUE, false);
}

#[test]
fn react_router() {
    let heading = Heading {
        file: "app/routes/home.tsx",
        line: 11,
        column: 6,
    };
    works(apps::REACT_ROUTER, &heading, false);
}

#[test]
fn nuxt() {
    let heading = Heading {
        file: "app/app.vue",
        line: 7,
        column: 4,
    };
    works(apps::NUXT, &heading, false);
}

#[test]
fn next_on_turbopack() {
    let heading = Heading {
        file: "app/page.tsx",
        line: 6,
        column: 6,
    };
    works(apps::NEXT, &heading, false);
}

#[test]
fn astro_with_an_island_of_react() {
    let heading = Heading {
        file: "src/components/Island.tsx",
        line: 7,
        column: 6,
    };
    works(apps::ASTRO, &heading, false);
}
