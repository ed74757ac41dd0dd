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
