use std::sync::Arc;

use super::{ChildKind, Module, Shape, Written};

fn module(path: &str, text: &str) -> Arc<Module> {
    super::read(path, &Arc::from(text)).unwrap()
}

#[test]
fn an_element_has_one_entry_with_what_is_shown_and_where_it_is_written() {
    let text = "const a = <Card<T> title=\"a &amp; b\" on={(go)} {...rest} off>\n  x {y}{}</Card>;";
    let module = module("a.tsx", text);
    let [card] = &module.elements[..] else {
        panic!("{:?}", module.elements);
    };
    let at = |part: &str| {
        let start = text.find(part).unwrap();
        start..start + part.len()
    };
    assert_eq!(card.range, at(&text[10..text.len() - 1]));
    assert_eq!(
        (&card.name, card.behind_name),
        (&at("Card"), at("<T>").end),
        "type arguments belong to the name"
    );
    assert_eq!(card.closing, Some(at("</Card>")));
    let ranges: Vec<_> = card
        .attributes
        .iter()
        .map(|attribute| attribute.range.clone())
        .collect();
    assert_eq!(
        ranges,
        [at("title=\"a &amp; b\""), at("on={(go)}"), at("{...rest}"), at("off")]
    );
    assert_eq!(module.quoted(&card.attributes[0]), Some("a & b"));
    let Written::Expression(on) = &card.attributes[1].written else {
        panic!("{:?}", card.attributes[1]);
    };
    assert_eq!((&on.inner, &module[on.node].range), (&at("(go)"), &at("go")));
    assert!(matches!(&module[card.attributes[2].value().unwrap()].shape, Shape::Name(None, name) if name == "rest"));
    assert_eq!(card.attributes[3].value(), None);
    let kinds: Vec<_> = card.children.iter().map(|child| &child.kind).collect();
    assert!(
        matches!(&kinds[..], [ChildKind::Text(Some(text)), ChildKind::Expression(_), ChildKind::Empty] if text.text == "x"),
        "{kinds:?}"
    );
    assert_eq!(card.shown().count(), 2, "empty braces show nothing");
}

#[test]
fn scripts_and_templates_of_a_component_share_the_table() {
    let text =
        "<template><p title=\"a\">b</p></template>\n<script lang=\"tsx\">\nconst c = <i title=\"d\"/>\n</script>";
    let module = module("a.vue", text);
    let seen: Vec<_> = module
        .elements
        .iter()
        .map(|element| (element.tag.as_str(), &text[element.attributes[0].range.clone()]))
        .collect();
    assert_eq!(seen, [("i", "title=\"d\""), ("p", "title=\"a\"")]);
    let listed = module.outline();
    let tags: Vec<_> = listed.elements.iter().map(|element| element.tag.as_str()).collect();
    assert_eq!(tags, ["i"], "the template's elements are listed by its own reader");
    assert_eq!(module.element_of_script(text.find("<p").unwrap()), None);
}

#[test]
fn elements_are_listed_in_the_order_of_the_text() {
    let text = "function A({ icon = <i/> } = { icon: <b/> }) {\n  x[<u/>] = <s><q/></s>;\n  y[<a/>]++;\n  return <>{icon}<p/></>;\n}\n@(<em/>) class B { @(<h1/>) c(@(<h2/>) d) {} }";
    let module = module("a.tsx", text);
    let listed = module.outline();
    let tags: Vec<_> = listed.elements.iter().map(|element| element.tag.as_str()).collect();
    assert_eq!(tags, ["i", "b", "u", "s", "q", "a", "p", "em", "h1", "h2"]);
    assert_eq!(listed.elements[4].parent, Some(3));
}

#[test]
fn what_a_pattern_takes_out_is_not_among_the_rest() {
    let rest = |code: &str| {
        let module = module("a.tsx", code);
        let mut attributes = module.elements.iter().flat_map(|element| &element.attributes);
        let spread = attributes.find_map(|attribute| match attribute.written {
            Written::Spread(_, node) => Some(node),
            _ => None,
        });
        module.leaves_out(spread.unwrap(), "className")
    };
    for code in [
        "const A = ({ className, ...props }) => <p {...props}/>",
        "function A(all) { const { className: own, ...props } = all; props.id = 1; return <p {...props}/> }",
        "for (const { 'className': own, ...props } of list) all.push(<p {...props}/>)",
    ] {
        assert!(rest(code), "{code}");
    }
    for code in [
        "const A = ({ id, ...props }) => <p {...props}/>",
        "const A = ({ className, ...props }) => <p {...other}/>",
        "function A({ className, ...props }) { props = other; return <p {...props}/> }",
        "function A({ className, ...props }) { props.className = 'b'; return <p {...props}/> }",
        "function A({ className, ...props }) { Object.assign(props, other); return <p {...props}/> }",
        "function A({ className, ...props }) { var props = other; return <p {...props}/> }",
        "const A = ({ className, ...props }) => list.map((props) => <p {...props}/>)",
    ] {
        assert!(!rest(code), "{code}");
    }
}

/// The stack is made for what a text can nest: more would end the program here.
#[test]
fn what_can_be_parsed_can_be_lowered() {
    const DEPTH: usize = 2000;
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("!", ""),
        ("f(", ")"),
        ("{a:", "}"),
        ("a?", ":b"),
        ("()=>", ""),
        ("function(){return ", "}"),
        ("a||", ""),
        ("`${", "}`"),
        ("<p>{", "}</p>"),
        ("<p>", "</p>"),
        ("<p q={", "}/>"),
        ("a=", ""),
        ("(a as b).c+", ""),
    ] {
        let text = format!("x = ({}y{})", open.repeat(DEPTH), close.repeat(DEPTH));
        assert!(super::read("a.tsx", &text.as_str().into()).is_ok(), "{open}{close}");
    }
}
