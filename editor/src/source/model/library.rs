//! Components that can be used: of the project, and of libraries.

use serde::Serialize;

/// A property of a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Property {
    /// As the source declares it.
    pub name: String,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: Kind,
    /// Whether the component has to be given it.
    pub required: bool,
    /// Its type as the source writes it, in short; empty where it writes none.
    #[serde(rename = "type")]
    pub written: String,
}

/// The values of a property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Kind {
    /// Any text.
    Text,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// One of these texts.
    Choice {
        /// In the order of the source.
        options: Vec<String>,
    },
    /// What only code can give: a function, a list, an object.
    Code,
}

/// What a package, or a server of documentation, brings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Library {
    /// Its name for people.
    pub label: String,
    /// Its components, by their names.
    pub components: Vec<LibraryComponent>,
    /// Whether its declaration asks for hints.
    #[serde(skip)]
    pub hints: bool,
}

/// A component of a library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LibraryComponent {
    /// What it is called.
    pub name: String,
    /// What it is imported from, as an import writes it: `@acme/ui`, `primevue/button`.
    pub package: String,
    /// The name it is exported by there, or `default`.
    pub export: String,
    /// Its properties, in the order of the declarations.
    pub props: Vec<Property>,
    /// Whether it takes more than those, as the attributes of an element.
    pub more: bool,
    /// Whether its declarations name what stands between its tags.
    pub content: bool,
    /// Whether it is one of Vue; else of React.
    #[serde(skip)]
    pub is_vue: bool,
    /// An example of its use that a model wrote and its declarations allow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}
