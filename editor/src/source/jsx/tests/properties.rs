use proptest::prelude::*;
use serde_json::{Value, json};

use super::{PATH, documents::document, edited_at};
use crate::source::engine::outline;
use crate::source::model::{Outline, Position};
use crate::source::module::{self, ElementKind};
use crate::stamp::{self, ATTRIBUTE};

/// A file and one of its elements.
fn chosen(text: &str, which: usize) -> (Outline, usize) {
    let outline = outline(PATH, text).unwrap();
    let index = which % outline.elements.len();
    (outline, index)
}

fn edit(text: &str, at: Position, edit: Value) -> Option<String> {
    edited_at(text, at, edit).ok()
}

/// `{p.list.map((item) => (` is the longest text that goes with an element.
const MAX_GUARD: usize = 24;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn stamps_name_every_element_of_the_page_and_come_off_cleanly(text in document()) {
        let stamped = stamp::stamp(PATH, &text).unwrap();
        let mut rest = stamped.code.as_str();
        let mut clean = String::new();
        let mut stamps = Vec::new();
        let opening = format!(" {ATTRIBUTE}=\"");
        while let Some(start) = rest.find(&opening) {
            clean.push_str(&rest[..start]);
            let value = &rest[start + opening.len()..];
            let end = value.find('"').unwrap();
            stamps.push(value[..end].parse::<crate::source::model::Stamp>().unwrap());
            rest = &value[end + 1..];
        }
        clean.push_str(rest);
        prop_assert_eq!(&clean, &text);
        prop_assert_eq!(stamps.len(), stamped.elements);
        let index = crate::source::model::LineIndex::new(&text);
        let module = module::read(PATH, &std::sync::Arc::from(text.as_str())).unwrap();
        let hosts = module.elements.iter().filter(|element| element.kind == ElementKind::Host);
        let wanted: Vec<Position> = hosts.map(|element| index.position(element.range.start)).collect();
        prop_assert_eq!(stamps.iter().map(|stamp| stamp.at).collect::<Vec<_>>(), wanted);
        prop_assert_eq!(stamp::stamp(PATH, &stamped.code).unwrap().elements, 0, "stamped twice");
    }

    #[test]
    fn an_attribute_set_and_removed_leaves_no_trace(text in document(), which in 0..64usize) {
        let (outline, index) = chosen(&text, which);
        let element = &outline.elements[index];
        let set = json!({ "kind": "attribute", "name": "data-x", "value": "a \"b\" 😀 & {c} &lt;" });
        if let Some(changed) = edit(&text, element.at, set) {
            prop_assert_eq!(&changed[..element.opening.start], &text[..element.opening.start]);
            prop_assert!(changed.ends_with(&text[element.opening.end..]));
            let remove = json!({ "kind": "attribute", "name": "data-x", "value": null });
            prop_assert_eq!(edit(&changed, element.at, remove), Some(text));
        }
    }

    #[test]
    fn an_attribute_set_and_set_back_leaves_no_trace(text in document(), which in 0..64usize) {
        let (outline, index) = chosen(&text, which);
        let at = outline.elements[index].at;
        let set = |value: &str| json!({ "kind": "attribute", "name": "id", "value": value });
        let had = text[outline.elements[index].opening.clone()].contains(" id=\"a\"");
        if let Some(changed) = edit(&text, at, set("b'c\"d")).filter(|_| had) {
            prop_assert_eq!(edit(&changed, at, set("a")), Some(text));
        }
    }

    #[test]
    fn a_class_added_and_removed_leaves_no_trace(text in document(), which in 0..64usize) {
        let (outline, index) = chosen(&text, which);
        let element = &outline.elements[index];
        let class = |add: &[&str], remove: &[&str]| json!({ "kind": "class", "add": add, "remove": remove });
        let had = text[element.opening.clone()].contains("p-2 m-1");
        if let Some(changed) = edit(&text, element.at, class(&["x-y"], &[])).filter(|_| had) {
            prop_assert_eq!(edit(&changed, element.at, class(&[], &["x-y"])), Some(text));
        }
    }

    #[test]
    fn an_insertion_deleted_again_leaves_no_trace(text in document(), which in 0..64usize, place in 0..4usize) {
        let (outline, index) = chosen(&text, which);
        let place = ["before", "after", "first", "last"][place];
        let insert = json!({ "kind": "insert", "place": place, "markup": "<hr data-x=\"new\" />" });
        let at = outline.elements[index].at;
        if let Some(changed) = edit(&text, at, insert) {
            let after = super::outline_of(&changed);
            let new = after.elements.iter().find(|element| changed[element.opening.clone()].contains("data-x")).unwrap();
            prop_assert_eq!(after.elements.len(), outline.elements.len() + 1);
            // What was empty or alone got a closing tag or a fragment, which stays.
            let kept = changed.len() == text.len() + changed.matches("<hr").count() * "<hr data-x=\"new\" />".len();
            if kept {
                prop_assert_eq!(edit(&changed, new.at, json!({ "kind": "delete" })), Some(text));
            }
        }
    }

    #[test]
    fn a_copy_deleted_again_leaves_no_trace(text in document(), which in 0..64usize) {
        let (outline, index) = chosen(&text, which);
        let at = outline.elements[index].at;
        if let Some(changed) = edit(&text, at, json!({ "kind": "duplicate" })) {
            let after = super::outline_of(&changed);
            let own = after.elements.iter().position(|element| element.at == at);
            // In one side of a condition the two stand in a fragment.
            if let Some(own) = own.filter(|_| !changed.contains("<><")) {
                let end = after.elements[own].range.end;
                let copy = after.elements.iter().find(|element| element.range.start >= end).unwrap();
                prop_assert_eq!(edit(&changed, copy.at, json!({ "kind": "delete" })), Some(text));
            }
        }
    }

    #[test]
    fn deleting_takes_the_element_and_at_most_its_layout(text in document(), which in 0..64usize) {
        let (outline, index) = chosen(&text, which);
        let element = &outline.elements[index];
        if let Some(changed) = edit(&text, element.at, json!({ "kind": "delete" })) {
            // What goes is one piece of the file: the element, its condition, its braces and its line; or `null` comes.
            let same = text.bytes().zip(changed.bytes()).take_while(|(one, other)| one == other).count();
            prop_assert!(same + MAX_GUARD >= text[..element.range.start].trim_end().len());
            let rest = text[element.range.end..].trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '}' | ')'));
            prop_assert!(changed.ends_with(rest));
        }
    }

    #[test]
    fn moving_keeps_every_element(text in document(), which in 0..64usize, to in 0..64usize, place in 0..4usize) {
        let (outline, index) = chosen(&text, which);
        let target = &outline.elements[to % outline.elements.len()];
        let place = ["before", "after", "first", "last"][place];
        let edit_move = json!({ "kind": "move", "to": super::stamp(target.at), "place": place });
        if let Some(changed) = edit(&text, outline.elements[index].at, edit_move) {
            let tags = |outline: &Outline| {
                let mut tags: Vec<String> = outline.elements.iter().map(|element| element.tag.clone()).collect();
                tags.sort();
                tags
            };
            prop_assert_eq!(tags(&super::outline_of(&changed)), tags(&outline));
        }
    }

    #[test]
    fn nothing_makes_planning_panic(text in "[<>/a{}()=\"'`\n\r\t .:?&😀é-]{0,80}", which in 0..64usize) {
        if let Ok(outline) = outline(PATH, &text) && !outline.elements.is_empty() {
            let at = outline.elements[which % outline.elements.len()].at;
            for edit in [
                json!({ "kind": "delete" }),
                json!({ "kind": "duplicate" }),
                json!({ "kind": "attribute", "name": "title", "value": "x" }),
                json!({ "kind": "insert", "place": "last", "markup": text }),
            ] {
                let _ = edited_at(&text, at, edit);
            }
        }
        let _ = stamp::stamp(PATH, &text);
    }
}
