//! What the page showed before an edit.

use super::vue::component;
use super::{app, changes, refusal};
use crate::source::model::{Operation, Request};

fn showed(item: Option<usize>, before: &str) -> impl Fn(&mut Request) + use<> {
    let before = before.to_owned();
    move |request| {
        request.item = item;
        request.before = Some(before.clone());
    }
}

#[test]
fn another_item_than_the_one_that_was_shown_is_not_changed() {
    let items = "const items = [{ name: 'Free' }, { name: 'Team' }];\n";
    let jsx = format!("{items}{}", app("<ul>{items.map((item) => <li>{item.name}</li>)}</ul>"));
    let vue = component(items, "<ul><li v-for=\"item in items\">{{ item.name }}</li></ul>");
    for (path, code) in [("src/App.jsx", &jsx), ("src/App.vue", &vue)] {
        let project = [(path, code.as_str())];
        let refused = refusal(&project, "<li", showed(Some(0), "Team"));
        assert_eq!(refused.code, "source-changed", "{refused:?}");
        assert!(
            refused.reason.contains("“Team”") && refused.reason.contains("“Free”"),
            "{refused:?}"
        );
        changes(&project, "<li", showed(Some(1), "Team"), path, ("Team", "New"));
    }
}

#[test]
fn what_stands_in_the_place_of_the_text_that_was_shown_is_not_changed() {
    for element in ["<p>New line</p>", "<p></p>", "<p/>"] {
        let jsx = app(element);
        let vue = component("", element);
        for (path, code) in [("src/App.jsx", &jsx), ("src/App.vue", &vue)] {
            let project = [(path, code.as_str())];
            let refused = refusal(&project, "<p", showed(None, "The old one"));
            assert_eq!(refused.code, "source-changed", "{path} {element}: {refused:?}");
        }
    }
}

#[test]
fn white_space_and_what_is_joined_in_the_page_make_no_other_text() {
    let second = |request: &mut Request| {
        showed(None, "Hello Ann, welcome  back!")(request);
        request.operation = Operation::Text {
            text: "New".to_owned(),
            run: Some(2),
        };
    };
    let code = component("defineProps(['name'])", "<p>Hello {{ name }}, welcome\n  back!</p>");
    let project = [("src/App.vue", code.as_str())];
    changes(&project, "<p", second, "src/App.vue", (", welcome\n  back!", "New"));
    let code = app("<p>Hello\n      you</p>");
    let project = [("src/App.jsx", code.as_str())];
    changes(
        &project,
        "<p",
        showed(None, "Hello you"),
        "src/App.jsx",
        ("Hello\n      you", "New"),
    );
}

#[test]
fn what_the_code_writes_out_is_not_compared_by_its_letters() {
    let code = format!("const price = 1_000.50;\n{}", app("<p>{price}</p>"));
    let project = [("src/App.jsx", code.as_str())];
    let ten = |before| {
        let shown = showed(None, before);
        move |request: &mut Request| {
            shown(request);
            request.operation = Operation::Text {
                text: "10".to_owned(),
                run: None,
            };
        }
    };
    changes(&project, "<p", ten("1000.5"), "src/App.jsx", ("1_000.50", "10"));
    assert_eq!(refusal(&project, "<p", ten("20")).code, "source-changed");
}
