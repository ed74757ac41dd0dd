//! What an element stands in, as far as it matters for taking it away and for putting something beside it.

use std::ops::Range;

use super::source::Source;
use crate::source::model::Code;
use crate::source::model::plan::Refusal;
use crate::source::module::{ElementId, Frame, FrameKind};

/// The place of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slot {
    /// Among the children of an element or fragment.
    Child,
    /// In `{…}` among the children, perhaps behind a condition without another side; the range of the braces.
    Guarded(Range<usize>),
    /// One side of `a ? b : c`, of which the other side shows something too.
    Side {
        /// The side, with its parentheses.
        side: Range<usize>,
        /// The braces among children that hold the condition.
        container: Option<Range<usize>>,
    },
    /// What a list shows for each item.
    Item {
        /// The braces among children that hold the list.
        container: Option<Range<usize>>,
    },
    /// What a component or another function returns.
    Root,
    /// In an attribute of this source.
    Attribute(Range<usize>),
    /// Another value: a variable's, a property's, an argument.
    Value,
}

/// Calls whose callback makes one item of a list.
const LISTS: &[&str] = &["map", "flatMap", "from", "reduce", "forEach"];

impl Slot {
    pub fn of(source: &Source, index: ElementId) -> Self {
        let mut own = source.element(index).range.clone();
        let mut in_braces = false;
        let mut frames = source.module.frames_around(index);
        while let Some(frame) = frames.next() {
            match &frame.kind {
                FrameKind::Parentheses | FrameKind::Cast => {}
                FrameKind::Container => in_braces = true,
                FrameKind::Element(_) if in_braces => return Self::Guarded(own),
                FrameKind::Element(_) => return Self::Child,
                FrameKind::Attribute => return Self::Attribute(frame.range.clone()),
                FrameKind::Logical { and: true, right } if own.start >= *right => {}
                FrameKind::Conditional { then, other } => {
                    let opposite = if then.contains(&own.start) { other } else { then };
                    if !(then.contains(&own.start) || other.contains(&own.start)) {
                        return Self::Value;
                    }
                    if !shows_nothing(source.slice(opposite)) {
                        let side = own;
                        let container = braces(frames, frame.range.clone());
                        return Self::Side { side, container };
                    }
                }
                FrameKind::Arrow { expression: true } => return function(frames),
                FrameKind::Return => {
                    let is_function =
                        |kind: &FrameKind| matches!(kind, FrameKind::Arrow { .. } | FrameKind::Function(_));
                    if !frames.by_ref().any(|frame| is_function(&frame.kind)) {
                        return Self::Root;
                    }
                    return function(frames);
                }
                _ => return Self::Value,
            }
            own = frame.range.clone();
        }
        Self::Value
    }

    /// Why an element in this place cannot be `done`, as "moved".
    pub fn refusal(&self, source: &Source, done: &str) -> Refusal {
        match self {
            Self::Item { .. } => Refusal::uncertain(
                Code::Repeated,
                format!(
                    "It is what a list shows for each item, so it cannot be {done} alone: change the list's items, or the element around the list"
                ),
            ),
            Self::Root => Refusal::uncertain(
                Code::RootElement,
                format!(
                    "It is all that its component shows, so it cannot be {done} here: select the place where the component is used"
                ),
            ),
            Self::Side { .. } => Refusal::uncertain(
                Code::Conditional,
                format!(
                    "It is one side of a condition, so it cannot be {done} without the other; change the condition in the code"
                ),
            ),
            Self::Attribute(range) => {
                let name = source
                    .slice(range)
                    .split(['=', ' '])
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                Refusal::uncertain(
                    Code::AttributeValue,
                    format!("It is the value of “{name}”, so it cannot be {done} here; change that in the code"),
                )
            }
            Self::Value | Self::Child | Self::Guarded(_) => Refusal::uncertain(
                Code::ValuePosition,
                format!(
                    "It is a value in the code and no child of an element, so it cannot be {done} for certain; change it in the code"
                ),
            ),
        }
    }
}

/// What a function shows, given the frames around it.
fn function<'s>(mut around: impl Iterator<Item = &'s Frame>) -> Slot {
    match around.next() {
        Some(Frame {
            kind: FrameKind::Call { method: Some(method) },
            range,
            ..
        }) if LISTS.contains(&method.as_str()) => Slot::Item {
            container: braces(around, range.clone()),
        },
        _ => Slot::Root,
    }
}

/// The braces among children around an expression, when nothing but conditions and parentheses stand between.
fn braces<'s>(frames: impl Iterator<Item = &'s Frame>, expression: Range<usize>) -> Option<Range<usize>> {
    let mut own = expression;
    let mut found = None;
    for frame in frames {
        match &frame.kind {
            FrameKind::Container => found = Some(frame.range.clone()),
            FrameKind::Element(_) => return found,
            FrameKind::Parentheses | FrameKind::Cast | FrameKind::Logical { .. } if found.is_none() => {}
            FrameKind::Conditional { then, other }
                if found.is_none() && (then.contains(&own.start) || other.contains(&own.start)) => {}
            _ => return None,
        }
        own = frame.range.clone();
    }
    None
}

/// Whether a side of a condition shows nothing.
fn shows_nothing(side: &str) -> bool {
    let bare = side.trim_matches(|character: char| matches!(character, '(' | ')') || character.is_ascii_whitespace());
    matches!(bare, "null" | "undefined" | "false" | "''" | "\"\"")
}

/// Whether an element is shown once for each item of a list, within its component.
pub(super) fn is_repeated(source: &Source, index: ElementId) -> bool {
    let mut frames = source.module.frames_around(index).peekable();
    while let Some(frame) = frames.next() {
        match &frame.kind {
            FrameKind::Loop => return true,
            FrameKind::Arrow { .. } | FrameKind::Function(_) => match frames.peek().map(|frame| &frame.kind) {
                Some(FrameKind::Call { method: Some(method) }) if LISTS.contains(&method.as_str()) => return true,
                Some(FrameKind::Declarator(_) | FrameKind::Statement | FrameKind::Program) => return false,
                _ => {}
            },
            _ => {}
        }
    }
    false
}

/// Whether an element is shown on a condition only, within its component.
pub(super) fn is_conditional(source: &Source, index: ElementId) -> bool {
    let frames = source.module.frames_around(index);
    let own = |frame: &&Frame| {
        !matches!(
            frame.kind,
            FrameKind::Arrow { .. } | FrameKind::Function(_) | FrameKind::Class(_)
        )
    };
    let mut frames = frames.take_while(own);
    frames.any(|frame| matches!(frame.kind, FrameKind::Logical { .. } | FrameKind::Conditional { .. }))
}

/// The component whose source holds an element: the nearest function or class with a name in upper case.
pub(super) fn component(source: &Source, index: ElementId) -> Option<String> {
    source.module.frames_around(index).find_map(|frame| match &frame.kind {
        FrameKind::Function(Some(name)) | FrameKind::Class(Some(name)) | FrameKind::Declarator(Some(name)) => {
            name.starts_with(char::is_uppercase).then(|| name.clone())
        }
        _ => None,
    })
}
