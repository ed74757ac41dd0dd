use serde_json::{Value, json};

use super::{becomes, refused};

fn set(name: &str, value: &str) -> Value {
    json!({ "kind": "attribute", "name": name, "value": value })
}

fn remove(name: &str) -> Value {
    json!({ "kind": "attribute", "name": name, "value": null })
}

#[test]
fn a_text_is_replaced_between_its_quotes() {
    for (source, value, wanted) in [
        (
            "const a = ‹a title=\"one\" id='b'/>;",
            "two",
            "const a = <a title=\"two\" id='b'/>;",
        ),
        (
            "const a = ‹a title=\"one\"/>;",
            "say \"no\" & <go> &lt;",
            "const a = <a title=\"say &quot;no&quot; & <go> &amp;lt;\"/>;",
        ),
        (
            "const a = ‹a title='one'/>;",
            "it's",
            "const a = <a title='it&#39;s'/>;",
        ),
        (
            "const a = ‹a title=\"one\"/>;",
            "two\nlines",
            "const a = <a title=\"two&#10;lines\"/>;",
        ),
        (
            "const a = ‹a title={'one'}/>;",
            "it's",
            "const a = <a title={'it\\'s'}/>;",
        ),
        (
            "const a = ‹a title={\"one\"}/>;",
            "a\\b",
            "const a = <a title={\"a\\\\b\"}/>;",
        ),
        (
            "const a = ‹a title={`one`}/>;",
            "${x}`",
            "const a = <a title={`\\${x}\\``}/>;",
        ),
        (
            "const a = ‹a {...b} title=\"one\"/>;",
            "two",
            "const a = <a {...b} title=\"two\"/>;",
        ),
        (
            "const a = ‹B<string> title=\"one\"/>;",
            "two",
            "const a = <B<string> title=\"two\"/>;",
        ),
        (
            "const a = ‹a title=\"1\" title=\"2\"/>;",
            "3",
            "const a = <a title=\"1\" title=\"3\"/>;",
        ),
        ("const a = ‹a title/>;", "two", "const a = <a title=\"two\"/>;"),
    ] {
        becomes(source, set("title", value), wanted);
    }
}

#[test]
fn a_side_of_a_condition_is_asked_for_and_replaced() {
    let source = "const a = (on: boolean) => ‹a title={on ? 'one' : \"two\"}/>;";
    assert_eq!(refused(source, set("title", "x")), "choice-needed");
    let mut edit = set("title", "x");
    edit["branch"] = json!("else");
    becomes(
        source,
        edit.clone(),
        "const a = (on: boolean) => <a title={on ? 'one' : \"x\"}/>;",
    );
    assert_eq!(
        refused("const a = (on: boolean) => ‹a title={on ? 'one' : b}/>;", edit),
        "expression"
    );
}

#[test]
fn numbers_and_truth_values_stay_what_they_are() {
    for (source, name, value, wanted) in [
        ("const a = ‹B size={3}/>;", "size", "4.5", "const a = <B size={4.5}/>;"),
        (
            "const a = ‹B open={false}/>;",
            "open",
            "true",
            "const a = <B open={true}/>;",
        ),
        (
            "const a = ‹img width={3}/>;",
            "width",
            "50%",
            "const a = <img width=\"50%\"/>;",
        ),
        (
            "const a = ‹input disabled/>;",
            "disabled",
            "false",
            "const a = <input disabled={false}/>;",
        ),
        (
            "const a = ‹input disabled={false}/>;",
            "disabled",
            "true",
            "const a = <input disabled={true}/>;",
        ),
        ("const a = ‹input/>;", "readonly", "", "const a = <input readOnly/>;"),
        ("const a = ‹B open/>;", "open", "false", "const a = <B open={false}/>;"),
    ] {
        becomes(source, set(name, value), wanted);
    }
    for (source, name, value) in [
        ("const a = ‹B size={3}/>;", "size", "large"),
        ("const a = ‹B size={3}/>;", "size", "007"),
        ("const a = ‹B open={false}/>;", "open", "maybe"),
    ] {
        assert_eq!(refused(source, set(name, value)), "value-kind", "{source}");
    }
}

#[test]
fn a_new_attribute_goes_behind_the_others() {
    for (source, name, wanted) in [
        ("const a = ‹a/>;", "title", "const a = <a title=\"x\"/>;"),
        ("const a = ‹a>b</a>;", "for", "const a = <a htmlFor=\"x\">b</a>;"),
        (
            "const a = ‹svg />;",
            "stroke-width",
            "const a = <svg strokeWidth=\"x\" />;",
        ),
        ("const a = ‹B.C<D> />;", "class", "const a = <B.C<D> class=\"x\" />;"),
        ("const a = ‹my-card />;", "class", "const a = <my-card class=\"x\" />;"),
        (
            "const a = ‹a {...b} />;",
            "title",
            "const a = <a {...b} title=\"x\" />;",
        ),
        (
            "const a = ‹a // why\n/>;",
            "title",
            "const a = <a title=\"x\" // why\n/>;",
        ),
        (
            "const a = (\r\n\t‹a\r\n\t\tid=\"b\"\r\n\t/>\r\n);",
            "title",
            "const a = (\r\n\t<a\r\n\t\tid=\"b\"\r\n\t\ttitle=\"x\"\r\n\t/>\r\n);",
        ),
    ] {
        becomes(source, set(name, "x"), wanted);
    }
}

#[test]
fn an_attribute_is_removed_with_the_space_before_it() {
    for (source, wanted) in [
        ("const a = ‹a title=\"one\" id=\"b\"/>;", "const a = <a id=\"b\"/>;"),
        ("const a = ‹a id=\"b\" title>c</a>;", "const a = <a id=\"b\">c</a>;"),
        (
            "const a = ‹a\n  id=\"b\"\n  title={'one'}\n/>;",
            "const a = <a\n  id=\"b\"\n/>;",
        ),
        (
            "const a = ‹a // why\n  title=\"one\"\n/>;",
            "const a = <a // why\n  \n/>;",
        ),
    ] {
        becomes(source, remove("title"), wanted);
    }
    assert_eq!(refused("const a = ‹a/>;", remove("title")), "attribute-missing");
    assert_eq!(refused("const a = ‹a {...b}/>;", remove("title")), "attribute-missing");
}

#[test]
fn what_a_spread_may_set_again_is_refused() {
    for source in [
        "const a = ‹a title=\"one\" {...b}/>;",
        "const a = ‹a title {...b} id=\"c\"/>;",
    ] {
        assert_eq!(refused(source, set("title", "two")), "spread-after");
        assert_eq!(refused(source, remove("title")), "spread-after");
    }
}

#[test]
fn what_is_no_text_is_refused() {
    for (source, name, code) in [
        ("const a = ‹a title={b}/>;", "title", "expression"),
        ("const a = ‹a title={`b ${c}`}/>;", "title", "expression"),
        ("const a = ‹B icon=<i/>/>;", "icon", "expression"),
        ("const a = ‹B icon={<i/>}/>;", "icon", "expression"),
        ("const a = ‹a/>;", "onClick", "attribute-kind"),
        ("const a = ‹a/>;", "onclick", "attribute-kind"),
        ("const a = ‹a/>;", "style", "attribute-kind"),
        ("const a = ‹a/>;", "ref", "attribute-kind"),
        ("const a = ‹a/>;", "dangerouslySetInnerHTML", "attribute-kind"),
        ("const a = ‹a/>;", "data-desde-src", "attribute-kind"),
        ("const a = ‹a/>;", "a b", "attribute-name"),
        ("const a = ‹a/>;", "", "attribute-name"),
        ("const a = ‹a/>;", "1a", "attribute-name"),
        ("const a = ‹a/>;", "a=\"b", "attribute-name"),
    ] {
        assert_eq!(refused(source, set(name, "x")), code, "{name} of {source}");
    }
}
