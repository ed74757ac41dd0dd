use serde_json::{Value, json};

use super::{becomes, edited_at, marked, refused, stamp};

fn delete() -> Value {
    json!({ "kind": "delete" })
}

fn duplicate() -> Value {
    json!({ "kind": "duplicate" })
}

fn insert(place: &str, markup: &str) -> Value {
    json!({ "kind": "insert", "place": place, "markup": markup })
}

/// The body of a component in a file.
fn component(body: &str) -> String {
    format!("export function App({{ on, list }}) {{\n  return (\n{body}\n  );\n}}\n")
}

#[test]
fn a_deleted_card_takes_its_line_along() {
    for (body, wanted) in [
        (
            "    <ul>\n      ‹li>a</li>\n      <li>b</li>\n    </ul>",
            "    <ul>\n      <li>b</li>\n    </ul>",
        ),
        (
            "    <ul>\n      <li>a</li>\n      ‹li>\n        b\n      </li>\n    </ul>",
            "    <ul>\n      <li>a</li>\n    </ul>",
        ),
        ("    <p>one ‹b>two</b> three</p>", "    <p>one  three</p>"),
        ("    <p>\n      {on && ‹b>two</b>}\n    </p>", "    <p>\n    </p>"),
        (
            "    <p>\n      {on && (\n        ‹b>two</b>\n      )} three\n    </p>",
            "    <p>\n       three\n    </p>",
        ),
        (
            "    <p>\n      {on ? (\n        ‹b/>\n      ) : null}\n    </p>",
            "    <p>\n    </p>",
        ),
        ("    <p>{on ? ‹b/> : <i/>}</p>", "    <p>{on ? null : <i/>}</p>"),
        (
            "    <p>{on ? <b/> : (\n      ‹i/>\n    )}</p>",
            "    <p>{on ? <b/> : null}</p>",
        ),
        ("    <p>{‹b/>}</p>", "    <p></p>"),
        ("    <>\n      ‹b/>\n    </>", "    <>\n    </>"),
    ] {
        becomes(&component(body), delete(), &component(wanted));
    }
    let crlf = |text: &str| text.replace('\n', "\r\n").replace("  ", "\t");
    let (body, wanted) = (
        "    <ul>\n      ‹li>a 😀</li>\n      <li/>\n    </ul>",
        "    <ul>\n      <li/>\n    </ul>",
    );
    becomes(&crlf(&component(body)), delete(), &crlf(&component(wanted)));
}

#[test]
fn deleting_what_a_list_shows_deletes_the_list_when_asked() {
    let source =
        component("    <ul>\n      {list.map((item) => (\n        ‹li key={item}>{item}</li>\n      ))}\n    </ul>");
    assert_eq!(refused(&source, delete()), "choice-needed");
    assert_eq!(
        refused(&source, json!({ "kind": "delete", "scope": "item" })),
        "repeated"
    );
    becomes(
        &source,
        json!({ "kind": "delete", "scope": "all" }),
        &component("    <ul>\n    </ul>"),
    );
}

#[test]
fn what_nothing_is_left_of_is_not_deleted() {
    for (source, code) in [
        (component("    ‹p>a</p>"), "root-element"),
        ("const A = () => ‹p/>;".to_owned(), "root-element"),
        (
            "const A = memo(() => { if (x) return ‹p/>; return null; });".to_owned(),
            "root-element",
        ),
        ("class A { render() { return ‹p/>; } }".to_owned(), "root-element"),
        ("const a = ‹p/>;".to_owned(), "value-position"),
        ("const a = [‹p/>];".to_owned(), "value-position"),
        ("const a = { b: ‹p/> };".to_owned(), "value-position"),
        ("render(‹p/>);".to_owned(), "value-position"),
        ("const a = <B icon={‹p/>} />;".to_owned(), "attribute-value"),
        (component("    <p>{on || ‹b/>}</p>"), "value-position"),
        (component("    <p>{f(list.map((a) => ‹b/>))}</p>"), "repeated"),
    ] {
        assert_eq!(refused(&source, delete()), code, "{source}");
    }
}

#[test]
fn a_copy_stands_after_its_element() {
    for (body, wanted) in [
        (
            "    <ul>\n      ‹li id=\"x\">a</li>\n    </ul>",
            "    <ul>\n      <li id=\"x\">a</li>\n      <li>a</li>\n    </ul>",
        ),
        (
            "    <p>a ‹b key='1'>c</b> d</p>",
            "    <p>a <b key='1'>c</b><b>c</b> d</p>",
        ),
        (
            "    <p>\n      {on && ‹b/>}\n    </p>",
            "    <p>\n      {on && <b/>}\n      {on && <b/>}\n    </p>",
        ),
        (
            "    <p>{on ? ‹b/> : <i/>}</p>",
            "    <p>{on ? <><b/><b/></> : <i/>}</p>",
        ),
        (
            "    <p>\n      {on ? (\n        ‹b>\n          a\n        </b>\n      ) : <i/>}\n    </p>",
            "    <p>\n      {on ? (\n        <>\n          <b>\n            a\n          </b>\n          <b>\n            a\n          </b>\n        </>\n      ) : <i/>}\n    </p>",
        ),
    ] {
        becomes(&component(body), duplicate(), &component(wanted));
    }
    for (body, code) in [
        ("    ‹p/>", "root-element"),
        ("    <p>{list.map((a) => ‹b key={a}/>)}</p>", "repeated"),
        ("    <B icon={‹b/>}/>", "attribute-value"),
    ] {
        assert_eq!(refused(&component(body), duplicate()), code, "{body}");
    }
}

#[test]
fn markup_is_inserted_in_lines_of_its_own_where_there_are_lines() {
    let new = "<b>\n  new\n</b>";
    for (body, place, wanted) in [
        (
            "    <p>\n      ‹i/>\n    </p>",
            "after",
            "    <p>\n      <i/>\n      <b>\n        new\n      </b>\n    </p>",
        ),
        (
            "    <p>\n      ‹i/>\n    </p>",
            "before",
            "    <p>\n      <b>\n        new\n      </b>\n      <i/>\n    </p>",
        ),
        (
            "    ‹p>\n      <i/>\n      text\n    </p>",
            "first",
            "    <p>\n      <b>\n        new\n      </b>\n      <i/>\n      text\n    </p>",
        ),
        (
            "    ‹p>\n      <i/>\n      text\n    </p>",
            "last",
            "    <p>\n      <i/>\n      text\n      <b>\n        new\n      </b>\n    </p>",
        ),
        (
            "    ‹p></p>",
            "last",
            "    <p>\n      <b>\n        new\n      </b>\n    </p>",
        ),
        (
            "    ‹p />",
            "first",
            "    <p>\n      <b>\n        new\n      </b>\n    </p>",
        ),
        (
            "    <p>\n      {on && ‹i/>}\n    </p>",
            "after",
            "    <p>\n      {on && <i/>}\n      <b>\n        new\n      </b>\n    </p>",
        ),
        (
            "    ‹p/>",
            "after",
            "    <>\n      <p/>\n      <b>\n        new\n      </b>\n    </>",
        ),
    ] {
        becomes(&component(body), insert(place, new), &component(wanted));
    }
}

#[test]
fn markup_is_inserted_inline_where_text_goes_on() {
    for (source, place, wanted) in [
        (
            "const A = () => <p>a ‹i/> b</p>;",
            "after",
            "const A = () => <p>a <i/><b/> b</p>;",
        ),
        (
            "const A = () => <p>a ‹i/> b</p>;",
            "before",
            "const A = () => <p>a <b/><i/> b</p>;",
        ),
        (
            "const A = () => <div>‹p>a </p></div>;",
            "last",
            "const A = () => <div><p>a <b/></p></div>;",
        ),
        (
            "const A = () => <div>‹p> a</p></div>;",
            "first",
            "const A = () => <div><p><b/> a</p></div>;",
        ),
        ("const A = () => ‹p/>;", "last", "const A = () => <p><b/></p>;"),
        ("const A = () => ‹p/>;", "before", "const A = () => <><b/><p/></>;"),
        (
            "function A() { return ‹p>a</p> }",
            "after",
            "function A() { return <><p>a</p><b/></> }",
        ),
        (
            "const A = () => <p>{on ? ‹i/> : <u/>}</p>;",
            "after",
            "const A = () => <p>{on ? <i/> : <u/>}<b/></p>;",
        ),
        (
            "const A = () => ‹p\n  id=\"a\"\n/>;",
            "last",
            "const A = () => <p\n  id=\"a\"\n><b/></p>;",
        ),
    ] {
        becomes(source, insert(place, "<b/>"), wanted);
    }
}

#[test]
fn lines_inside_values_are_not_indented() {
    let source = "const A = () => (\n  <p>\n    ‹i/>\n  </p>\n);\n";
    let markup = "<b title=\"x\n y\">\n  {`a\n b`}\n</b>";
    let wanted = "const A = () => (\n  <p>\n    <i/>\n    <b title=\"x\n y\">\n      {`a\n b`}\n    </b>\n  </p>\n);\n";
    becomes(source, insert("after", markup), wanted);
}

#[test]
fn names_of_the_place_can_be_used_and_others_not() {
    let source =
        "import { Card } from './card';\nconst A = ({ on }) => <p>{list.map((item) => <b key={item}>‹i/></b>)}</p>;";
    for markup in [
        "<Card>{on}{item}{list2.map((x) => <u>{x}</u>)}</Card>",
        "<b onClick={() => go()}/>",
        "<Other.Part/>",
    ] {
        assert_eq!(refused(source, insert("after", markup)), "not-in-scope", "{markup}");
    }
    let markup = "<Card>{on}{item}{Math.max(1)}</Card>";
    becomes(
        source,
        insert("after", markup),
        &source.replace("‹i/>", &format!("<i/>{markup}")),
    );
}

#[test]
fn markup_that_is_none_is_refused() {
    for markup in [
        "",
        "text",
        "<b>",
        "</p><p>",
        "<b/> text",
        "{on}",
        "</><>",
        "<b/></><><b/>",
        "<b data-desde-src=\"a:1:1\"/>",
        "<b/>}",
    ] {
        assert_eq!(
            refused("const A = () => <p>‹i/></p>;", insert("after", markup)),
            "bad-markup",
            "{markup}"
        );
    }
}

#[test]
fn places_that_take_no_elements_are_refused() {
    for (source, place, code) in [
        ("const A = () => <p>‹img/></p>;", "last", "no-children"),
        ("const A = () => <p>‹textarea></textarea></p>;", "first", "no-children"),
        (
            "const A = () => <p>‹b dangerouslySetInnerHTML={x}/></p>;",
            "last",
            "no-children",
        ),
        ("const A = () => <p>‹b children=\"x\"/></p>;", "last", "no-children"),
        ("const A = () => <p>‹b {...x}/></p>;", "last", "spread-children"),
        ("const A = () => <p>‹B/></p>;", "last", "component-children"),
        (
            "const A = () => <p>‹B>{(x) => <i/>}</B></p>;",
            "last",
            "component-children",
        ),
        ("const A = () => <p>{x.map(() => ‹i/>)}</p>;", "after", "repeated"),
        ("const A = () => <B icon={‹i/>}/>;", "before", "attribute-value"),
        ("const a = [‹i/>];", "before", "value-position"),
    ] {
        assert_eq!(refused(source, insert(place, "<b/>")), code, "{source}");
    }
}

/// Moves the element marked `‹` to a place seen from the one marked `›`.
fn moved(source: &str, place: &str) -> Result<String, String> {
    let (_, at) = marked(&source.replace('›', "<"), '‹');
    let (text, to) = marked(&source.replace('‹', "<"), '›');
    let edit = json!({ "kind": "move", "to": stamp(to), "place": place });
    edited_at(&text, at, edit).map_err(|refusal| refusal.code.to_string())
}

#[test]
fn an_element_is_moved_and_indented_for_its_new_place() {
    for (body, place, wanted) in [
        (
            "    <div>\n      ‹b>\n        a\n      </b>\n      <ul>\n        ›li/>\n      </ul>\n    </div>",
            "after",
            "    <div>\n      <ul>\n        <li/>\n        <b>\n          a\n        </b>\n      </ul>\n    </div>",
        ),
        (
            "    <div>\n      ›b/>\n      ‹i/>\n    </div>",
            "before",
            "    <div>\n      <i/>\n      <b/>\n    </div>",
        ),
        (
            "    <div>\n      ‹b/>\n      ›i/>\n    </div>",
            "after",
            "    <div>\n      <i/>\n      <b/>\n    </div>",
        ),
        (
            "    <div>\n      ‹b/>\n      ›p />\n    </div>",
            "first",
            "    <div>\n      <p>\n        <b/>\n      </p>\n    </div>",
        ),
        ("    <div>a ‹b/> c ›i/></div>", "after", "    <div>a  c <i/><b/></div>"),
        (
            "    <div>\n      {on && ‹b/>}\n      ›i/>\n    </div>",
            "after",
            "    <div>\n      <i/>\n      {on && <b/>}\n    </div>",
        ),
        (
            "    <div>\n      ‹b>{on}</b>\n      {list.map((x) => (\n        <p key={x}>\n          ›i/>\n        </p>\n      ))}\n    </div>",
            "before",
            "    <div>\n      {list.map((x) => (\n        <p key={x}>\n          <b>{on}</b>\n          <i/>\n        </p>\n      ))}\n    </div>",
        ),
    ] {
        assert_eq!(moved(&component(body), place), Ok(component(wanted)), "{body}");
    }
}

#[test]
fn moves_that_cannot_be_are_refused() {
    for (body, place, code) in [
        ("    <div>‹p><b>›i/></b></p></div>", "after", "into-itself"),
        ("    <div>\n      ‹b/>\n    </div>", "after", "into-itself"),
        ("    ›div>\n      <b/>\n      ‹i/>\n    </div>", "last", "already-there"),
        ("    ›div>\n      ‹i/>\n    </div>", "first", "already-there"),
        ("    ›div>‹i/></div>", "after", "root-element"),
        (
            "    <div>{list.map((x) => ‹b key={x}/>)}›i/></div>",
            "after",
            "repeated",
        ),
        (
            "    <div>{list.map((x) => <p key={x}>‹b>{x}</b></p>)}›i/></div>",
            "after",
            "out-of-scope",
        ),
        (
            "    <div>‹b>{on}</b>{list.map((on) => <p key={on}>›i/></p>)}</div>",
            "after",
            "out-of-scope",
        ),
        ("    <div>{on ? ‹b/> : <u/>}›i/></div>", "after", "conditional"),
        ("    <div><B icon={‹b/>}/>›i/></div>", "after", "attribute-value"),
        ("    <div>‹b/>›img/></div>", "last", "no-children"),
    ] {
        let source = component(body);
        let outcome = if body.contains('›') {
            moved(&source, place)
        } else {
            let (text, at) = marked(&source, '‹');
            let edit = json!({ "kind": "move", "to": stamp(at), "place": place });
            edited_at(&text, at, edit).map_err(|refusal| refusal.code.to_string())
        };
        assert_eq!(outcome, Err(code.to_owned()), "{body}");
    }
    let edit = json!({ "kind": "move", "to": "src/Other.tsx:1:1", "place": "after" });
    assert_eq!(refused(&component("    <p>‹b/></p>"), edit), "other-file");
}

#[test]
fn a_copy_of_a_component_keeps_its_id() {
    becomes(
        "a = <p>‹Tab id=\"headers\" key=\"k\"/></p>",
        duplicate(),
        "a = <p><Tab id=\"headers\" key=\"k\"/><Tab id=\"headers\"/></p>",
    );
    becomes(
        "a = <p>‹b id=\"one\"/></p>",
        duplicate(),
        "a = <p><b id=\"one\"/><b/></p>",
    );
}
