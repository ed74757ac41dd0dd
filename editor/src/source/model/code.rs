//! The words for programs that refusals carry. API.md explains each of them, and tests hold both to each other.

use serde::Serialize;
use strum::{Display, IntoStaticStr, VariantArray};

/// Why an element cannot be inspected or edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Display, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Code {
    // What was asked for.
    /// The file's name is that of no language with elements.
    NoLanguage,
    /// The file, or the element, is not what the caller saw.
    SourceChanged,
    /// No element begins at the place that was named.
    NoElement,
    /// One of several has to be chosen first.
    ChoiceNeeded,
    /// The kind of edit is switched off.
    LaneDormant,
    /// The kind of edit is there for React only.
    ReactOnly,
    /// The file has a syntax error.
    SyntaxError,
    /// After the edit the file would have an error, or mean something else elsewhere.
    WouldBreak,

    // Texts: elements that show none of their own, and texts that cannot be taken.
    /// The element shows no text of its own, or cannot hold any.
    NoText,
    /// The text has something in it that a new text would lose.
    MixedText,
    /// All items of a list show this text from one place.
    SameForAll,
    /// A line break where it would show as a space.
    LineBreak,
    /// A character that no source file may hold.
    ControlCharacter,
    /// A translation has to keep what the code fills in.
    Placeholders,
    /// A text in the place of a number.
    NotANumber,

    // Texts that cannot be followed to where they are written.
    /// It is made when the code runs.
    Computed,
    /// It is state, which changes while the prototype runs.
    State,
    /// It is loaded from a server.
    FromNetwork,
    /// It is a part of the page's address.
    FromAddress,
    /// It is a number or a date that code writes out.
    Formatted,
    /// It comes from a library.
    Library,
    /// It is the name of a property, which code relies on.
    ObjectKey,
    /// It is an item's place in its list.
    ListPosition,
    /// It is what a function is handed while the prototype runs.
    Parameter,
    /// The component it is handed to is used nowhere.
    NoUsage,
    /// A variable that is given other values.
    MutableVariable,
    /// A name that the file neither declares nor imports.
    NotDeclared,
    /// An import that leads to no file, or to a file without that export.
    ImportMissing,
    /// An imported file that cannot be read as source.
    FileUnreadable,
    /// A translation whose key is in no language file.
    TranslationMissing,
    /// The way to the text is too long, or goes in a circle; or a tree is nested too deeply to be shown.
    TooDeep,
    /// The text can be one of too many.
    TooMany,

    // Attributes.
    /// No name that an attribute can have.
    AttributeName,
    /// An attribute that is code, or that another kind of edit is for.
    AttributeKind,
    /// The element does not have it.
    AttributeMissing,
    /// It stands at the element twice.
    AttributeTwice,
    /// What is computed where a written value is wanted.
    Expression,
    /// A text in the place of a number, or of true and false.
    ValueKind,
    /// Attributes that are spread into the element.
    Spread,
    /// A spread behind it may set it again.
    SpreadAfter,

    // Classes.
    /// No name of one class.
    ClassName,
    /// More classes at once than anybody means.
    TooManyClasses,
    /// The element does not have it.
    ClassMissing,
    /// A class of a CSS module.
    ClassModule,
    /// Classes that are computed.
    ClassShape,
    /// Classes that an unknown function makes.
    UnknownCall,
    /// Classes that may come from a spread.
    SpreadClass,
    /// No string could take the class.
    NoClassString,
    /// The class hangs on conditions that cannot be told apart.
    SeveralConditions,
    /// The class has a character in it that the attribute's quotes do not allow.
    ClassQuotes,

    // Styles.
    /// No CSS property.
    BadProperty,
    /// No CSS value.
    BadValue,
    /// The element's style is an expression that cannot be followed.
    StyleExpression,
    /// No style can be added to the element.
    NoStylePlace,
    /// Nothing declares the property.
    NoDeclaration,
    /// The declaration is shared, and only one place is meant.
    SharedStyle,
    /// Several rules declare it, and which wins is not certain.
    SeveralRules,
    /// The source does not tell for certain that the declaration holds.
    StyleUncertain,
    /// A style for some widths only needs Tailwind.
    NoTailwind,
    /// No name of a variant.
    NoVariant,
    /// A class sets it.
    SetByClass,
    /// A shorthand sets it.
    SetByShorthand,
    /// A shorthand behind it replaces it.
    ShorthandAfter,
    /// The stylesheet cannot be read.
    StylesheetBroken,

    // Structure.
    /// Markup that cannot be read.
    BadMarkup,
    /// A name that is not known where it would stand.
    NotInScope,
    /// The element uses a name that is not known at the new place.
    OutOfScope,
    /// The element takes no elements.
    NoChildren,
    /// What a component does with its content is not certain.
    ComponentChildren,
    /// The content may come from a spread.
    SpreadChildren,
    /// The new place is in another file.
    OtherFile,
    /// The new place is in or beside the element itself.
    IntoItself,
    /// The element stands there already.
    AlreadyThere,
    /// The element is what a list shows for each item.
    Repeated,
    /// The element is all that its component shows.
    RootElement,
    /// The element is one side of a condition.
    Conditional,
    /// The element is the value of an attribute.
    AttributeValue,
    /// The element is a value in the code.
    ValuePosition,

    // Components.
    /// The component cannot be used at the place.
    ComponentPlace,
    /// The component has no such property, misses one, or takes another value for it.
    ComponentProperty,
    /// The element is no use of a component.
    NoComponent,
    /// The component does more than to show markup.
    NotPlainMarkup,
    /// No name of a component or of a property.
    ComponentName,
    /// No name of a module.
    ModuleName,
    /// The name means something else in the file.
    NameTaken,
}

impl Code {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The word as the wire has it.
    #[must_use]
    pub fn word(self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
impl PartialEq<&str> for Code {
    fn eq(&self, word: &&str) -> bool {
        self.word() == *word
    }
}

#[cfg(test)]
pub(crate) mod tests;
