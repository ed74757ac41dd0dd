use super::{PATH, marked, outline_of};
use crate::source::engine::{outline, relocate};

#[test]
fn a_file_is_a_tree_of_elements_and_components() {
    let text = "const A = () => <>\n  <Card icon={<i/>}>\n    <p>One {'two'} &amp; {x}</p>\n  </Card>\n</>;";
    let tree = serde_json::to_value(outline_of(text).tree(PATH)).unwrap();
    let wanted = serde_json::json!([{
        "src": "src/App.tsx:2:2", "tag": "Card", "component": true, "text": "", "children": [
            { "src": "src/App.tsx:2:14", "tag": "i", "component": false, "text": "", "children": [] },
            { "src": "src/App.tsx:3:4", "tag": "p", "component": false, "text": "Onetwo&", "children": [] },
        ],
    }]);
    assert_eq!(tree, wanted);
}

#[test]
fn an_element_is_found_again_by_its_look() {
    let (old, at) = marked("const A = () => <p>‹b title=\"x\">one</b><b>two</b></p>;", '‹');
    let before = outline_of(&old);
    let found = |new: &str| relocate((&before, &old), at, (&outline(PATH, new).ok()?, new));
    let (new, there) = marked(
        "// more\nconst A = () => <p>\n  ‹b title=\"x\">one</b><b>two</b></p>;",
        '‹',
    );
    assert_eq!(found(&new), Some(there));
    assert_eq!(
        found("const A = () => <p><b title=\"y\">one</b></p>;"),
        None,
        "it changed"
    );
    assert_eq!(
        found("const A = () => <p><b title=\"x\">one</b><b title=\"x\">one</b></p>;"),
        None,
        "there are two"
    );
    assert_eq!(found("const A = () => <p>"), None, "it is broken");
}
