//! A JSX file as planning sees it: its elements with their parts' byte ranges, and what each of them stands in.
//!
//! Owned and flat: no lifetimes of the syntax tree, no recursion.

use std::ops::Range;

use oxc::ast::AstKind;
use oxc::ast::ast::{
    ArrowFunctionExpression, BindingPattern, CallExpression, ConditionalExpression, Expression, Function,
    ImportDeclaration, ImportDeclarationSpecifier, JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild,
    JSXElement, JSXElementName, JSXExpression, JSXFragment, LogicalOperator, ObjectPattern, PropertyKey,
    VariableDeclarator,
};
use oxc::ast_visit::Visit;
use oxc::span::{GetSpan, Span};

use super::super::names;
use super::super::notation;
use super::super::outline::{Entry, Outline};
use super::super::position::Walker;
use super::super::script::{self, Broken};

/// The elements of a file and what they stand in.
#[derive(Debug, Default)]
pub struct Document {
    /// Elements and fragments, in the order of their `<`.
    pub elements: Vec<Element>,
    /// Syntax nodes, parents before children.
    pub frames: Vec<Frame>,
    /// What the file imports.
    pub imports: Vec<Import>,
    /// Rest names of object patterns: `...props` of `{ className, ...props }`.
    rests: Vec<Rest>,
    /// The places where names are declared.
    bindings: Vec<Range<usize>>,
}

/// What is left of an object when some of its properties are taken out.
#[derive(Debug)]
struct Rest {
    name: Range<usize>,
    taken: Vec<String>,
    /// The function it is declared in.
    function: Range<usize>,
}

/// A name that an import declares.
#[derive(Debug)]
pub struct Import {
    /// The name in this file.
    pub local: String,
    /// The name in the other; `None` for the default, `*` for all of it.
    pub imported: Option<String>,
    /// The module, as written.
    pub from: String,
    /// The whole declaration.
    pub range: Range<usize>,
}

/// An element, a component's use, or a fragment.
#[derive(Debug)]
pub struct Element {
    /// As written; empty for `<>`.
    pub tag: String,
    /// What it is.
    pub kind: Kind,
    /// From its `<` to behind its end.
    pub range: Range<usize>,
    /// From its `<` to behind the `>` of its opening tag.
    pub opening: Range<usize>,
    /// The tag's name in the opening tag.
    pub name: Range<usize>,
    /// Behind the tag's name and its type arguments.
    pub behind_name: usize,
    /// The closing tag; `None` when it closes itself.
    pub closing: Option<Range<usize>>,
    /// In source order.
    pub attributes: Vec<Attribute>,
    /// In source order, text that is nothing but layout among them.
    pub children: Vec<Child>,
    /// The frame it is.
    pub frame: usize,
    /// The element or fragment it stands in, however deep in expressions.
    pub parent: Option<usize>,
}

/// What stands between `<` and `>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Of the page: it carries a stamp.
    Host,
    /// Lower case, but no name of the page.
    Foreign,
    /// A component's use.
    Component,
    /// `<>…</>`
    Fragment,
}

/// An attribute.
#[derive(Debug)]
pub struct Attribute {
    /// As written; empty for a spread.
    pub name: String,
    /// All of it.
    pub range: Range<usize>,
    /// What it is set to.
    pub value: Value,
}

/// What an attribute is set to.
#[derive(Debug)]
pub enum Value {
    /// Nothing: `disabled`.
    Flag,
    /// `"text"`; the range includes the quotes.
    Text(Range<usize>, String),
    /// `{expression}`
    Expression(Contained),
    /// An element without braces.
    Element,
    /// `{...expression}`; the range of the expression.
    Spread(Range<usize>),
}

/// An expression in braces.
#[derive(Debug, Clone)]
pub struct Contained {
    /// With the braces.
    pub range: Range<usize>,
    /// The expression alone.
    pub inner: Range<usize>,
    /// Its value when it is nothing but a literal.
    pub literal: Option<Literal>,
}

/// A literal.
#[derive(Debug, Clone, PartialEq)]
pub struct Literal {
    /// With its quotes.
    pub range: Range<usize>,
    /// What it is.
    pub value: LiteralValue,
}

/// What a literal is.
#[derive(Debug, Clone, PartialEq)]
pub enum LiteralValue {
    /// In single or double quotes.
    String(String),
    /// In backticks, without `${}`.
    Template(String),
    /// As written.
    Number(String),
    /// `true` or `false`.
    Boolean(bool),
}

/// What stands in an element.
#[derive(Debug)]
pub struct Child {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: ChildKind,
}

/// The kinds of children.
#[derive(Debug)]
pub enum ChildKind {
    /// Characters.
    Text,
    /// An element or a fragment.
    Element,
    /// `{expression}`
    Expression(Contained),
    /// `{}` or `{/* comment */}`
    Empty,
    /// `{...expression}`
    Spread,
}

/// A syntax node.
#[derive(Debug)]
pub struct Frame {
    /// What it is.
    pub kind: FrameKind,
    /// Its bytes.
    pub range: Range<usize>,
    /// The frame it stands in.
    pub parent: Option<usize>,
}

/// What matters of a syntax node.
#[derive(Debug)]
pub enum FrameKind {
    /// The element or fragment of this index.
    Element(usize),
    /// An attribute.
    Attribute,
    /// `{}` in JSX.
    Container,
    /// `()`
    Parentheses,
    /// `left && right`, `left || right`, `left ?? right`.
    Logical {
        /// Whether it is `&&`.
        and: bool,
        /// Where the right side begins.
        right: usize,
    },
    /// `test ? then : other`
    Conditional {
        /// The side when the test holds.
        then: Range<usize>,
        /// The other side.
        other: Range<usize>,
    },
    /// `(…) => …`
    Arrow {
        /// Whether the body is an expression.
        expression: bool,
        /// Its parameters' source range.
        parameters: Range<usize>,
    },
    /// A function or method, perhaps with a name.
    Function(Option<String>),
    /// A class.
    Class(Option<String>),
    /// `name = …`
    Declarator(Option<String>),
    /// A call; `method` is the last part of what is called.
    Call {
        /// What is called, as far as it is a name.
        method: Option<String>,
    },
    /// `return …`
    Return,
    /// Any other statement.
    Statement,
    /// A `for` or `while`.
    Loop,
    /// `as`, `satisfies`, `!`
    Cast,
    /// `[…]`
    Array,
    /// A property of an object.
    Property,
    /// The module.
    Program,
    /// Anything else.
    Other,
}

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// With the first syntax error.
    pub fn parse(path: &str, text: &str) -> Result<Self, Broken> {
        script::with_program(path, text, |program| {
            let mut builder = Builder::new(text);
            builder.visit_program(program);
            builder.document
        })
    }

    /// The element (no fragment) whose `<` stands at `offset`.
    #[must_use]
    pub fn at(&self, offset: usize) -> Option<usize> {
        let found = self.elements.iter().position(|element| element.range.start == offset)?;
        (self.elements[found].kind != Kind::Fragment).then_some(found)
    }

    /// The import that declares a name.
    #[must_use]
    pub fn import(&self, local: &str) -> Option<&Import> {
        self.imports.iter().find(|import| import.local == local)
    }

    /// Whether the value that is spread at `spread` is certainly without a property, because a pattern took it out:
    /// `{...props}` of `({ className, ...props })` brings no `className`.
    #[must_use]
    pub fn leaves_out(&self, text: &str, spread: &Range<usize>, property: &str) -> bool {
        let name = &text[spread.clone()];
        let inside = |outer: &Range<usize>, inner: &Range<usize>| outer.start <= inner.start && inner.end <= outer.end;
        let rests = self.rests.iter().filter(|rest| text[rest.name.clone()] == *name);
        let mut around = rests.filter(|rest| inside(&rest.function, spread));
        let (Some(rest), None) = (around.next(), around.next()) else {
            return false;
        };
        // Declared once more within the function, the name could be another value.
        let same = |at: &&Range<usize>| inside(&rest.function, at) && text[(*at).clone()] == *name;
        self.bindings.iter().filter(same).count() == 1 && rest.taken.iter().any(|taken| taken == property)
    }

    /// The frames an element stands in, the innermost first.
    pub fn frames_around(&self, element: usize) -> impl Iterator<Item = &Frame> {
        let first = self.frames[self.elements[element].frame].parent;
        std::iter::successors(first.map(|frame| &self.frames[frame]), |frame| {
            frame.parent.map(|frame| &self.frames[frame])
        })
    }

    /// The elements as everybody sees them; fragments are no elements.
    #[must_use]
    pub fn outline(&self, text: &str) -> Outline {
        let mut walker = Walker::new(text);
        let mut outline = Outline::default();
        // Where each element went; for a fragment, what it stands in.
        let mut places: Vec<Option<usize>> = Vec::with_capacity(self.elements.len());
        for element in &self.elements {
            let parent = element.parent.and_then(|parent| places[parent]);
            if element.kind == Kind::Fragment {
                places.push(parent);
                continue;
            }
            places.push(Some(outline.elements.len()));
            outline.elements.push(Entry {
                at: walker.position(element.range.start),
                tag: element.tag.clone(),
                component: element.kind == Kind::Component,
                text: shown_text(element, text),
                parent,
                range: element.range.clone(),
                opening: element.opening.clone(),
            });
        }
        outline
    }
}

impl Element {
    /// Its attribute of that name; the last one, which is the one that counts.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().rev().find(|attribute| attribute.name == name)
    }
}

/// The beginning of an element's own text.
fn shown_text(element: &Element, source: &str) -> String {
    const LONG: usize = 80;
    let mut shown = String::new();
    for child in &element.children {
        let part = match &child.kind {
            ChildKind::Text => {
                notation::jsx_text(&source[child.range.clone()]).map_or_else(String::new, |shown| shown.text)
            }
            ChildKind::Expression(contained) => match &contained.literal {
                Some(literal) => literal.value.shown(),
                None => continue,
            },
            _ => continue,
        };
        shown.push_str(&part);
        if shown.len() > LONG {
            break;
        }
    }
    let shown = shown.trim();
    match shown.char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.to_owned(),
    }
}

impl LiteralValue {
    /// As people read it.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::String(text) | Self::Template(text) | Self::Number(text) => text.clone(),
            Self::Boolean(value) => value.to_string(),
        }
    }
}

struct Builder<'t> {
    text: &'t str,
    document: Document,
    /// The frames that are open, by index.
    open: Vec<usize>,
    /// The elements that are open, by index.
    around: Vec<usize>,
}

impl<'t> Builder<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            document: Document::default(),
            open: Vec::new(),
            around: Vec::new(),
        }
    }

    fn begin(&mut self, element: Element) -> FrameKind {
        let index = self.document.elements.len();
        self.document.elements.push(Element {
            frame: self.document.frames.len(),
            parent: self.around.last().copied(),
            ..element
        });
        self.around.push(index);
        FrameKind::Element(index)
    }

    fn element(&mut self, it: &JSXElement<'_>) -> FrameKind {
        let opening = &it.opening_element;
        let name = range(opening.name.span());
        let tag = self.text[name.clone()].to_owned();
        let kind = match &opening.name {
            JSXElementName::Identifier(_) if names::is_host(&tag) => Kind::Host,
            JSXElementName::Identifier(_) | JSXElementName::NamespacedName(_) => Kind::Foreign,
            _ => Kind::Component,
        };
        let types = opening.type_arguments.as_ref();
        self.begin(Element {
            tag,
            kind,
            range: range(it.span),
            opening: range(opening.span),
            behind_name: types.map_or(name.end, |types| types.span.end as usize),
            name,
            closing: it.closing_element.as_ref().map(|closing| range(closing.span)),
            attributes: opening.attributes.iter().map(|item| self.attribute(item)).collect(),
            children: it.children.iter().map(|child| self.child(child)).collect(),
            frame: 0,
            parent: None,
        })
    }

    fn fragment(&mut self, it: &JSXFragment<'_>) -> FrameKind {
        let opening = range(it.opening_fragment.span);
        let name = opening.start + 1..opening.start + 1;
        self.begin(Element {
            tag: String::new(),
            kind: Kind::Fragment,
            range: range(it.span),
            behind_name: name.end,
            name,
            opening,
            closing: Some(range(it.closing_fragment.span)),
            attributes: Vec::new(),
            children: it.children.iter().map(|child| self.child(child)).collect(),
            frame: 0,
            parent: None,
        })
    }

    fn attribute(&self, item: &JSXAttributeItem<'_>) -> Attribute {
        match item {
            JSXAttributeItem::SpreadAttribute(spread) => Attribute {
                name: String::new(),
                range: range(spread.span),
                value: Value::Spread(range(spread.argument.span())),
            },
            JSXAttributeItem::Attribute(attribute) => Attribute {
                name: match &attribute.name {
                    JSXAttributeName::Identifier(name) => name.name.to_string(),
                    JSXAttributeName::NamespacedName(name) => self.text[range(name.span)].to_owned(),
                },
                range: range(attribute.span),
                value: match &attribute.value {
                    None => Value::Flag,
                    Some(JSXAttributeValue::StringLiteral(literal)) => {
                        let quoted = range(literal.span);
                        let raw = &self.text[quoted.start + 1..quoted.end - 1];
                        Value::Text(quoted, notation::unescape(raw))
                    }
                    Some(JSXAttributeValue::ExpressionContainer(container)) => {
                        Value::Expression(self.contained(container.span, &container.expression))
                    }
                    Some(JSXAttributeValue::Element(_) | JSXAttributeValue::Fragment(_)) => Value::Element,
                },
            },
        }
    }

    fn child(&self, child: &JSXChild<'_>) -> Child {
        let kind = match child {
            JSXChild::Text(_) => ChildKind::Text,
            JSXChild::Element(_) | JSXChild::Fragment(_) => ChildKind::Element,
            JSXChild::Spread(_) => ChildKind::Spread,
            JSXChild::ExpressionContainer(container) => match &container.expression {
                JSXExpression::EmptyExpression(_) => ChildKind::Empty,
                expression => ChildKind::Expression(self.contained(container.span, expression)),
            },
        };
        let range = range(child.span());
        Child { range, kind }
    }

    fn contained(&self, container: Span, expression: &JSXExpression<'_>) -> Contained {
        Contained {
            range: range(container),
            inner: range(expression.span()),
            literal: expression
                .as_expression()
                .and_then(|expression| self.literal(expression)),
        }
    }

    fn literal(&self, expression: &Expression<'_>) -> Option<Literal> {
        let value = match expression {
            Expression::StringLiteral(string) => LiteralValue::String(string.value.to_string()),
            Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
                LiteralValue::Template(template.quasis.first()?.value.cooked.as_ref()?.to_string())
            }
            Expression::NumericLiteral(number) => LiteralValue::Number(self.text[range(number.span)].to_owned()),
            Expression::BooleanLiteral(boolean) => LiteralValue::Boolean(boolean.value),
            _ => return None,
        };
        let range = range(expression.span());
        Some(Literal { range, value })
    }
}

impl Builder<'_> {
    fn rest(&mut self, pattern: &ObjectPattern<'_>) {
        let Some(rest) = &pattern.rest else { return };
        let function = self.open.iter().rev().map(|frame| &self.document.frames[*frame]);
        let mut function =
            function.filter(|frame| matches!(frame.kind, FrameKind::Function(_) | FrameKind::Arrow { .. }));
        if let (BindingPattern::BindingIdentifier(name), Some(function)) = (&rest.argument, function.next()) {
            let taken = pattern
                .properties
                .iter()
                .filter_map(|property| key_name(&property.key))
                .collect();
            let (name, function) = (range(name.span), function.range.clone());
            self.document.rests.push(Rest { name, taken, function });
        }
    }

    fn imports(&mut self, declaration: &ImportDeclaration<'_>) {
        for specifier in declaration.specifiers.iter().flatten() {
            let (local, imported) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                    (&specifier.local, Some(specifier.imported.name().to_string()))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => (&specifier.local, None),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => {
                    (&specifier.local, Some("*".to_owned()))
                }
            };
            self.document.imports.push(Import {
                local: local.name.to_string(),
                imported,
                from: declaration.source.value.to_string(),
                range: range(declaration.span),
            });
        }
    }
}

impl<'a> Visit<'a> for Builder<'_> {
    fn enter_node(&mut self, node: AstKind<'a>) {
        let kind = match node {
            AstKind::JSXElement(element) => self.element(element),
            AstKind::JSXFragment(fragment) => self.fragment(fragment),
            AstKind::JSXAttribute(_) | AstKind::JSXSpreadAttribute(_) => FrameKind::Attribute,
            AstKind::JSXExpressionContainer(_) | AstKind::JSXSpreadChild(_) => FrameKind::Container,
            AstKind::ParenthesizedExpression(_) => FrameKind::Parentheses,
            AstKind::LogicalExpression(logical) => FrameKind::Logical {
                and: logical.operator == LogicalOperator::And,
                right: logical.right.span().start as usize,
            },
            AstKind::ConditionalExpression(conditional) => conditional_frame(conditional),
            AstKind::ArrowFunctionExpression(arrow) => arrow_frame(arrow),
            AstKind::Function(function) => FrameKind::Function(function_name(function)),
            AstKind::Class(class) => FrameKind::Class(class.id.as_ref().map(|id| id.name.to_string())),
            AstKind::MethodDefinition(method) => FrameKind::Function(key_name(&method.key)),
            AstKind::VariableDeclarator(declarator) => FrameKind::Declarator(declared_name(declarator)),
            AstKind::CallExpression(call) => FrameKind::Call { method: called(call) },
            AstKind::ImportDeclaration(declaration) => {
                self.imports(declaration);
                FrameKind::Statement
            }
            AstKind::BindingIdentifier(name) => {
                self.document.bindings.push(range(name.span));
                FrameKind::Other
            }
            AstKind::ObjectPattern(pattern) => {
                self.rest(pattern);
                FrameKind::Other
            }
            AstKind::ReturnStatement(_) => FrameKind::Return,
            AstKind::ForStatement(_)
            | AstKind::ForInStatement(_)
            | AstKind::ForOfStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_) => FrameKind::Loop,
            AstKind::TSAsExpression(_) | AstKind::TSSatisfiesExpression(_) | AstKind::TSNonNullExpression(_) => {
                FrameKind::Cast
            }
            AstKind::ArrayExpression(_) => FrameKind::Array,
            AstKind::ObjectProperty(_) => FrameKind::Property,
            AstKind::Program(_) => FrameKind::Program,
            node if node.is_statement() => FrameKind::Statement,
            _ => FrameKind::Other,
        };
        let index = self.document.frames.len();
        self.document.frames.push(Frame {
            kind,
            range: range(node.span()),
            parent: self.open.last().copied(),
        });
        self.open.push(index);
    }

    fn leave_node(&mut self, node: AstKind<'a>) {
        self.open.pop();
        if matches!(node, AstKind::JSXElement(_) | AstKind::JSXFragment(_)) {
            self.around.pop();
        }
    }
}

fn conditional_frame(conditional: &ConditionalExpression<'_>) -> FrameKind {
    FrameKind::Conditional {
        then: range(conditional.consequent.span()),
        other: range(conditional.alternate.span()),
    }
}

fn arrow_frame(arrow: &ArrowFunctionExpression<'_>) -> FrameKind {
    FrameKind::Arrow {
        expression: arrow.body.as_expression().is_some(),
        parameters: range(arrow.params.span),
    }
}

fn function_name(function: &Function<'_>) -> Option<String> {
    function.id.as_ref().map(|id| id.name.to_string())
}

fn declared_name(declarator: &VariableDeclarator<'_>) -> Option<String> {
    match &declarator.id {
        BindingPattern::BindingIdentifier(id) => Some(id.name.to_string()),
        _ => None,
    }
}

fn key_name(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::StaticIdentifier(id) => Some(id.name.to_string()),
        _ => None,
    }
}

fn called(call: &CallExpression<'_>) -> Option<String> {
    match &call.callee {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::StaticMemberExpression(member) => Some(member.property.name.to_string()),
        _ => None,
    }
}

/// A span as a range of bytes.
pub(super) fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
