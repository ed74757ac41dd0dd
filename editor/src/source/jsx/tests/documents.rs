//! Made-up JSX files: what people write, in odd combinations.

use proptest::prelude::*;

/// A file with one component. Every element carries a text or attribute of its own kind, never `data-x`.
pub fn document() -> impl Strategy<Value = String> {
    let head = prop::sample::select(vec![
        "",
        "'use client'\n",
        "import { a } from 'b';\n\n",
        "// <div> in a comment\n/* <p>x</p> */\n",
        "@decorated class B<T extends {}> { @field x = 1 < 2; m<U>() { return null as unknown as U } }\n",
        "const generic = <T,>(x: T): x is T => x > 1;\nconst cast = a as Map<string, Array<number>>;\n",
        "const regex = /<a>{\"'`/g; const quoted = '<b>' + \"</b>\" + `<i>${1}</i>`;\n",
    ]);
    let body = element(4);
    let line_end = prop::sample::select(vec!["\n", "\r\n"]);
    let indentation = prop::sample::select(vec!["  ", "\t", "    "]);
    (head, body, line_end, indentation).prop_map(|(head, body, line_end, indentation)| {
        let body = body.replace("¶", &format!("\n{indentation}{indentation}"));
        let text = format!("{head}export function App(p) {{\n{indentation}return (\n{indentation}{indentation}{body}\n{indentation});\n}}\n");
        text.replace('\n', line_end)
    })
}

/// `¶` is a line break with indentation.
fn element(depth: u32) -> BoxedStrategy<String> {
    let tag = prop::sample::select(vec![
        "div",
        "p",
        "h1",
        "my-card",
        "svg",
        "Card",
        "Menu.Item",
        "Box<string>",
        "mesh",
        "a:b",
    ]);
    let attributes = prop::collection::vec(attribute(), 0..3)
        .prop_map(|attributes| attributes.concat())
        .boxed();
    let leaf = (
        tag.clone(),
        attributes.clone(),
        prop::sample::select(vec!["/>", " />", "¶/>"]),
    );
    let leaf = leaf.prop_map(|(tag, attributes, end)| format!("<{tag}{attributes}{end}"));
    leaf.prop_recursive(depth, 24, 4, move |inner| {
        let child = prop_oneof![
            3 => inner.clone().prop_map(|element| format!("¶{element}")),
            1 => inner.clone(),
            2 => text(),
            1 => inner.clone().prop_map(|element| format!("{{p.on && {element}}}")),
            1 => (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("{{p.on ? {one} : {other}}}")),
            1 => inner.clone().prop_map(|element| format!("{{p.list.map((item) => ({element}))}}")),
            1 => Just("{/* <b> */}".to_owned()),
            1 => inner.prop_map(|element| format!("<>{element}</>")),
        ];
        (tag.clone(), attributes.clone(), prop::collection::vec(child, 0..4)).prop_map(|(tag, attributes, children)| {
            let name = tag.split('<').next().unwrap_or(tag);
            let end = if children.last().is_some_and(|child| child.starts_with('¶')) {
                "¶"
            } else {
                ""
            };
            format!("<{tag}{attributes}>{}{end}</{name}>", children.concat())
        })
    })
    .boxed()
}

fn attribute() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        " id=\"a\"",
        " title='it is \"😀\"'",
        "¶  alt={\"x\"}",
        " hidden",
        " className=\"p-2 m-1\"",
        " className={`a ${p.b}`}",
        " {...p.rest}",
        " onClick={() => p.go(1 < 2, 3 > 2)}",
        " icon={<i/>}",
        " /* > */ key={1}",
        " // >¶  lang=\"de\"",
        " style={{ color: 'red' }}",
    ])
    .prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "text",
        " über 😀 ",
        "¶line¶",
        "&nbsp;&lt;",
        "it's \"so\" // no",
        "{'literal'}",
        "{p.x}",
        " ",
    ])
    .prop_map(str::to_owned)
}
