//! Components, types and imports of a script.

use std::collections::HashMap;
use std::ops::Range;

use oxc::ast::ast::{
    BindingPattern, Class, Declaration, ExportDefaultDeclarationKind, Expression, FormalParameters, Program, Statement,
    TSType, TSTypeName, VariableDeclarator,
};

use super::declarations::declared;
use super::facts::{Definition, Facts};
use super::types::{self, Member, Type, key};
use crate::source::module::Module;
use crate::source::script::{self, range};
use crate::source::sfc::component_name;

/// Wrappers whose result is the component they are given.
const WRAPPERS: [&str; 3] = ["memo", "forwardRef", "observer"];

/// Reads a file; `None` when it cannot be parsed.
pub(super) fn read(module: &Module) -> Option<Facts> {
    let (path, text) = (&module.path, &*module.text);
    let read = script::with_program(path, text, |program| {
        let mut facts = declared(text, program);
        facts.components = components(module, program);
        facts
    });
    read.ok()
}

/// What a name at the top of the file is.
#[derive(Clone, Copy)]
enum Declared<'p, 'a> {
    Function(&'p FormalParameters<'a>, bool),
    Value(&'p Expression<'a>, Option<&'p TSType<'a>>),
    Class(&'p Class<'a>),
}

struct Reader<'p, 'a> {
    module: &'p Module,
    text: &'p str,
    names: HashMap<String, (Declared<'p, 'a>, Range<usize>)>,
}

fn components(module: &Module, program: &Program<'_>) -> Vec<Definition> {
    let mut reader = Reader {
        module,
        text: &module.text,
        names: HashMap::new(),
    };
    let mut exports: Vec<(String, String)> = Vec::new();
    let mut order = Vec::new();
    let mut anonymous = None;
    for statement in &program.body {
        match statement {
            Statement::FunctionDeclaration(function) => {
                let declared = Declared::Function(&function.params, function.r#async);
                order.extend(reader.add(function.id.as_ref().map(|id| id.name.as_str()), declared, function.span));
            }
            Statement::ClassDeclaration(class) => {
                order.extend(reader.add(
                    class.id.as_ref().map(|id| id.name.as_str()),
                    Declared::Class(class),
                    class.span,
                ));
            }
            Statement::VariableDeclaration(variables) => order.extend(reader.variables(&variables.declarations)),
            Statement::ExportDeclaration(export) => {
                let added = match &export.declaration {
                    Declaration::FunctionDeclaration(function) => {
                        let declared = Declared::Function(&function.params, function.r#async);
                        let name = function.id.as_ref().map(|id| id.name.as_str());
                        reader.add(name, declared, function.span).into_iter().collect()
                    }
                    Declaration::ClassDeclaration(class) => {
                        let name = class.id.as_ref().map(|id| id.name.as_str());
                        reader
                            .add(name, Declared::Class(class), class.span)
                            .into_iter()
                            .collect()
                    }
                    Declaration::VariableDeclaration(variables) => reader.variables(&variables.declarations),
                    _ => Vec::new(),
                };
                exports.extend(added.iter().map(|name| (name.clone(), name.clone())));
                order.extend(added);
            }
            Statement::ExportNamedDeclaration(export) => {
                let named = export.specifiers.iter();
                exports.extend(named.map(|one| (one.local.name().to_string(), one.exported.name().to_string())));
            }
            Statement::ExportDefaultDeclaration(export) => {
                let default = |name: &str| (name.to_owned(), "default".to_owned());
                match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                        let declared = Declared::Function(&function.params, function.r#async);
                        match &function.id {
                            Some(id) => {
                                order.extend(reader.add(Some(&id.name), declared, function.span));
                                exports.push(default(&id.name));
                            }
                            None => anonymous = Some((declared, range(function.span))),
                        }
                    }
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => match &class.id {
                        Some(id) => {
                            order.extend(reader.add(Some(&id.name), Declared::Class(class), class.span));
                            exports.push(default(&id.name));
                        }
                        None => anonymous = Some((Declared::Class(class), range(class.span))),
                    },
                    ExportDefaultDeclarationKind::Identifier(name) => exports.push(default(&name.name)),
                    other => {
                        if let Some(expression) = other.as_expression() {
                            anonymous = Some((Declared::Value(expression, None), range(export.span)));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    for name in order {
        let Some((declared, range)) = reader.names.get(&name) else {
            continue;
        };
        if !name.starts_with(char::is_uppercase) {
            continue;
        }
        if let Some(mut component) = reader.component(*declared, range, MAX_WRAPPED) {
            component.exports = exports
                .iter()
                .filter(|(local, _)| *local == name)
                .map(|(_, exported)| exported.clone())
                .collect();
            component.local = Some(name);
            found.push(component);
        }
    }
    if let Some((declared, range)) = anonymous
        && let Some(mut component) = reader.component(declared, &range, MAX_WRAPPED)
    {
        // `export default memo(Card)` is Card under another name.
        component.exports = vec!["default".to_owned()];
        if component.local.is_none() && !component_name(&module.path).starts_with(char::is_uppercase) {
            return found;
        }
        component.local = None;
        found.push(component);
    }
    found
}

/// How many wrappers around a component are taken off.
const MAX_WRAPPED: usize = 8;

impl<'p, 'a> Reader<'p, 'a> {
    fn add(&mut self, name: Option<&str>, declared: Declared<'p, 'a>, span: oxc::span::Span) -> Option<String> {
        let name = name?.to_owned();
        self.names.insert(name.clone(), (declared, range(span)));
        Some(name)
    }

    fn variables(&mut self, declarators: &'p [VariableDeclarator<'a>]) -> Vec<String> {
        let added = declarators.iter().filter_map(|declarator| {
            let (BindingPattern::BindingIdentifier(name), Some(init)) = (&declarator.id, &declarator.init) else {
                return None;
            };
            let annotation = declarator.type_annotation.as_ref().map(|of| &of.type_annotation);
            self.add(Some(&name.name), Declared::Value(init, annotation), declarator.span)
        });
        added.collect()
    }

    /// What is declared, when it is a component: it shows elements, or wraps what does.
    fn component(&self, declared: Declared<'p, 'a>, at: &Range<usize>, left: usize) -> Option<Definition> {
        let left = left.checked_sub(1)?;
        match declared {
            Declared::Function(parameters, is_async) => self.function(parameters, is_async, at),
            Declared::Class(class) => {
                let heritage = class.heritage.as_ref()?;
                let props = heritage.type_arguments.as_ref().and_then(|types| types.params.first());
                let shown = self.tags(at)?;
                Some(Definition {
                    range: at.clone(),
                    props: props.map(|of| types::lower(self.text, of)),
                    takes_more: props.is_none(),
                    tags: shown,
                    ..Definition::default()
                })
            }
            Declared::Value(value, annotation) => {
                let mut component = self.value(value, at, left)?;
                if let Some(TSType::TSTypeReference(reference)) = annotation
                    && let Type::Named(name, arguments) =
                        types::named(self.text, &reference.type_name, reference.type_arguments.as_deref())
                    && matches!(name.as_str(), "FC" | "FunctionComponent" | "VFC")
                {
                    component.props = arguments.into_iter().next().or(component.props);
                }
                Some(component)
            }
        }
    }

    fn value(&self, value: &'p Expression<'a>, at: &Range<usize>, left: usize) -> Option<Definition> {
        match value.get_inner_expression() {
            Expression::ArrowFunctionExpression(arrow) => self.function(&arrow.params, arrow.r#async, at),
            Expression::FunctionExpression(function) => self.function(&function.params, function.r#async, at),
            Expression::ClassExpression(class) => self.component(Declared::Class(class), at, left),
            Expression::Identifier(name) => {
                let (declared, range) = self.names.get(name.name.as_str())?;
                let mut component = self.component(*declared, range, left)?;
                component.local = Some(name.name.to_string());
                Some(component)
            }
            Expression::CallExpression(call) => {
                let callee = match &call.callee {
                    Expression::Identifier(name) => name.name.as_str(),
                    Expression::StaticMemberExpression(member) => member.property.name.as_str(),
                    _ => return None,
                };
                if !WRAPPERS.contains(&callee) {
                    return None;
                }
                let inner = call.arguments.first()?.as_expression()?;
                let mut component = self.value(inner, at, left.checked_sub(1)?)?;
                let given = call.type_arguments.as_ref().map(|types| &types.params);
                let props = match callee {
                    "forwardRef" => given.and_then(|types| types.get(1)),
                    _ => given.and_then(|types| types.first()),
                };
                if let Some(props) = props {
                    component.props = Some(types::lower(self.text, props));
                }
                Some(component)
            }
            _ => None,
        }
    }

    /// The components that are shown within a range; `None` when no element is.
    fn tags(&self, range: &Range<usize>) -> Option<Vec<String>> {
        let inside = self.module.elements.iter();
        let mut inside = inside.filter(|element| range.contains(&element.range.start)).peekable();
        inside.peek()?;
        Some(
            inside
                .filter_map(|element| self.module.root_name(element.component?))
                .map(str::to_owned)
                .collect(),
        )
    }

    fn function(&self, parameters: &FormalParameters<'a>, is_async: bool, at: &Range<usize>) -> Option<Definition> {
        let mut component = Definition {
            range: at.clone(),
            tags: self.tags(at)?,
            is_async,
            ..Definition::default()
        };
        let Some(first) = parameters.items.first() else {
            component.takes_more = parameters.rest.is_some();
            return Some(component);
        };
        let annotation = first.type_annotation.as_ref().map(|of| &of.type_annotation);
        component.props = annotation.map(|of| types::lower(self.text, of));
        match &first.pattern {
            BindingPattern::ObjectPattern(object) => {
                component.takes_more = object.rest.is_some();
                component.taken = taken(
                    object
                        .properties
                        .iter()
                        .filter_map(|property| Some((key(&property.key)?, &property.value))),
                );
            }
            _ => component.takes_more = true,
        }
        Some(component)
    }
}

/// Properties that a pattern takes out; the type of one is that of its default.
pub(super) fn taken<'p, 'a: 'p>(properties: impl Iterator<Item = (String, &'p BindingPattern<'a>)>) -> Vec<Member> {
    let taken = properties.map(|(name, value)| {
        let default = match value {
            BindingPattern::AssignmentPattern(with) => Some(&with.right),
            _ => None,
        };
        Member {
            name,
            of: default.map_or(Type::Text, of_value),
            optional: default.is_some(),
            written: String::new(),
        }
    });
    taken.collect()
}

/// The type of a value.
pub(super) fn of_value(value: &Expression<'_>) -> Type {
    match value.get_inner_expression() {
        Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Type::Text,
        Expression::NumericLiteral(_) => Type::Number,
        Expression::BooleanLiteral(_) => Type::Boolean,
        Expression::NullLiteral(_) => Type::Text,
        _ => Type::Code,
    }
}

/// The last part of a type's name, for Vue's `PropType<…>`.
pub(super) fn type_argument<'t, 'a>(of: &'t TSType<'a>, name: &str) -> Option<&'t TSType<'a>> {
    let TSType::TSTypeReference(reference) = of else {
        return None;
    };
    let TSTypeName::IdentifierReference(own) = &reference.type_name else {
        return None;
    };
    (own.name == name)
        .then(|| reference.type_arguments.as_ref()?.params.first())
        .flatten()
}
