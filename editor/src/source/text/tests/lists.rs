//! Items of lists.

use super::{app, changes, choices, edit, inspected, refusal, request, stamp};
use crate::source::model::inspection::RunForm;
use crate::source::model::{Scope, Stamp};

const ITEMS: &str = "const items = [\n  { id: 1, title: 'Apples', tags: ['red', 'green'] },\n  { id: 2, title: 'Pears', tags: ['yellow'] },\n] as const;\n";

fn listed(markup: &str) -> String {
    format!("{ITEMS}{}", app(markup))
}

#[test]
fn an_item_of_a_list_is_changed_at_its_place() {
    for markup in [
        "<ul>{items.map((item) => <li key={item.id}>{item.title}</li>)}</ul>",
        "<ul>{items.map(({ title }, index) => <li key={index}>{title}</li>)}</ul>",
        "<ul>{items.map(function (item) { const { title } = item; return <li>{title}</li>; })}</ul>",
        "<ul>{(items satisfies Item[]).map((item) => (<li>{item.title}</li>))}</ul>",
        "<ul>{Array.from(items).map((item) => <li>{item.title}</li>)}</ul>",
        "<ul>{[...items].map((item) => <li>{item['title']}</li>)}</ul>",
        "<ul>{items.map((item) => <Row key={item.id}><li>{item.title}</li></Row>)}</ul>",
    ] {
        let code = listed(markup);
        let project = [("App.tsx", code.as_str())];
        changes(
            &project,
            "<li",
            |request| request.item = Some(1),
            "App.tsx",
            ("Pears", "New"),
        );
        changes(
            &project,
            "<li",
            |request| request.item = Some(0),
            "App.tsx",
            ("Apples", "New"),
        );
        // The list is shown twice: its items come again.
        changes(
            &project,
            "<li",
            |request| request.item = Some(3),
            "App.tsx",
            ("Pears", "New"),
        );
    }
}

#[test]
fn without_an_item_one_is_asked_for() {
    let code = listed("<ul>{items.map((item) => <li>{item.title}</li>)}</ul>");
    let project = [("App.tsx", code.as_str())];
    let asked = refusal(&project, "<li", |_| {});
    assert_eq!(
        choices(&asked),
        [
            "at=App.tsx:2:19: “Apples” – item 1, App.tsx:2",
            "at=App.tsx:3:19: “Pears” – item 2, App.tsx:3",
            "scope=all: All 2 items",
        ]
    );
    let at: Stamp = "App.tsx:3:19".parse().unwrap();
    changes(
        &project,
        "<li",
        |request| request.at = Some(at),
        "App.tsx",
        ("Pears", "New"),
    );
}

#[test]
fn all_items_can_be_changed_together() {
    let code = listed("<ul>{items.map((item) => <li>{item.title}</li>)}</ul>");
    let project = [("App.tsx", code.as_str())];
    let mut all = request(stamp(&project, "App.tsx", "<li"), "New");
    all.scope = Some(Scope::All);
    all.item = Some(0);
    let wanted = code.replace("Apples", "New").replace("Pears", "New");
    assert_eq!(edit(&project, &all), Ok(vec![("App.tsx".to_owned(), wanted)]));
}

#[test]
fn lists_in_lists_are_counted_through() {
    let code = listed("<ul>{items.map((item) => item.tags.map((tag) => <li>{tag} of {item.title}</li>))}</ul>");
    let project = [("App.tsx", code.as_str())];
    for (item, tag, title) in [
        (0, "'red'", "Apples"),
        (1, "'green'", "Apples"),
        (2, "'yellow'", "Pears"),
    ] {
        let runs = inspected(&project, "<li", Some(item));
        assert_eq!(runs[0].text, tag.trim_matches('\''));
        assert_eq!(runs[2].text, title);
        assert_eq!(runs[0].form, RunForm::Item);
    }
}

#[test]
fn lists_whose_order_is_not_the_pages_are_asked_about() {
    for markup in [
        "<ul>{items.filter((item) => item.id > 1).map((item) => <li>{item.title}</li>)}</ul>",
        "<ul>{items.toSorted().map((item) => <li>{item.title}</li>)}</ul>",
        "<ul>{items.map((item) => item.id > 1 && <li>{item.title}</li>)}</ul>",
        "<ul>{items.map((item) => { if (item.id) return null; return <li>{item.title}</li>; })}</ul>",
    ] {
        let code = listed(markup);
        let project = [("App.tsx", code.as_str())];
        let asked = refusal(&project, "<li", |request| request.item = Some(0));
        assert_eq!(asked.code, "choice-needed", "{markup}");
        let shown = |request: &mut crate::source::model::Request| request.before = Some("Pears".into());
        changes(&project, "<li", shown, "App.tsx", ("Pears", "New"));
    }
}

#[test]
fn what_all_items_share_is_no_items_own() {
    let code = listed("<ul>{items.map((item) => <li>Buy</li>)}</ul>");
    let project = [("App.tsx", code.as_str())];
    changes(
        &project,
        "<li",
        |request| request.item = Some(1),
        "App.tsx",
        ("Buy", "New"),
    );
    let refused = refusal(&project, "<li", |request| request.scope = Some(Scope::Item));
    assert_eq!(refused.code, "same-for-all");
}

#[test]
fn objects_are_lists_too() {
    let before = "const menu = { home: { label: 'Home' }, about: { label: 'About us' } };\n";
    for markup in [
        "<ul>{Object.entries(menu).map(([key, entry]) => <li key={key}>{entry.label}</li>)}</ul>",
        "<ul>{Object.values(menu).map((entry) => <li>{entry.label}</li>)}</ul>",
    ] {
        let code = format!("{before}{}", app(markup));
        let project = [("App.jsx", code.as_str())];
        changes(
            &project,
            "<li",
            |request| request.item = Some(1),
            "App.jsx",
            ("About us", "New"),
        );
    }
    let code = format!(
        "{before}{}",
        app("<ul>{Object.entries(menu).map(([key]) => <li>{key}</li>)}</ul>")
    );
    let project = [("App.jsx", code.as_str())];
    assert_eq!(
        refusal(&project, "<li", |request| request.item = Some(1)).code,
        "object-key"
    );
}

#[test]
fn texts_that_a_list_gives_itself_belong_to_the_element_around_it() {
    let code = app("<p>{['a', 'b'].map((letter) => letter)}</p>");
    let project = [("App.jsx", code.as_str())];
    changes(
        &project,
        "<p",
        |request| request.before = Some("b".into()),
        "App.jsx",
        ("'b'", "'New'"),
    );
}

#[test]
fn imported_lists_are_changed_in_their_file() {
    let code = format!(
        "import {{ items }} from './data';\n{}",
        app("<ul>{items.map((item) => <li>{item.title}</li>)}</ul>")
    );
    let data = "type Item = { title: string };\nexport const items: Item[] = [{ title: 'One' }, { title: 'Two' }];\n";
    let project = [("src/App.tsx", code.as_str()), ("src/data.ts", data)];
    changes(
        &project,
        "<li",
        |request| request.item = Some(1),
        "src/data.ts",
        ("Two", "New"),
    );
}

#[test]
fn an_item_that_is_looked_for_is_changed_at_its_place() {
    for markup in [
        "<p>{items.find((item) => item.id === 2).title}</p>",
        "<p>{items.find(({ title }) => 'Pears' === title)?.title}</p>",
        "<p>{items.at(1).title}</p>",
    ] {
        let code = listed(markup);
        let project = [("App.tsx", code.as_str())];
        changes(&project, "<p", |_| {}, "App.tsx", ("title: 'Pears'", "title: 'New'"));
    }
    let code = listed("<p>{items.find((item) => item.id === id).title}</p>");
    let project = [("App.tsx", code.as_str())];
    assert_eq!(refusal(&project, "<p", |_| {}).choices.len(), 3);
    let shown = |request: &mut crate::source::model::Request| request.before = Some("Pears".into());
    changes(&project, "<p", shown, "App.tsx", ("title: 'Pears'", "title: 'New'"));
}

#[test]
fn a_list_made_of_another_leads_to_its_items() {
    for markup in [
        "<ul>{items.map((item) => ({ name: item.title })).map((row) => <li>{row.name}</li>)}</ul>",
        "<ul>{items.map(({ title }) => title).map((title) => <li>{title}</li>)}</ul>",
    ] {
        let code = listed(markup);
        let project = [("App.tsx", code.as_str())];
        let second = |request: &mut crate::source::model::Request| request.item = Some(1);
        changes(&project, "<li", second, "App.tsx", ("Pears", "New"));
    }
    let code =
        listed("<ul>{items.map((item) => item.id > 1 ? item.title : 'None').map((title) => <li>{title}</li>)}</ul>");
    let project = [("App.tsx", code.as_str())];
    let second = refusal(&project, "<li", |request| request.item = Some(1));
    assert_eq!(second.code, "choice-needed");
}

#[test]
fn items_are_not_counted_where_a_condition_decides_about_them() {
    for list in [
        "[...(admin ? [{ title: 'Users' }] : []), ...items]",
        "[...(admin && [{ title: 'Users' }]), ...items]",
        "(admin ? [{ title: 'Users' }, ...items] : items)",
    ] {
        let code = listed(&format!("<ul>{{{list}.map((item) => <li>{{item.title}}</li>)}}</ul>"));
        let project = [("App.tsx", code.as_str())];
        let asked = refusal(&project, "<li", |request| request.item = Some(0));
        assert!(asked.choices.len() > 2, "{list}: {asked:?}");
        let shown = |request: &mut crate::source::model::Request| {
            request.item = Some(0);
            request.before = Some("Apples".into());
        };
        changes(&project, "<li", shown, "App.tsx", ("Apples", "New"));
    }
}
