//! The elements of a file: a tree kept flat, in source order, so that depth costs nothing.

use std::ops::Range;

use serde::Serialize;

use super::position::{Position, Stamp};

/// All elements and component uses of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// In the order of their `<`.
    pub elements: Vec<OutlineElement>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineElement {
    /// The place of its `<`.
    pub at: Position,
    /// Its tag as written.
    pub tag: String,
    /// Whether it is a component's use (and so carries no stamp).
    pub component: bool,
    /// The beginning of its own text, for people.
    pub text: String,
    /// Index of the element it stands in.
    pub parent: Option<usize>,
    /// From its `<` to behind its closing tag, in bytes.
    pub range: Range<usize>,
    /// Its opening tag, from `<` to behind `>`.
    pub opening: Range<usize>,
}

/// An element with its children, as the interface shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Node {
    /// Its stamp.
    pub src: Stamp,
    /// Its tag.
    pub tag: String,
    /// Whether it is a component's use.
    pub component: bool,
    /// The beginning of its text.
    pub text: String,
    /// What stands in it.
    pub children: Vec<Node>,
}

/// What an element looks like wherever it stands: enough to find it again after the file changed elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    opening: String,
    text: String,
    parent: Option<String>,
}

impl Outline {
    /// The element whose `<` stands at `at`.
    #[must_use]
    pub fn locate(&self, at: Position) -> Option<&OutlineElement> {
        let index = self.elements.binary_search_by_key(&at, |element| element.at).ok()?;
        self.elements.get(index)
    }

    /// Of the elements that hold `offset`, the innermost.
    #[must_use]
    pub fn around(&self, offset: usize) -> Option<&OutlineElement> {
        let holds = |element: &&OutlineElement| element.range.contains(&offset);
        self.elements.iter().rfind(holds)
    }

    /// The elements of both, in the order of the text; no element of one stands in an element of the other.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        let mut elements: Vec<(usize, OutlineElement)> = Vec::with_capacity(self.elements.len() + other.elements.len());
        for mut entry in other.elements {
            entry.parent = entry.parent.map(|parent| parent + self.elements.len());
            elements.push((self.elements.len() + elements.len(), entry));
        }
        elements.extend(self.elements.into_iter().enumerate());
        elements.sort_by_key(|(_, entry)| entry.at);
        let mut places = vec![0; elements.len()];
        for (place, (index, _)) in elements.iter().enumerate() {
            places[*index] = place;
        }
        let moved = |(_, entry): (usize, OutlineElement)| OutlineElement {
            parent: entry.parent.map(|parent| places[parent]),
            ..entry
        };
        let elements = elements.into_iter().map(moved).collect();
        Self { elements }
    }

    /// As a tree. `path` is the file's.
    #[must_use]
    pub fn tree(&self, path: &str) -> Vec<Node> {
        let mut nodes: Vec<Option<Node>> = self
            .elements
            .iter()
            .map(|element| {
                Some(Node {
                    src: element.stamp(path),
                    tag: element.tag.clone(),
                    component: element.component,
                    text: element.text.clone(),
                    children: Vec::new(),
                })
            })
            .collect();
        // Children come after their parents, so backwards each is complete when it is handed up.
        let mut roots = Vec::new();
        for index in (0..nodes.len()).rev() {
            let Some(mut node) = nodes[index].take() else { continue };
            node.children.reverse();
            match self.elements[index]
                .parent
                .and_then(|parent| nodes.get_mut(parent)?.as_mut())
            {
                Some(parent) => parent.children.push(node),
                None => roots.push(node),
            }
        }
        roots.reverse();
        roots
    }

    /// The look of an element; `text` is the file's.
    #[must_use]
    pub fn fingerprint(&self, element: &OutlineElement, text: &str) -> Fingerprint {
        let opening = |element: &OutlineElement| squeezed(text.get(element.opening.clone()).unwrap_or_default());
        Fingerprint {
            opening: opening(element),
            text: element.text.clone(),
            parent: element.parent.and_then(|parent| self.elements.get(parent)).map(opening),
        }
    }

    /// The one element that looks like this; `None` when there is none, or more than one.
    #[must_use]
    pub fn find(&self, wanted: &Fingerprint, text: &str) -> Option<&OutlineElement> {
        let mut found = self
            .elements
            .iter()
            .filter(|element| self.fingerprint(element, text) == *wanted);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }
}

impl OutlineElement {
    /// Its stamp, in the file at `path`.
    #[must_use]
    pub fn stamp(&self, path: &str) -> Stamp {
        Stamp {
            path: path.to_owned(),
            at: self.at,
        }
    }
}

/// Without differences in white space.
fn squeezed(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}
