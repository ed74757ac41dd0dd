use serde_json::{Value, json};

use super::{PATH, marked, stamp};
use crate::source::engine::inspect;
use crate::source::model::Lanes;

fn inspected(source: &str) -> Value {
    let (text, at) = marked(source, '‹');
    let question = serde_json::from_value(json!({ "src": stamp(at) })).unwrap();
    let lanes = Lanes {
        detach: true,
        swap: false,
    };
    let inspection = inspect(&[(PATH, text.as_str())], &question, lanes).unwrap();
    serde_json::to_value(inspection).unwrap()
}

#[test]
fn an_element_is_described() {
    let source = "import { cn } from './cn';\nexport function List({ items, on }) {\n  return <ul>{items.map((item) => on && ‹li key={item} id=\"a\" hidden title={item} {...item} className={cn('p-2', 'b')}>One</li>)}</ul>;\n}\n";
    let seen = inspected(source);
    assert_eq!(seen["language"], "jsx");
    assert_eq!(seen["tag"], "li");
    assert_eq!(seen["component"], "List");
    assert_eq!(seen["isComponent"], false);
    assert_eq!(seen["repeated"], true);
    assert_eq!(seen["conditional"], true);
    assert_eq!(seen["hash"], crate::source::model::hash(&source.replace('‹', "<")));
    let attributes: Vec<(&str, &str, bool)> = seen["attributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (
                one["name"].as_str().unwrap(),
                one["form"].as_str().unwrap(),
                one["editable"].as_bool().unwrap(),
            )
        })
        .collect();
    let wanted = [
        ("key", "expression", false),
        ("id", "literal", false),
        ("hidden", "flag", false),
        ("title", "expression", false),
        ("...", "spread", false),
        ("className", "expression", false),
    ];
    assert_eq!(attributes, wanted);
    assert_eq!(seen["classes"]["list"], json!(["p-2", "b"]));
    assert_eq!(seen["classes"]["form"], "call");
    assert_eq!(seen["classes"]["editable"], true);
    assert_eq!(seen["can"]["attribute"], true);
    assert_eq!(seen["can"]["class"], true);
    assert_eq!(seen["can"]["insert"], true);
    assert!(seen["can"]["move"].as_str().unwrap().contains("list"));
    assert!(seen["can"]["duplicate"].as_str().unwrap().contains("list"));
    assert_eq!(seen["can"]["delete"], true);
    assert!(seen["can"]["detach"].as_str().unwrap().contains("component"));
}

#[test]
fn the_use_of_a_component_is_described() {
    let seen = inspected("const Card = () => <p/>;\nconst App = () => <main>\n  ‹Card title=\"a\" />\n</main>;\n");
    assert_eq!(seen["isComponent"], true);
    assert_eq!(seen["component"], "App");
    assert_eq!(
        seen["attributes"][0],
        json!({ "name": "title", "value": "a", "form": "literal", "editable": true, "why": null })
    );
    assert_eq!(seen["can"]["detach"], true);
    assert!(seen["can"]["swap"].as_str().unwrap().contains("lanes.swap"));
    assert_eq!(seen["repeated"], false);
}

#[test]
fn what_is_gone_is_said() {
    let question = |src: &str| serde_json::from_value(json!({ "src": src })).unwrap();
    let refusal = |src: &str, text: &str| inspect(&[(PATH, text)], &question(src), Lanes::default()).unwrap_err();
    assert_eq!(refusal("src/App.tsx:1:0", "const a = <p/>;").code, "no-element");
    assert_eq!(refusal("src/App.tsx:9:0", "const a = <p/>;").code, "no-element");
    assert_eq!(refusal("src/Gone.tsx:1:0", "").code, "no-element");
    assert_eq!(refusal("src/App.tsx:1:10", "const a = <p>;").code, "syntax-error");
    assert_eq!(refusal("src/App.css:1:0", "").code, "no-language");
}
