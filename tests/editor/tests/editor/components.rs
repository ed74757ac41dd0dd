//! The project's own components: the list, and inserting one, over the API.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use galley_editor_tests::{Editor, Repository, attached};
use galley_harness::accept::accept;
use galley_harness::poll::eventually;
use serde_json::{Value, json};

fn react() -> Repository {
    let repository = Repository::new()
        .file("package.json", r#"{ "dependencies": { "react": "^19.0.0" } }"#)
        .file(
            "tsconfig.json",
            r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#,
        )
        .file(
            "src/App.tsx",
            "import { Logo } from \"@/components/Logo\"\n\nexport default function App() {\n  return (\n    <main>\n      <Logo />\n    </main>\n  )\n}\n",
        )
        .file("src/components/Logo.tsx", "export const Logo = () => <svg />;\n")
        .file(
            "src/components/Card.tsx",
            "type Props = { title: string; tone?: 'calm' | 'loud'; open?: boolean; children?: React.ReactNode };\n\
             export function Card({ title, tone = 'calm', open, children }: Props) {\n  return <section><h2>{title}</h2>{children}</section>;\n}\n",
        );
    repository.commit_all("Components");
    repository
}

#[test]
fn components_are_listed_with_their_properties_and_why_they_cannot_be_used() {
    let repository = react();
    let editor = attached(&repository);
    let list = |query: &str| {
        let answer = editor.ask(&format!("/api/editor/components{query}")).expect(200).json();
        answer["components"].as_array().cloned().unwrap_or_default()
    };
    let all = list("");
    let names: Vec<&str> = all.iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["App", "Card", "Logo"]);
    assert_eq!(
        all[1],
        json!({
            "name": "Card", "path": "src/components/Card.tsx", "export": "Card", "more": false, "content": true, "why": null,
            "props": [
                { "name": "title", "kind": "text", "required": true, "type": "string" },
                { "name": "tone", "kind": "choice", "options": ["calm", "loud"], "required": false, "type": "'calm' | 'loud'" },
                { "name": "open", "kind": "boolean", "required": false, "type": "boolean" },
            ],
        })
    );
    let why: Vec<Value> = list("?src=src/components/Logo.tsx:1:26")
        .into_iter()
        .map(|one| one["why"].clone())
        .collect();
    assert!(
        why[0].as_str().is_some_and(|why| why.contains("App shows Logo")),
        "{why:?}"
    );
    assert_eq!(why[1], json!(null));
    let asked = editor.ask("/api/editor/components?src=nonsense").expect(400).json();
    assert_eq!(asked["key"], json!("src"));
    editor.ask("/api/editor/components?src=src/App.tsx:99:0").expect(422);
}

#[test]
fn an_inserted_component_is_imported_as_its_neighbours_are_and_undo_gives_the_bytes_back() {
    let repository = react();
    let before = repository.read("src/App.tsx");
    let editor = attached(&repository);
    let card = json!({ "path": "src/components/Card.tsx", "export": "Card", "props": { "title": "New \"ones\"", "open": true }, "text": "Soon" });
    let edit = json!({ "src": "src/App.tsx:6:6", "kind": "insert", "place": "after", "use": card });
    let done = editor.post("/api/editor/edit", &edit).expect(200).json();
    assert_eq!(
        repository.read("src/App.tsx"),
        "import { Logo } from \"@/components/Logo\"\nimport { Card } from \"@/components/Card\"\n\nexport default function App() {\n  return (\n    <main>\n      \
         <Logo />\n      <Card title=\"New &quot;ones&quot;\" open>Soon</Card>\n    </main>\n  )\n}\n"
    );
    assert_eq!(done["src"], json!("src/App.tsx:7:6"));
    editor.ask("/api/editor/undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), before);
}

#[test]
fn a_component_that_cannot_be_used_so_is_refused_and_nothing_is_written() {
    let repository = react();
    let editor = attached(&repository);
    for (component, status, code) in [
        (
            json!({ "path": "src/components/Card.tsx", "export": "Card" }),
            422,
            "component-property",
        ),
        (
            json!({ "path": "src/components/Card.tsx", "export": "Card", "props": { "title": 5 } }),
            422,
            "component-property",
        ),
        (
            json!({ "path": "src/App.tsx", "export": "default" }),
            422,
            "component-place",
        ),
        (
            json!({ "path": "../../etc/passwd", "export": "default" }),
            422,
            "import-missing",
        ),
        (json!({ "path": "src/components/Card.tsx" }), 400, "bad-request"),
        (
            json!({ "path": "src/components/Card.tsx", "export": "Card", "colour": "red" }),
            400,
            "bad-request",
        ),
        (json!("Card"), 400, "bad-request"),
    ] {
        let edit = json!({ "src": "src/App.tsx:6:6", "kind": "insert", "place": "after", "use": component });
        let answer = editor.post("/api/editor/edit", &edit).expect(status).json();
        assert_eq!(answer["code"], json!(code), "{answer}");
    }
    let neither = json!({ "src": "src/App.tsx:6:6", "kind": "insert", "place": "after" });
    let answer = editor.post("/api/editor/edit", &neither).expect(400).json();
    assert!(
        answer["reason"].as_str().is_some_and(|reason| reason.contains("`use`")),
        "{answer}"
    );
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_component_of_vue_is_inserted_with_its_import() {
    let repository = Repository::vue()
        .file(
            "src/App.vue",
            "<script setup lang=\"ts\">\nimport { ref } from 'vue'\n\nconst count = ref(0)\n</script>\n\n<template>\n  <main>\n    <p>{{ count }}</p>\n  </main>\n</template>\n",
        )
        .file(
            "src/components/InfoCard.vue",
            "<script setup lang=\"ts\">\ndefineProps<{ cardTitle: string; wide?: boolean }>()\n</script>\n\n<template>\n  <section>{{ cardTitle }}<slot /></section>\n</template>\n",
        );
    repository.commit_all("Components");
    let editor = attached(&repository);
    let listed = editor
        .ask("/api/editor/components?src=src/App.vue:9:4")
        .expect(200)
        .json();
    assert_eq!(listed["components"][1]["name"], json!("InfoCard"), "{listed}");
    let card = json!({ "path": "src/components/InfoCard.vue", "export": "default", "props": { "cardTitle": "Hi" }, "text": "there" });
    let edit = json!({ "src": "src/App.vue:9:4", "kind": "insert", "place": "before", "use": card });
    editor.post("/api/editor/edit", &edit).expect(200);
    assert_eq!(
        repository.read("src/App.vue"),
        "<script setup lang=\"ts\">\nimport { ref } from 'vue'\nimport InfoCard from './components/InfoCard.vue'\n\nconst count = ref(0)\n</script>\n\n<template>\n  <main>\n    \
         <InfoCard card-title=\"Hi\">there</InfoCard>\n    <p>{{ count }}</p>\n  </main>\n</template>\n"
    );
}

/// A library in a repository of its own, with a tag.
fn library() -> Repository {
    let library = Repository::new()
        .file("package.json", r#"{ "name": "acme-kit" }"#)
        .file(
            "packages/kit/package.json",
            r#"{ "name": "@acme/kit", "version": "3.0.0", "types": "dist/index.d.ts", "scripts": { "build": "node build.mjs" } }"#,
        )
        .file(
            "packages/kit/build.mjs",
            "import { mkdirSync, writeFileSync } from 'node:fs';\nmkdirSync('dist');\n\
             writeFileSync('dist/index.d.ts', 'export declare const Built: React.FC<{ title: string }>;');\n",
        )
        .file(
            "packages/kit/src/index.tsx",
            "export function Panel({ title }: { title: string }) { return <p>{title}</p>; }\n",
        );
    library.commit_all("Kit");
    library
}

/// Waits until all libraries were looked at; gives what became of them.
fn libraries(editor: &Editor) -> Vec<Value> {
    eventually("all libraries were looked at", || {
        let answer = editor.ask("/api/editor/libraries").expect(200).json();
        (answer["ready"] == json!(true)).then(|| answer["libraries"].as_array().cloned().unwrap_or_default())
    })
}

#[test]
fn libraries_are_offered_wherever_they_come_from() {
    let kit = library();
    let address = format!("file://{}", kit.path().display());
    let declared = json!({ "designSystems": [
        { "kind": "installed", "package": "@acme/ui", "designSystem": "Acme" },
        { "kind": "registry", "spec": "react-error-boundary@4.1.2" },
        { "kind": "repo", "url": address, "subdir": "packages/kit", "designSystem": "Kit" },
        { "kind": "repo", "url": address, "subdir": "packages/kit", "designSystem": "Kit, built", "allowBuild": true },
        { "kind": "repo", "url": address, "ref": "no-such-branch", "designSystem": "Gone" },
    ] });
    let repository = react().file("tool.config.json", declared.to_string());
    repository.write(
        "node_modules/@acme/ui/package.json",
        r#"{ "name": "@acme/ui", "version": "2.0.0", "types": "index.d.ts", "peerDependencies": { "react": "*" } }"#,
    );
    repository.write(
        "node_modules/@acme/ui/index.d.ts",
        "export interface ButtonProps { tone?: 'calm' | 'loud'; children?: React.ReactNode }\n\
         export declare const Button: React.ForwardRefExoticComponent<ButtonProps>;\nexport declare function useUi(): void;\n",
    );
    repository.commit_all("Libraries");
    let editor = attached(&repository);
    let found = libraries(&editor);
    let said: Vec<_> = found
        .iter()
        .map(|one| {
            (
                one["label"].as_str(),
                one["kind"].as_str(),
                one["components"].as_u64(),
                one["version"].as_str(),
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            (Some("Acme"), Some("installed"), Some(1), Some("2.0.0")),
            (
                Some("react-error-boundary@4.1.2"),
                Some("registry"),
                Some(1),
                Some("4.1.2")
            ),
            (Some("Kit"), Some("repo"), Some(1), Some("3.0.0")),
            (Some("Kit, built"), Some("repo"), Some(1), Some("3.0.0")),
            (Some("Gone"), Some("repo"), Some(0), Some("")),
        ],
        "{found:?}"
    );
    assert!(
        found[4]["problem"]
            .as_str()
            .is_some_and(|why| why.contains("no-such-branch")),
        "{found:?}"
    );
    let all = editor
        .ask("/api/editor/components?src=src/App.tsx:6:6")
        .expect(200)
        .json();
    let names: Vec<_> = all["components"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|one| one["package"].is_string())
        .map(|one| (one["name"].as_str(), one["package"].as_str()))
        .collect();
    assert_eq!(
        names,
        [
            (Some("Built"), Some("@acme/kit")),
            (Some("Button"), Some("@acme/ui")),
            (Some("ErrorBoundary"), Some("react-error-boundary")),
            (Some("Panel"), Some("@acme/kit")),
        ]
    );

    let before = repository.read("src/App.tsx");
    let button = json!({ "package": "@acme/ui", "export": "Button", "props": { "tone": "loud" }, "text": "Save" });
    let edit = json!({ "src": "src/App.tsx:6:6", "kind": "insert", "place": "after", "use": button });
    editor.post("/api/editor/edit", &edit).expect(200);
    let after = repository.read("src/App.tsx");
    assert!(after.contains("import { Button } from \"@acme/ui\"\n"), "{after}");
    assert!(after.contains("<Button tone=\"loud\">Save</Button>"), "{after}");
    editor.ask("/api/editor/undo").expect(200);
    assert_eq!(repository.read("src/App.tsx"), before);
}

/// A server of documentation, by its port: each path is answered with a status, and with where it went or a body.
fn documentation(answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> u16 {
    let serve = move |mut stream: TcpStream| {
        let mut head = BufReader::new(stream.try_clone().unwrap())
            .lines()
            .map_while(Result::ok);
        let line = head.next().unwrap_or_default();
        let _ = head.find(String::is_empty);
        let (status, said) = answer(line.split(' ').nth(1).unwrap_or_default());
        let (location, body) = if status == 302 {
            (said, String::new())
        } else {
            (String::new(), said)
        };
        let _ = write!(
            stream,
            "HTTP/1.1 {status} X\r\nlocation: {location}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
    };
    accept(serve).port()
}

#[test]
fn storybooks_are_read_where_their_connected_address_is_allowed() {
    let index = r#"{ "v": 5, "entries": { "a": { "type": "story", "title": "Forms/Toggle", "name": "On" } } }"#;
    let port = documentation(move |path| match path {
        "/index.json" => (200, index.to_owned()),
        "/moved/index.json" => (302, "/index.json".to_owned()),
        _ => (404, String::new()),
    });
    let away = documentation(move |_| (302, format!("http://127.0.0.1:{port}/index.json")));
    let repository = react();
    let urls = [
        format!("http://localhost:{port}|Toggles|@acme/forms"),
        format!("http://localhost:{port}/moved|Moved"),
        format!("http://localhost:{}|Away|@acme/away", away),
        format!("http://localhost:{port}/none|None|@acme/none"),
    ];
    let editor = Editor::build(&repository)
        .args(["--attach", "http://127.0.0.1:9"])
        .env("EDITOR_STORYBOOK_URLS", urls.join(","))
        .env("EDITOR_STORYBOOK_HOST_ALLOWLIST", "localhost")
        .start();
    let found = libraries(&editor);
    let problem = |at: usize| found[at]["problem"].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        (problem(0).as_str(), found[0]["components"].as_u64()),
        ("", Some(1)),
        "{found:?}"
    );
    assert!(problem(1).contains("no import path"), "{found:?}");
    assert!(
        problem(2).contains("127.0.0.1") && problem(2).contains("private network"),
        "{found:?}"
    );
    assert!(problem(3).contains("404"), "{found:?}");
    let all = editor
        .ask("/api/editor/components?src=src/App.tsx:6:6")
        .expect(200)
        .json();
    let all = all["components"].as_array().cloned().unwrap_or_default();
    let toggle = all.iter().find(|one| one["name"] == json!("Toggle"));
    assert_eq!(toggle.map(|one| &one["package"]), Some(&json!("@acme/forms")));
}
