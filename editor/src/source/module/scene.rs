//! Scenes of react-three-fiber: elements of `three` that are named as those of the page are.
//!
//! `<line>`, `<path>` and `<audio>` are SVG and HTML, and in a `<Canvas>` objects of three, which a `data-` attribute breaks.
//! Which they are is told by what they stand in: a name of the page, or one that only three can have (`<mesh>`, `<group>`), or
//! a component of `@react-three`. Where nothing tells, the file's imports do. Stamps and edits ask the same place.

use oxc::ast::ast::{ImportDeclaration, ImportDeclarationSpecifier, JSXElementName};

use crate::source::names;

/// Names that three and the page share.
const SHARED: [&str; 3] = ["audio", "line", "path"];

/// What a walk through a file knows, element by element.
#[derive(Debug, Default)]
pub struct Scenes {
    /// Whether the file imports from three, or from what is built on it.
    involved: bool,
    /// Local names of components of `@react-three`, and whether the page goes on inside of them.
    components: Vec<(String, bool)>,
    /// For each element that is open whether it is the page's; `None` when it does not tell.
    open: Vec<Option<bool>>,
}

impl Scenes {
    /// Hears of an import.
    pub fn import(&mut self, declaration: &ImportDeclaration<'_>) {
        let from = declaration.source.value.as_str();
        let is_fiber = from.starts_with("@react-three/");
        self.involved |= is_fiber || from == "three" || from.starts_with("three/");
        for specifier in declaration.specifiers.iter().flatten().filter(|_| is_fiber) {
            if let ImportDeclarationSpecifier::ImportSpecifier(named) = specifier {
                let is_page = named.imported.name() == "Html";
                self.components.push((named.local.name.to_string(), is_page));
            }
        }
    }

    /// Hears of an element's beginning, and says whether it is one of the page.
    pub fn enter(&mut self, name: &JSXElementName<'_>) -> bool {
        let (host, tells) = match name {
            JSXElementName::Identifier(tag) => {
                let tag = tag.name.as_str();
                let host = names::is_host(tag) && (!SHARED.contains(&tag) || self.on_page());
                (host, Some(host))
            }
            JSXElementName::IdentifierReference(component) => {
                let known = self
                    .components
                    .iter()
                    .find(|(local, _)| component.name.as_str() == local);
                (false, known.map(|(_, is_page)| *is_page))
            }
            _ => (false, None),
        };
        self.open.push(tells);
        host
    }

    /// Hears of its end.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    fn on_page(&self) -> bool {
        self.open
            .iter()
            .rev()
            .find_map(|tells| *tells)
            .unwrap_or(!self.involved)
    }
}
