//! The interface in Chromium, on prototypes as people make them: the story of a newcomer, the keyboard, accessibility.

use std::path::PathBuf;

use galley_editor_tests::apps::{Kind, VITE_REACT_8, VITE_TAILWIND, VITE_VUE_8};
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::{Editor, Repository, paths};
use galley_harness::node;
use galley_harness::poll::eventually;
use serde_json::json;

#[test]
fn a_newcomer_edits_a_react_prototype_and_commits_it() {
    newcomer(VITE_REACT_8, "src/App.tsx");
}

#[test]
fn a_newcomer_edits_a_vue_prototype_and_commits_it() {
    newcomer(VITE_VUE_8, "src/components/HelloWorld.vue");
}

#[test]
fn a_designer_works_in_a_prototype_with_tailwind() {
    let app = VITE_REACT_8.make();
    // The engine goes by what the prototype depends on; the styles themselves need not be there.
    let package = app.read("package.json");
    app.write(
        "package.json",
        &package.replacen('{', r#"{ "keywords": ["tailwindcss"],"#, 1),
    );
    app.write("src/App.tsx", TAILWIND);
    app.write(
        "src/theme.css",
        "@theme { --color-brand: #7c3aed; --breakpoint-desk: 60rem }",
    );
    app.git(&["commit", "-qam", "Use Tailwind"]);
    let editor = Editor::on(app.path())
        .args(["--ui".as_ref(), interface().as_os_str()])
        .start();
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/design.mjs");
    node::run(
        &script,
        &json!({ "page": page, "root": app.path(), "file": "src/App.tsx" }),
    );
}

#[test]
fn a_component_of_the_project_is_inserted_and_shown() {
    let app = VITE_REACT_8.make();
    app.write(
        "src/Card.tsx",
        "type Props = { title: string; tone?: 'calm' | 'loud'; children?: React.ReactNode }\n\nexport function Card({ title, tone, children }: Props) {\n  \
         return (\n    <section className={tone}>\n      <h2>{title}</h2>\n      <p>{children}</p>\n    </section>\n  )\n}\n",
    );
    app.write(
        "src/App.tsx",
        "export default function App() {\n  return (\n    <main>\n      <h1>Plans</h1>\n    </main>\n  )\n}\n",
    );
    let kit = Repository::new()
        .file("package.json", r#"{ "name": "@acme/kit", "version": "1.0.0" }"#)
        .file(
            "src/index.tsx",
            "export function Panel({ title }: { title: string }) { return <p>{title}</p>; }\n",
        )
        .commit();
    let declared = json!({ "kind": "repo", "url": format!("file://{}", kit.path().display()), "hints": true });
    app.write("tool.config.json", &json!({ "designSystems": [declared] }).to_string());
    app.git(&["add", "-A"]);
    app.git(&["commit", "-qm", "A card"]);
    let (provider, hint) = (Provider::start(), "<Panel title=\"News\" />");
    provider.script([Reply::Call(
        "hint",
        json!({ "hints": [{ "component": "Panel", "example": hint }] }),
    )]);
    let editor = Editor::on(app.path())
        .args(["--ui".as_ref(), interface().as_os_str()])
        .env("ANTHROPIC_BASE_URL", &provider.address)
        .env("ANTHROPIC_API_KEY", KEY)
        .start();
    eventually("the library has its hint", || {
        let answer = editor.ask("/api/editor/libraries").expect(200).json();
        let told = answer["libraries"]
            .as_array()?
            .iter()
            .find(|one| one["kind"] == "repo")?
            .clone();
        (told["hints"]["made"] == json!(1)).then_some(())
    });
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/insert.mjs");
    node::run(
        &script,
        &json!({ "page": page, "root": app.path(), "file": "src/App.tsx", "hint": hint }),
    );
    assert_eq!(app.git(&["status", "--porcelain"]), "");
}

const TAILWIND: &str = r#"export default function App() {
  return (
    <main className="p-8">
      <h1 className="text-3xl text-red-500">Plans</h1>
      <p className="mt-2">Choose one.</p>
      <section className="p-4 md:p-6">
        <button type="button" className="px-4">Buy</button>
      </section>
    </main>
  )
}
"#;

#[test]
fn a_heading_of_an_untouched_react_prototype_becomes_80_pixels_in_the_page() {
    heading(VITE_REACT_8, Some(["56px", "36px"]));
}

#[test]
fn a_heading_of_an_untouched_vue_prototype_becomes_80_pixels_in_the_page() {
    heading(VITE_VUE_8, Some(["56px", "36px"]));
}

#[test]
fn a_heading_with_tailwind_becomes_80_pixels_in_the_page() {
    heading(VITE_TAILWIND, None);
}

/// The first thing that people do: a heading is chosen and made larger, and the page shows it so; every undo gives the same bytes.
/// `sizes` are those that a stylesheet declares for wide and for narrow pages.
#[track_caller]
fn heading(kind: Kind, sizes: Option<[&str; 2]>) {
    let app = kind.make();
    let editor = Editor::on(app.path())
        .args(["--ui".as_ref(), interface().as_os_str()])
        .start();
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/heading.mjs");
    node::run(&script, &json!({ "page": page, "root": app.path(), "sizes": sizes }));
    assert_eq!(app.git(&["status", "--porcelain"]), "");
}

#[test]
fn every_panel_and_dialog_is_accessible_in_light_and_dark() {
    interface();
    let mock = paths::checkout().join("editor/ui/test/mock.mjs");
    let script = paths::checkout().join("tests/editor/browser/panels.mjs");
    node::run(&script, &json!({ "mock": mock }));
}

/// The folder of the built interface.
#[track_caller]
fn interface() -> PathBuf {
    paths::interface().expect("the interface is built: npm run build:ui in editor/")
}

#[track_caller]
fn newcomer(kind: Kind, file: &str) {
    let app = kind.make();
    let before = app.read(file);
    let editor = Editor::on(app.path())
        .args(["--ui".as_ref(), interface().as_os_str()])
        .start();
    let page = format!("http://{}/", editor.address);
    let script = paths::checkout().join("tests/editor/browser/interface.mjs");
    node::run(&script, &json!({ "page": page, "root": app.path(), "file": file }));

    // One commit on a branch of its own, with nothing in it but what was clicked.
    assert_eq!(app.git(&["branch", "--show-current"]), "shorter");
    assert_eq!(app.git(&["log", "--format=%s"]), "Say it shorter\nBegin");
    assert_eq!(app.git(&["status", "--porcelain"]), "");
    let after = app.read(file);
    let rest = |text: &str| -> Vec<String> {
        let untouched = |line: &&str| !line.contains("<h1") && !line.contains("</h1>");
        text.lines().filter(untouched).map(str::to_owned).collect()
    };
    let (before, after) = (rest(&before), rest(&after));
    assert!(after.len() < before.len(), "nothing was deleted");
    let mut lines = before.iter();
    for line in &after {
        assert!(lines.any(|each| each == line), "{line:?} was not there before");
    }
}
