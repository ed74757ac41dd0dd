//! Styles; their rules have tests of their own in `source::styles`.

use super::*;

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
