//! Class lists: `class="…"`, and strings, arrays, objects, conditions and calls in `:class`.

mod joining;
mod text;

use oxc::ast::ast::Expression;

use super::attribute;
use super::document::Document;
use crate::source::classes::{ClassList, ClassSource, ClassStrings, Part, When, edit_parts};
use crate::source::model::inspection::{ClassForm, Classes};
use crate::source::model::plan::{Plan, Refusal, Replacement};
use crate::source::model::{Branch, Code};
use crate::source::sfc::expression::{Shift, with_expression};
use crate::source::sfc::tree::{Attribute, Element, Id, Span};
use crate::source::styles::ModuleClass;
use joining::{is_joining, is_module};
use text::Text;

/// Adds and removes classes.
pub(super) fn plan(
    document: &Document<'_>,
    id: Id,
    add: &[String],
    remove: &[String],
    branch: Option<Branch>,
) -> Result<Plan, Refusal> {
    let element = document.element(id)?;
    if let Some(word) = add
        .iter()
        .find(|word| word.is_empty() || word.contains(char::is_whitespace))
    {
        let reason = format!("“{word}” is no class: a class has no white space in it. Add several one by one");
        return Err(Refusal::uncertain(Code::ClassName, reason));
    }
    let (mut strings, form) = strings(document, element);
    let is_new = plain(document, element).is_none();
    if is_new {
        strings.push(Text::New);
    }
    let parts: Vec<Part<'_>> = strings.iter().map(|text| text.part(document.text)).collect();
    let edits = edit_parts(&parts, add, remove, branch).map_err(|refusal| match refusal.code {
        Code::ClassMissing if form.computed => {
            let reason = format!(
                "{} Some of its classes are computed when the prototype runs",
                sentence(&refusal.reason)
            );
            Refusal::uncertain(Code::ClassMissing, reason)
        }
        _ => refusal,
    })?;
    let mut replacements = Vec::new();
    for (index, text) in strings.iter().enumerate() {
        let own = edits
            .iter()
            .filter(|edit| edit.part == index)
            .map(|edit| edit.replacement.clone());
        let own: Vec<Replacement> = own.collect();
        if !own.is_empty() {
            replacements.extend(text.write(document, element, own)?);
        }
    }
    Ok(document.plan(replacements))
}

/// The list, for inspection.
pub(super) fn inspect(document: &Document<'_>, element: &Element) -> Classes {
    let (strings, form) = strings(document, element);
    let mut list: Vec<String> = Vec::new();
    for text in &strings {
        let part = text.part(document.text);
        for word in ClassList::beside(part.text, part.coding, part.glued).words() {
            if !list.iter().any(|own| own == word) {
                list.push(word.to_owned());
            }
        }
    }
    Classes {
        list,
        editable: true,
        why: None,
        form: form.form,
    }
}

/// What is certain about the classes of an element.
pub(super) struct Known {
    pub words: Vec<String>,
    /// Whether there may be others.
    pub open: bool,
    /// Whether some of them are not named in the list.
    pub computed: bool,
    /// Members of CSS modules.
    pub modules: Vec<ModuleClass>,
}

/// What is certain about the classes of an element.
pub(super) fn known(document: &Document<'_>, element: &Element) -> Known {
    let (strings, form) = strings(document, element);
    let mut known = Known {
        words: Vec::new(),
        open: form.computed,
        computed: form.computed,
        modules: form.modules,
    };
    for text in &strings {
        let part = text.part(document.text);
        let list = ClassList::beside(part.text, part.coding, part.glued);
        match part.when {
            When::Always => known.words.extend(list.words().map(str::to_owned)),
            When::Side(_) | When::Sometimes => known.open = true,
        }
    }
    known
}

fn sentence(reason: &str) -> String {
    format!("{}.", reason.trim_end_matches('.'))
}

/// How the list of an element is written.
struct Form {
    form: ClassForm,
    /// Whether some of it cannot be read.
    computed: bool,
    /// The members of CSS modules that are always there.
    modules: Vec<ModuleClass>,
}

/// The plain `class` attribute.
fn plain<'e>(document: &Document<'_>, element: &'e Element) -> Option<&'e Attribute> {
    element
        .attributes
        .iter()
        .find(|attribute| attribute.directive.is_none() && attribute.name.of(document.text) == "class")
}

fn strings(document: &Document<'_>, element: &Element) -> (Vec<Text>, Form) {
    let mut strings = Vec::new();
    let mut form = Form {
        form: ClassForm::None,
        computed: element
            .attributes
            .iter()
            .any(|attribute| attribute::is_spread(document, attribute)),
        modules: Vec::new(),
    };
    for attribute in element
        .attributes
        .iter()
        .filter(|attribute| document.sfc.sets(attribute) == Some("class"))
    {
        if attribute.directive.is_none() {
            let name_end = Span::new(attribute.name.end, attribute.name.end);
            strings.push(match attribute.value {
                Some(value) => match value.quote {
                    Some(quote) => Text::attribute(value.inner, quote),
                    None => Text::Bare(value.inner),
                },
                None => Text::Bare(name_end),
            });
            if form.form == ClassForm::None {
                form.form = ClassForm::Literal;
            }
            continue;
        }
        let within = attribute.value.map_or('"', attribute::quote_of);
        let read = |expression: &Expression<'_>, shift: Shift| {
            let source = ClassSource {
                text: document.text,
                place: &|offset| shift.place(offset),
                joins: &|name| is_joining(&document.sfc, name),
                is_module: &|name| is_module(&document.sfc, name),
            };
            (form_of(expression), ClassStrings::of(expression, &source))
        };
        let span = document.expression(attribute);
        let read = span.and_then(|span| with_expression(document.text, span, read).ok());
        let Some((own, found)) = read else {
            form.computed = true;
            form.form = ClassForm::Object;
            continue;
        };
        form.form = own;
        form.computed |= found.open;
        strings.extend(found.strings.into_iter().map(|string| Text::Written(string, within)));
        let modules = found.modules.into_iter();
        form.modules
            .extend(modules.map(|(object, name)| ModuleClass { object, name }));
    }
    (strings, form)
}

/// How the list is written.
fn form_of(expression: &Expression<'_>) -> ClassForm {
    match expression {
        Expression::StringLiteral(_) => ClassForm::Literal,
        Expression::TemplateLiteral(_) | Expression::BinaryExpression(_) => ClassForm::Template,
        Expression::CallExpression(_) => ClassForm::Call,
        Expression::StaticMemberExpression(_) | Expression::ComputedMemberExpression(_) => ClassForm::Module,
        _ => ClassForm::Object,
    }
}
