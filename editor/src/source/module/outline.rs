//! The elements of a script as everybody sees them.

use super::element::{ChildKind, Element, ElementKind};
use super::table::Module;
use crate::source::model::outline::{Outline, OutlineElement};
use crate::source::model::position::Walker;

/// How many characters of an element's text the outline tells.
const MAX_SHOWN: usize = 80;

impl Module {
    /// The elements of its scripts; fragments are no elements.
    #[must_use]
    pub fn outline(&self) -> Outline {
        self.outline_of(|_| true)
    }

    /// The elements of those of its scripts whose elements are `listed`, told by the places of their `<`.
    #[must_use]
    pub fn outline_of(&self, listed: impl Fn(usize) -> bool) -> Outline {
        let of_script = |element: &Element| element.frame.is_some() && listed(element.range.start);
        // They stand in the order in which they were lowered, which is nearly that of the text.
        let mut order: Vec<usize> = (0..self.elements.len()).collect();
        order.retain(|index| of_script(&self.elements[*index]));
        order.sort_by_key(|index| self.elements[*index].range.start);
        let mut walker = Walker::new(&self.text);
        let mut outline = Outline::default();
        // Where each element went; for a fragment, what it stands in.
        let mut places: Vec<Option<usize>> = vec![None; self.elements.len()];
        for index in order {
            let element = &self.elements[index];
            let parent = element.parent.and_then(|parent| places[parent.index()]);
            if element.kind == ElementKind::Fragment {
                places[index] = parent;
                continue;
            }
            places[index] = Some(outline.elements.len());
            outline.elements.push(OutlineElement {
                at: walker.position(element.range.start),
                tag: element.tag.clone(),
                component: element.kind == ElementKind::Component,
                text: self.shown_text(element),
                parent,
                range: element.range.clone(),
                opening: element.opening.clone(),
            });
        }
        outline
    }

    /// The beginning of an element's own text.
    fn shown_text(&self, element: &Element) -> String {
        let mut shown = String::new();
        for child in &element.children {
            let part = match &child.kind {
                ChildKind::Text(Some(fixed)) => fixed.text.clone(),
                ChildKind::Expression(contained) => match self.literal(contained) {
                    Some(literal) => literal.value.shown(),
                    None => continue,
                },
                _ => continue,
            };
            shown.push_str(&part);
            if shown.len() > MAX_SHOWN {
                break;
            }
        }
        let shown = shown.trim();
        match shown.char_indices().nth(MAX_SHOWN) {
            Some((end, _)) => format!("{}…", &shown[..end]),
            None => shown.to_owned(),
        }
    }
}
