//! Single-file components.

use super::{changes, inspected, refusal};
use crate::source::model::inspection::RunForm;

pub fn component(script: &str, template: &str) -> String {
    format!("<script setup lang=\"ts\">\n{script}\n</script>\n\n<template>\n  {template}\n</template>\n")
}

#[test]
fn texts_of_templates_are_followed() {
    for (script, template) in [
        ("", "<p>Old</p>"),
        ("", "<p>{{ 'Old' }}</p>"),
        ("", "<p>{{ on ? 'Old' : null }}</p>"),
        ("const text = 'Old'", "<p>{{ text }}</p>"),
        ("const text = ref('Old')", "<p>{{ text }}</p>"),
        ("const text = computed(() => `Old`)", "<p>{{ text }}</p>"),
        ("const texts = { a: ['x', 'Old'] } as const", "<p>{{ texts.a[1] }}</p>"),
        ("const texts = reactive({ title: 'Old' })", "<p>{{ texts.title }}</p>"),
        (
            "const other = ref('x')\nconst text = other.value === 'x' ? 'Old' : undefined",
            "<p>{{ text }}</p>",
        ),
        (
            "const { title = 'Old' } = defineProps<{ title?: string }>()",
            "<p>{{ title ?? 'other' }}</p>",
        ),
    ] {
        let code = component(script, template);
        // A default of a component that is used nowhere is shown by nobody that is known.
        let used = "<script setup>\nimport App from './App.vue'\n</script>\n<template><App /></template>\n";
        let project = [("src/App.vue", code.as_str()), ("src/Page.vue", used)];
        changes(&project, "<p", |_| {}, "src/App.vue", ("Old", "New"));
    }
}

#[test]
fn items_of_a_list_are_followed() {
    let script = "const items = [{ title: 'One', tags: ['a', 'b'] }, { title: 'Two', tags: ['c'] }]";
    for template in [
        "<ul><li v-for=\"item in items\" :key=\"item.title\">{{ item.title }}</li></ul>",
        "<ul><li v-for=\"({ title }, index) of items\">{{ title }}</li></ul>",
        "<ul><template v-for=\"item in items\"><li>{{ item.title }}</li></template></ul>",
    ] {
        let code = component(script, template);
        let project = [("src/App.vue", code.as_str())];
        changes(
            &project,
            "<li",
            |request| request.item = Some(1),
            "src/App.vue",
            ("Two", "New"),
        );
    }
    let nested = "<div v-for=\"item in items\"><b v-for=\"tag in item.tags\">{{ tag }}</b></div>";
    let code = component(script, nested);
    let project = [("src/App.vue", code.as_str())];
    changes(
        &project,
        "<b ",
        |request| request.item = Some(2),
        "src/App.vue",
        ("'c'", "'New'"),
    );
    assert_eq!(inspected(&project, "<b ", Some(0))[0].form, RunForm::Item);
}

#[test]
fn properties_and_slots_are_changed_where_the_component_is_used() {
    for (script, template, usage) in [
        (
            "defineProps<{ title: string }>()",
            "<h2>{{ title }}</h2>",
            "<Card title=\"Old\" />",
        ),
        (
            "defineProps(['subTitle'])",
            "<h2>{{ subTitle }}</h2>",
            "<Card sub-title=\"Old\" />",
        ),
        (
            "const props = defineProps({ title: String })",
            "<h2>{{ props.title }}</h2>",
            "<Card :title=\"'Old'\" />",
        ),
        ("", "<h2><slot /></h2>", "<Card>Old</Card>"),
        ("", "<h2><slot>other</slot></h2>", "<Card>{{ 'Old' }}</Card>"),
    ] {
        let card = component(script, template);
        let page = component("import Card from '@/Card.vue'", &format!("<main>{usage}</main>"));
        let config = r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#;
        let project = [
            ("src/Card.vue", card.as_str()),
            ("src/Page.vue", page.as_str()),
            ("tsconfig.json", config),
        ];
        changes(&project, "<h2", |_| {}, "src/Page.vue", ("Old", "New"));
    }
}

#[test]
fn translations_are_followed() {
    for (script, template) in [
        ("const { t } = useI18n()", "<p>{{ t('home.title') }}</p>"),
        ("", "<p>{{ $t('home.title') }}</p>"),
    ] {
        let code = component(script, template);
        let project = [
            ("src/App.vue", code.as_str()),
            ("src/locales/en.json", "{ \"home\": { \"title\": \"Old\" } }"),
        ];
        changes(&project, "<p", |_| {}, "src/locales/en.json", ("Old", "New"));
    }
}

#[test]
fn what_the_prototype_changes_is_refused() {
    for template in [
        "<p>{{ text }}</p><button @click=\"text = 'x'\">x</button>",
        "<p>{{ text }}</p><button @click=\"first(); text = 'x'\">x</button>",
        "<p>{{ text }}</p><button @click=\"function () { text = 'x' }\">x</button>",
        "<p>{{ text }}</p><input v-model=\"text\">",
    ] {
        let code = component("const text = ref('Old')", &format!("<div>{template}</div>"));
        let project = [("src/App.vue", code.as_str())];
        assert_eq!(refusal(&project, "<p", |_| {}).code, "mutable-variable", "{template}");
    }
    let code = component(
        "const text = ref('Old')\nfunction go() { text.value = 'x' }",
        "<p>{{ text }}</p>",
    );
    let project = [("src/App.vue", code.as_str())];
    assert_eq!(refusal(&project, "<p", |_| {}).code, "mutable-variable");
}

#[test]
fn a_change_of_another_property_does_not_matter() {
    for (script, template) in [
        (
            "const page = reactive({ title: 'Old', open: false })\nfunction go() { page.open = true }",
            "<p>{{ page.title }}</p>",
        ),
        (
            "const page = reactive({ title: 'Old', n: 0 })",
            "<div><p>{{ page.title }}</p><i @click=\"page.n++\">x</i></div>",
        ),
        (
            "const items = [{ title: 'Old', on: false }]",
            "<div v-for=\"item in items\"><p>{{ item.title }}</p><input v-model=\"item.on\"></div>",
        ),
    ] {
        let code = component(script, template);
        let project = [("src/App.vue", code.as_str())];
        changes(&project, "<p", |_| {}, "src/App.vue", ("Old", "New"));
    }
    for (script, template) in [
        (
            "const page = reactive({ title: 'Old' })\nfunction go() { page[key] = 'x' }",
            "<p>{{ page.title }}</p>",
        ),
        (
            "const page = ref({ title: 'Old' })\nfunction go() { page.value.title = 'x' }",
            "<p>{{ page.title }}</p>",
        ),
        (
            "const page = ref({ title: 'Old' })\nfunction go() { page.value = {} }",
            "<p>{{ page.title }}</p>",
        ),
        (
            "const page = reactive({ n: 1 })",
            "<div><p>{{ page.n }}</p><i @click=\"page.n++\">x</i></div>",
        ),
        (
            "const page = { title: 'Old' }\nObject.assign(page, x)",
            "<p>{{ page.title }}</p>",
        ),
        (
            "const page = { title: 'Old' }\ndelete page.title",
            "<p>{{ page.title }}</p>",
        ),
        (
            "const items = [{ title: 'Old' }]",
            "<div v-for=\"item in items\"><p>{{ item.title }}</p><input v-model=\"item.title\"></div>",
        ),
    ] {
        let code = component(script, template);
        let project = [("src/App.vue", code.as_str())];
        assert_eq!(refusal(&project, "<p", |_| {}).code, "mutable-variable", "{script}");
    }
}

#[test]
fn strings_in_attributes_are_escaped_twice() {
    let code = component("defineProps(['t'])", "<h2>{{ t }}</h2>");
    let page = component("import Card from './Card.vue'", "<Card :t=\"'Old'\" />");
    let project = [("src/Card.vue", code.as_str()), ("src/Page.vue", page.as_str())];
    let with = |request: &mut crate::source::model::Request| {
        let text = "it's \"x\" &amp;".to_owned();
        request.operation = crate::source::model::Operation::Text { text, run: None };
    };
    changes(
        &project,
        "<h2",
        with,
        "src/Page.vue",
        ("Old", "it\\'s \\x22x\\x22 \\x26amp;"),
    );
}

#[test]
fn what_no_known_text_reads_like_is_none_of_them() {
    let menu = component(
        "import Entry from './Entry.vue'\nconst menu = ref([{ label: 'Home', items: [{ label: 'Board' }] }, { label: 'Parts', items: [{ label: 'Input' }] }])",
        "<ul><Entry v-for=\"entry in menu\" :entry=\"entry\" /></ul>",
    );
    let entry = component(
        "defineProps({ entry: Object })",
        "<li><b>{{ entry.label }}</b><Entry v-for=\"child in entry.items\" :entry=\"child\" /></li>",
    );
    let project = [("src/Entry.vue", entry.as_str()), ("src/Menu.vue", menu.as_str())];
    let asked = |before: &str| refusal(&project, "<b>", |request| request.before = Some(before.to_owned()));
    // What the entries within entries show is not known: it must not be asked which of the outer ones it is.
    let refused = asked("Input");
    assert_eq!(
        (refused.code.to_string().as_str(), &refused.choices[..]),
        ("too-deep", &[][..]),
        "{refused:?}"
    );
    changes(
        &project,
        "<b>",
        |request| request.before = Some("Parts".to_owned()),
        "src/Menu.vue",
        ("Parts", "New"),
    );
}
