//! What a component shows, when that can be told from its source alone: one element, made of its props.

use std::ops::Range;

use oxc::ast::AstKind;
use oxc::ast::ast::{
    ArrowFunctionExpression, BindingPattern, ExportDefaultDeclarationKind, Expression, FormalParameters, Function,
    FunctionBody, JSXAttributeName, PropertyKey, Statement,
};
use oxc::semantic::{Semantic, SymbolId};
use oxc::span::GetSpan;
use oxc::syntax::node::NodeId;

use crate::source::model::{Code, Refusal};
use crate::source::script;
use crate::source::script::range;

/// A component that is nothing but markup.
#[derive(Debug)]
pub(super) struct Definition {
    /// The element it shows, in its file.
    pub markup: Range<usize>,
    /// Where the markup names a prop, in the order of the source.
    pub uses: Vec<PropUse>,
    /// Names that the markup takes from its file.
    pub names: Vec<String>,
    /// Names that the markup declares itself, as parameters of callbacks.
    pub declared: Vec<String>,
}

/// A prop in the markup.
#[derive(Debug)]
pub(super) struct PropUse {
    /// Its name.
    pub name: String,
    /// What takes the value's place: see [`Within`].
    pub range: Range<usize>,
    /// What it stands in.
    pub within: Within,
    /// The source of its default.
    pub default: Option<String>,
}

/// What a prop stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Within {
    /// `{name}` among children; the range is that of the braces.
    Children,
    /// `attribute={name}`; the range is that of the attribute.
    Attribute(String),
    /// `{ name }` of an object; the range is that of the property.
    Shorthand,
    /// Any other expression; the range is that of the name.
    Expression,
}

/// A parameter's name in the function, the prop it is, and the source of its default.
type Parameter = (SymbolId, Option<String>, Option<String>);

/// Reads the component `name` of a file; `None` names the default export.
pub(super) fn read(path: &str, text: &str, name: Option<&str>) -> Result<Definition, Refusal> {
    let read = script::with_names(path, text, |semantic| Reader { semantic, text }.read(name));
    read.unwrap_or_else(|broken| Err(refuse(&format!("{path} has a syntax error: {}", broken.message))))
}

/// The refusal of a component that is more than markup.
pub(super) fn refuse(why: &str) -> Refusal {
    let reason = format!(
        "The component cannot be replaced by what it shows, because {why}; write its markup in its place in the code"
    );
    Refusal::uncertain(Code::NotPlainMarkup, reason)
}

struct Reader<'s, 'a> {
    semantic: &'s Semantic<'a>,
    text: &'s str,
}

impl<'a> Reader<'_, 'a> {
    fn read(&self, name: Option<&str>) -> Result<Definition, Refusal> {
        let (parameters, shown) = self.function(name).ok_or_else(|| {
            refuse("it is no plain function, or does more than return its markup (state, hooks, conditions)")
        })?;
        let markup = range(shown.get_inner_expression().span());
        let mut uses = Vec::new();
        for (symbol, prop, default) in self.parameters(parameters)? {
            for reference in self.semantic.symbol_references(symbol) {
                let used = self.prop_use(reference.node_id(), prop.as_deref(), default.as_deref())?;
                if used.range.start < markup.start || markup.end < used.range.end {
                    return Err(refuse("a prop is used outside of its markup"));
                }
                uses.push(used);
            }
        }
        uses.sort_by_key(|used| used.range.start);
        let inside = |at: Range<usize>| markup.start <= at.start && at.end <= markup.end;
        let scoping = self.semantic.scoping();
        let declared = scoping
            .symbol_ids()
            .filter(|symbol| inside(range(scoping.symbol_span(*symbol))));
        let from_file = scoping.symbol_ids().filter(|symbol| {
            let mut references = self.semantic.symbol_references(*symbol);
            scoping.symbol_scope_id(*symbol) == scoping.root_scope_id()
                && references.any(|reference| inside(range(self.semantic.reference_span(reference))))
        });
        let name = |symbol: SymbolId| scoping.symbol_name(symbol).to_owned();
        Ok(Definition {
            uses,
            names: from_file.map(name).collect(),
            declared: declared.map(name).collect(),
            markup,
        })
    }

    /// The function of that name at the top of the file, when all it does is return an element.
    fn function(&self, name: Option<&str>) -> Option<(&'a FormalParameters<'a>, &'a Expression<'a>)> {
        let nodes = self.semantic.nodes();
        if name.is_none() {
            let default = nodes.iter().find_map(|node| match node.kind() {
                AstKind::ExportDefaultDeclaration(export) => Some(&export.declaration),
                _ => None,
            })?;
            return match default {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => shown_by(function),
                ExportDefaultDeclarationKind::ArrowFunctionExpression(arrow) => shown_by_arrow(arrow),
                ExportDefaultDeclarationKind::Identifier(name) => self.function(Some(name.name.as_str())),
                _ => None,
            };
        }
        let scoping = self.semantic.scoping();
        let mut symbols = scoping.symbol_ids().filter(|symbol| {
            Some(scoping.symbol_name(*symbol)) == name && scoping.symbol_scope_id(*symbol) == scoping.root_scope_id()
        });
        match nodes.kind(scoping.symbol_declaration(symbols.next()?)) {
            AstKind::Function(function) => shown_by(function),
            AstKind::VariableDeclarator(declarator) => match declarator.init.as_ref()?.get_inner_expression() {
                Expression::ArrowFunctionExpression(arrow) => shown_by_arrow(arrow),
                Expression::FunctionExpression(function) => shown_by(function),
                _ => None,
            },
            _ => None,
        }
    }

    fn parameters(&self, parameters: &FormalParameters<'a>) -> Result<Vec<Parameter>, Refusal> {
        let unusual = || refuse("its parameters are not plain");
        let first = match parameters.items.as_slice() {
            [] => return Ok(Vec::new()),
            [first] if parameters.rest.is_none() && first.initializer.is_none() => first,
            _ => return Err(unusual()),
        };
        let object = match &first.pattern {
            BindingPattern::BindingIdentifier(props) => return Ok(vec![(props.symbol_id(), None, None)]),
            BindingPattern::ObjectPattern(object) if object.rest.is_none() => object,
            _ => return Err(refuse("it passes on props that are not named")),
        };
        let named = object.properties.iter().map(|property| {
            let PropertyKey::StaticIdentifier(key) = &property.key else {
                return Err(unusual());
            };
            let (binding, default) = match &property.value {
                BindingPattern::AssignmentPattern(with) => {
                    (&with.left, Some(self.text[range(with.right.span())].to_owned()))
                }
                plain => (plain, None),
            };
            let BindingPattern::BindingIdentifier(binding) = binding else {
                return Err(unusual());
            };
            Ok((binding.symbol_id(), Some(key.name.to_string()), default))
        });
        named.collect()
    }

    /// One use of a prop; `prop` is `None` when the name is that of all props, as in `props.title`.
    fn prop_use(&self, node: NodeId, prop: Option<&str>, default: Option<&str>) -> Result<PropUse, Refusal> {
        let nodes = self.semantic.nodes();
        let (node, name) = match (prop, nodes.parent_kind(node)) {
            (Some(prop), _) => (node, prop.to_owned()),
            (None, AstKind::StaticMemberExpression(member)) => {
                (nodes.parent_id(node), member.property.name.to_string())
            }
            (None, _) => return Err(refuse("it passes on props that are not named")),
        };
        let own = range(nodes.kind(node).span());
        let parent = nodes.parent_id(node);
        let (range, within) = match nodes.kind(parent) {
            AstKind::JSXExpressionContainer(container) => match nodes.parent_kind(parent) {
                AstKind::JSXAttribute(attribute) => match &attribute.name {
                    JSXAttributeName::Identifier(name) => {
                        (range(attribute.span), Within::Attribute(name.name.to_string()))
                    }
                    JSXAttributeName::NamespacedName(_) => (own, Within::Expression),
                },
                _ => (range(container.span), Within::Children),
            },
            AstKind::ObjectProperty(property) if property.shorthand => (range(property.span), Within::Shorthand),
            AstKind::JSXOpeningElement(_) | AstKind::JSXClosingElement(_) | AstKind::JSXMemberExpression(_) => {
                return Err(refuse("a prop decides which element it shows"));
            }
            _ => (own, Within::Expression),
        };
        let default = default.map(str::to_owned);
        Ok(PropUse {
            name,
            range,
            within,
            default,
        })
    }
}

fn shown_by<'a>(function: &'a Function<'a>) -> Option<(&'a FormalParameters<'a>, &'a Expression<'a>)> {
    if function.r#async || function.generator {
        return None;
    }
    Some((&function.params, returned(function.body.as_ref()?)?))
}

fn shown_by_arrow<'a>(
    arrow: &'a ArrowFunctionExpression<'a>,
) -> Option<(&'a FormalParameters<'a>, &'a Expression<'a>)> {
    if arrow.r#async {
        return None;
    }
    let shown = match arrow.body.as_expression() {
        Some(expression) => element(expression)?,
        None => match &arrow.body {
            oxc::ast::ast::ArrowFunctionBody::FunctionBody(body) => returned(body)?,
            _ => return None,
        },
    };
    Some((&arrow.params, shown))
}

fn returned<'a>(body: &'a FunctionBody<'a>) -> Option<&'a Expression<'a>> {
    match body.statements.as_slice() {
        [Statement::ReturnStatement(only)] if body.directives.is_empty() => element(only.argument.as_ref()?),
        _ => None,
    }
}

fn element<'a>(expression: &'a Expression<'a>) -> Option<&'a Expression<'a>> {
    let is_element = matches!(
        expression.get_inner_expression(),
        Expression::JSXElement(_) | Expression::JSXFragment(_)
    );
    is_element.then_some(expression)
}
