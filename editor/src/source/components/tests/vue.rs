//! Uses in Vue's templates, with their imports.

use serde_json::json;

use super::{becomes, refused};

const CARD: (&str, &str) = (
    "src/components/UserCard.vue",
    "<script setup lang=\"ts\">\ndefineProps<{ title?: string; isOpen?: boolean; max?: number }>()\n</script>\n<template><div><slot /></div></template>\n",
);

fn card() -> serde_json::Value {
    json!({ "path": "src/components/UserCard.vue", "export": "default" })
}

#[test]
fn a_use_goes_into_the_template_and_its_import_into_the_setup() {
    let mut wanted = card();
    wanted["props"] = json!({ "title": "Say \"hi\"", "isOpen": false, "max": 3 });
    wanted["text"] = json!("a < b");
    becomes(
        &[
            (
                "src/App.vue",
                "<script setup lang=\"ts\">\nimport { ref } from \"vue\";\n\nconst a = ref(1);\n</script>\n\n<template>\n  <main>\n    ‹p>a</p>\n  </main>\n</template>\n",
            ),
            CARD,
        ],
        wanted,
        "<script setup lang=\"ts\">\nimport { ref } from \"vue\";\nimport UserCard from \"./components/UserCard.vue\";\n\nconst a = ref(1);\n</script>\n\n<template>\n  <main>\n    \
         <p>a</p>\n    <UserCard title=\"Say &quot;hi&quot;\" :is-open=\"false\" :max=\"3\">a &lt; b</UserCard>\n  </main>\n</template>\n",
    );
}

#[test]
fn the_import_is_written_as_the_others_are() {
    for (script, wanted) in [
        (
            "<script setup>\n  import Row from '@/components/Row.vue'\n</script>",
            "<script setup>\n  import Row from '@/components/Row.vue'\n  import UserCard from '@/components/UserCard.vue'\n</script>",
        ),
        (
            "<script setup>\nconst a = 1\n</script>",
            "<script setup>\nimport UserCard from './components/UserCard.vue';\nconst a = 1\n</script>",
        ),
        (
            "<script setup lang=\"ts\">\n</script>",
            "<script setup lang=\"ts\">\nimport UserCard from './components/UserCard.vue';\n</script>",
        ),
        (
            "<script setup>\nimport Card from './components/UserCard.vue'\n</script>",
            "<script setup>\nimport Card from './components/UserCard.vue'\n</script>",
        ),
    ] {
        let file = format!("{script}\n<template>\n  <main>‹p/></main>\n</template>\n");
        let tag = if wanted.contains("import Card") {
            "Card"
        } else {
            "UserCard"
        };
        let files = [
            ("src/App.vue", file.as_str()),
            CARD,
            ("src/components/Row.vue", "<template><p/></template>"),
            (
                "tsconfig.json",
                r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#,
            ),
        ];
        becomes(
            &files,
            card(),
            &format!("{wanted}\n<template>\n  <main><p/><{tag} /></main>\n</template>\n"),
        );
    }
}

#[test]
fn a_file_without_a_script_gets_one() {
    becomes(
        &[("src/App.vue", "<template>\n  <main>‹p/></main>\n</template>\n"), CARD],
        card(),
        "<script setup>\nimport UserCard from './components/UserCard.vue';\n</script>\n\n<template>\n  <main><p/><UserCard /></main>\n</template>\n",
    );
}

#[test]
fn a_registered_component_needs_no_import() {
    becomes(
        &[
            (
                "src/App.vue",
                "<script setup>\nconst a = 1\n</script>\n<template>\n  <main>‹p/></main>\n</template>\n",
            ),
            CARD,
            (
                "components.d.ts",
                "declare module 'vue' {\n  export interface GlobalComponents {\n    UserCard: typeof import('./src/components/UserCard.vue')['default']\n  }\n}\n",
            ),
        ],
        card(),
        "<script setup>\nconst a = 1\n</script>\n<template>\n  <main><p/><UserCard /></main>\n</template>\n",
    );
}

#[test]
fn a_component_that_cannot_be_used_is_refused_with_the_reason() {
    let options = "<script>\nexport default {}\n</script>\n<template><main>‹p/></main></template>";
    let (code, reason) = refused(&[("src/App.vue", options), CARD], card());
    assert_eq!(code, "component-place");
    assert!(reason.contains("<script setup>"), "{reason}");

    let itself = "<script setup>\nconst a = 1\n</script>\n<template><main>‹p/></main></template>";
    let (code, reason) = refused(
        &[("src/App.vue", itself)],
        json!({ "path": "src/App.vue", "export": "default" }),
    );
    assert_eq!(code, "component-place");
    assert!(reason.contains("itself"), "{reason}");

    let shown = "<script setup>\nconst a = 1\n</script>\n<template><main>‹p/></main></template>";
    let page = "<script setup>\nimport UserCard from './UserCard.vue'\n</script>\n<template><user-card/></template>";
    let (code, reason) = refused(
        &[("src/UserCard.vue", shown), ("src/Page.vue", page)],
        json!({ "path": "src/Page.vue", "export": "default" }),
    );
    assert_eq!(code, "component-place");
    assert!(reason.contains("Page shows UserCard"), "{reason}");
}
