//! White space that belongs to a value or to a `<pre>`, and what a copy is without.

use super::*;
use crate::source::sfc;

#[test]
fn a_moved_element_keeps_its_quoted_values() {
    let source = "<template>\n  <main>\n    ^<p title=\"multi\nline\"\n      :style=\"{\n        top: 0,\n      }\"\n    >\n      <b alt='a\n  b'>x</b>\n    </p>\n    <section>\n      <i/>\n    </section>\n  </main>\n</template>\n";
    let wanted = "<template>\n  <main>\n    <section>\n      <i/>\n      <p title=\"multi\nline\"\n        :style=\"{\n          top: 0,\n        }\"\n      >\n        <b alt='a\n  b'>x</b>\n      </p>\n    </section>\n  </main>\n</template>\n";
    whole_becomes(
        source,
        json!({ "kind": "move", "to": "<i/>", "place": "after" }),
        wanted,
    );
    let siblings = "<template>\n  <main>\n    ^<p title=\"multi\nline\">a</p>\n    <i/>\n  </main>\n</template>\n";
    let wanted = "<template>\n  <main>\n    <i/>\n    <p title=\"multi\nline\">a</p>\n  </main>\n</template>\n";
    whole_becomes(
        siblings,
        json!({ "kind": "move", "to": "<i/>", "place": "after" }),
        wanted,
    );
}

#[test]
fn inserted_markup_keeps_its_quoted_values() {
    let source = "<template>\n  <main>\n    ^<i/>\n  </main>\n</template>\n";
    let markup = "<p title=\"multi\nline\">\n  a\n</p>";
    let wanted =
        "<template>\n  <main>\n    <i/>\n    <p title=\"multi\nline\">\n      a\n    </p>\n  </main>\n</template>\n";
    whole_becomes(
        source,
        json!({ "kind": "insert", "place": "after", "markup": markup }),
        wanted,
    );
}

#[test]
fn in_a_pre_nothing_is_added_to_what_is_inserted() {
    for (before, place, after) in [
        ("^<pre>  a\n  b </pre>", "first", "<pre><b/>  a\n  b </pre>"),
        ("^<pre>  a\n  b </pre>", "last", "<pre>  a\n  b <b/></pre>"),
        ("^<pre>\n  a</pre>", "first", "<pre>\n<b/>  a</pre>"),
        ("^<pre>\n  <i>a</i>\n</pre>", "last", "<pre>\n  <i>a</i>\n<b/></pre>"),
        ("<pre>\n  ^<i>a</i>\n</pre>", "first", "<pre>\n  <i><b/>a</i>\n</pre>"),
        ("<pre>\n  ^<i>a</i>\n</pre>", "after", "<pre>\n  <i>a</i><b/>\n</pre>"),
        ("^<p>\n  a</p>", "first", "<p>\n  <b/>\n  a</p>"),
    ] {
        becomes(
            before,
            json!({ "kind": "insert", "place": place, "markup": "<b/>" }),
            after,
        );
    }
}

#[test]
fn a_copy_of_a_component_keeps_its_properties() {
    for (original, copy) in [
        ("<Tab :id=\"'headers'\"/>", "<Tab :id=\"'headers'\"/>"),
        ("<Tab id=\"a\" key=\"b\"/>", "<Tab id=\"a\"/>"),
    ] {
        becomes(
            &format!("^{original}"),
            json!({ "kind": "duplicate" }),
            &format!("{original}{copy}"),
        );
    }
}

#[test]
fn a_copy_says_what_it_is_without() {
    let text = template("<b id=\"one\">x</b>");
    let at = sfc::outline(&text).unwrap().elements[1].stamp(PATH);
    let request = serde_json::from_value(json!({ "src": at.to_string(), "kind": "duplicate" })).unwrap();
    let plan = plan(&[(PATH, text.as_str())], &request, LANES).unwrap();
    assert_eq!(
        plan.notes,
        ["The copy is without id=\"one\", which names one element only"]
    );
}
