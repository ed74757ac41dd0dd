//! Texts of templates are followed to where they stand.

use super::*;
use crate::source::follow::Resolver;
use crate::source::model::inspection::RunForm;

/// The texts of the element marked by `^` in the first file: form, place and text of each way, or why there is none.
fn runs<const N: usize>(files: [(&str, &str); N]) -> Vec<Vec<String>> {
    let (path, source) = files[0];
    let offset = source.find('^').unwrap();
    let text = source.replacen('^', "", 1);
    let mut project = files;
    project[0].1 = &text;
    let at = LineIndex::new(&text).position(offset);
    let path = path.to_owned();
    let resolver = Resolver::new(&project);
    let element = resolver.find(&Stamp { path, at }).unwrap();
    let ways = |run: crate::source::follow::Run| {
        let ways = run.ways.iter().map(|way| match &way.end {
            Ok((module, fixed)) => {
                assert_ne!(way.form, RunForm::Expression);
                assert!(!fixed.range.is_empty());
                format!("{:?} {} {}", way.form, module.path, way.text())
            }
            Err(why) => why.code.to_string(),
        });
        ways.collect()
    };
    resolver.runs(&element).into_iter().map(ways).collect()
}

fn one(script: &str, template: &str) -> Vec<Vec<String>> {
    let source =
        format!("<script setup lang=\"ts\">\n{script}\n</script>\n<template><main>{template}</main></template>\n");
    runs([("src/A.vue", source.as_str())])
}

#[test]
fn names_of_the_script_are_followed() {
    assert_eq!(
        one("const a = 'x'", "^<p>one {{ a }}</p>"),
        [["Plain src/A.vue one"], ["Literal src/A.vue x"]]
    );
    assert_eq!(
        one(
            "import { ref } from 'vue'\nconst a = ref<string>('x')",
            "^<p>{{ a }}</p>"
        ),
        [["Literal src/A.vue x"]]
    );
    assert_eq!(
        one("const a = computed(() => on.value ? 'x' : 'y')", "^<p>{{ a }}</p>")
            .concat()
            .len(),
        2
    );
    assert_eq!(one("", "^<p>{{ 'x' }}</p>"), [["Literal src/A.vue x"]]);
    assert_eq!(
        one("const a = { b: { c: 'x' } }", "^<p>{{ a.b.c }}</p>"),
        [["Literal src/A.vue x"]]
    );
    assert_eq!(one("", "^<p>{{ 'a &amp; b' }}{{ a b }}</p>").len(), 2);
}

#[test]
fn items_of_lists_are_followed() {
    let script = "const items = reactive([{ title: 'x' }, { title: 'y' }])";
    let wanted = [["Item src/A.vue x", "Item src/A.vue y"]];
    assert_eq!(
        one(
            script,
            "<ul><li v-for=\"(item, i) in items\" :key=\"i\">^<b>{{ item.title }}</b></li></ul>"
        ),
        wanted
    );
    assert_eq!(
        one(script, "^<li v-for=\"{ title } of items\">{{ title }}</li>"),
        wanted
    );
    assert_eq!(
        one(
            script,
            "<template v-for=\"item in items\">^<b>{{ item.title }}</b></template>"
        ),
        wanted
    );
    assert_eq!(one("", "^<li v-for=\"item in ['x', 'y']\">{{ item }}</li>"), wanted);
}

#[test]
fn items_of_an_imported_list_are_followed() {
    let found = runs([
        (
            "src/A.vue",
            "<script setup>\nimport { items } from './data'\n</script>\n<template>^<p v-for=\"a in items\">{{ a }}</p></template>",
        ),
        ("src/data.ts", "export const items = ['x']"),
    ]);
    assert_eq!(found, [["Item src/data.ts x"]]);
}

#[test]
fn props_and_slots_are_followed_to_their_uses() {
    let card = "<script setup lang=\"ts\">\ninterface Props { title: string; subTitle?: string }\nconst props = defineProps<Props>()\n</script>\n\
        <template><div>^<h2>{{ title }} {{ props.subTitle }} <slot>or</slot></h2></div></template>";
    let app = "<script setup>\nimport Card from './Card.vue'\n</script>\n<template><main><Card title=\"x\" :sub-title=\"'y'\">z</Card></main></template>";
    let found = runs([("src/Card.vue", card), ("src/App.vue", app)]);
    assert_eq!(
        found,
        [
            ["Prop src/App.vue x"],
            ["Prop src/App.vue y"],
            ["Children src/App.vue z"]
        ]
    );
}

#[test]
fn translations_are_followed() {
    let found = runs([
        (
            "src/A.vue",
            "<template><main>^<p>{{ $t('home.title') }}</p></main></template>",
        ),
        ("src/locales/en.json", "{ \"home\": { \"title\": \"x\" } }"),
        ("package.json", "{ \"dependencies\": { \"vue-i18n\": \"11\" } }"),
    ]);
    assert_eq!(found, [["Translation src/locales/en.json x"]]);
}

#[test]
fn followed_texts_are_changed_where_they_stand() {
    let card =
        "<script setup>\ndefineProps(['title'])\n</script>\n<template><div>^<h2>{{ title }}</h2></div></template>";
    let app = "<script setup>\nimport Card from './Card.vue'\nconst items = [{ title: 'x' }, { title: 'y' }]\n</script>\n\
        <template><main><Card :title=\"'z'\"/><p v-for=\"item in items\">{{ item.title }}</p></main></template>";
    let offset = card.find('^').unwrap();
    let card = card.replacen('^', "", 1);
    let files = [("src/Card.vue", card.as_str()), ("src/App.vue", app)];
    let at = LineIndex::new(&card).position(offset);
    let src = Stamp {
        path: "src/Card.vue".to_owned(),
        at,
    };
    let change = |src: &Stamp, item: Option<usize>| {
        let request = json!({ "kind": "text", "text": "it's", "src": src, "item": item });
        let request = serde_json::from_value(request).unwrap();
        let plan = plan(&files, &request, Lanes::default()).unwrap();
        assert_eq!(plan.changes.len(), 1);
        assert_eq!(plan.changes[0].path, "src/App.vue");
        plan.changes[0].apply(app).unwrap()
    };
    assert!(change(&src, None).contains(":title=\"'it\\'s'\""));
    let at = LineIndex::new(app).position(app.find("<p v-for").unwrap());
    let src = Stamp {
        path: "src/App.vue".to_owned(),
        at,
    };
    assert!(change(&src, Some(1)).contains("[{ title: 'x' }, { title: 'it\\'s' }]"));
    let question = Inspect {
        src,
        item: Some(1),
        within: None,
        viewport: Default::default(),
    };
    let answer = inspect(&files, &question, Lanes::default()).unwrap();
    assert_eq!(answer.text[0].text, "y");
    assert_eq!(answer.text[0].form, RunForm::Item);
}
