//! What can be asked of a source file.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::position::Stamp;
use super::viewport::Viewport;

/// One edit, as `POST /api/editor/edit` receives it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The element.
    pub src: Stamp,
    /// What is done to it.
    #[serde(flatten)]
    pub operation: Operation,
    /// Which side of a conditional is meant, where the text or class stands in one.
    pub branch: Option<Branch>,
    /// Whether one item of a list is meant, or what all of them share.
    pub scope: Option<Scope>,
    /// Which of the page's elements with this stamp is meant, from 0 in document order: item 2 of a `.map` is 2.
    pub item: Option<usize>,
    /// Where the component is used (the `<` of that element): for text that arrives as children or as a prop.
    pub usage: Option<Stamp>,
    /// The place of the characters that are meant, where no other option tells several places apart: from `choices`.
    pub at: Option<Stamp>,
    /// What the page showed before the edit: it tells which of several texts is meant when only one of them reads so,
    /// and an edit of a text that reads otherwise is refused.
    pub before: Option<String>,
    /// The Tailwind variant a style is for, as `md`: it is written as a class with this variant. Absent for all widths.
    pub variant: Option<String>,
    /// A style whose declaration holds on a condition: whether it is set under this condition, or always.
    pub when: Option<Whenever>,
    /// The page that is shown: which conditional styles hold.
    #[serde(flatten)]
    pub viewport: Viewport,
}

impl Request {
    /// Without options.
    #[must_use]
    pub fn of(src: Stamp, operation: Operation) -> Self {
        Self {
            src,
            operation,
            branch: None,
            scope: None,
            item: None,
            usage: None,
            at: None,
            before: None,
            variant: None,
            when: None,
            viewport: Viewport::default(),
        }
    }
}

/// What is done. The wire's `kind` names the variant in lower case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Operation {
    /// Replaces the element's text, or one of its runs (from 0; needed when it has several).
    Text {
        /// The new text as people read it; it is escaped for its place.
        text: String,
        /// Which run, in the order of [`inspect`](super)'s list.
        run: Option<usize>,
    },
    /// Sets an attribute (or a prop, on a component), or removes it with `null`.
    Attribute {
        /// Its name as written in markup.
        name: String,
        /// The new value as a plain string; `null` removes the attribute.
        #[serde(deserialize_with = "nullable")]
        value: Option<String>,
    },
    /// Names a picture of the project in an attribute: by its address in `public/`, else as its neighbours are named, by an import or a
    /// path that the compiler follows.
    Picture {
        /// The attribute, as `src`.
        name: String,
        /// The picture's file.
        path: String,
    },
    /// Sets one CSS property where it is declared for this element, or removes it with `null`.
    Style {
        /// The property in CSS's spelling, as `background-color` or `--gap`.
        property: String,
        /// The new value as CSS text; `null` removes the declaration.
        #[serde(deserialize_with = "nullable")]
        value: Option<String>,
    },
    /// Adds and removes classes.
    Class {
        /// Added; those that conflict with one of the same Tailwind group replace it.
        #[serde(default)]
        add: Vec<String>,
        /// Removed.
        #[serde(default)]
        remove: Vec<String>,
    },
    /// Puts something new beside or into the element.
    Insert {
        /// Where.
        place: Place,
        /// `markup` or `use`.
        #[serde(flatten)]
        what: Inserted,
    },
    /// Moves the element within its file.
    Move {
        /// The element it goes to.
        to: Stamp,
        /// Where, seen from that element.
        place: Place,
    },
    /// Puts a copy of the element after it.
    Duplicate,
    /// Removes the element.
    Delete,
    /// Replaces a component's use by the markup the component renders. Dormant unless `lanes.detach` is on.
    Detach,
    /// Replaces a component's use by another component. Dormant unless `lanes.swap` is on.
    Swap {
        /// The other component's name.
        component: String,
        /// The module it is imported from, as written in an import; absent when it is in scope already.
        from: Option<String>,
        /// Old prop name to new prop name; props that are not named are dropped.
        #[serde(default)]
        props: BTreeMap<String, String>,
    },
}

/// What is inserted.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Inserted {
    /// One element or several, in the language of the file.
    Markup(String),
    /// A component of the project; it is imported where it is not yet.
    Use(ComponentUse),
}

/// The use of a component that is written for somebody.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentUse {
    /// The file that exports the component; empty for one of a library.
    #[serde(default)]
    pub path: String,
    /// What a component of a library is imported from, as [`super::LibraryComponent::package`] says.
    #[serde(default)]
    pub package: Option<String>,
    /// The name it is exported by, or `default`.
    pub export: String,
    /// Its properties: texts, numbers, true or false.
    #[serde(default)]
    pub props: BTreeMap<String, serde_json::Value>,
    /// What stands between its tags.
    #[serde(default)]
    pub text: Option<String>,
}

/// Seen from the element that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Before it.
    Before,
    /// After it.
    After,
    /// Inside, as its first child.
    First,
    /// Inside, as its last child.
    Last,
}

/// For a style: what its value is for where the declaration that decides holds on a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Whenever {
    /// Where the declaration that decides now holds.
    Now,
    /// At all widths, and whatever other conditions there are.
    Always,
}

/// A side of `condition ? then : else`. `condition && then` has the first side only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Branch {
    /// The side when the condition holds.
    Then,
    /// The other side.
    Else,
}

/// How far an edit of a repeated element reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The one item that was selected ([`Request::item`]).
    Item,
    /// Every item.
    All,
}

/// `null` is a value here and must be written: an edit that forgot its value should not delete anything.
fn nullable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Option::deserialize(deserializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_edit_is_read_from_the_wire() {
        let edit = json!({ "src": "src/App.tsx:3:4", "kind": "attribute", "name": "title", "value": null, "scope": "all", "item": 2 });
        let edit: Request = serde_json::from_value(edit).unwrap();
        assert_eq!(edit.scope, Some(Scope::All));
        assert_eq!(edit.item, Some(2));
        let name = "title".to_owned();
        assert_eq!(edit.operation, Operation::Attribute { name, value: None });
    }

    #[test]
    fn a_forgotten_value_is_an_error() {
        let edit = json!({ "src": "src/App.tsx:3:4", "kind": "attribute", "name": "title" });
        let error = serde_json::from_value::<Request>(edit).unwrap_err();
        assert!(error.to_string().contains("value"), "{error}");
    }
}
