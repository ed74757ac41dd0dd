//! Vue's options, and the defaults of props.

use super::vue::component;
use super::{changes, refusal};

const PAGE: &str = "<script setup>\nimport App from './App.vue'\n</script>\n<template><App /></template>\n";

fn options(options: &str, template: &str) -> String {
    format!("<script>\nexport default {{\n  {options}\n}}\n</script>\n\n<template>\n  {template}\n</template>\n")
}

#[test]
fn texts_of_options_are_followed() {
    for (written, template) in [
        ("data() { return { title: 'Old' } }", "<p>{{ title }}</p>"),
        ("data: () => ({ page: { title: 'Old' } }),", "<p>{{ page.title }}</p>"),
        ("computed: { title() { return 'Old' } }", "<p>{{ title }}</p>"),
        (
            "computed: { title: { get() { return 'Old' }, set(v) {} } }",
            "<p>{{ title }}</p>",
        ),
        (
            "data() { return { a: 'Old' } }, computed: { title() { return this.a } }",
            "<p>{{ title }}</p>",
        ),
        ("methods: { title() { return 'Old' } }", "<p>{{ title() }}</p>"),
        (
            "setup() { const title = ref('Old'); return { title } }",
            "<p>{{ title }}</p>",
        ),
        ("setup: () => ({ title: 'Old' })", "<p>{{ title }}</p>"),
        (
            "props: { title: { type: String, default: 'Old' } }",
            "<p>{{ title }}</p>",
        ),
        (
            "props: { title: { default: () => 'Old' } }",
            "<p>{{ $t ? title : title }}</p>",
        ),
    ] {
        let code = options(written, template);
        let project = [("src/App.vue", code.as_str()), ("src/Page.vue", PAGE)];
        changes(&project, "<p", |_| {}, "src/App.vue", ("Old", "New"));
    }
}

#[test]
fn what_methods_assign_is_refused() {
    for written in [
        "data() { return { title: 'Old' } }, methods: { go() { this.title = 'x' } }",
        "data() { return { title: 'Old' } }, methods: { go() { this[key] = 'x' } }",
        "data() { return { title: 'Old' } }, methods: { go() { const self = this; self.title = 'x' } }",
        "data() { return { title: 'Old' } }, methods: { go() { Object.assign(this.$data, x) } }",
        "data() { return { title: 'Old' } }, mixins: [other]",
    ] {
        let code = options(written, "<p>{{ title }}</p>");
        let project = [("src/App.vue", code.as_str()), ("src/Page.vue", PAGE)];
        assert_eq!(refusal(&project, "<p", |_| {}).code, "mutable-variable", "{written}");
    }
    let code = options(
        "setup() { const title = ref('Old'); const shown = computed(() => title.value); return { title, shown } }",
        "<div><p>{{ shown }}</p><input v-model=\"title\"></div>",
    );
    let project = [("src/App.vue", code.as_str())];
    assert_eq!(refusal(&project, "<p", |_| {}).code, "mutable-variable");
}

#[test]
fn a_scripts_own_names_are_not_those_of_its_template() {
    let code = "<script>\nconst title = 'Old'\nexport default { name: 'x' }\n</script>\n<template><p>{{ title }}</p></template>\n";
    let project = [("src/App.vue", code)];
    assert_eq!(refusal(&project, "<p", |_| {}).code, "not-declared");
}

#[test]
fn registered_components_of_options_are_followed() {
    let code = options(
        "components: { 'my-card': Card }, name: 'Page'",
        "<main><my-card title=\"Old\" /></main>",
    )
    .replace("<script>\n", "<script>\nimport Card from './Card.vue'\n");
    let card = "<script setup>\ndefineProps(['title'])\n</script>\n<template><h2>{{ title }}</h2></template>\n";
    let project = [("src/Card.vue", card), ("src/Page.vue", code.as_str())];
    changes(&project, "<h2", |_| {}, "src/Page.vue", ("Old", "New"));
}

#[test]
fn the_default_of_a_prop_is_changed_in_the_component() {
    for script in [
        "withDefaults(defineProps<{ title?: string }>(), { title: 'Old' })",
        "const props = withDefaults(defineProps<{ title?: string }>(), { title: 'Old' })",
        "defineProps({ title: { type: String, default: 'Old' } })",
    ] {
        let code = component(script, "<p>{{ title }}</p>");
        let project = [("src/App.vue", code.as_str()), ("src/Page.vue", PAGE)];
        changes(&project, "<p", |_| {}, "src/App.vue", ("Old", "New"));
        let given = PAGE.replace("<App />", "<App title=\"Given\" />");
        let project = [("src/App.vue", code.as_str()), ("src/Page.vue", given.as_str())];
        changes(&project, "<p", |_| {}, "src/Page.vue", ("Given", "New"));
    }
    let code = component(
        "withDefaults(defineProps<{ title?: string }>(), { title: 'Old', ...others })",
        "<p>{{ title }}</p>",
    );
    let project = [("src/App.vue", code.as_str()), ("src/Page.vue", PAGE)];
    assert_eq!(refusal(&project, "<p", |_| {}).code, "no-text");
}
