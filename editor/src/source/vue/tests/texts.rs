//! Texts.

use super::*;

#[test]
fn a_plain_text_is_replaced_and_escaped() {
    becomes("^<p>old</p>", text("new"), "<p>new</p>");
    becomes("^<p>\n  old\n  text </p>", text("new"), "<p>\n  new </p>");
    becomes(
        "^<p>a &amp; b</p>",
        text("1 < 2 &amp; {{ x }}"),
        "<p>1 &lt; 2 &amp;amp; &#123;{ x }}</p>",
    );
    becomes("^<p>a</p>", text("{"), "<p>&#123;</p>");
    becomes("^<p v-pre>{{ x }}</p>", text("{{ y }}"), "<p v-pre>{{ y }}</p>");
    becomes("^<p>a</p>", text("a\u{a0}b"), "<p>a&nbsp;b</p>");
    becomes("^<p>a</p>", text("two\nlines"), "<p>two<br />lines</p>");
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
fn another_text_than_the_one_that_was_shown_is_not_changed() {
    for element in ["^<p>New line</p>", "^<p></p>"] {
        refused(element, with(text("new"), "before", "The old one"), "source-changed");
    }
    becomes("^<p>old  one</p>", with(text("new"), "before", "old one"), "<p>new</p>");
    let second = with(with(text("new"), "run", 1), "before", "two");
    becomes("^<p>one <b>x</b> two</p>", second, "<p>one <b>x</b> new</p>");
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
    refused(sample, with(text("new"), "run", 3), "no-text");
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
}

#[test]
fn computed_texts_are_refused() {
    for (sample, code) in [
        ("^<p>{{ format(1) }}</p>", "formatted"),
        ("^<p>{{ a.b }}</p>", "not-declared"),
        ("^<p>{{ a || 'b' }}</p>", "choice-needed"),
        ("^<p>{{ 'a' + b }}</p>", "choice-needed"),
        ("^<p>{{ 'a &amp; b' }}</p>", "computed"),
        ("^<p v-html=\"x\">a</p>", "expression"),
        ("^<p v-text=\"x\"></p>", "expression"),
    ] {
        refused(sample, text("new"), code);
    }
    refused("^<svg><![CDATA[a]]></svg>", text("new"), "mixed-text");
    refused("^<p>a<!weird>b</p>", text("new"), "mixed-text");
}
