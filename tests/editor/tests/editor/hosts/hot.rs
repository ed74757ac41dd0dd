//! Hot reload of components in Chromium: what a page shows is what its source says, whatever was changed before.

use galley_editor_tests::apps::{self, Kind};
use galley_editor_tests::{Editor, paths};
use galley_harness::node;
use serde_json::json;

use super::state_when;

const VUE: &str = "<script setup lang=\"ts\">\nimport { ref } from 'vue'\n\nconst words = ['Plans', 'for', 'teams']\nconst count = ref(0)\n</script>\n\n\
                   <template>\n  <main>\n    <h1>{{ words.join(' ') }}</h1>\n    \
                   <button @click=\"count++\">Pressed {{ count }}</button>\n  </main>\n</template>\n";

const REACT: &str = "import { useState } from 'react'\n\nconst words = ['Plans', 'for', 'teams']\n\nexport default function App() {\n  \
                     const [count, setCount] = useState(0)\n  return (\n    <main>\n      <h1>{words.join(' ')}</h1>\n      \
                     <button onClick={() => setCount(count + 1)}>Pressed {count}</button>\n    </main>\n  )\n}\n";

#[track_caller]
fn is_shown(kind: Kind, file: &str, content: &str) {
    let app = kind.make();
    app.write(file, content);
    app.git(&["commit", "-qam", "Plans"]);
    let editor = Editor::on(app.path()).start();
    let state = state_when(&editor, "running");
    node::run(
        &paths::checkout().join("tests/editor/browser/back.mjs"),
        &json!({ "page": state["previewUrl"], "root": app.path(), "file": file, "from": "teams", "to": "everyone" }),
    );
    assert_eq!(app.git(&["diff", "--stat"]).lines().count(), 2, "one file changed");
}

#[test]
fn a_script_that_is_changed_back_in_vue_8_is_shown() {
    is_shown(apps::VITE_VUE_8, "src/App.vue", VUE);
}

#[test]
fn a_script_that_is_changed_back_in_vue_7_is_shown() {
    is_shown(apps::VITE_VUE_7, "src/App.vue", VUE);
}

#[test]
fn a_script_that_is_changed_back_in_react_is_shown() {
    is_shown(apps::VITE_REACT_8, "src/App.tsx", REACT);
}
