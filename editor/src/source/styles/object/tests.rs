use super::*;
use crate::source::model::Change;
use proptest::prelude::*;

const REACT: Place = Place {
    pixels: true,
    quote: None,
};
const VUE: Place = Place {
    pixels: false,
    quote: Some('"'),
};

fn apply(text: &str, replacement: Replacement) -> String {
    Change {
        path: String::new(),
        replacements: vec![replacement],
    }
    .apply(text)
    .unwrap()
}

fn set(text: &str, property: &str, value: &str, place: Place) -> Result<String, Refusal> {
    let object = StyleObject::read(text, 0..text.len(), place).unwrap();
    let replacement = match object.find(property) {
        Some(index) => object.change(index, value, None)?,
        None => object.add(property, value),
    };
    Ok(apply(text, replacement))
}

fn unset(text: &str, property: &str) -> Result<String, Refusal> {
    let object = StyleObject::read(text, 0..text.len(), REACT).unwrap();
    Ok(apply(text, object.remove(object.find(property).unwrap())?))
}

#[test]
fn values_are_changed_as_they_are_written() {
    for (text, property, value, wanted) in [
        ("{ color: 'red' }", "color", "blue", "{ color: 'blue' }"),
        ("{ color: \"red\" }", "color", "a'b", "{ color: \"a'b\" }"),
        ("{ fontFamily: 'a' }", "font-family", "it's", "{ fontFamily: 'it\\'s' }"),
        ("{ padding: 4 }", "padding", "8px", "{ padding: 8 }"),
        ("{ padding: 4 }", "padding", "1rem", "{ padding: '1rem' }"),
        ("{ padding: 4 }", "padding", "0", "{ padding: 0 }"),
        ("{ padding: '4px' }", "padding", "8px", "{ padding: '8px' }"),
        ("{ marginTop: -4 }", "margin-top", "-8.5px", "{ marginTop: -8.5 }"),
        ("{ zIndex: 1 }", "z-index", "2", "{ zIndex: 2 }"),
        ("{ lineHeight: 1.5 }", "line-height", "20px", "{ lineHeight: '20px' }"),
        (
            "{ '--gap': '1px' as string }",
            "--gap",
            "2px",
            "{ '--gap': '2px' as string }",
        ),
        ("{ color: `red` }", "color", "${x}", "{ color: `\\${x}` }"),
        (
            "{ ...base, color: 'red' }",
            "color",
            "blue",
            "{ ...base, color: 'blue' }",
        ),
        (
            "{ 'background-color': 'red' }",
            "background-color",
            "blue",
            "{ 'background-color': 'blue' }",
        ),
    ] {
        assert_eq!(set(text, property, value, REACT).unwrap(), wanted, "{text}");
    }
}

#[test]
fn members_are_added_as_the_object_is_written() {
    for (text, property, value, wanted) in [
        ("{}", "color", "red", "{ color: 'red' }"),
        (
            "{ color: 'red' }",
            "margin-top",
            "4px",
            "{ color: 'red', marginTop: '4px' }",
        ),
        ("{ padding: 4 }", "margin-top", "4px", "{ padding: 4, marginTop: 4 }"),
        ("{color:'red'}", "top", "0", "{color:'red', top:'0'}"),
        (
            "{\n  color: \"red\",\n}",
            "--x",
            "1",
            "{\n  color: \"red\",\n  \"--x\": \"1\",\n}",
        ),
        (
            "{\r\n\tcolor: 'red'\r\n}",
            "opacity",
            "0.5",
            "{\r\n\tcolor: 'red',\r\n\topacity: 0.5\r\n}",
        ),
        (
            "{\n  color: 'red', // why\n}",
            "top",
            "1px",
            "{\n  color: 'red', // why\n  top: '1px',\n}",
        ),
        ("{ ...base }", "color", "red", "{ ...base, color: 'red' }"),
        (
            "{ 'font-size': '1px' }",
            "margin-top",
            "1px",
            "{ 'font-size': '1px', 'margin-top': '1px' }",
        ),
    ] {
        let added = set(text, property, value, REACT).unwrap();
        assert_eq!(added, wanted, "{text}");
        assert_eq!(unset(&added, property).unwrap(), text);
    }
}

#[test]
fn vue_keeps_its_quotes_and_its_units() {
    assert_eq!(
        set("{ color: 'red' }", "top", "1px", VUE).unwrap(),
        "{ color: 'red', top: '1px' }"
    );
    let text = "{ fontSize: 14 }";
    assert_eq!(
        StyleObject::read(text, 0..text.len(), VUE).unwrap().members[0]
            .value
            .css(),
        "14"
    );
    assert_eq!(set(text, "font-size", "2px", VUE).unwrap(), "{ fontSize: '2px' }");
    assert_eq!(
        set("{ content: 'a' }", "content", "\"b\"", VUE).unwrap(),
        "{ content: '&quot;b&quot;' }"
    );
    assert!(StyleObject::read("{ a: &quot;b&quot; }", 0..20, VUE).is_none());
}

impl MemberValue {
    fn css(&self) -> &str {
        match self {
            Self::Literal(literal) => &literal.css,
            _ => "",
        }
    }
}

#[test]
fn what_is_computed_or_replaced_is_refused() {
    for (text, code) in [
        ("{ color: x }", "expression"),
        ("{ color }", "expression"),
        ("{ color: `${x}` }", "expression"),
        ("{ color: 'red', ...rest }", "spread-after"),
        ("{ color: 'red', [key]: 1 }", "spread-after"),
        ("{ color: 'red', all: 'unset' }", "shorthand-after"),
        ("{ color: on ? 'red' : 'blue' }", "choice-needed"),
        ("{ color: on ? 'red' : x }", "expression"),
    ] {
        assert_eq!(set(text, "color", "green", REACT).unwrap_err().code, code, "{text}");
    }
    let text = "{ color: on ? 'red' : 'blue' }";
    let object = StyleObject::read(text, 0..text.len(), REACT).unwrap();
    let changed = object.change(0, "green", Some(Branch::Else)).unwrap();
    assert_eq!(apply(text, changed), "{ color: on ? 'red' : 'green' }");
}

#[test]
fn members_are_removed_with_their_commas() {
    for (text, wanted) in [
        ("{ color: 'red' }", "{}"),
        ("{ color: 'red', top: 0 }", "{ top: 0 }"),
        ("{ top: 0, color: 'red' }", "{ top: 0 }"),
        ("{\n  top: 0,\n  color: 'red',\n}", "{\n  top: 0,\n}"),
        ("{\n  color: 'red',\n  top: 0,\n}", "{\n  top: 0,\n}"),
        (
            "{ top: 0, /* c */ color: 'red', left: 0 }",
            "{ top: 0, /* c */  left: 0 }",
        ),
    ] {
        assert_eq!(unset(text, "color").unwrap(), wanted, "{text}");
    }
}

proptest! {
    #[test]
    fn any_edit_touches_only_its_member(
        values in prop::collection::vec("('[a-z😀 ]{0,5}'|\"[a-z]{0,3}\"|[1-9][0-9]{0,2}|x)", 1..5),
        which in 0usize..5,
        separator in "( |\n  |\r\n\t)",
        trailing: bool,
    ) {
        let names = ["color", "marginTop", "width", "'--x'", "order"];
        let members: Vec<String> = values.iter().zip(names).map(|(value, name)| format!("{separator}{name}: {value}")).collect();
        let text = format!("{{{}{}{}}}", members.join(","), if trailing { "," } else { "" }, separator);
        let object = StyleObject::read(&text, 0..text.len(), REACT).unwrap();
        prop_assert_eq!(object.members.len(), values.len());
        let index = which % values.len();
        if let Ok(change) = object.change(index, "zzz", None) {
            prop_assert!(object.members[index].range.start <= change.range.start && change.range.end <= object.members[index].range.end);
            let changed = apply(&text, change);
            let again = StyleObject::read(&changed, 0..changed.len(), REACT).unwrap();
            prop_assert_eq!(again.members[index].value.css(), "zzz");
        }
        let added = apply(&text, object.add("left", "1px"));
        let again = StyleObject::read(&added, 0..added.len(), REACT).unwrap();
        prop_assert_eq!(apply(&added, again.remove(again.find("left").unwrap()).unwrap()), text);
    }
}
