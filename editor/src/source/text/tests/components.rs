//! Slots of Vue, and components that a file uses without importing them.

use super::vue::component;
use super::{changes, choices, refusal};

/// A card with `card` as its template, used by a page with `usage`.
fn slotted(card: &str, usage: &str, (path, old): (&str, &str)) {
    let card = component("defineProps<{ title?: string }>()", card);
    let page = component("import Card from './Card.vue'", usage);
    let project = [("src/Card.vue", card.as_str()), ("src/Page.vue", page.as_str())];
    changes(&project, "<h2", |_| {}, path, (old, "New"));
}

#[test]
fn what_is_given_to_a_named_slot_is_changed_where_it_is_given() {
    for usage in [
        "<Card><template #header>Old</template></Card>",
        "<Card><template v-slot:header>Old</template><template #footer>x</template>y</Card>",
        "<Card #header>Old</Card>",
        "<Card><template #header>{{ 'Old' }}</template></Card>",
        "<Card v-bind=\"all\"><template #header>Old</template></Card>",
        "<component :is=\"Card\"><template #header>Old</template></component>",
    ] {
        slotted(
            "<h2><slot name=\"header\">none</slot></h2>",
            usage,
            ("src/Page.vue", "Old"),
        );
    }
    slotted(
        "<h2><slot /></h2>",
        "<Card><template #default>Old</template><template #header>x</template></Card>",
        ("src/Page.vue", "Old"),
    );
    slotted(
        "<h2><slot /></h2>",
        "<Card><template #header>x</template>Old</Card>",
        ("src/Page.vue", "Old"),
    );
}

#[test]
fn what_a_slot_shows_by_itself_is_changed_in_the_component() {
    for usage in [
        "<Card />",
        "<Card>x</Card>",
        "<Card><template #footer>x</template></Card>",
    ] {
        slotted(
            "<h2><slot name=\"header\">Old</slot></h2>",
            usage,
            ("src/Card.vue", "Old"),
        );
    }
}

#[test]
fn a_slot_that_may_be_given_nothing_is_asked_about() {
    for usage in [
        "<Card><template v-if=\"on\" #header>Given</template></Card>",
        "<Card><template #header><template v-if=\"on\">Given</template></template></Card>",
    ] {
        let card = component("", "<h2><slot name=\"header\">Own</slot></h2>");
        let page = component("import Card from './Card.vue'", usage);
        let project = [("src/Card.vue", card.as_str()), ("src/Page.vue", page.as_str())];
        let asked = refusal(&project, "<h2", |_| {});
        assert_eq!(choices(&asked).len(), 2, "{asked:?}");
        let own = |request: &mut crate::source::model::Request| request.before = Some("Own".into());
        changes(&project, "<h2", own, "src/Card.vue", ("Own", "New"));
    }
}

#[test]
fn a_slot_whose_name_the_code_makes_is_refused() {
    for (card, usage) in [
        (
            "<h2><slot :name=\"name\" /></h2>",
            "<Card><template #header>x</template></Card>",
        ),
        (
            "<h2><slot name=\"header\" /></h2>",
            "<Card><template #[name]>x</template></Card>",
        ),
        (
            "<h2><slot name=\"header\" /></h2>",
            "<Card><template v-for=\"name in names\" #[name]>x</template></Card>",
        ),
    ] {
        let card = component("", card);
        let page = component("import Card from './Card.vue'", usage);
        let project = [("src/Card.vue", card.as_str()), ("src/Page.vue", page.as_str())];
        let refused = refusal(&project, "<h2", |_| {});
        assert!(
            refused.reason.contains("only known when the code runs"),
            "{}",
            refused.reason
        );
    }
}

#[test]
fn what_a_component_hands_to_its_slot_is_followed_into_it() {
    for (card, usage) in [
        (
            "<div><slot :label=\"title\" /></div>",
            "<Card title=\"Old\" #default=\"{ label }\"><p>{{ label }}</p></Card>",
        ),
        (
            "<div><slot name=\"row\" sub-label=\"x\" v-bind=\"{ label: title }\" /></div>",
            "<Card title=\"Old\"><template #row=\"row\"><p>{{ row.label }}</p></template></Card>",
        ),
    ] {
        let card = component("defineProps<{ title?: string }>()", card);
        let page = component("import Card from './Card.vue'", usage);
        let project = [("src/Page.vue", page.as_str()), ("src/Card.vue", card.as_str())];
        changes(&project, "<p", |_| {}, "src/Page.vue", ("Old", "New"));
    }
}

#[test]
fn a_scoped_slot_of_a_list_leads_to_the_items() {
    let list = component(
        "defineProps<{ items: string[] }>()",
        "<ul><li v-for=\"item in items\"><slot :item=\"item\" /></li></ul>",
    );
    let page = component(
        "import List from './List.vue'\nconst items = ['One', 'Two']",
        "<List :items=\"items\" v-slot=\"{ item }\"><p>{{ item }}</p></List>",
    );
    let project = [("src/Page.vue", page.as_str()), ("src/List.vue", list.as_str())];
    let two = |request: &mut crate::source::model::Request| request.before = Some("Two".into());
    changes(&project, "<p", two, "src/Page.vue", ("Two", "New"));
    assert_eq!(refusal(&project, "<p", |_| {}).choices.len(), 3);
}

#[test]
fn what_a_librarys_slot_hands_over_is_refused_with_its_name() {
    let page = component(
        "import { Table } from 'library'",
        "<Table #cell=\"{ row }\"><p>{{ row.name }}</p></Table>",
    );
    let project = [("src/Page.vue", page.as_str())];
    let refused = refusal(&project, "<p", |_| {});
    assert_eq!(refused.code, "parameter");
    assert!(
        refused.reason.contains("<Table>") && refused.reason.contains("library"),
        "{}",
        refused.reason
    );
}

const CARD: &str = "<script setup>\ndefineProps(['title'])\n</script>\n<template><h2>{{ title }}</h2></template>\n";

#[test]
fn components_are_found_by_the_name_they_are_registered_with() {
    let page = "<template><main><ui-card title=\"Old\" /></main></template>\n";
    let entry = "import { createApp } from 'vue';\nimport Card from './Card.vue';\ncreateApp({}).component('UiCard', Card).mount('#app');\n";
    let listed = "declare module 'vue' {\n  export interface GlobalComponents {\n    UiCard: typeof import('./src/Card.vue')['default']\n  }\n}\n";
    for (path, registered) in [("src/main.js", entry), ("components.d.ts", listed)] {
        let project = [("src/Card.vue", CARD), ("src/Page.vue", page), (path, registered)];
        changes(&project, "<h2", |_| {}, "src/Page.vue", ("Old", "New"));
    }
    let project = [("src/Card.vue", CARD), ("src/Page.vue", page)];
    assert_eq!(refusal(&project, "<h2", |_| {}).code, "no-usage");
}

#[test]
fn a_name_of_two_components_leads_to_neither() {
    let page = "<template><main><ui-card title=\"Old\" /></main></template>\n";
    let entry = "import Card from './Card.vue';\nimport Other from './Other.vue';\napp.component('UiCard', Card);\napp.component('UiCard', Other);\n";
    let project = [
        ("src/Card.vue", CARD),
        ("src/Other.vue", CARD),
        ("src/Page.vue", page),
        ("src/main.js", entry),
    ];
    assert_eq!(refusal(&project, "<h2", |_| {}).code, "no-usage");
}

#[test]
fn nuxts_folders_give_components_their_names() {
    for (config, card, tag) in [
        (
            "export default defineNuxtConfig({})",
            "app/components/base/Card.vue",
            "BaseCard",
        ),
        (
            "export default {}",
            "components/base/BaseCard.client.vue",
            "LazyBaseCard",
        ),
        (
            "export default defineNuxtConfig({ components: [{ path: '~/components', pathPrefix: false }] })",
            "app/components/base/Card.vue",
            "card",
        ),
        (
            "export default defineNuxtConfig({ components: { dirs: ['~/ui'] } })",
            "app/ui/Card.vue",
            "Card",
        ),
    ] {
        let page = format!("<template><main><{tag} title=\"Old\" /></main></template>\n");
        let folder = if card.starts_with("app/") { "app/" } else { "" };
        let path = format!("{folder}pages/index.vue");
        let project = [(card, CARD), (path.as_str(), page.as_str()), ("nuxt.config.ts", config)];
        changes(&project, "<h2", |_| {}, &path, ("Old", "New"));
    }
}

#[test]
fn folders_that_nuxt_does_not_look_at_give_no_names() {
    let page = "<template><main><BaseCard title=\"Old\" /></main></template>\n";
    for (config, card) in [
        ("export default defineNuxtConfig({})", "app/parts/base/Card.vue"),
        (
            "export default defineNuxtConfig({ components: dirs })",
            "app/components/base/Card.vue",
        ),
        (
            "export default defineNuxtConfig({ components: false })",
            "app/components/base/Card.vue",
        ),
    ] {
        let project = [(card, CARD), ("app/app.vue", page), ("nuxt.config.ts", config)];
        assert_eq!(refusal(&project, "<h2", |_| {}).code, "no-usage", "{config}");
    }
}

#[test]
fn a_packages_components_are_found_in_the_same_repository() {
    let page = component("import { Card } from '@acme/ui'", "<main><Card title=\"Old\" /></main>");
    let library = r#"{ "name": "@acme/ui", "version": "1.2.0", "exports": { ".": { "default": "./dist/i.js", "development": "./src/index.ts" } } }"#;
    for (wanted, found) in [("workspace:*", true), ("^1.2.0", true), ("^1.1.0", false)] {
        let app = format!(r#"{{ "dependencies": {{ "@acme/ui": "{wanted}" }} }}"#);
        let project = [
            ("packages/ui/src/Card.vue", CARD),
            (
                "packages/ui/src/index.ts",
                "export { default as Card } from './Card.vue';\n",
            ),
            ("packages/ui/package.json", library),
            ("app/package.json", app.as_str()),
            ("app/Page.vue", page.as_str()),
        ];
        if found {
            changes(&project, "<h2", |_| {}, "app/Page.vue", ("Old", "New"));
        } else {
            assert_eq!(refusal(&project, "<h2", |_| {}).code, "no-usage");
        }
    }
}
