//! What holds for every template.

use proptest::prelude::*;

use super::*;
use crate::source::sfc;

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
            let sfc = sfc::scan(text);
            for node in &sfc.nodes {
                prop_assert!(text.get(node.span.range()).is_some(), "{:?}", node);
            }
            let _ = sfc::outline(text);
        }
    }

    #[test]
    fn a_text_is_shown_as_it_was_asked_for(words in "[a-z<>&{};#\"'/!-]{1,12}") {
        let source = "<template><main>^<p>old</p></main></template>";
        let new = edited(source, text(&words)).unwrap();
        let sfc = sfc::scan(&new);
        let shown: Vec<String> = (0..sfc.nodes.len())
            .map(|id| sfc::whitespace::shown(&sfc, id))
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
        let _ = sfc::outline(&text);
    }
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}
