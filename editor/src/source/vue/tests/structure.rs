//! Inserting, moving, duplicating, deleting; and what is refused for every kind.

use super::*;
use crate::source::sfc;

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
fn a_copy_leaves_a_fixed_id_and_key_to_its_original() {
    for (original, copy) in [
        ("<b id=\"one\" class=\"c\">x</b>", "<b class=\"c\">x</b>"),
        ("<b id=one key='k'>x</b>", "<b>x</b>"),
        ("<b :key=\"7\" :id=\"'one'\">x</b>", "<b>x</b>"),
        ("<b :id=\"own\">x</b>", "<b :id=\"own\">x</b>"),
    ] {
        let template = format!("^{original}");
        becomes(&template, json!({ "kind": "duplicate" }), &format!("{original}{copy}"));
    }
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
fn a_file_of_tabs_is_indented_with_tabs_where_no_element_shows_a_step() {
    let insert = json!({ "kind": "insert", "place": "first", "markup": "<i/>" });
    whole_becomes(
        "<script setup>\nif (a) {\n\tb()\n}\n</script>\n<template>\n^<main>\n</main>\n</template>\n",
        insert.clone(),
        "<script setup>\nif (a) {\n\tb()\n}\n</script>\n<template>\n<main>\n\t<i/>\n</main>\n</template>\n",
    );
    whole_becomes(
        "<template>\n^<main>\n</main>\n</template>\n",
        insert,
        "<template>\n<main>\n  <i/>\n</main>\n</template>\n",
    );
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
        refused("^<p>x</p>", insert(markup), "bad-markup");
    }
    let inside = json!({ "kind": "insert", "place": "first", "markup": "<i/>" });
    for sample in ["^<br>", "^<textarea></textarea>", "^<p v-html=\"x\"/>"] {
        refused(sample, inside.clone(), "no-children");
    }
    refused(
        "^<A><template #default><p/></template></A>",
        inside,
        "component-children",
    );
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
    refused("^<p><b/></p>", to("<b/>", "first"), "into-itself");
    refused(
        "<ul><li v-for=\"(item, i) in items\">^<b>{{ item }}</b></li></ul><i/>",
        to("<i/>", "after"),
        "out-of-scope",
    );
    refused(
        "<A v-slot=\"{ row }\">^<b :a=\"row.x\"/></A><i/>",
        to("<i/>", "after"),
        "out-of-scope",
    );
    becomes(
        "<ul><li v-for=\"item in items\">^<b>{{ other }}</b></li></ul><i/>",
        to("<i/>", "after"),
        "<ul><li v-for=\"item in items\"></li></ul><i/><b>{{ other }}</b>",
    );
    refused("^<b v-if=\"a\"/><b v-else/><i/>", to("<i/>", "after"), "conditional");
    refused("<b v-if=\"a\"/><b v-else/>^<i/>", to("<b v-if", "after"), "conditional");
}

#[test]
fn the_next_link_of_a_condition_is_repaired() {
    let delete = json!({ "kind": "delete" });
    let cases = [
        ("^<b v-if=\"a\"/><i v-else/>", "<i v-if=\"!(a)\"/>"),
        (
            "^<b v-if=\"a\"/><i v-else-if=\"b || c\"/><u v-else/>",
            "<i v-if=\"!(a) && (b || c)\"/><u v-else-if=\"!(a)\"/>",
        ),
        (
            "<b v-if=\"a\"/>^<i v-else-if=\"b\"/><u v-else/>",
            "<b v-if=\"a\"/><u v-else-if=\"!(b)\"/>",
        ),
        (
            "<b v-if=\"a\"/>^<i v-else-if=\"b\"/><s v-else-if=\"c\"/><u v-else/>",
            "<b v-if=\"a\"/><s v-else-if=\"!(b) && (c)\"/><u v-else-if=\"!(b)\"/>",
        ),
        ("<b v-if=\"a\"/>^<i v-else/>", "<b v-if=\"a\"/>"),
        ("^<b v-if='a'/> <!-- c --> <i v-else/>", " <!-- c --> <i v-if='!(a)'/>"),
    ];
    for (sample, wanted) in cases {
        becomes(sample, delete.clone(), wanted);
    }
    refused("^<b v-if='a'/><i v-else-if=\"b\"/>", delete, "conditional");
    refused(
        "^<b v-if=\"a\"/><i v-else/>",
        json!({ "kind": "duplicate" }),
        "conditional",
    );
    refused(
        "^<b v-if=\"a\"/><i v-else/>",
        json!({ "kind": "insert", "place": "after", "markup": "<u/>" }),
        "conditional",
    );
}

#[test]
fn a_repeated_element_is_not_deleted_by_mistake() {
    let sample = "^<li v-for=\"a in b\">x</li><i/>";
    let delete = json!({ "kind": "delete" });
    refused(sample, delete.clone(), "choice-needed");
    refused(sample, with(delete.clone(), "scope", "item"), "repeated");
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
        assert_eq!(refusal.code, "root-element");
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
    let read = |text: &str| sfc::read(text).and_then(|component| sfc::pieces(&component));
    let pieces = read(text).unwrap();
    for (from, to) in [
        ("\"b\"", "\"b c\""),
        ("{{ c }}", "{{ c d }}"),
        ("'x'", "'x"),
        ("</p>", ""),
    ] {
        assert!(read(&text.replace(from, to)).is_err(), "{to}");
    }
    assert_ne!(read(&text.replace("'x'", "`x`")).unwrap(), pieces);
}

#[test]
fn a_file_that_is_not_what_was_seen_is_refused() {
    let request = serde_json::from_value(json!({ "kind": "delete", "src": "src/App.vue:1:10" })).unwrap();
    for (text, code) in [
        ("<template>x<p/></template>", "no-element"),
        ("<template><p></template>", "syntax-error"),
        ("<template lang=\"pug\">p</template>", "syntax-error"),
        ("<script><p/></script><template/>", "no-element"),
    ] {
        assert_eq!(plan(&[(PATH, text)], &request, LANES).unwrap_err().code, code, "{text}");
    }
    assert_eq!(plan(&[("b.vue", "")], &request, LANES).unwrap_err().code, "no-element");
}

#[test]
fn what_fills_the_gaps_of_a_translation_keeps_its_number_and_order() {
    let sample = "<i18n-t keypath=\"built\">^<time>now</time><b>you</b></i18n-t>";
    for edit in [
        json!({ "kind": "delete" }),
        json!({ "kind": "duplicate" }),
        json!({ "kind": "insert", "place": "before", "markup": "<i>x</i>" }),
        json!({ "kind": "insert", "place": "after", "markup": "<i>x</i>" }),
    ] {
        let refusal = refused(sample, edit, "component-children");
        assert!(
            refusal.reason.contains("fills the gaps of a translation"),
            "{}",
            refusal.reason
        );
    }
    let into = json!({ "kind": "insert", "place": "last", "markup": "<i>x</i>" });
    refused(
        "^<i18n-t keypath=\"built\"><time>now</time></i18n-t>",
        into,
        "component-children",
    );
    // Within what fills a gap everything is as elsewhere.
    let inside = "<i18n-t keypath=\"built\"><time>^<b>x</b></time></i18n-t>";
    becomes(
        inside,
        json!({ "kind": "delete" }),
        "<i18n-t keypath=\"built\"><time></time></i18n-t>",
    );
}
