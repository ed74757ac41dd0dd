//! JSX that Vue renders: in a project of Vue, and in the scripts of its components.

use serde_json::{Value, json};

use super::edited_in;
use crate::source::engine::{inspect, outline, plan};
use crate::source::model::{Inspect, Lanes, LineIndex, Refusal, Stamp};

const VUE: (&str, &str) = ("package.json", r#"{ "dependencies": { "vue": "3" } }"#);
const BOTH: (&str, &str) = ("package.json", r#"{ "dependencies": { "vue": "3", "react": "19" } }"#);

fn class(add: &[&str], remove: &[&str]) -> Value {
    json!({ "kind": "class", "add": add, "remove": remove })
}

fn attribute(name: &str, value: &str) -> Value {
    json!({ "kind": "attribute", "name": name, "value": value })
}

fn style(property: &str, value: &str) -> Value {
    json!({ "kind": "style", "property": property, "value": value })
}

#[track_caller]
fn becomes(element: &str, edit: Value, wanted: &str) {
    let whole = |element: &str| format!("export const a = () => {element};");
    let edited = edited_in(&whole(element), &[VUE], edit.clone());
    assert_eq!(edited.as_deref(), Ok(whole(wanted).as_str()), "{edit} of {element}");
}

#[test]
fn classes_are_in_class() {
    for (before, add, remove, after) in [
        ("‹div class=\"v\"/>", &["new"][..], &[][..], "<div class=\"v new\"/>"),
        ("‹div class=\"v w\"/>", &[], &["v"], "<div class=\"w\"/>"),
        ("‹div/>", &["new"], &[], "<div class=\"new\"/>"),
        (
            "‹div class={['v', on && 'w']}/>",
            &["new"],
            &[],
            "<div class={['v new', on && 'w']}/>",
        ),
        ("‹div className=\"v\"/>", &["new"], &[], "<div className=\"v new\"/>"),
        ("‹Card/>", &["new"], &[], "<Card class=\"new\"/>"),
    ] {
        becomes(before, class(add, remove), after);
    }
}

#[test]
fn attributes_have_the_names_of_html() {
    for (before, name, value, after) in [
        ("‹label/>", "htmlFor", "name", "<label for=\"name\"/>"),
        ("‹label/>", "for", "name", "<label for=\"name\"/>"),
        ("‹label for=\"a\"/>", "htmlFor", "name", "<label for=\"name\"/>"),
        ("‹input/>", "tabIndex", "0", "<input tabindex=\"0\"/>"),
        ("‹input/>", "readonly", "true", "<input readonly/>"),
        ("‹path/>", "strokeWidth", "2", "<path stroke-width=\"2\"/>"),
        (
            "‹path stroke-width=\"1\"/>",
            "strokeWidth",
            "2",
            "<path stroke-width=\"2\"/>",
        ),
        ("‹svg/>", "viewbox", "0 0 1 1", "<svg viewBox=\"0 0 1 1\"/>"),
        ("‹div class=\"v\"/>", "className", "w", "<div class=\"w\"/>"),
    ] {
        becomes(before, attribute(name, value), after);
    }
}

#[test]
fn events_and_directives_are_code() {
    let element = "const a = () => ‹input onUpdate:modelValue={f} v-model={x} vShow={y} innerHTML={z}/>;";
    for name in [
        "onClick",
        "onUpdate:modelValue",
        "v-model",
        "vShow",
        "v-custom",
        "innerHTML",
    ] {
        let refusal = edited_in(element, &[VUE], attribute(name, "x")).unwrap_err();
        assert_eq!(refusal.code, "attribute-kind", "{name}: {}", refusal.reason);
    }
}

#[test]
fn numbers_of_styles_are_no_pixels() {
    becomes(
        "‹p style={{ padding: '4px' }}/>",
        style("margin-top", "8px"),
        "<p style={{ padding: '4px', marginTop: '8px' }}/>",
    );
    becomes(
        "‹p style={{ lineHeight: 1, padding: 4 }}/>",
        style("padding", "8px"),
        "<p style={{ lineHeight: 1, padding: '8px' }}/>",
    );
    becomes(
        "‹p style=\"color: red\"/>",
        style("color", "blue"),
        "<p style=\"color: blue\"/>",
    );
}

#[test]
fn an_element_with_both_names_is_left_alone() {
    let both = "const a = () => ‹div class=\"v\" className=\"w\"/>;";
    for files in [&[VUE][..], &[]] {
        let refusal = edited_in(both, files, class(&["new"], &[])).unwrap_err();
        assert_eq!(refusal.code, "class-shape");
    }
}

#[test]
fn react_reads_the_class_that_stands_there() {
    let edited = |source: &str| edited_in(source, &[], class(&["new"], &[])).unwrap();
    assert_eq!(edited("a = ‹div class=\"v\"/>"), "a = <div class=\"v new\"/>");
    assert_eq!(edited("a = ‹my-card/>"), "a = <my-card class=\"new\"/>");
}

#[test]
fn with_both_frameworks_the_file_tells_or_nothing_is_guessed() {
    let edited = |source: &str, edit: Value| edited_in(source, &[BOTH], edit).map_err(|refusal| refusal.code.word());
    assert_eq!(edited("export const a = ‹p/>", class(&["b"], &[])), Err("class-shape"));
    assert_eq!(
        edited("export const a = ‹p/>", attribute("for", "b")),
        Err("attribute-name")
    );
    assert_eq!(
        edited("export const a = ‹p/>", attribute("title", "b")).as_deref(),
        Ok("export const a = <p title=\"b\"/>")
    );
    assert_eq!(
        edited("export const a = [‹p/>, <i class=\"c\"/>]", class(&["b"], &[])).as_deref(),
        Ok("export const a = [<p class=\"b\"/>, <i class=\"c\"/>]")
    );
    assert_eq!(
        edited("import { ref } from 'vue';\nexport const a = ‹p/>", class(&["b"], &[])).as_deref(),
        Ok("import { ref } from 'vue';\nexport const a = <p class=\"b\"/>")
    );
}

/// A component with JSX in its script; the element is marked by `‹`.
const COMPONENT: &str = "<script setup lang=\"tsx\">\nconst é = 'x';\nconst Row = () => (\n  <li class=\"row\">\n    <b>One</b>\n    ‹i/>\n  </li>\n);\n</script>\n\n<template>\n  <ul><Row /></ul>\n</template>\n\n<style>.row { color: red }</style>\n";

fn in_component(edit: Value) -> Result<String, Refusal> {
    let offset = COMPONENT.find('‹').unwrap();
    let text = COMPONENT.replacen('‹', "<", 1);
    let stamp = |offset| {
        Stamp {
            path: "src/App.vue".to_owned(),
            at: LineIndex::new(&text).position(offset),
        }
        .to_string()
    };
    let mut edit = edit;
    edit["src"] = json!(stamp(offset));
    if let Some(to) = edit.get("to").and_then(Value::as_str).map(str::to_owned) {
        edit["to"] = json!(stamp(text.find(&to).unwrap()));
    }
    let request = serde_json::from_value(edit).unwrap();
    let plan = plan(
        &[("src/App.vue", text.as_str())],
        &request,
        Lanes {
            detach: true,
            swap: true,
        },
    )?;
    let [change] = plan.changes.as_slice() else {
        panic!("{plan:?}")
    };
    Ok(change.apply(&text).unwrap())
}

#[test]
fn elements_of_a_components_script_are_edited() {
    for (edit, from, to) in [
        (class(&["new"], &[]), "‹i/>", "<i class=\"new\"/>"),
        (attribute("title", "t"), "‹i/>", "<i title=\"t\"/>"),
        (style("color", "blue"), "‹i/>", "<i style={{ color: \"blue\" }}/>"),
        (
            json!({ "kind": "text", "text": "a {b}" }),
            "‹i/>",
            "<i>a &#123;b&#125;</i>",
        ),
        (json!({ "kind": "duplicate" }), "‹i/>", "<i/>\n    <i/>"),
        (json!({ "kind": "delete" }), "    ‹i/>\n", ""),
        (
            json!({ "kind": "insert", "place": "first", "markup": "<u>{é}</u>" }),
            "‹i/>",
            "<i>\n      <u>{é}</u>\n    </i>",
        ),
        (
            json!({ "kind": "move", "to": "<b>", "place": "before" }),
            "<b>One</b>\n    ‹i/>",
            "<i/>\n    <b>One</b>",
        ),
    ] {
        let wanted = COMPONENT.replacen(from, to, 1);
        assert_eq!(in_component(edit.clone()).as_deref(), Ok(wanted.as_str()), "{edit}");
    }
    let refusal = in_component(json!({ "kind": "detach" })).unwrap_err();
    assert_eq!(refusal.code, "react-only");
}

#[test]
fn elements_of_a_components_script_are_listed_and_inspected() {
    let text = COMPONENT.replacen('‹', "<", 1);
    let outline = outline("src/App.vue", &text).unwrap();
    let seen: Vec<_> = outline
        .elements
        .iter()
        .map(|entry| (entry.tag.as_str(), entry.parent))
        .collect();
    assert_eq!(
        seen,
        [
            ("li", None),
            ("b", Some(0)),
            ("i", Some(0)),
            ("ul", None),
            ("Row", Some(3))
        ]
    );
    let src = outline.elements[0].stamp("src/App.vue");
    let question = Inspect {
        src,
        item: None,
        within: None,
        viewport: Default::default(),
    };
    let found = inspect(&[("src/App.vue", text.as_str())], &question, Lanes::default()).unwrap();
    assert_eq!(found.classes.list, ["row"]);
    assert_eq!(found.component.as_deref(), Some("Row"));
    assert_eq!(found.usages.len(), 1);
}

#[test]
fn a_spread_takes_no_class_and_no_style_away() {
    becomes(
        "‹p class=\"v\" {...attrs}/>",
        class(&["new"], &[]),
        "<p class=\"v new\" {...attrs}/>",
    );
    becomes("‹p {...attrs}/>", class(&["new"], &[]), "<p {...attrs} class=\"new\"/>");
    // The last one wins.
    becomes(
        "‹p {...attrs}/>",
        style("color", "red"),
        "<p {...attrs} style={{ color: 'red' }}/>",
    );
    let whole = |element: &str| format!("export const a = () => {element};");
    for (element, edit, code) in [
        ("‹p {...attrs}/>", class(&[], &["v"]), "spread-class"),
        ("‹p title=\"a\" {...attrs}/>", attribute("title", "b"), "spread-after"),
        (
            "‹p style={{ color: 'blue' }} {...attrs}/>",
            style("color", "red"),
            "spread-after",
        ),
    ] {
        let refused = edited_in(&whole(element), &[VUE], edit).unwrap_err();
        assert_eq!(refused.code, code, "{element}: {}", refused.reason);
    }
}

#[test]
fn style_blocks_of_the_component_count_and_scoped_ones_perhaps() {
    let of = |scoped: &str| {
        let text = format!(
            "<script lang=\"tsx\">\nexport default {{ render() {{ return <p class=\"a\">x</p> }} }}\n</script>\n<style{scoped}>\np.a {{ color: red }}\n</style>\n"
        );
        let request = json!({ "src": "src/A.vue:2:35", "kind": "style", "property": "color", "value": "blue" });
        let files = [("src/A.vue", text.as_str()), VUE];
        plan(&files, &serde_json::from_value(request).unwrap(), Lanes::default())
            .map(|plan| plan.changes[0].apply(&text).unwrap())
    };
    assert!(of("").unwrap().contains("p.a { color: blue }"));
    // Vue gives the mark of scoped styles to what the component's own render makes, not to what its setup or another component does.
    let done = of(" scoped").unwrap();
    assert!(done.contains("p.a { color: red }") && done.contains("style="), "{done}");
}
