//! The words for programs that refusals carry. API.md explains each of them, and tests hold both to each other.

/// Declares an enum whose variants are words of the wire, each said once.
macro_rules! codes {
    ($(#[$about:meta])* $visible:vis enum $Name:ident { $($(#[$doc:meta])* $Variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $visible enum $Name {
            $($(#[$doc])* $Variant,)+
        }

        impl $Name {
            /// All of them, in the order of their declaration.
            $visible const ALL: &[Self] = &[$(Self::$Variant,)+];

            /// The word as the wire has it.
            #[must_use]
            $visible const fn word(self) -> &'static str {
                match self {
                    $(Self::$Variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(self.word())
            }
        }

        impl PartialEq<&str> for $Name {
            fn eq(&self, word: &&str) -> bool {
                self.word() == *word
            }
        }

        impl serde::Serialize for $Name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    };
}
#[cfg(feature = "program")]
pub(crate) use codes;

codes! {
    /// Why an element cannot be inspected or edited.
    pub enum Code {
        // What was asked for.
        /// The file's name is that of no language with elements.
        NoLanguage = "no-language",
        /// The file, or the element, is not what the caller saw.
        SourceChanged = "source-changed",
        /// No element begins at the place that was named.
        NoElement = "no-element",
        /// One of several has to be chosen first.
        ChoiceNeeded = "choice-needed",
        /// The kind of edit is switched off.
        LaneDormant = "lane-dormant",
        /// The kind of edit is there for React only.
        ReactOnly = "react-only",
        /// The file has a syntax error.
        SyntaxError = "syntax-error",
        /// After the edit the file would have an error, or mean something else elsewhere.
        WouldBreak = "would-break",

        // Texts: elements that show none of their own, and texts that cannot be taken.
        /// The element shows no text of its own, or cannot hold any.
        NoText = "no-text",
        /// The text has something in it that a new text would lose.
        MixedText = "mixed-text",
        /// All items of a list show this text from one place.
        SameForAll = "same-for-all",
        /// A line break where it would show as a space.
        LineBreak = "line-break",
        /// A character that no source file may hold.
        ControlCharacter = "control-character",
        /// A translation has to keep what the code fills in.
        Placeholders = "placeholders",
        /// A text in the place of a number.
        NotANumber = "not-a-number",

        // Texts that cannot be followed to where they are written.
        /// It is made when the code runs.
        Computed = "computed",
        /// It is state, which changes while the prototype runs.
        State = "state",
        /// It is loaded from a server.
        FromNetwork = "from-network",
        /// It is a part of the page's address.
        FromAddress = "from-address",
        /// It is a number or a date that code writes out.
        Formatted = "formatted",
        /// It comes from a library.
        Library = "library",
        /// It is the name of a property, which code relies on.
        ObjectKey = "object-key",
        /// It is an item's place in its list.
        ListPosition = "list-position",
        /// It is what a function is handed while the prototype runs.
        Parameter = "parameter",
        /// The component it is handed to is used nowhere.
        NoUsage = "no-usage",
        /// A variable that is given other values.
        MutableVariable = "mutable-variable",
        /// A name that the file neither declares nor imports.
        NotDeclared = "not-declared",
        /// An import that leads to no file, or to a file without that export.
        ImportMissing = "import-missing",
        /// An imported file that cannot be read as source.
        FileUnreadable = "file-unreadable",
        /// A translation whose key is in no language file.
        TranslationMissing = "translation-missing",
        /// The way to the text is too long, or goes in a circle; or a tree is nested too deeply to be shown.
        TooDeep = "too-deep",
        /// The text can be one of too many.
        TooMany = "too-many",

        // Attributes.
        /// No name that an attribute can have.
        AttributeName = "attribute-name",
        /// An attribute that is code, or that another kind of edit is for.
        AttributeKind = "attribute-kind",
        /// The element does not have it.
        AttributeMissing = "attribute-missing",
        /// It stands at the element twice.
        AttributeTwice = "attribute-twice",
        /// What is computed where a written value is wanted.
        Expression = "expression",
        /// A text in the place of a number, or of true and false.
        ValueKind = "value-kind",
        /// Attributes that are spread into the element.
        Spread = "spread",
        /// A spread behind it may set it again.
        SpreadAfter = "spread-after",

        // Classes.
        /// No name of one class.
        ClassName = "class-name",
        /// More classes at once than anybody means.
        TooManyClasses = "too-many-classes",
        /// The element does not have it.
        ClassMissing = "class-missing",
        /// A class of a CSS module.
        ClassModule = "class-module",
        /// Classes that are computed.
        ClassShape = "class-shape",
        /// Classes that an unknown function makes.
        UnknownCall = "unknown-call",
        /// Classes that may come from a spread.
        SpreadClass = "spread-class",
        /// No string could take the class.
        NoClassString = "no-class-string",
        /// The class hangs on conditions that cannot be told apart.
        SeveralConditions = "several-conditions",
        /// The class has a character in it that the attribute's quotes do not allow.
        ClassQuotes = "class-quotes",

        // Styles.
        /// No CSS property.
        BadProperty = "bad-property",
        /// No CSS value.
        BadValue = "bad-value",
        /// The element's style is an expression that cannot be followed.
        StyleExpression = "style-expression",
        /// No style can be added to the element.
        NoStylePlace = "no-style-place",
        /// Nothing declares the property.
        NoDeclaration = "no-declaration",
        /// The declaration is shared, and only one place is meant.
        SharedStyle = "shared-style",
        /// Several rules declare it, and which wins is not certain.
        SeveralRules = "several-rules",
        /// The source does not tell for certain that the declaration holds.
        StyleUncertain = "style-uncertain",
        /// A style for some widths only needs Tailwind.
        NoTailwind = "no-tailwind",
        /// No name of a variant.
        NoVariant = "no-variant",
        /// A class sets it.
        SetByClass = "set-by-class",
        /// A shorthand sets it.
        SetByShorthand = "set-by-shorthand",
        /// A shorthand behind it replaces it.
        ShorthandAfter = "shorthand-after",
        /// The stylesheet cannot be read.
        StylesheetBroken = "stylesheet-broken",

        // Structure.
        /// Markup that cannot be read.
        BadMarkup = "bad-markup",
        /// A name that is not known where it would stand.
        NotInScope = "not-in-scope",
        /// The element uses a name that is not known at the new place.
        OutOfScope = "out-of-scope",
        /// The element takes no elements.
        NoChildren = "no-children",
        /// What a component does with its content is not certain.
        ComponentChildren = "component-children",
        /// The content may come from a spread.
        SpreadChildren = "spread-children",
        /// The new place is in another file.
        OtherFile = "other-file",
        /// The new place is in or beside the element itself.
        IntoItself = "into-itself",
        /// The element stands there already.
        AlreadyThere = "already-there",
        /// The element is what a list shows for each item.
        Repeated = "repeated",
        /// The element is all that its component shows.
        RootElement = "root-element",
        /// The element is one side of a condition.
        Conditional = "conditional",
        /// The element is the value of an attribute.
        AttributeValue = "attribute-value",
        /// The element is a value in the code.
        ValuePosition = "value-position",

        // Components.
        /// The component cannot be used at the place.
        ComponentPlace = "component-place",
        /// The component has no such property, misses one, or takes another value for it.
        ComponentProperty = "component-property",
        /// The element is no use of a component.
        NoComponent = "no-component",
        /// The component does more than to show markup.
        NotPlainMarkup = "not-plain-markup",
        /// No name of a component or of a property.
        ComponentName = "component-name",
        /// No name of a module.
        ModuleName = "module-name",
        /// The name means something else in the file.
        NameTaken = "name-taken",
    }
}

#[cfg(test)]
pub(crate) mod tests;
