//! Uses of components that libraries bring.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::source::engine;
use crate::source::model::library::{Kind, Property};
use crate::source::model::marks::marked;
use crate::source::model::{Lanes, Library, LibraryComponent, Project, Request, Stamp};

/// One file, beside libraries.
struct With {
    path: &'static str,
    text: String,
}

impl Project for With {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        (path == self.path).then(|| Arc::from(self.text.as_str()))
    }

    fn files(&self) -> Arc<[String]> {
        Arc::new([self.path.to_owned()])
    }

    fn libraries(&self) -> Arc<[Library]> {
        let component = |name: &str, package: &str, export: &str, is_vue: bool| LibraryComponent {
            name: name.to_owned(),
            package: package.to_owned(),
            export: export.to_owned(),
            props: vec![Property {
                name: "toneOfIt".to_owned(),
                kind: Kind::Choice {
                    options: vec!["calm".to_owned(), "loud".to_owned()],
                },
                required: false,
                written: String::new(),
            }],
            more: true,
            content: !is_vue,
            is_vue,
            hint: None,
        };
        Arc::new([Library {
            label: "Acme".to_owned(),
            components: vec![
                component("Button", "@acme/ui", "Button", false),
                component("Card", "@acme/ui/card", "default", false),
                component("Chip", "acme-vue/chip", "default", true),
            ],
            hints: false,
        }])
    }
}

fn inserted(path: &'static str, source: &str, wanted: Value) -> Result<String, (String, String)> {
    let (text, at) = marked(source, '‹');
    let project = With { path, text };
    let src = Stamp {
        path: path.to_owned(),
        at,
    };
    let edit = json!({ "kind": "insert", "place": "after", "use": wanted, "src": src.to_string() });
    let request: Request = serde_json::from_value(edit).expect("an edit");
    match engine::plan(&project, &request, Lanes::default()) {
        Ok(plan) => Ok(plan.changes[0].apply(&project.text).expect("replacements that fit")),
        Err(refusal) => Err((refusal.code.word().to_owned(), refusal.reason)),
    }
}

#[test]
fn a_library_is_imported_by_its_name() {
    let app = "import React from \"react\"\n\nexport const App = () => <main>‹p/></main>\n";
    let button = json!({ "package": "@acme/ui", "export": "Button", "props": { "toneOfIt": "loud" }, "text": "Save" });
    assert_eq!(
        inserted("src/App.tsx", app, button.clone()).unwrap(),
        "import React from \"react\"\nimport { Button } from \"@acme/ui\"\n\nexport const App = () => <main><p/><Button toneOfIt=\"loud\">Save</Button></main>\n"
    );
    let known = "import { Link } from '@acme/ui';\nexport const App = () => <main>‹p/></main>;\n";
    assert_eq!(
        inserted("src/App.tsx", known, button).unwrap(),
        "import { Link, Button } from '@acme/ui';\nexport const App = () => <main><p/><Button toneOfIt=\"loud\">Save</Button></main>;\n"
    );
    let card = json!({ "package": "@acme/ui/card", "export": "default" });
    assert_eq!(
        inserted("src/App.tsx", "export const App = () => <main>‹p/></main>;\n", card).unwrap(),
        "import Card from '@acme/ui/card';\nexport const App = () => <main><p/><Card /></main>;\n"
    );
}

#[test]
fn a_template_gets_the_import_in_its_setup() {
    let page = "<script setup>\nimport a from './a'\n</script>\n<template>\n  <main>‹p/></main>\n</template>\n";
    let chip = json!({ "package": "acme-vue/chip", "export": "default", "props": { "toneOfIt": "calm" } });
    assert_eq!(
        inserted("src/App.vue", page, chip.clone()).unwrap(),
        "<script setup>\nimport a from './a'\nimport Chip from 'acme-vue/chip'\n</script>\n<template>\n  <main><p/><Chip tone-of-it=\"calm\" /></main>\n</template>\n"
    );
    let options = "<script>\nexport default {}\n</script>\n<template>\n  <main>‹p/></main>\n</template>\n";
    assert_eq!(inserted("src/App.vue", options, chip).unwrap_err().0, "component-place");
}

#[test]
fn what_does_not_fit_is_refused() {
    let app = "export const App = () => <main>‹p/></main>;\n";
    let refused = |wanted| inserted("src/App.tsx", app, wanted).unwrap_err();
    assert_eq!(
        refused(json!({ "package": "acme-vue/chip", "export": "default" })).0,
        "component-place"
    );
    assert_eq!(
        refused(json!({ "package": "@acme/ui", "export": "Gone" })).0,
        "import-missing"
    );
    assert_eq!(
        refused(json!({ "package": "@other/ui", "export": "Button" })).0,
        "import-missing"
    );
    let tone = json!({ "package": "@acme/ui", "export": "Button", "props": { "toneOfIt": "shrill" } });
    assert_eq!(refused(tone).0, "component-property");
    let taken = "const Button = 1;\nexport const App = () => <main>‹p/></main>;\n";
    let button = json!({ "package": "@acme/ui", "export": "Button" });
    assert_eq!(inserted("src/App.tsx", taken, button).unwrap_err().0, "name-taken");
}
