//! The class list of an element: finding the strings that make it, in `className` or, in Vue's JSX, in `class`.

use std::ops::Range;

use oxc::ast::ast::{
    Argument, ArrayExpressionElement, BinaryOperator, CallExpression, Expression, LogicalOperator, ObjectPropertyKind,
    PropertyKey, TemplateLiteral,
};
use oxc::span::GetSpan;

use super::attribute::{appended, overridden};
use super::class_attribute::{new_name, position};
use super::framework::Framework;
use super::helpers::{is_class_helper, is_joined};
use super::source::Source;
use crate::source::classes::{ClassList, Coding, Part, When, edit_parts};
use crate::source::document::{Contained, Document, Element, Value, range};
use crate::source::model::inspection::{ClassForm, Classes};
use crate::source::model::plan::short;
use crate::source::model::{Branch, Code, Plan, Refusal, Replacement};
use crate::source::notation::Notation;
use crate::source::script;

/// Adds and removes classes.
pub(super) fn plan(
    source: &Source,
    index: usize,
    add: &[String],
    remove: &[String],
    branch: Option<Branch>,
) -> Result<Plan, Refusal> {
    let element = source.element(index);
    if let Some(bad) = add
        .iter()
        .chain(remove)
        .find(|class| class.is_empty() || class.contains(char::is_whitespace))
    {
        let reason = format!("“{bad}” is not the name of one class: add several one by one");
        return Err(Refusal::uncertain(Code::ClassName, reason));
    }
    let list = find(source, element)?;
    if let Some(refusal) = list.refusal {
        return Err(refusal);
    }
    if list.form == ClassForm::None {
        if let Some(class) = remove.first() {
            let reason = format!("The element has no class {class}: there is nothing to remove");
            return Err(Refusal::uncertain(Code::ClassMissing, reason));
        }
        let name = new_name(source, element)?;
        let written = format!("{name}=\"{}\"", Notation::JsxAttribute('"').write(&add.join(" ")));
        return Ok(source.plan(vec![appended(source, element, &written)]));
    }
    let parts: Vec<Part<'_>> = list.strings.iter().map(|string| string.part(source)).collect();
    let edits = edit_parts(&parts, add, remove, branch)?;
    let replacements = edits.into_iter().map(|edit| {
        let start = list.strings[edit.part].range.start;
        let at = edit.replacement.range;
        Replacement::new(start + at.start..start + at.end, edit.replacement.text)
    });
    Ok(source.plan(replacements.collect()))
}

/// What inspection says.
pub(super) fn inspect(source: &Source, element: &Element) -> Classes {
    match find(source, element) {
        Err(refusal) => Classes {
            list: Vec::new(),
            editable: false,
            why: Some(refusal.reason),
            form: ClassForm::None,
        },
        Ok(list) => {
            let words = list.strings.iter().flat_map(|string| string.words(source));
            Classes {
                list: words.collect(),
                editable: list.refusal.is_none(),
                why: list.refusal.map(|refusal| refusal.reason),
                form: list.form,
            }
        }
    }
}

/// What an element's classes certainly are, for stylesheets.
pub(super) struct Known {
    pub classes: Vec<String>,
    pub modules: Vec<(String, String)>,
    /// Whether it may have more.
    pub open: bool,
}

/// The classes that are there whatever happens.
pub(super) fn known(source: &Source, element: &Element) -> Known {
    let spread = element
        .attributes
        .iter()
        .any(|attribute| matches!(attribute.value, Value::Spread(_)));
    let Ok(list) = find(source, element) else {
        return Known {
            classes: Vec::new(),
            modules: Vec::new(),
            open: true,
        };
    };
    let certain = list.strings.iter().filter(|string| string.when == When::Always);
    Known {
        classes: certain.flat_map(|string| string.words(source)).collect(),
        open: spread || list.open || list.strings.iter().any(|string| string.when != When::Always),
        modules: list.modules,
    }
}

/// The strings that make an element's class list.
#[derive(Default)]
struct List {
    form: ClassForm,
    strings: Vec<ClassString>,
    /// Members of CSS modules that are always there: the module's name in the file, and the member's.
    modules: Vec<(String, String)>,
    /// Whether there may be classes that no string here names.
    open: bool,
    refusal: Option<Refusal>,
}

struct ClassString {
    /// The characters between the quotes.
    range: Range<usize>,
    coding: Coding,
    glued: [bool; 2],
    when: When,
}

impl ClassString {
    /// The words that are whole.
    fn words(&self, source: &Source) -> Vec<String> {
        let list = ClassList::beside(source.slice(&self.range), self.coding, self.glued);
        list.words().map(str::to_owned).collect()
    }

    fn part<'t>(&self, source: &'t Source) -> Part<'t> {
        Part {
            text: source.slice(&self.range),
            coding: self.coding,
            glued: self.glued,
            when: self.when,
        }
    }
}

fn find(source: &Source, element: &Element) -> Result<List, Refusal> {
    let Some(position) = position(source, element)? else {
        let spread = element
            .attributes
            .iter()
            .any(|attribute| matches!(attribute.value, Value::Spread(_)));
        if spread {
            let reason =
                "The element's classes may come from the value that is spread into it; change them in the code";
            return Err(Refusal::uncertain(Code::SpreadClass, reason));
        }
        return Ok(List::default());
    };
    let mut list = match &element.attributes[position].value {
        Value::Text(range, _) => {
            let quote = if source.slice(range).starts_with('\'') {
                '\''
            } else {
                '"'
            };
            List {
                form: ClassForm::Literal,
                strings: vec![ClassString {
                    range: range.start + 1..range.end - 1,
                    coding: Coding::Markup(quote),
                    glued: [false, false],
                    when: When::Always,
                }],
                ..List::default()
            }
        }
        Value::Expression(contained) => strings_of(source, contained),
        _ => {
            let name = &element.attributes[position].name;
            let reason = format!("{name} is set to no text here; change it in the code");
            return Err(Refusal::uncertain(Code::ClassShape, reason));
        }
    };
    if let Err(refusal) = overridden(source, element, position) {
        list.refusal = Some(refusal);
    }
    Ok(list)
}

fn strings_of(source: &Source, contained: &Contained) -> List {
    let text = source.slice(&contained.inner);
    let mut finder = Finder {
        document: &source.document,
        text: &source.text,
        base: contained.inner.start,
        joins: source.framework == Framework::Vue,
        list: List::default(),
    };
    let form = script::with_expression(&source.path, text, |expression| finder.whole(expression))
        .unwrap_or_else(|broken| Err(Refusal::uncertain(Code::ClassShape, broken.message)));
    let mut list = finder.list;
    list.strings.sort_by_key(|string| string.range.start);
    match form {
        Ok(form) => {
            list.form = form;
            if list.strings.is_empty() {
                let reason = format!("No classes are written in {{{}}}; change them in the code", short(text));
                list.refusal = Some(Refusal::uncertain(Code::ClassShape, reason));
            }
        }
        Err(refusal) => {
            list.form = if list.modules.is_empty() {
                ClassForm::Call
            } else {
                ClassForm::Module
            };
            list.open |= list.modules.is_empty();
            list.refusal = Some(refusal);
        }
    }
    list
}

struct Finder<'d> {
    document: &'d Document,
    text: &'d str,
    /// Where the expression begins in the file.
    base: usize,
    /// Whether the framework joins the classes of arrays and objects itself, as Vue does.
    joins: bool,
    list: List,
}

impl Finder<'_> {
    /// The whole value: its shape decides whether it can be changed.
    fn whole(&mut self, expression: &Expression<'_>) -> Result<ClassForm, Refusal> {
        let free = [false, false];
        let form = match expression.get_inner_expression() {
            Expression::StringLiteral(_) => ClassForm::Literal,
            Expression::TemplateLiteral(_) | Expression::BinaryExpression(_) => ClassForm::Template,
            Expression::ConditionalExpression(_) | Expression::LogicalExpression(_) => ClassForm::Call,
            Expression::CallExpression(call) => match self.helper(call) {
                true => ClassForm::Call,
                false => return Err(self.unknown_call(call)),
            },
            Expression::ArrayExpression(_) | Expression::ObjectExpression(_) if self.joins => {
                self.argument(expression, When::Always);
                return Ok(ClassForm::Object);
            }
            Expression::StaticMemberExpression(_) | Expression::ComputedMemberExpression(_) => {
                self.collect(expression, When::Always, free);
                return Err(self.member(expression));
            }
            other => {
                let expression = short(self.source(other));
                let reason = format!("The classes are computed from {{{expression}}}; change that in the code");
                return Err(Refusal::uncertain(Code::ClassShape, reason));
            }
        };
        self.collect(expression, When::Always, free);
        Ok(form)
    }

    fn source(&self, expression: &Expression<'_>) -> &str {
        let range = range(expression.span());
        &self.text[self.base + range.start..self.base + range.end]
    }

    fn unknown_call(&self, call: &CallExpression<'_>) -> Refusal {
        let name = short(self.source(&call.callee));
        let reason = format!(
            "The classes come from {name}(), and what that makes of a text is not known here; change them in the code"
        );
        Refusal::uncertain(Code::UnknownCall, reason)
    }

    fn member(&self, expression: &Expression<'_>) -> Refusal {
        let object = match expression.get_inner_expression() {
            Expression::StaticMemberExpression(member) => member.object.get_identifier_reference(),
            Expression::ComputedMemberExpression(member) => member.object.get_identifier_reference(),
            _ => None,
        };
        let import = object.and_then(|object| self.document.import(object.name.as_str()));
        let expression = short(self.source(expression));
        match import {
            Some(import) if is_stylesheet(&import.from) => {
                let reason = format!(
                    "The class {{{expression}}} is declared in {}: change its styles there, property by property",
                    import.from
                );
                Refusal::uncertain(Code::ClassModule, reason)
            }
            _ => {
                let reason = format!("The classes are computed from {{{expression}}}; change that in the code");
                Refusal::uncertain(Code::ClassShape, reason)
            }
        }
    }

    /// Whether a call gives the classes that its arguments name.
    fn helper(&self, call: &CallExpression<'_>) -> bool {
        match &call.callee {
            Expression::Identifier(name) => is_class_helper(self.document, self.text, name.name.as_str()),
            _ => is_joined(call),
        }
    }

    fn collect(&mut self, expression: &Expression<'_>, when: When, glued: [bool; 2]) {
        match expression.get_inner_expression() {
            Expression::StringLiteral(string) => self.string(range(string.span), when, glued),
            Expression::TemplateLiteral(template) => self.template(template, when, glued),
            Expression::ConditionalExpression(conditional) => {
                self.collect(&conditional.consequent, inside(when, Branch::Then), glued);
                self.collect(&conditional.alternate, inside(when, Branch::Else), glued);
            }
            Expression::LogicalExpression(logical) if logical.operator == LogicalOperator::And => {
                self.collect(&logical.right, inside(when, Branch::Then), glued);
            }
            Expression::LogicalExpression(logical) => {
                self.collect(&logical.left, When::Sometimes, glued);
                self.collect(&logical.right, When::Sometimes, glued);
            }
            Expression::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => {
                self.collect(&binary.left, when, [glued[0], true]);
                self.collect(&binary.right, when, [true, glued[1]]);
            }
            Expression::CallExpression(call) if self.helper(call) => {
                if let Expression::StaticMemberExpression(member) = &call.callee {
                    self.collect(&member.object, when, glued);
                    return;
                }
                for argument in call.arguments.iter().filter_map(Argument::as_expression) {
                    self.argument(argument, when);
                }
            }
            Expression::ArrayExpression(_) => self.argument(expression, when),
            Expression::StaticMemberExpression(member) => {
                let object = member.object.get_identifier_reference();
                self.module(
                    object.map(|object| object.name.as_str()),
                    member.property.name.as_str(),
                    when,
                );
            }
            Expression::ComputedMemberExpression(member) => match &member.expression {
                Expression::StringLiteral(name) => {
                    let object = member.object.get_identifier_reference();
                    self.module(object.map(|object| object.name.as_str()), name.value.as_str(), when);
                }
                _ => self.list.open = true,
            },
            Expression::BooleanLiteral(_) | Expression::NullLiteral(_) => {}
            _ => self.list.open = true,
        }
    }

    /// An argument of a helper, which takes arrays and objects too.
    fn argument(&mut self, expression: &Expression<'_>, when: When) {
        match expression.get_inner_expression() {
            Expression::ArrayExpression(array) => {
                for element in array.elements.iter().filter_map(ArrayExpressionElement::as_expression) {
                    self.argument(element, when);
                }
            }
            Expression::ObjectExpression(object) => {
                self.list.open = true;
                for property in &object.properties {
                    if let ObjectPropertyKind::ObjectProperty(property) = property
                        && let PropertyKey::StringLiteral(key) = &property.key
                    {
                        let always = matches!(&property.value, Expression::BooleanLiteral(value) if value.value);
                        let when = if always { when } else { inside(when, Branch::Then) };
                        self.string(range(key.span), when, [false, false]);
                    }
                }
            }
            Expression::LogicalExpression(logical) if logical.operator == LogicalOperator::And => {
                self.argument(&logical.right, inside(when, Branch::Then));
            }
            Expression::ConditionalExpression(conditional) => {
                self.argument(&conditional.consequent, inside(when, Branch::Then));
                self.argument(&conditional.alternate, inside(when, Branch::Else));
            }
            _ => self.collect(expression, when, [false, false]),
        }
    }

    /// A member of an object: of a CSS module, it is a class.
    fn module(&mut self, object: Option<&str>, name: &str, when: When) {
        let import = object.and_then(|object| self.document.import(object));
        match import {
            Some(import) if is_stylesheet(&import.from) && when == When::Always => {
                self.list.modules.push((import.local.clone(), name.to_owned()))
            }
            _ => self.list.open = true,
        }
    }

    fn string(&mut self, literal: Range<usize>, when: When, glued: [bool; 2]) {
        let range = self.base + literal.start + 1..self.base + literal.end - 1;
        let quote = if self.text[..range.start].ends_with('\'') {
            '\''
        } else {
            '"'
        };
        self.list.strings.push(ClassString {
            range,
            coding: Coding::Script(quote),
            glued,
            when,
        });
    }

    fn template(&mut self, template: &TemplateLiteral<'_>, when: When, glued: [bool; 2]) {
        let last = template.quasis.len() - 1;
        let raw = |quasi: usize| template.quasis[quasi].value.raw.as_str();
        for (index, quasi) in template.quasis.iter().enumerate() {
            let at = range(quasi.span);
            self.list.strings.push(ClassString {
                range: self.base + at.start..self.base + at.end,
                coding: Coding::Script('`'),
                glued: [
                    if index > 0 { true } else { glued[0] },
                    if index < last { true } else { glued[1] },
                ],
                when,
            });
        }
        let space = |character: char| character.is_ascii_whitespace();
        for (index, expression) in template.expressions.iter().enumerate() {
            let before =
                (index > 0 && raw(index).is_empty()) || (!raw(index).is_empty() && !raw(index).ends_with(space));
            let next = raw(index + 1);
            let after = (index + 1 < last && next.is_empty()) || (!next.is_empty() && !next.starts_with(space));
            self.collect(expression, when, [before, after]);
        }
    }
}

/// A condition within `when`.
fn inside(when: When, branch: Branch) -> When {
    match when {
        When::Always => When::Side(branch),
        _ => When::Sometimes,
    }
}

fn is_stylesheet(path: &str) -> bool {
    [".css", ".scss", ".sass", ".less", ".styl"]
        .iter()
        .any(|ending| path.ends_with(ending))
}
