use serde_json::{Value, json};

use super::{PATH, becomes, edited_in, marked, refused, stamp};
use crate::source::engine::plan;
use crate::source::model::{Lanes, Verdict};

fn detach() -> Value {
    json!({ "kind": "detach" })
}

fn swap(component: &str, from: Option<&str>, props: Value) -> Value {
    json!({ "kind": "swap", "component": component, "from": from, "props": props })
}

#[test]
fn sleeping_lanes_name_the_key_that_wakes_them() {
    let (text, at) = marked("const a = ‹B/>;", '‹');
    for (mut edit, key) in [(detach(), "lanes.detach"), (swap("C", None, json!({})), "lanes.swap")] {
        edit["src"] = json!(stamp(at));
        let request = serde_json::from_value(edit).unwrap();
        let refusal = plan(&[(PATH, text.as_str())], &request, Lanes::default()).unwrap_err();
        assert_eq!((refusal.verdict, refusal.lane), (Verdict::Dormant, Some(key)));
    }
}

#[test]
fn a_component_gives_way_to_what_it_shows() {
    let source = "function Card({ title, size = 3, children, wide }) {\n  return (\n    <section className=\"card\" data-size={size} title={title} hidden={wide}>\n      <h2>{title}</h2>\n      {children}\n      <Foot label={title + '!'} style={{ size }} />\n    </section>\n  );\n}\nexport const App = () => (\n  <main>\n      ‹Card title=\"A < 'B'\">\n        <p>{x}</p>\n      </Card>\n  </main>\n);\n";
    let wanted = "<section className=\"card\" data-size={3} title=\"A < 'B'\">\n        <h2>A &lt; 'B'</h2>\n        <p>{x}</p>\n        <Foot label={'A < \\'B\\'' + '!'} style={{ size: 3 }} />\n      </section>";
    let start = source.find("‹Card").unwrap();
    let end = source.find("</Card>").unwrap() + "</Card>".len();
    becomes(
        source,
        detach(),
        &format!("{}{wanted}{}", &source[..start], &source[end..]),
    );
}

#[test]
fn a_key_and_computed_values_come_along() {
    let source = "const Row = (props) => <li>{props.name}: {f(props.age)}</li>;\nconst A = () => <ul>{list.map((x) => ‹Row key={x.id} name={x.name} age={x.a + 1}/>)}</ul>;";
    let wanted = "const Row = (props) => <li>{props.name}: {f(props.age)}</li>;\nconst A = () => <ul>{list.map((x) => <li key={x.id}>{x.name}: {f((x.a + 1))}</li>)}</ul>;";
    becomes(source, detach(), wanted);
}

#[test]
fn components_of_other_files_are_detached_when_they_need_nothing_of_them() {
    let app = "import Card, { Row as Line } from './card';\nconst A = () => <p>‹Card on>x</Card></p>;";
    let card = "export default function Card({ on, children }: { on: boolean }) {\n  return <b hidden={on}>{children}</b>;\n}\nexport const Row = () => <Card/>;";
    let files = [("src/card.tsx", card)];
    assert_eq!(
        edited_in(app, &files, detach()).unwrap(),
        app.replace("‹Card on>x</Card>", "<b hidden={true}>x</b>")
    );
    let line = "import Card, { Row as Line } from './card';\nconst A = () => <p>‹Line/></p>;";
    assert_eq!(edited_in(line, &files, detach()).unwrap_err().code, "not-plain-markup");
    let library = "import { Card } from 'library';\nconst A = () => <p>‹Card/></p>;";
    assert_eq!(
        edited_in(library, &files, detach()).unwrap_err().code,
        "not-plain-markup"
    );
}

#[test]
fn components_that_are_more_than_markup_are_not_detached() {
    for (definition, used) in [
        ("function B() { const x = useState(); return <p>{x}</p>; }", "‹B/>"),
        ("function B({ ...rest }) { return <p {...rest}/>; }", "‹B/>"),
        ("function B(props) { return <p {...props}/>; }", "‹B/>"),
        ("function B({ as: Tag }) { return <Tag/>; }", "‹B as=\"p\"/>"),
        ("function B({ a }) { return <p>{a}</p>; }", "‹B {...x}/>"),
        ("function B({ children }) { return <p>{f(children)}</p>; }", "‹B>x</B>"),
        ("function B() { return null; }", "‹B/>"),
        ("const B = memo(() => <p/>);", "‹B/>"),
        (
            "function B({ a }) { return <p>{list.map((x) => <i>{a}{x}</i>)}</p>; }",
            "‹B a={x}/>",
        ),
        ("function B() { return <><p/></>; }", "‹B key=\"1\"/>"),
    ] {
        assert_eq!(
            refused(&format!("{definition}\nconst A = () => <div>{used}</div>;"), detach()),
            "not-plain-markup",
            "{definition}"
        );
    }
    assert_eq!(refused("const A = () => ‹p/>;", detach()), "no-component");
}

#[test]
fn a_component_is_swapped_with_its_mapped_props_and_imported() {
    let source = "'use client'\nimport { Star } from 'icons'\n\nconst A = () => <p>‹Star<T> size={3} color=\"red\" key=\"a\">x</Star></p>;";
    let wanted = "'use client'\nimport { Star } from 'icons'\nimport { Moon } from 'icons/night'\n\nconst A = () => <p><Moon width={3} key=\"a\">x</Moon></p>;";
    becomes(
        source,
        swap("Moon", Some("icons/night"), json!({ "size": "width" })),
        wanted,
    );
    let known = "import { Star, Moon } from \"icons\";\nconst A = () => <p>‹Star/></p>;";
    becomes(
        known,
        swap("Moon", Some("icons"), json!({})),
        &known.replace("‹Star", "<Moon"),
    );
    becomes(known, swap("Moon", None, json!({})), &known.replace("‹Star", "<Moon"));
    becomes(
        "'use client'\nconst A = () => ‹B/>;",
        swap("C", Some("c"), json!({})),
        "'use client'\nimport { C } from 'c';\nconst A = () => <C/>;",
    );
}

#[test]
fn a_swap_knows_what_a_file_of_the_project_exports() {
    let app = "import { B } from './b';\nconst A = () => ‹B/>;";
    let files = [(
        "src/c.tsx",
        "export default function C() { return null }\nexport const D = 1;",
    )];
    let swapped = |component| edited_in(app, &files, swap(component, Some("./c"), json!({})));
    assert_eq!(
        swapped("C").unwrap(),
        "import { B } from './b';\nimport C from './c';\nconst A = () => <C/>;"
    );
    assert_eq!(
        swapped("D").unwrap(),
        "import { B } from './b';\nimport { D } from './c';\nconst A = () => <D/>;"
    );
    let missing = edited_in(app, &files, swap("C", Some("./nowhere"), json!({})));
    assert_eq!(missing.unwrap_err().code, "import-missing");
}

#[test]
fn swaps_that_cannot_be_are_refused() {
    let source = "import { B } from 'b';\nconst C = 1;\nconst A = () => <p>‹B/></p>;";
    for (component, from, code) in [
        ("Other", None, "not-in-scope"),
        ("C", Some("c"), "name-taken"),
        ("other", Some("c"), "component-name"),
        ("O ther", Some("c"), "component-name"),
        ("Other", Some("c'; evil()"), "module-name"),
    ] {
        assert_eq!(refused(source, swap(component, from, json!({}))), code, "{component}");
    }
    assert_eq!(
        refused(&source.replace("‹B/>", "‹B {...x}/>"), swap("B", None, json!({}))),
        "spread"
    );
    assert_eq!(
        refused(&source.replace("‹B/>", "‹b/>"), swap("B", None, json!({}))),
        "no-component"
    );
    assert_eq!(
        refused(source, swap("B", None, json!({ "a": "b c" }))),
        "component-name"
    );
}
