//! What an inspection says.

use super::*;

#[test]
fn an_inspection_tells_what_can_be_done() {
    let source = "<template><main><ul v-for=\"a in b\">^<li class=\"x\" :id=\"y\" :title=\"'z'\" disabled v-bind=\"c\" @click=\"d\">\
        one {{ 'two' }} {{ three }}</li></ul></main></template>";
    let (src, text) = marked(source);
    let question: Inspect = serde_json::from_value(json!({ "src": src, "item": null, "within": null })).unwrap();
    let answer = inspect(&[(PATH, text.as_str())], &question, Lanes::default()).unwrap();
    let answer = serde_json::to_value(answer).unwrap();
    assert_eq!(answer["component"], "App");
    assert_eq!(answer["repeated"], true);
    let forms: Vec<_> = answer["attributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].clone(), one["form"].clone(), one["editable"].clone()))
        .collect();
    assert_eq!(
        json!(forms),
        json!([
            ["class", "literal", true],
            ["id", "bound", false],
            ["title", "literal", false],
            ["disabled", "flag", false],
            ["...", "spread", false],
            ["@click", "expression", false]
        ])
    );
    assert_eq!(answer["classes"]["list"], json!(["x"]));
    let runs: Vec<_> = answer["text"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["text"].clone(), one["form"].clone()))
        .collect();
    assert_eq!(
        json!(runs),
        json!([["one", "plain"], ["two", "literal"], ["three", "expression"]])
    );
    assert_eq!(answer["can"]["delete"], true);
    assert!(answer["can"]["detach"].as_str().unwrap().contains("lanes.detach"));
}

#[test]
fn an_element_that_shows_an_empty_value_cannot_be_given_a_first_text() {
    use crate::source::engine;
    use crate::source::model::inspection::Able;
    use crate::source::model::{Inspect, Lanes, Request};
    let text = "<script setup>\nconst options = []\n</script>\n<template>\n  <select>\n    <option v-for=\"option in options\">{{ option.name }}</option>\n  </select>\n</template>\n";
    let files = [("src/A.vue", text)];
    let question = Inspect {
        src: "src/A.vue:6:4".parse().unwrap(),
        item: Some(0),
        within: None,
        viewport: Default::default(),
    };
    let can = engine::inspect(&files, &question, Lanes::default()).unwrap().can.text;
    let edit = serde_json::json!({ "src": "src/A.vue:6:4", "kind": "text", "text": "New", "item": 0 });
    let request: Request = serde_json::from_value(edit).unwrap();
    let refusal = engine::plan(&files, &request, Lanes::default()).unwrap_err();
    assert_eq!(can, Able::No(refusal.reason));
}
