//! The project's own components: the list, and inserting one, over the API.

use galley_editor_tests::{Repository, attached};
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
