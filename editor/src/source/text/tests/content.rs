//! Texts where none can be shown, and texts that components of the project show.

use serde_json::json;

use crate::source::engine::{inspect, plan};
use crate::source::model::inspection::Able;
use crate::source::model::marks::marked;
use crate::source::model::{Inspect, Lanes, Refusal, Stamp};

/// Gives the element marked by `‹` in the first file a text; the file after it. `can.text` has to say the same before.
fn filled(files: &[(&str, &str)]) -> Result<String, Refusal> {
    let (path, source) = files[0];
    let (text, at) = marked(source, '‹');
    let src = Stamp {
        path: path.to_owned(),
        at,
    };
    let file = |at: usize| files.get(at).copied().unwrap_or(("other.txt", ""));
    let project = [(path, text.as_str()), file(1), file(2)];
    let request = json!({ "src": src.to_string(), "kind": "text", "text": "New" });
    let planned = plan(&project, &serde_json::from_value(request).unwrap(), Lanes::default());
    let question = Inspect {
        src,
        item: None,
        within: None,
        viewport: Default::default(),
    };
    let found = inspect(&project, &question, Lanes::default()).expect("an inspection");
    assert_eq!(
        found.can.text == Able::Yes,
        planned.is_ok(),
        "{source}: {:?} {planned:?}",
        found.can.text
    );
    let plan = planned?;
    assert_eq!(plan.changes.len(), 1);
    assert_eq!(plan.changes[0].path, path);
    Ok(plan.changes[0].apply(&text).unwrap())
}

fn jsx(markup: &str) -> String {
    format!("import {{ Card }} from './Card';\nexport const App = () => {markup};\n")
}

fn vue(markup: &str) -> String {
    format!(
        "<script setup>\nimport Card from './Card.vue'\n</script>\n\n<template>\n  <main>{markup}</main>\n</template>\n"
    )
}

#[test]
fn elements_that_show_no_text_are_given_none() {
    for markup in [
        "<svg>‹path d=\"M0 0\"/></svg>",
        "<svg>‹circle r=\"1\"></circle></svg>",
        "‹svg></svg>",
        "‹iframe src=\"a\"></iframe>",
        "‹video></video>",
        "‹canvas/>",
        "‹select></select>",
        "‹ul></ul>",
        "‹ol/>",
        "<table><tbody>‹tr></tr></tbody></table>",
        "<table>‹tbody></tbody></table>",
        "‹table></table>",
        "‹textarea></textarea>",
        "‹template></template>",
        "‹input/>",
        "‹progress></progress>",
    ] {
        for (path, text) in [("App.tsx", jsx(markup)), ("App.vue", vue(markup))] {
            let refusal = filled(&[(path, &text)]).expect_err(markup);
            assert_eq!(refusal.code, "no-text", "{path} {markup}: {}", refusal.reason);
        }
    }
    for markup in [
        "‹style></style>",
        "‹script/>",
        "‹style>{'a{}'}</style>",
        "‹script>{code}</script>",
    ] {
        let refusal = filled(&[("App.tsx", &jsx(markup))]).expect_err(markup);
        assert_eq!(refusal.code, "no-text", "{markup}: {}", refusal.reason);
    }
}

#[test]
fn elements_that_show_text_are_given_theirs() {
    for (markup, wanted) in [
        ("<p>‹b/></p>", "<p><b>New</b></p>"),
        ("<svg>‹text x=\"1\"/></svg>", "<svg><text x=\"1\">New</text></svg>"),
        (
            "<select>‹option></option></select>",
            "<select><option>New</option></select>",
        ),
        ("<table><tr>‹td/></tr></table>", "<table><tr><td>New</td></tr></table>"),
    ] {
        assert_eq!(filled(&[("App.tsx", &jsx(markup))]), Ok(jsx(wanted)));
        assert_eq!(filled(&[("App.vue", &vue(markup))]), Ok(vue(wanted)));
    }
    let fragment = "<template v-if=\"a\"></template>";
    let wanted = "<template v-if=\"a\">New</template>";
    assert_eq!(
        filled(&[("App.vue", &vue(&fragment.replacen('<', "‹", 1)))]),
        Ok(vue(wanted))
    );
}

#[test]
fn a_tag_over_several_lines_keeps_its_last_one() {
    let (before, after) = ("‹p\n    id=\"a\"\n  />", "<p\n    id=\"a\"\n  >New</p>");
    assert_eq!(filled(&[("App.tsx", &jsx(before))]), Ok(jsx(after)));
    assert_eq!(filled(&[("App.vue", &vue(before))]), Ok(vue(after)));
}

#[test]
fn components_that_show_their_children_are_given_a_text() {
    for source in [
        "export function Card({ children }) { return <div className=\"card\">{children}</div>; }",
        "export const Card = (props) => <div>{props.children}</div>;",
        "export const Card = ({ title, ...props }) => <div title={title} {...props} />;",
        "export const Card = forwardRef(({ children }, ref) => <section ref={ref}>{children ?? 'none'}</section>);",
        "export const Card = ({ children }) => <Box>{children}</Box>;\nconst Box = ({ children }) => <div>{children}</div>;",
    ] {
        for (before, after) in [("‹Card/>", "<Card>New</Card>"), ("‹Card></Card>", "<Card>New</Card>")] {
            let outcome = filled(&[("App.tsx", &jsx(before)), ("Card.tsx", source)]);
            assert_eq!(outcome, Ok(jsx(after)), "{source}");
        }
    }
    for source in [
        "<template><div><slot /></div></template>",
        "<template><div><slot name=\"head\"/><b><slot>none</slot></b></div></template>",
        "<script setup>\nimport Box from './Box.vue'\n</script>\n<template><Box><slot/></Box></template>",
    ] {
        let files = [
            ("App.vue", &*vue("‹Card/>")),
            ("Card.vue", source),
            ("Box.vue", "<template><p><slot/></p></template>"),
        ];
        assert_eq!(filled(&files), Ok(vue("<Card>New</Card>")), "{source}");
    }
}

#[test]
fn components_that_show_no_children_for_certain_are_given_none() {
    for source in [
        "export const Card = ({ title }) => <div>{title}</div>;",
        "export const Card = ({ children, open }) => <div>{open && <p>{children}</p>}</div>;",
        "export const Card = ({ children, ...props }) => <div {...props} />;",
        "export const Card = ({ children }) => <div>{children(1)}</div>;",
        "export const Card = ({ children }) => <Box>{children}</Box>;\nconst Box = () => <div/>;",
        "export const Card = ({ children, items }) => <ul>{items.map((item) => <li>{children}</li>)}</ul>;",
    ] {
        let refusal = filled(&[("App.tsx", &jsx("‹Card/>")), ("Card.tsx", source)]).expect_err(source);
        assert_eq!(refusal.code, "component-children", "{source}: {}", refusal.reason);
        assert!(refusal.reason.contains("Card.tsx"), "{}", refusal.reason);
    }
    for source in [
        "<template><div/></template>",
        "<template><div><slot name=\"head\"/></div></template>",
        "<template><div><slot v-if=\"open\"/></div></template>",
        "<template><ul><li v-for=\"a in b\"><slot/></li></ul></template>",
    ] {
        let refusal = filled(&[("App.vue", &vue("‹Card/>")), ("Card.vue", source)]).expect_err(source);
        assert_eq!(refusal.code, "component-children", "{source}: {}", refusal.reason);
    }
}

#[test]
fn components_of_libraries_are_given_none() {
    let library = "import { NMenu } from 'naive-ui';\nexport const App = () => ‹NMenu options={x} />;";
    let refusal = filled(&[("App.tsx", library)]).unwrap_err();
    assert_eq!(refusal.code, "component-children", "{}", refusal.reason);
    let library = "<script setup>\nimport { NMenu } from 'naive-ui'\n</script>\n<template><main>‹NMenu :options=\"x\" /></main></template>";
    let refusal = filled(&[("App.vue", library)]).unwrap_err();
    assert_eq!(refusal.code, "component-children", "{}", refusal.reason);
    // Nuxt finds it by its name; a library brings it.
    let refusal = filled(&[("App.vue", "<template><main>‹UTable/></main></template>")]).unwrap_err();
    assert_eq!(refusal.code, "component-children", "{}", refusal.reason);
    let link = "<template><main>‹RouterLink to=\"/\"/></main></template>";
    let wanted = "<template><main><RouterLink to=\"/\">New</RouterLink></main></template>";
    assert_eq!(filled(&[("App.vue", link)]).as_deref(), Ok(wanted));
}
