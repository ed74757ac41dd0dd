//! Every shape of every kind of edit, and every refusal.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::source::{Inspect, Lanes, LineIndex, Refusal, Stamp, inspect, plan};

const PATH: &str = "src/App.vue";
const LANES: Lanes = Lanes {
    detach: true,
    swap: true,
};

/// The file with the element marked by `^` before its `<`.
fn marked(source: &str) -> (String, String) {
    let offset = source.find('^').expect("the element is marked");
    let text = source.replacen('^', "", 1);
    let at = LineIndex::new(&text).position(offset);
    let path = PATH.to_owned();
    (Stamp { path, at }.to_string(), text)
}

/// A template of one line around the sample.
fn template(sample: &str) -> String {
    format!("<template><main>{sample}</main></template>\n")
}

fn edited(source: &str, edit: Value) -> Result<String, Refusal> {
    let (src, text) = marked(source);
    let mut request = edit;
    request["src"] = json!(src);
    if let Some(to) = request.get("to").and_then(Value::as_str).map(str::to_owned) {
        let offset = text.find(&to).expect("the target stands there");
        let at = LineIndex::new(&text).position(offset);
        let path = PATH.to_owned();
        request["to"] = json!(Stamp { path, at }.to_string());
    }
    let request = serde_json::from_value(request).unwrap();
    let plan = plan(&[(PATH, text.as_str())], &request, LANES)?;
    let [change] = plan.changes.as_slice() else {
        panic!("one file changes")
    };
    assert_eq!(change.path, PATH);
    Ok(change.apply(&text).expect("the ranges fit"))
}

#[track_caller]
fn becomes(sample: &str, edit: Value, wanted: &str) {
    let result = edited(&template(sample), edit.clone());
    assert_eq!(result.as_deref(), Ok(template(wanted).as_str()), "{sample} {edit}");
}

#[track_caller]
fn whole_becomes(source: &str, edit: Value, wanted: &str) {
    let result = edited(source, edit.clone());
    assert_eq!(result.as_deref(), Ok(wanted), "{source} {edit}");
}

#[track_caller]
fn refused(sample: &str, edit: Value, code: &str) -> Refusal {
    let refusal = edited(&template(sample), edit.clone()).expect_err(&format!("{sample} {edit} is refused"));
    assert_eq!(refusal.code, code, "{sample} {edit}: {}", refusal.reason);
    assert!(refusal.reason.len() > 10, "{}", refusal.reason);
    refusal
}

fn text(text: &str) -> Value {
    json!({ "kind": "text", "text": text })
}

fn attribute(name: &str, value: impl Into<Value>) -> Value {
    json!({ "kind": "attribute", "name": name, "value": value.into() })
}

fn class(add: &[&str], remove: &[&str]) -> Value {
    json!({ "kind": "class", "add": add, "remove": remove })
}

fn with(mut edit: Value, option: &str, value: impl Into<Value>) -> Value {
    edit[option] = value.into();
    edit
}

// -- text

#[test]
fn a_plain_text_is_replaced_and_escaped() {
    becomes("^<p>old</p>", text("new"), "<p>new</p>");
    becomes("^<p>\n  old\n  text </p>", text("new"), "<p>\n  new </p>");
    becomes(
        "^<p>a &amp; b</p>",
        text("1 < 2 &amp; {{ x }}"),
        "<p>1 &lt; 2 &amp;amp; &#123;{ x }}</p>",
    );
    becomes("^<p>{</p>", text("{"), "<p>&#123;</p>");
    becomes("^<p v-pre>{{ x }}</p>", text("{{ y }}"), "<p v-pre>{{ y }}</p>");
    becomes("^<p>a</p>", text("a\u{a0}b"), "<p>a&nbsp;b</p>");
    becomes("^<p>a</p>", text("two\nlines"), "<p>two lines</p>");
    becomes("^<Card>old</Card>", text("new"), "<Card>new</Card>");
}

#[test]
fn an_element_without_text_gets_its_first() {
    becomes("^<p></p>", text("new"), "<p>new</p>");
    becomes("^<p />", text("new"), "<p>new</p>");
    becomes("^<p a=\"b\"/>", text("new"), "<p a=\"b\">new</p>");
    refused("^<p><b>x</b></p>", text("new"), "no-text");
    refused("^<br>", text("new"), "no-text");
}

#[test]
fn white_space_counts_in_pre_and_textarea() {
    becomes("^<pre>\n  a\n</pre>", text(" b\n  c\n"), "<pre>\n b\n  c\n</pre>");
    becomes("^<pre>a</pre>", text("\nb"), "<pre>\n\nb</pre>");
    becomes("^<textarea> a </textarea>", text(" b "), "<textarea> b </textarea>");
}

#[test]
fn one_of_several_texts_has_to_be_chosen() {
    let sample = "^<p>one <b>x</b> two {{ 'three' }}</p>";
    let refusal = refused(sample, text("new"), "choice-needed");
    assert_eq!(refusal.choices.len(), 3);
    assert_eq!(refusal.choices[1].option, "run");
    becomes(
        sample,
        with(text("new"), "run", 1),
        "<p>one <b>x</b> new {{ 'three' }}</p>",
    );
    becomes(
        sample,
        with(text("it's }}"), "run", 2),
        "<p>one <b>x</b> two {{ 'it\\'s \\x7d}' }}</p>",
    );
    refused(sample, with(text("new"), "run", 3), "source-changed");
}

#[test]
fn strings_in_expressions_are_replaced() {
    becomes(
        "^<p>{{ 'a' }}</p>",
        text("b & c &amp;"),
        "<p>{{ 'b & c \\x26amp;' }}</p>",
    );
    becomes("^<p>{{ `a` }}</p>", text("${b}`"), "<p>{{ `\\${b}\\`` }}</p>");
    becomes(
        "^<p>{{ (\"a\" as string) }}</p>",
        text("\"b\""),
        "<p>{{ (\"\\\"b\\\"\" as string) }}</p>",
    );
}

#[test]
fn a_side_of_a_condition_has_to_be_chosen() {
    let sample = "^<p>{{ on ? 'a' : 'b' }}</p>";
    let refusal = refused(sample, text("new"), "choice-needed");
    assert_eq!(refusal.choices.len(), 2);
    becomes(sample, with(text("c"), "branch", "then"), "<p>{{ on ? 'c' : 'b' }}</p>");
    becomes(sample, with(text("c"), "branch", "else"), "<p>{{ on ? 'a' : 'c' }}</p>");
    becomes(
        "^<p>{{ on && 'a' }}</p>",
        with(text("c"), "branch", "then"),
        "<p>{{ on && 'c' }}</p>",
    );
    refused(
        "^<p>{{ on && 'a' }}</p>",
        with(text("c"), "branch", "else"),
        "expression",
    );
}

#[test]
fn computed_texts_are_refused() {
    for sample in [
        "^<p>{{ format(1) }}</p>",
        "^<p>{{ a || 'b' }}</p>",
        "^<p>{{ 'a' + b }}</p>",
        "^<p>{{ 'a &amp; b' }}</p>",
        "^<p v-html=\"x\">a</p>",
        "^<p v-text=\"x\"></p>",
    ] {
        refused(sample, text("new"), "expression");
    }
    refused("^<svg><![CDATA[a]]></svg>", text("new"), "mixed-text");
    refused("^<p>a<!weird>b</p>", text("new"), "mixed-text");
}

// -- attributes

#[test]
fn attributes_are_set_in_the_way_they_are_written() {
    becomes(
        "^<p title=\"a\">x</p>",
        attribute("title", "say \"b\""),
        "<p title=\"say &quot;b&quot;\">x</p>",
    );
    becomes(
        "^<p title='a'>x</p>",
        attribute("title", "it's"),
        "<p title='it&#39;s'>x</p>",
    );
    becomes("^<p title=a>x</p>", attribute("title", "b c"), "<p title=\"b c\">x</p>");
    becomes(
        "^<p hidden>x</p>",
        attribute("hidden", "until-found"),
        "<p hidden=\"until-found\">x</p>",
    );
    becomes("^<p>x</p>", attribute("id", "b"), "<p id=\"b\">x</p>");
    becomes("^<img src=\"a\"/>", attribute("alt", "b"), "<img src=\"a\" alt=\"b\"/>");
    becomes(
        "^<p :title=\"'a'\">x</p>",
        attribute("title", "b\"'"),
        "<p :title=\"'b\\x22\\''\">x</p>",
    );
    becomes(
        "^<p v-bind:title='\"a\"'>x</p>",
        attribute("title", "it's"),
        "<p v-bind:title='\"it\\x27s\"'>x</p>",
    );
    becomes(
        "^<A :max-size=\"3\"/>",
        attribute("maxSize", "4.5"),
        "<A :max-size=\"4.5\"/>",
    );
    becomes("^<A :on=\"true\"/>", attribute("on", "false"), "<A :on=\"false\"/>");
    becomes(
        "^<p v-bind=\"all\">x</p>",
        attribute("title", "b"),
        "<p v-bind=\"all\" title=\"b\">x</p>",
    );
    becomes(
        "^<p :title=\"on ? 'a' : 'b'\">x</p>",
        with(attribute("title", "c"), "branch", "else"),
        "<p :title=\"on ? 'a' : 'c'\">x</p>",
    );
    becomes(
        "^<p v-pre :title=\"a\">x</p>",
        attribute("id", "b"),
        "<p v-pre :title=\"a\" id=\"b\">x</p>",
    );
}

#[test]
fn an_attribute_gets_its_own_line_where_the_others_have_theirs() {
    let source = "<template>\r\n\t<main\r\n\t\tid=\"a\"\r\n\t>^<p\r\n\t\tid=\"😀\"\r\n\t/></main>\r\n</template>\r\n";
    let wanted = "<template>\r\n\t<main\r\n\t\tid=\"a\"\r\n\t><p\r\n\t\tid=\"😀\"\r\n\t\ttitle=\"b\"\r\n\t/></main>\r\n</template>\r\n";
    whole_becomes(source, attribute("title", "b"), wanted);
}

#[test]
fn attributes_are_removed_with_the_space_before_them() {
    let gone = |name| attribute(name, Value::Null);
    becomes("^<p a=\"1\" title=\"a\" b>x</p>", gone("title"), "<p a=\"1\" b>x</p>");
    becomes("^<p title=\"a\"b=\"c\">x</p>", gone("title"), "<p b=\"c\">x</p>");
    becomes("^<p a=1 title=\"a\"/>", gone("title"), "<p a=1 />");
    becomes("^<p\n  title=\"a\"\n/>", gone("title"), "<p\n/>");
    becomes("^<p :title=\"'a'\">x</p>", gone("title"), "<p>x</p>");
    refused("^<p>x</p>", gone("title"), "attribute-missing");
    refused("^<p v-bind=\"all\">x</p>", gone("title"), "attribute-missing");
}

#[test]
fn attributes_that_cannot_be_set_for_certain_are_refused() {
    refused(
        "^<p title=\"a\" v-bind=\"all\">x</p>",
        attribute("title", "b"),
        "spread-after",
    );
    refused(
        "^<p title=\"a\" :[name]=\"value\">x</p>",
        attribute("title", "b"),
        "spread-after",
    );
    refused("^<p :title=\"title\">x</p>", attribute("title", "b"), "expression");
    refused("^<p :title>x</p>", attribute("title", "b"), "expression");
    refused(
        "^<p :title=\"'a &amp; b'\">x</p>",
        attribute("title", "b"),
        "expression",
    );
    refused(
        "^<p title=\"a\" :title=\"b\">x</p>",
        attribute("title", "b"),
        "attribute-twice",
    );
    refused("^<A :max=\"3\"/>", attribute("max", "b"), "value-kind");
    refused("^<A :on=\"true\"/>", attribute("on", "b"), "value-kind");
    refused(
        "^<p :title=\"on ? 'a' : 'b'\">x</p>",
        attribute("title", "c"),
        "choice-needed",
    );
    for name in ["@click", "v-if", ":title", "#a", "", "a b", "a\"", "a>b", "x/y"] {
        refused("^<p>x</p>", attribute(name, "b"), "attribute-name");
    }
    for name in ["style", "ref", "key", "is", "data-desde-src"] {
        refused("^<p>x</p>", attribute(name, "b"), "attribute-kind");
    }
    refused("^<input v-model=\"a\">", attribute("value", "b"), "attribute-kind");
    refused("^<A v-model=\"a\"/>", attribute("model-value", "b"), "attribute-kind");
    refused("^<A v-model:open=\"a\"/>", attribute("open", "b"), "attribute-kind");
    becomes(
        "^<input type=\"radio\" v-model=\"a\" value=\"1\">",
        attribute("value", "2"),
        "<input type=\"radio\" v-model=\"a\" value=\"2\">",
    );
}

// -- classes

#[test]
fn classes_are_changed_where_they_stand() {
    becomes(
        "^<p class=\"a b\">x</p>",
        class(&["c"], &["a"]),
        "<p class=\"b c\">x</p>",
    );
    becomes(
        "^<p class=\"p-2 m-1\">x</p>",
        class(&["p-4"], &[]),
        "<p class=\"p-4 m-1\">x</p>",
    );
    becomes("^<p>x</p>", class(&["a", "b"], &[]), "<p class=\"a b\">x</p>");
    becomes("^<p class>x</p>", class(&["a"], &[]), "<p class=\"a\">x</p>");
    becomes("^<p class=a>x</p>", class(&["b"], &[]), "<p class=\"a b\">x</p>");
    becomes(
        "^<p :class=\"'a'\">x</p>",
        class(&["b"], &[]),
        "<p :class=\"'a b'\">x</p>",
    );
    becomes(
        "^<p :class=\"['a', on && 'c']\">x</p>",
        class(&["b"], &["a"]),
        "<p :class=\"['b', on && 'c']\">x</p>",
    );
    becomes(
        "^<p :class=\"cn('a', props.class)\">x</p>",
        class(&["b"], &[]),
        "<p :class=\"cn('a b', props.class)\">x</p>",
    );
    becomes(
        "^<p :class=\"{ on }\">x</p>",
        class(&["b"], &[]),
        "<p :class=\"{ on }\" class=\"b\">x</p>",
    );
    becomes(
        "^<p class=\"a\" :class=\"x\">x</p>",
        class(&["b"], &[]),
        "<p class=\"a b\" :class=\"x\">x</p>",
    );
    becomes(
        "^<p :class=\"`a ${x} b`\">x</p>",
        class(&[], &["b"]),
        "<p :class=\"`a ${x} `\">x</p>",
    );
}

#[test]
fn classes_of_one_side_are_changed_when_it_is_chosen() {
    let sample = "^<p class=\"a\" :class=\"on ? 'b' : 'c'\">x</p>";
    refused(sample, class(&[], &["b"]), "choice-needed");
    let edit = with(class(&["d"], &["b"]), "branch", "then");
    becomes(sample, edit, "<p class=\"a\" :class=\"on ? 'd' : 'c'\">x</p>");
    let edit = || with(class(&[], &["b"]), "branch", "then");
    becomes(
        "^<p :class=\"{ a: x, b: y }\">x</p>",
        edit(),
        "<p :class=\"{ a: x }\">x</p>",
    );
    becomes(
        "^<p :class=\"{ b: y, a: x }\">x</p>",
        edit(),
        "<p :class=\"{ a: x }\">x</p>",
    );
    becomes(
        "^<p :class=\"{ 'a b': y }\">x</p>",
        edit(),
        "<p :class=\"{ 'a': y }\">x</p>",
    );
    becomes(
        "^<p :class=\"['a', { b }]\">x</p>",
        edit(),
        "<p :class=\"['a', {  }]\">x</p>",
    );
}

#[test]
fn classes_that_cannot_be_changed_for_certain_are_refused() {
    refused("^<p class=\"a\">x</p>", class(&[], &["b"]), "class-missing");
    let refusal = refused(
        "^<p class=\"a\" :class=\"x\">x</p>",
        class(&[], &["b"]),
        "class-missing",
    );
    assert!(refusal.reason.contains("computed"), "{}", refusal.reason);
    refused("^<p>x</p>", class(&["a b"], &[]), "class-name");
    refused(
        "^<p :class=\"'a'\">x</p>",
        class(&["content-[\"x\"]"], &[]),
        "class-quotes",
    );
}

// -- styles

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

// -- structure

const LIST: &str = "<template>\n  <ul>\n    <li>one</li>\n    ^<li>two</li>\n    <!-- end -->\n  </ul>\n</template>\n";

#[test]
fn an_element_takes_its_line_along() {
    let wanted = "<template>\n  <ul>\n    <li>one</li>\n    <!-- end -->\n  </ul>\n</template>\n";
    whole_becomes(LIST, json!({ "kind": "delete" }), wanted);
    becomes("a ^<b>x</b> c", json!({ "kind": "delete" }), "a  c");
}

#[test]
fn a_copy_stands_behind_its_original() {
    let wanted = LIST.replace("^<li>two</li>", "<li>two</li>\n    <li>two</li>");
    whole_becomes(LIST, json!({ "kind": "duplicate" }), &wanted);
    becomes("^<b>x</b>", json!({ "kind": "duplicate" }), "<b>x</b><b>x</b>");
}

#[test]
fn markup_is_inserted_with_the_indentation_of_its_place() {
    let insert = |place: &str| json!({ "kind": "insert", "place": place, "markup": "<li>\n  new\n</li>" });
    let new = "<li>\n      new\n    </li>";
    let cases = [
        (
            "before",
            LIST.replace("^<li>two</li>", &format!("{new}\n    <li>two</li>")),
        ),
        (
            "after",
            LIST.replace("^<li>two</li>", &format!("<li>two</li>\n    {new}")),
        ),
    ];
    for (place, wanted) in cases {
        whole_becomes(LIST, insert(place), &wanted);
    }
    let list = LIST.replace('^', "").replace("<ul>", "^<ul>");
    let wanted = LIST.replace('^', "").replace("<ul>", &format!("<ul>\n    {new}"));
    whole_becomes(&list, insert("first"), &wanted);
    let wanted = LIST
        .replace('^', "")
        .replace("<!-- end -->", &format!("<!-- end -->\n    {new}"));
    whole_becomes(&list, insert("last"), &wanted);
    let windows = "<template>\r\n\t<main>^<ul>\r\n\t</ul></main>\r\n</template>\r\n";
    let wanted =
        "<template>\r\n\t<main><ul>\r\n\t\t<li>\r\n\t\t  new\r\n\t\t</li>\r\n\t</ul></main>\r\n</template>\r\n";
    whole_becomes(windows, insert("last"), wanted);
    let one = |place: &str| json!({ "kind": "insert", "place": place, "markup": "<i/>" });
    becomes("^<p />", one("first"), "<p><i/></p>");
    becomes("^<p>a</p>", one("first"), "<p><i/>a</p>");
    becomes("^<p>a</p>", one("last"), "<p>a<i/></p>");
    becomes("^<p></p>", one("last"), "<p><i/></p>");
}

#[test]
fn markup_that_cannot_stand_there_is_refused() {
    let insert = |markup: &str| json!({ "kind": "insert", "place": "after", "markup": markup });
    for markup in [
        "",
        "text",
        "<p>",
        "</p>",
        "<p></template><template></p>",
        "</template><template>",
        "<script>x</script><p/>",
        "<p v-else/>",
        "<p :a=\"b c\"/>",
        "<p>{{ a b }}</p>",
        "<p a=1 a=2/>",
        "<!-- <p/> -->",
    ] {
        refused("^<p>x</p>", insert(markup), "markup");
    }
    let inside = json!({ "kind": "insert", "place": "first", "markup": "<i/>" });
    for sample in ["^<br>", "^<textarea></textarea>", "^<p v-html=\"x\"/>"] {
        refused(sample, inside.clone(), "no-children");
    }
    refused("^<A><template #default><p/></template></A>", inside, "slot");
}

#[test]
fn an_element_moves_with_its_lines() {
    let edit = json!({ "kind": "move", "to": "<li>one", "place": "before" });
    let wanted = "<template>\n  <ul>\n    <li>two</li>\n    <li>one</li>\n    <!-- end -->\n  </ul>\n</template>\n";
    whole_becomes(LIST, edit, wanted);
    let source = "<template>\n  <main>\n    ^<p>\n      a\n    </p>\n    <div>\n      <i/>\n    </div>\n  </main>\n</template>\n";
    let wanted = "<template>\n  <main>\n    <div>\n      <i/>\n      <p>\n        a\n      </p>\n    </div>\n  </main>\n</template>\n";
    whole_becomes(
        source,
        json!({ "kind": "move", "to": "<i/>", "place": "after" }),
        wanted,
    );
    whole_becomes(
        source,
        json!({ "kind": "move", "to": "<div>", "place": "last" }),
        wanted,
    );
    becomes(
        "^<b/><i/>",
        json!({ "kind": "move", "to": "<i/>", "place": "after" }),
        "<i/><b/>",
    );
}

#[test]
fn moves_that_would_change_more_are_refused() {
    let to = |to: &str, place: &str| json!({ "kind": "move", "to": to, "place": place });
    refused("^<p><b/></p>", to("<b/>", "first"), "inside-itself");
    refused(
        "<ul><li v-for=\"(item, i) in items\">^<b>{{ item }}</b></li></ul><i/>",
        to("<i/>", "after"),
        "scope",
    );
    refused(
        "<A v-slot=\"{ row }\">^<b :a=\"row.x\"/></A><i/>",
        to("<i/>", "after"),
        "scope",
    );
    becomes(
        "<ul><li v-for=\"item in items\">^<b>{{ other }}</b></li></ul><i/>",
        to("<i/>", "after"),
        "<ul><li v-for=\"item in items\"></li></ul><i/><b>{{ other }}</b>",
    );
    refused("^<b v-if=\"a\"/><b v-else/><i/>", to("<i/>", "after"), "condition");
    refused("<b v-if=\"a\"/><b v-else/>^<i/>", to("<b v-if", "after"), "condition");
}

#[test]
fn the_next_link_of_a_condition_is_repaired() {
    let delete = json!({ "kind": "delete" });
    let cases = [
        ("^<b v-if=\"a\"/><i v-else/>", "<i v-if=\"!(a)\"/>"),
        (
            "^<b v-if=\"a\"/><i v-else-if=\"b || c\"/><u v-else/>",
            "<i v-if=\"!(a) && (b || c)\"/><u v-else/>",
        ),
        (
            "<b v-if=\"a\"/>^<i v-else-if=\"b\"/><u v-else/>",
            "<b v-if=\"a\"/><u v-else-if=\"!(b)\"/>",
        ),
        ("<b v-if=\"a\"/>^<i v-else/>", "<b v-if=\"a\"/>"),
        ("^<b v-if='a'/> <!-- c --> <i v-else/>", " <!-- c --> <i v-if='!(a)'/>"),
    ];
    for (sample, wanted) in cases {
        becomes(sample, delete.clone(), wanted);
    }
    refused("^<b v-if='a'/><i v-else-if=\"b\"/>", delete, "condition");
    refused(
        "^<b v-if=\"a\"/><i v-else/>",
        json!({ "kind": "duplicate" }),
        "condition",
    );
    refused(
        "^<b v-if=\"a\"/><i v-else/>",
        json!({ "kind": "insert", "place": "after", "markup": "<u/>" }),
        "condition",
    );
}

#[test]
fn a_repeated_element_is_not_deleted_by_mistake() {
    let sample = "^<li v-for=\"a in b\">x</li><i/>";
    let delete = json!({ "kind": "delete" });
    refused(sample, delete.clone(), "choice-needed");
    refused(sample, with(delete.clone(), "scope", "item"), "list-item");
    becomes(sample, with(delete, "scope", "all"), "<i/>");
}

#[test]
fn the_only_root_stays_alone() {
    for edit in [
        json!({ "kind": "delete" }),
        json!({ "kind": "duplicate" }),
        json!({ "kind": "insert", "place": "after", "markup": "<p/>" }),
    ] {
        let refusal = edited("<template>\n  ^<p>a</p>\n</template>\n", edit).unwrap_err();
        assert_eq!(refusal.code, "only-root");
    }
    whole_becomes(
        "<template>^<p/><i/></template>",
        json!({ "kind": "delete" }),
        "<template><i/></template>",
    );
}

#[test]
fn components_are_detached_and_swapped_in_react_only() {
    refused("^<A/>", json!({ "kind": "detach" }), "react-only");
    refused("^<A/>", json!({ "kind": "swap", "component": "B" }), "react-only");
    let (src, text) = marked("<template>^<A/></template>");
    let request = serde_json::from_value(json!({ "kind": "detach", "src": src })).unwrap();
    let refusal = plan(&[(PATH, text.as_str())], &request, Lanes::default()).unwrap_err();
    assert_eq!(refusal.lane, Some("lanes.detach"));
}

#[test]
fn an_edit_that_would_break_an_expression_is_noticed() {
    let text = "<script setup>\nconst a = 'x'\n</script>\n<template><p :a=\"b\">{{ c }}</p></template>";
    let pieces = super::pieces(text).unwrap();
    for (from, to) in [
        ("\"b\"", "\"b c\""),
        ("{{ c }}", "{{ c d }}"),
        ("'x'", "'x"),
        ("</p>", ""),
    ] {
        assert!(super::pieces(&text.replace(from, to)).is_err(), "{to}");
    }
    assert_ne!(super::pieces(&text.replace("'x'", "`x`")).unwrap(), pieces);
}

#[test]
fn a_file_that_is_not_what_was_seen_is_refused() {
    let request = serde_json::from_value(json!({ "kind": "delete", "src": "src/App.vue:1:10" })).unwrap();
    for (text, code) in [
        ("<template>x<p/></template>", "source-changed"),
        ("<template><p></template>", "syntax-error"),
        ("<template lang=\"pug\">p</template>", "syntax-error"),
        ("<script><p/></script><template/>", "source-changed"),
    ] {
        assert_eq!(plan(&[(PATH, text)], &request, LANES).unwrap_err().code, code, "{text}");
    }
    assert_eq!(
        plan(&[("b.vue", "")], &request, LANES).unwrap_err().code,
        "source-changed"
    );
}

// -- inspection

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

// -- properties

/// Odd templates: comments, emoji, tabs, both line ends.
fn odd() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("<i/>"),
        Just("<b>😀</b>"),
        Just("<!-- <no> -->"),
        Just("text & more"),
        Just("{{ a }}"),
        Just("\r\n\t"),
        Just("\n  "),
        Just("<p :a=\"b\"\n\tc='d'>é</p>"),
        Just("<br>"),
        Just("<A v-slot=\"{ x }\">{{ x }}</A>"),
        Just("<pre>\n a\n</pre>"),
    ];
    proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_outside_the_element_changes_and_the_inverse_is_exact(
        before in odd(), after in odd(), words in "[a-z<>&{}\"' 😀é]{0,12}", kind in 0..6_usize,
    ) {
        let target = "^<section id=\"a\" class=\"x y\">old</section>";
        let source = format!("<script setup>\nconst a = '<p>'\n</script>\n<template><main>{before}{target}{after}</main></template>\n<style>.a{{}}</style>");
        let edit = match kind {
            0 => text(&words),
            1 => attribute("id", words.as_str()),
            2 => class(&["z"], &["x"]),
            3 => json!({ "kind": "duplicate" }),
            4 => json!({ "kind": "delete" }),
            _ => json!({ "kind": "insert", "place": "last", "markup": "<u>n</u>" }),
        };
        let (src, old) = marked(&source);
        let mut request = edit;
        request["src"] = json!(src);
        let request = serde_json::from_value(request).unwrap();
        let change = &plan(&[(PATH, old.as_str())], &request, LANES).unwrap().changes[0];
        let new = change.apply(&old).unwrap();
        // Everything but the element (with its line, when it goes) stands there still.
        let start = old.find("<section").unwrap();
        let end = old.find("</section>").unwrap() + "</section>".len();
        let (head, tail) = (old[..start].trim_end(), old[end..].trim_start());
        prop_assert!(new.starts_with(head), "{}", new);
        prop_assert!(new.ends_with(tail), "{}", new);
        // What was replaced is put back at its new place.
        let mut ordered = change.replacements.clone();
        ordered.sort_by_key(|one| one.range.start);
        let mut undone = new.clone();
        let mut moved = 0_isize;
        let mut inverse = Vec::new();
        for one in &ordered {
            let start = one.range.start.checked_add_signed(moved).unwrap();
            inverse.push((start..start + one.text.len(), old[one.range.clone()].to_owned()));
            moved += one.text.len() as isize - one.range.len() as isize;
        }
        for (range, text) in inverse.into_iter().rev() {
            undone.replace_range(range, &text);
        }
        prop_assert_eq!(undone, old);
    }

    #[test]
    fn no_text_makes_the_scanner_panic(text in "(<|>|/|\\{\\{|\\}\\}|=|\"|'|<!--|-->|template|script|svg|pre|v-if|:|@|#|\\[|\\]|\\.|&|;| |\n|a|😀|é|]]>|<!\\[CDATA\\[){0,60}") {
        let whole = format!("<template>{text}</template>");
        for text in [text.as_str(), whole.as_str()] {
            let sfc = super::scan(text);
            for node in &sfc.nodes {
                prop_assert!(text.get(node.span.range()).is_some(), "{:?}", node);
            }
            let _ = super::outline(text);
        }
    }

    #[test]
    fn a_text_is_shown_as_it_was_asked_for(words in "[a-z<>&{};#\"'/!-]{1,12}") {
        let source = "<template><main>^<p>old</p></main></template>";
        let new = edited(source, text(&words)).unwrap();
        let sfc = super::scan(&new);
        let shown: Vec<String> = (0..sfc.nodes.len())
            .map(|id| super::whitespace::shown(&sfc, id))
            .filter(|text| !text.is_empty())
            .collect();
        prop_assert_eq!(shown, vec![words]);
    }
}

#[test]
fn hostile_files_cost_little() {
    let deep = format!("<template>{}", "<div>".repeat(100_000));
    let stray = format!("<template>{}{}", "<a>".repeat(50_000), "</b>".repeat(50_000));
    let names = (0..50_000).map(|index| format!(" a{index}")).collect::<String>();
    let attributes = format!("<template><p{names}></p></template>");
    let braces = format!("<template>{}</template>", "{{".repeat(100_000));
    let areas = format!("<template>{}</template>", "<textarea></textare".repeat(20_000));
    let started = std::time::Instant::now();
    for text in [deep, stray, attributes, braces, areas] {
        let _ = super::outline(&text);
    }
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}
