//! A dev server that somebody else started.

use galley_editor_tests::apps::{self, App};
use galley_editor_tests::{Editor, Repository};
use galley_harness::http::Request;
use galley_harness::poll::eventually;
use galley_harness::ports::free_port;
use galley_harness::process::Process;

use super::matrix::{REACT, look};
use super::{state, state_when};

/// The prototype's own dev server, once it listens.
pub fn vite(app: &App, port: u16) -> Process {
    let vite = app.vite(port);
    eventually("Vite", || vite.stdout().contains("Local").then_some(()));
    vite
}

fn attach(app: &App, port: u16) -> Editor {
    Editor::on(app.path())
        .args(["--attach", &format!("http://127.0.0.1:{port}")])
        .start()
}

#[test]
fn the_printed_block_gives_an_attached_vite_its_positions() {
    for kind in [apps::VITE_REACT_8, apps::VITE_REACT_7] {
        let (app, port) = (kind.make(), free_port());
        // Who attaches without the block is told what is missing, and what to paste.
        let editor = {
            let _plain = vite(&app, port);
            let editor = attach(&app, port);
            eventually("the warning", || {
                let missing = "data-desde-src not found in any compiled source module";
                editor.stderr().contains(missing).then_some(())
            });
            editor
        };
        let words = state(&editor)["host"]["words"].as_str().expect("words").to_owned();
        let block = words
            .lines()
            .find(|line| line.trim_start().starts_with("import("))
            .unwrap_or_else(|| panic!("no block in: {words}"));
        let config = app.read("vite.config.ts");
        app.write(
            "vite.config.ts",
            &config.replace("plugins: [", &format!("plugins: [{block}")),
        );
        let _vite = vite(&app, port);
        let state = state_when(&editor, "attached");
        look(
            &app,
            &editor,
            state["previewUrl"].as_str().expect("an address"),
            &REACT,
            false,
        );
        assert!(
            !app.git(&["status", "--porcelain"]).contains(".tool"),
            "git sees nothing of the shim"
        );
    }
}

#[test]
fn the_block_may_stay_when_the_editor_is_gone() {
    let (app, port) = (apps::VITE_REACT_8.make(), free_port());
    let config = app.read("vite.config.ts");
    let block = "import(new URL('./.tool/attach/vite.mjs', import.meta.url).href).then((galley) => galley.default(), () => null),";
    app.write(
        "vite.config.ts",
        &config.replace("plugins: [", &format!("plugins: [{block}")),
    );
    // There, and gone.
    let first = vite(&app, port);
    attach(&app, port).end("TERM");
    drop(first);
    // Modules that were compiled before the Editor came are compiled again.
    let _vite = vite(&app, port);
    let stamped = || compiled("src/App.tsx", port).contains("data-desde-src");
    assert!(!stamped(), "there is nobody to stamp");
    let _editor = attach(&app, port);
    eventually("positions", || stamped().then_some(()));
}

/// A module as the dev server hands it out.
fn compiled(path: &str, port: u16) -> String {
    let address = ([127, 0, 0, 1], port).into();
    Request::new(address, "GET", &format!("/{path}"))
        .send()
        .expect(200)
        .text()
}

#[test]
fn a_dev_server_that_is_switched_off_is_to_be_attached_to() {
    let repository = Repository::new()
        .file(
            "package.json",
            r#"{ "dependencies": { "react": "19" }, "devDependencies": { "vite": "8" } }"#,
        )
        .file("tool.config.json", r#"{ "hosts": { "vite": false } }"#)
        .commit();
    let editor = Editor::start(&repository, &[]);
    let words = state(&editor)["host"]["words"].as_str().expect("words").to_owned();
    for part in [
        "hosts.vite",
        "--attach http://127.0.0.1:5173",
        "import(new URL('./.tool/attach/vite.mjs'",
    ] {
        assert!(words.contains(part), "{part} is missing in: {words}");
    }
    assert!(
        repository.at(".tool/attach/vite.mjs").is_file(),
        "what the block imports is there"
    );
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
}
