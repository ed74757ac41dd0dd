//! Styles; their rules have tests of their own in `source::styles`.

use super::*;
use crate::source::sfc;

fn style(property: &str, value: impl Into<Value>) -> Value {
    json!({ "kind": "style", "property": property, "value": value.into() })
}

#[test]
fn styles_are_set_where_they_are_declared() {
    becomes(
        "^<p style=\"color: red\">x</p>",
        style("color", "blue"),
        "<p style=\"color: blue\">x</p>",
    );
    becomes(
        "^<p :style=\"{ color: 'red' }\">x</p>",
        style("color", "blue"),
        "<p :style=\"{ color: 'blue' }\">x</p>",
    );
    becomes("^<p>x</p>", style("color", "blue"), "<p style=\"color: blue\">x</p>");
    refused("^<p>x</p>", style("color", Value::Null), "no-declaration");
    let source =
        "<template><main>^<p class=\"a\">x</p></main></template>\n<style scoped>\n.a { color: red }\n</style>\n";
    let wanted = source.replace('^', "").replace("red", "blue");
    whole_becomes(source, style("color", "blue"), &wanted);
    let source = "<template><main>^<p :class=\"$style.a\">x</p></main></template>\n<style module>\n.a { color: red }\n</style>\n";
    let wanted = source.replace('^', "").replace("red", "blue");
    whole_becomes(source, style("color", "blue"), &wanted);
}

#[test]
fn a_style_beside_computed_classes_may_not_show() {
    let text = template("<a class=\"rounded p-2\" :class=\"tone[kind]\">x</a>");
    let src = sfc::outline(&text).unwrap().elements[1].stamp(PATH).to_string();
    let edit = json!({ "src": src, "kind": "style", "property": "background-color", "value": "#ff0" });
    let request = serde_json::from_value(edit).unwrap();
    let package = ("package.json", "{ \"tailwindcss\": \"^4.1.0\" }");
    let plan = plan(&[(PATH, text.as_str()), package], &request, LANES).unwrap();
    assert_eq!(
        plan.notes,
        [
            "The page may not change: some classes of the element are computed, and one of them may declare background-color too"
        ]
    );
}
