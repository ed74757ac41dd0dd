//! Attributes and props.

use super::*;

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
