//! Which refused edits a model may try, and in which lane.

use serde::Serialize;

use crate::source::model::{Code, Operation, Scope};

/// A lane, as refusals name it in `fallback`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// Texts, attributes, styles, classes.
    Save,
    /// Structure, and items of lists.
    Repair,
}

impl Lane {
    /// As the wire has it.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Save => "save",
            Self::Repair => "repair",
        }
    }
}

/// The lane in which a model can try what was refused with this code; `None` where it could not do better: the element is not
/// known, what was asked for is wrong in itself, the text is not in the source, or a lane is dormant.
#[must_use]
pub fn lane(operation: &Operation, scope: Option<Scope>, code: Code) -> Option<Lane> {
    use Code::{
        AlreadyThere, AttributeMissing, AttributeName, BadMarkup, BadProperty, BadValue, ChoiceNeeded, ClassMissing,
        ClassName, ComponentName, ControlCharacter, FromAddress, FromNetwork, IntoItself, LaneDormant, ListPosition,
        ModuleName, NoChildren, NoComponent, NoDeclaration, NoElement, NoLanguage, NoText, NoVariant, NotANumber,
        ReactOnly, SameForAll, SourceChanged, StylesheetBroken, SyntaxError, TooDeep, TooManyClasses, ValueKind,
    };
    let is_hopeless = matches!(
        code,
        NoLanguage
            | SourceChanged
            | NoElement
            | ChoiceNeeded
            | LaneDormant
            | ReactOnly
            | SyntaxError
            | StylesheetBroken
            | NoText
            | ControlCharacter
            | NotANumber
            | FromNetwork
            | FromAddress
            | ListPosition
            | TooDeep
            | AttributeName
            | AttributeMissing
            | ValueKind
            | ClassName
            | ClassMissing
            | TooManyClasses
            | BadProperty
            | BadValue
            | NoDeclaration
            | NoVariant
            | BadMarkup
            | NoChildren
            | IntoItself
            | AlreadyThere
            | NoComponent
            | ComponentName
            | ModuleName
    );
    if is_hopeless {
        return None;
    }
    match operation {
        Operation::Text { .. } if scope == Some(Scope::Item) || code == SameForAll => Some(Lane::Repair),
        Operation::Text { .. }
        | Operation::Attribute { .. }
        | Operation::Picture { .. }
        | Operation::Style { .. }
        | Operation::Class { .. } => Some(Lane::Save),
        Operation::Insert { .. } | Operation::Move { .. } | Operation::Duplicate | Operation::Delete => {
            Some(Lane::Repair)
        }
        Operation::Detach | Operation::Swap { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_lane_and_hopeless_ones_none() {
        let text = Operation::Text {
            text: "x".into(),
            run: None,
        };
        assert_eq!(lane(&text, None, Code::Computed), Some(Lane::Save));
        assert_eq!(lane(&text, None, Code::SameForAll), Some(Lane::Repair));
        assert_eq!(lane(&text, Some(Scope::Item), Code::Computed), Some(Lane::Repair));
        assert_eq!(lane(&text, None, Code::ChoiceNeeded), None);
        assert_eq!(lane(&Operation::Delete, None, Code::RootElement), Some(Lane::Repair));
        assert_eq!(lane(&Operation::Detach, None, Code::NotPlainMarkup), None);
    }
}
