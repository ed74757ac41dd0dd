//! Who looks at the page after a model's change, in Chromium: the review browser, else the page that people work in.

use galley_editor_tests::apps::{Kind, VITE_REACT_8, VITE_VUE_8};
use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::{Editor, paths};
use galley_harness::node;
use serde_json::json;

/// Plans that are shown when a button is pressed: in a file of their own, so that what was opened stays open when they change.
struct Opened {
    kind: Kind,
    app: (&'static str, &'static str),
    plans: (&'static str, &'static str),
}

const REACT: Opened = Opened {
    kind: VITE_REACT_8,
    app: (
        "src/App.tsx",
        "import { useState } from 'react'\nimport { Plans } from './Plans'\n\nexport default function App() {\n  \
         const [open, setOpen] = useState(false)\n  return (\n    <main>\n      <h1>Shop</h1>\n      \
         <button onClick={() => setOpen(true)}>Choose</button>\n      {open && <Plans />}\n    </main>\n  )\n}\n",
    ),
    plans: (
        "src/Plans.tsx",
        "const words = ['Plans', 'for', 'teams']\n\nexport function Plans() {\n  return (\n    <section>\n      \
         <h2>{words.join(' ')}</h2>\n    </section>\n  )\n}\n",
    ),
};

const VUE: Opened = Opened {
    kind: VITE_VUE_8,
    app: (
        "src/App.vue",
        "<script setup lang=\"ts\">\nimport { ref } from 'vue'\nimport Plans from './Plans.vue'\n\nconst open = ref(false)\n</script>\n\n\
         <template>\n  <main>\n    <h1>Shop</h1>\n    <button @click=\"open = true\">Choose</button>\n    \
         <Plans v-if=\"open\" />\n  </main>\n</template>\n",
    ),
    plans: (
        "src/Plans.vue",
        "<script setup lang=\"ts\">\nconst words = ['Plans', 'for', 'teams']\n</script>\n\n<template>\n  <section>\n    \
         <h2>{{ words.join(' ') }}</h2>\n  </section>\n</template>\n",
    ),
};

/// What a model proposes for `Plans for everyone`, and what comes of it.
#[track_caller]
fn looked_at(opened: &Opened, surface: &str, replies: &[[&str; 2]], refused: Option<&str>) {
    let app = opened.kind.make();
    app.write(opened.app.0, opened.app.1);
    app.write(opened.plans.0, opened.plans.1);
    app.git(&["add", "--all"]);
    app.git(&["commit", "-qm", "Plans"]);
    let file = opened.plans.0;
    let provider = Provider::start();
    provider.script(replies.iter().map(|[old, new]| Reply::propose(file, old, new)));
    let interface = paths::interface().expect("the interface is built: npm run build:ui in editor/");
    let editor = Editor::on(app.path())
        .args(["--ui".as_ref(), interface.as_os_str()])
        .env("ANTHROPIC_BASE_URL", &provider.address)
        .env("ANTHROPIC_API_KEY", KEY)
        .env("EDITOR_REVIEW_SURFACE", surface)
        .start();
    let task = json!({
        "page": format!("http://{}/", editor.address),
        "root": app.path(),
        "file": file,
        "open": "Choose",
        "before": "Plans for teams",
        "after": "Plans for everyone",
        "verified": "preview",
        "refused": refused,
    });
    node::run(&paths::checkout().join("tests/editor/browser/second_reader.mjs"), &task);
    assert_eq!(app.git(&["status", "--porcelain"]), "");
    assert_eq!(provider.asked().len(), replies.len());
}

const RIGHT: [&str; 2] = ["'teams'", "'everyone'"];
const WRONG: [&str; 2] = ["['Plans', 'for', 'teams']", "['Offers', 'for', 'everyone']"];

#[test]
fn what_was_opened_in_the_page_of_react_is_read_there() {
    looked_at(&REACT, "on", &[RIGHT], None);
}

#[test]
fn what_was_opened_in_the_page_of_vue_is_read_there() {
    looked_at(&VUE, "on", &[RIGHT], None);
}

#[test]
fn a_change_that_the_page_of_react_does_not_show_as_asked_is_taken_back() {
    looked_at(&REACT, "off", &[WRONG, WRONG], Some("does not show what was asked for"));
}

#[test]
fn a_change_that_the_page_of_vue_does_not_show_as_asked_is_taken_back() {
    looked_at(&VUE, "off", &[WRONG, RIGHT], None);
}

/// A chat's proposal that fails when it is shown, and a right one.
#[track_caller]
fn chatted(kind: Kind, file: &str, content: &str, broken: [&str; 2]) {
    let app = kind.make();
    app.write(file, content);
    app.git(&["commit", "-qam", "Plans"]);
    let provider = Provider::start();
    let right = [">Plans<", ">Offers<"];
    let proposals = [broken, right].map(|[old, new]| Reply::propose(file, old, new));
    provider.script(proposals.into_iter().chain([Reply::Text("It says so now.")]));
    let interface = paths::interface().expect("the interface is built: npm run build:ui in editor/");
    let editor = Editor::on(app.path())
        .args(["--ui".as_ref(), interface.as_os_str()])
        .env("ANTHROPIC_BASE_URL", &provider.address)
        .env("ANTHROPIC_API_KEY", KEY)
        .env("EDITOR_REVIEW_SURFACE", "off")
        .start();
    let page = format!("http://{}/", editor.address);
    let task = json!({ "page": page, "root": app.path(), "file": file, "said": "It says so now.", "after": "Offers" });
    node::run(&paths::checkout().join("tests/editor/browser/chat_preview.mjs"), &task);
    assert_eq!(app.read(file), content.replace(right[0], right[1]));
    let results = provider.asked()[1].text.clone();
    assert!(results.contains("not-verified"), "{results}");
}

#[test]
fn a_chat_without_a_review_browser_is_looked_at_in_the_page_of_react() {
    let content = "export default function App() {\n  return (\n    <main>\n      <h1>Plans</h1>\n      <p>Choose one.</p>\n    </main>\n  )\n}\n";
    let broken = ["Choose one.", "{(null as unknown as string).length}"];
    chatted(VITE_REACT_8, "src/App.tsx", content, broken);
}

#[test]
fn a_chat_without_a_review_browser_is_looked_at_in_the_page_of_vue() {
    let content = "<script setup lang=\"ts\">\nconst one = 'one'\n</script>\n\n<template>\n  <main>\n    <h1>Plans</h1>\n    \
                   <p>Choose {{ one }}.</p>\n  </main>\n</template>\n";
    chatted(
        VITE_VUE_8,
        "src/App.vue",
        content,
        ["{{ one }}", "{{ (one as any).none.length }}"],
    );
}
