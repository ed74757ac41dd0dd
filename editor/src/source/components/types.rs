//! Types of properties, as far as a value that somebody types can be of them.

use oxc::ast::ast::{
    FormalParameters, PropertyKey, TSImportTypeQualifier, TSInterfaceDeclaration, TSLiteral, TSSignature, TSType,
    TSTypeAnnotation, TSTypeName, TSTypeParameterInstantiation, TSTypeQueryExprName,
};
use oxc::span::GetSpan;

use crate::source::model::plan::short;

/// Types of the frameworks that are components; the first argument of each says what it is given.
pub(super) const COMPONENTS: [&str; 11] = [
    "FC",
    "FunctionComponent",
    "VFC",
    "ComponentType",
    "ComponentClass",
    "ForwardRefExoticComponent",
    "NamedExoticComponent",
    "ExoticComponent",
    "FunctionalComponent",
    "DefineComponent",
    "DefineSetupFnComponent",
];

/// Types that stand for the component they are given: React's, those that Vue's compiler writes around components with slots,
/// and what libraries of Vue call a component that can be registered.
pub(super) const OF_ANOTHER: [&str; 6] = [
    "MemoExoticComponent",
    "LazyExoticComponent",
    "__VLS_WithSlots",
    "__VLS_WithTemplateSlots",
    "SFCWithInstall",
    "WithInstall",
];

/// A type, lowered so that it can be kept without its syntax tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Number,
    Boolean,
    /// One of these strings.
    Choice(Vec<String>),
    /// `null`, `undefined`
    Nothing,
    /// What React shows: a text is one.
    Node,
    Object(Vec<Member>),
    /// `A & B`
    All(Vec<Type>),
    /// `A | B`
    Any(Vec<Type>),
    /// Another type by its name, with its arguments.
    Named(String, Vec<Type>),
    /// `typeof name`
    Of(String),
    /// A function whose result is shown, with the type of what it is given.
    Shows(Option<Box<Type>>),
    /// What only code can give.
    Code,
}

/// A property of an object type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    pub name: String,
    pub of: Type,
    pub optional: bool,
    /// The type as it is written, in short.
    pub written: String,
}

/// Lowers a type; `text` is what its places belong to.
pub(super) fn lower(text: &str, of: &TSType<'_>) -> Type {
    match of {
        TSType::TSStringKeyword(_) | TSType::TSTemplateLiteralType(_) => Type::Text,
        TSType::TSNumberKeyword(_) => Type::Number,
        TSType::TSBooleanKeyword(_) => Type::Boolean,
        TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) | TSType::TSVoidKeyword(_) => Type::Nothing,
        TSType::TSLiteralType(literal) => match &literal.literal {
            TSLiteral::StringLiteral(text) => Type::Choice(vec![text.value.to_string()]),
            TSLiteral::NumericLiteral(_) => Type::Number,
            TSLiteral::BooleanLiteral(_) => Type::Boolean,
            _ => Type::Code,
        },
        TSType::TSParenthesizedType(inner) => lower(text, &inner.type_annotation),
        TSType::TSUnionType(union) => Type::Any(union.types.iter().map(|one| lower(text, one)).collect()),
        TSType::TSIntersectionType(both) => Type::All(both.types.iter().map(|one| lower(text, one)).collect()),
        TSType::TSTypeLiteral(literal) => Type::Object(members(text, &literal.members)),
        TSType::TSTypeReference(reference) => named(text, &reference.type_name, reference.type_arguments.as_deref()),
        TSType::TSTypeQuery(query) => match &query.expr_name {
            TSTypeQueryExprName::IdentifierReference(name) => Type::Of(name.name.to_string()),
            _ => Type::Code,
        },
        // `import("vue").DefineComponent<…>`, as compilers write declarations.
        TSType::TSImportType(import) => match &import.qualifier {
            Some(TSImportTypeQualifier::Identifier(name)) => {
                of_name(text, &name.name, import.type_arguments.as_deref())
            }
            _ => Type::Code,
        },
        TSType::TSFunctionType(function) => shows(text, &function.params, Some(&function.return_type)),
        _ => Type::Code,
    }
}

/// A function by its parameters and result: what is shown is an element, or anything that React shows.
pub(super) fn shows(text: &str, parameters: &FormalParameters<'_>, result: Option<&TSTypeAnnotation<'_>>) -> Type {
    if !result.is_some_and(|result| is_element(&result.type_annotation)) {
        return Type::Code;
    }
    let first = parameters
        .items
        .first()
        .and_then(|first| first.type_annotation.as_ref());
    Type::Shows(first.map(|first| Box::new(lower(text, &first.type_annotation))))
}

/// `JSX.Element`, `React.JSX.Element`, `ReactElement`, `ReactNode`, or one of them among others.
fn is_element(of: &TSType<'_>) -> bool {
    match of {
        TSType::TSTypeReference(reference) => match &reference.type_name {
            TSTypeName::IdentifierReference(name) => matches!(name.name.as_str(), "ReactElement" | "ReactNode"),
            TSTypeName::QualifiedName(name) => {
                matches!(name.right.name.as_str(), "Element" | "ReactElement" | "ReactNode")
            }
            TSTypeName::ThisExpression(_) => false,
        },
        TSType::TSImportType(import) => match &import.qualifier {
            Some(TSImportTypeQualifier::Identifier(name)) => {
                matches!(name.name.as_str(), "ReactElement" | "ReactNode")
            }
            Some(TSImportTypeQualifier::QualifiedName(name)) => name.right.name == "Element",
            None => false,
        },
        TSType::TSUnionType(union) => union.types.iter().any(is_element),
        TSType::TSParenthesizedType(inner) => is_element(&inner.type_annotation),
        _ => false,
    }
}

/// A type by its name, as `React.ReactNode` or `Props<T>`.
pub(super) fn named(text: &str, name: &TSTypeName<'_>, arguments: Option<&TSTypeParameterInstantiation<'_>>) -> Type {
    let name = match name {
        TSTypeName::IdentifierReference(name) => name.name.to_string(),
        TSTypeName::QualifiedName(qualified) => match (&qualified.left, qualified.right.name.as_str()) {
            // An element is made by code; what is only shown can be a text.
            (_, right @ ("ReactNode" | "ReactElement" | "Component" | "PureComponent")) => right.to_owned(),
            // Whatever a compiler calls the framework's module in its declarations: `React$1.FC`, `vue.DefineComponent`.
            (_, right) if COMPONENTS.contains(&right) || OF_ANOTHER.contains(&right) => right.to_owned(),
            (TSTypeName::IdentifierReference(left), right) if left.name == "React" => right.to_owned(),
            _ => return Type::Code,
        },
        TSTypeName::ThisExpression(_) => return Type::Code,
    };
    of_name(text, &name, arguments)
}

fn of_name(text: &str, name: &str, arguments: Option<&TSTypeParameterInstantiation<'_>>) -> Type {
    let arguments = arguments.map_or(&[][..], |arguments| &arguments.params);
    match name {
        "ReactNode" => Type::Node,
        "ReactElement" | "CSSProperties" | "Date" | "Array" | "Record" | "Map" | "Set" => Type::Code,
        _ => Type::Named(
            name.to_owned(),
            arguments.iter().map(|argument| lower(text, argument)).collect(),
        ),
    }
}

/// An interface with what it extends.
pub(super) fn interface(text: &str, interface: &TSInterfaceDeclaration<'_>) -> Type {
    let own = Type::Object(members(text, &interface.body.body));
    let extended = interface
        .extends
        .iter()
        .map(|heritage| named(text, &heritage.type_name, heritage.type_arguments.as_deref()));
    let all: Vec<Type> = std::iter::once(own).chain(extended).collect();
    Type::All(all)
}

fn members(text: &str, members: &[TSSignature<'_>]) -> Vec<Member> {
    let lowered = members.iter().filter_map(|member| match member {
        TSSignature::TSPropertySignature(property) => {
            let annotation = property.type_annotation.as_ref().map(|of| &of.type_annotation);
            Some(Member {
                name: key(&property.key)?,
                of: annotation.map_or(Type::Code, |of| lower(text, of)),
                optional: property.optional,
                written: annotation.map_or_else(String::new, |of| written(text, of)),
            })
        }
        TSSignature::TSMethodSignature(method) => Some(Member {
            name: key(&method.key)?,
            of: Type::Code,
            optional: method.optional,
            written: "function".to_owned(),
        }),
        _ => None,
    });
    lowered.collect()
}

fn written(text: &str, of: &TSType<'_>) -> String {
    let span = of.span();
    short(text.get(span.start as usize..span.end as usize).unwrap_or_default())
}

pub(super) fn key(key: &PropertyKey<'_>) -> Option<String> {
    key.static_name().map(|name| name.into_owned())
}
