//! The class list of an element: finding the strings that make it, in `className` or, in Vue's JSX, in `class`.

use oxc::ast::ast::{CallExpression, Expression};
use oxc::span::GetSpan;

use super::attribute::{appended, overridden};
use super::class_attribute::{new_name, position};
use super::framework::Framework;
use super::helpers::is_class_helper;
use super::source::Source;
use crate::source::classes::{
    ClassSource, ClassString, ClassStrings, Part, StringKind, When, edit_parts, is_stylesheet,
};
use crate::source::model::inspection::{ClassForm, Classes};
use crate::source::model::plan::short;
use crate::source::model::{Branch, Code, Plan, Refusal};
use crate::source::module::{Contained, Element, ElementId, Written};
use crate::source::notation::Notation;
use crate::source::script;
use crate::source::script::range;

/// Adds and removes classes.
pub(super) fn plan(
    source: &Source,
    index: ElementId,
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
        if let Some(class) = remove.first().filter(|_| list.open) {
            let reason = format!(
                "The class {class} may come from the value that is spread into the element; change it in the code"
            );
            return Err(Refusal::uncertain(Code::SpreadClass, reason));
        }
        if let Some(class) = remove.first() {
            let reason = format!("The element has no class {class}: there is nothing to remove");
            return Err(Refusal::uncertain(Code::ClassMissing, reason));
        }
        let name = new_name(source, element)?;
        let written = format!("{name}=\"{}\"", Notation::JsxAttribute('"').write(&add.join(" ")));
        return Ok(source.plan(vec![appended(source, element, &written)]));
    }
    let parts: Vec<Part<'_>> = list.strings.iter().map(|string| string.part(&source.text)).collect();
    let edits = edit_parts(&parts, add, remove, branch)?;
    let mut replacements = Vec::new();
    for (index, string) in list.strings.iter().enumerate() {
        let own = edits.iter().filter(|edit| edit.part == index);
        let own: Vec<_> = own.map(|edit| edit.replacement.clone()).collect();
        if !own.is_empty() {
            replacements.extend(string.write(&source.text, own, None)?);
        }
    }
    Ok(source.plan(replacements))
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
            let words = list.strings.iter().flat_map(|string| string.words(&source.text));
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
    /// Whether it may have classes that its list does not name.
    pub computed: bool,
}

/// The classes that are there whatever happens.
pub(super) fn known(source: &Source, element: &Element) -> Known {
    let spread = element.has_spread();
    let Ok(list) = find(source, element) else {
        return Known {
            classes: Vec::new(),
            modules: Vec::new(),
            open: true,
            computed: true,
        };
    };
    let certain = list.strings.iter().filter(|string| string.when == When::Always);
    Known {
        classes: certain.flat_map(|string| string.words(&source.text)).collect(),
        computed: list.open,
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

fn find(source: &Source, element: &Element) -> Result<List, Refusal> {
    let Some(position) = position(source, element)? else {
        let spread = element.has_spread();
        // Vue joins the classes of all, wherever they stand.
        if spread && source.framework == Framework::Vue {
            return Ok(List {
                open: true,
                ..List::default()
            });
        }
        if spread {
            let reason =
                "The element's classes may come from the value that is spread into it; change them in the code";
            return Err(Refusal::uncertain(Code::SpreadClass, reason));
        }
        return Ok(List::default());
    };
    let mut list = match &element.attributes[position].written {
        Written::Text(range, _) => {
            let quote = if source.slice(range).starts_with('\'') {
                '\''
            } else {
                '"'
            };
            List {
                form: ClassForm::Literal,
                strings: vec![ClassString {
                    range: range.start + 1..range.end - 1,
                    kind: StringKind::Attribute(quote),
                    glued: [false, false],
                    when: When::Always,
                }],
                ..List::default()
            }
        }
        Written::Expression(contained) => strings_of(source, contained),
        _ => {
            let name = &element.attributes[position].name;
            let reason = format!("{name} is set to no text here; change it in the code");
            return Err(Refusal::uncertain(Code::ClassShape, reason));
        }
    };
    if source.framework != Framework::Vue
        && let Err(refusal) = overridden(source, element, position)
    {
        list.refusal = Some(refusal);
    }
    Ok(list)
}

fn strings_of(source: &Source, contained: &Contained) -> List {
    let text = source.slice(&contained.inner);
    let module = &source.module;
    let class_source = ClassSource {
        text: &source.text,
        place: &|offset| contained.inner.start + offset,
        joins: &|name| is_class_helper(module, &source.text, name),
        is_module: &|name| module.import(name).is_some_and(|import| is_stylesheet(import.from)),
    };
    let whole = Whole {
        source,
        class_source: &class_source,
        text,
    };
    let read = |expression: &Expression<'_>| (whole.form(expression), ClassStrings::of(expression, &class_source));
    let read = script::with_expression(&source.path, text, read);
    let (form, found) = read.unwrap_or_else(|broken| {
        let refusal = Refusal::uncertain(Code::ClassShape, broken.message);
        (Err(refusal), ClassStrings::default())
    });
    let mut list = List {
        modules: found.modules,
        open: found.open,
        ..List::default()
    };
    match form {
        Ok(form) => {
            list.form = form;
            list.strings = found.strings;
            if list.strings.is_empty() {
                let reason = format!("No classes are written in {{{}}}; change them in the code", short(text));
                list.refusal = Some(Refusal::uncertain(Code::ClassShape, reason));
            }
        }
        Err(refusal) => {
            list.form = match list.modules.is_empty() {
                true => ClassForm::Call,
                false => ClassForm::Module,
            };
            list.open |= list.modules.is_empty();
            list.refusal = Some(refusal);
        }
    }
    list
}

/// The whole value: its shape decides whether it can be changed.
struct Whole<'s> {
    source: &'s Source,
    class_source: &'s ClassSource<'s>,
    /// What was parsed.
    text: &'s str,
}

impl Whole<'_> {
    fn form(&self, expression: &Expression<'_>) -> Result<ClassForm, Refusal> {
        let inner = expression.get_inner_expression();
        Ok(match inner {
            Expression::StringLiteral(_) => ClassForm::Literal,
            Expression::TemplateLiteral(_) | Expression::BinaryExpression(_) => ClassForm::Template,
            Expression::ConditionalExpression(_) | Expression::LogicalExpression(_) => ClassForm::Call,
            Expression::CallExpression(call) if self.class_source.joins_in(call) => ClassForm::Call,
            Expression::CallExpression(call) => return Err(self.unknown_call(call)),
            // Vue joins the classes of arrays and objects itself.
            Expression::ArrayExpression(_) | Expression::ObjectExpression(_)
                if self.source.framework == Framework::Vue =>
            {
                ClassForm::Object
            }
            Expression::StaticMemberExpression(_) | Expression::ComputedMemberExpression(_) => {
                return Err(self.member(inner));
            }
            other => return Err(self.computed(other)),
        })
    }

    fn excerpt(&self, expression: &Expression<'_>) -> String {
        short(&self.text[range(expression.span())])
    }

    fn computed(&self, expression: &Expression<'_>) -> Refusal {
        let expression = self.excerpt(expression);
        let reason = format!("The classes are computed from {{{expression}}}; change that in the code");
        Refusal::uncertain(Code::ClassShape, reason)
    }

    fn unknown_call(&self, call: &CallExpression<'_>) -> Refusal {
        let name = self.excerpt(&call.callee);
        let reason = format!(
            "The classes come from {name}(), and what that makes of a text is not known here; change them in the code"
        );
        Refusal::uncertain(Code::UnknownCall, reason)
    }

    fn member(&self, expression: &Expression<'_>) -> Refusal {
        let object = match expression {
            Expression::StaticMemberExpression(member) => member.object.get_identifier_reference(),
            Expression::ComputedMemberExpression(member) => member.object.get_identifier_reference(),
            _ => None,
        };
        let import = object.and_then(|object| self.source.module.import(object.name.as_str()));
        match import {
            Some(import) if is_stylesheet(import.from) => {
                let reason = format!(
                    "The class {{{}}} is declared in {}: change its styles there, property by property",
                    self.excerpt(expression),
                    import.from
                );
                Refusal::uncertain(Code::ClassModule, reason)
            }
            _ => self.computed(expression),
        }
    }
}
