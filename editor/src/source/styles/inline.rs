//! The element's own `style`: an object, a text, or an object that it names.

use std::ops::Range;
use std::sync::Arc;

use oxc::ast::ast::{
    BindingPattern, Declaration, Expression, ImportDeclarationSpecifier, ModuleExportName, ObjectPropertyKind,
    PropertyKey, Statement, VariableDeclaration,
};
use oxc::span::GetSpan;

use crate::source::classes::Coding;
use crate::source::model::Project;
use crate::source::script::with_program;

use super::links::resolve;
use super::member::{Place, plain};
use super::object::StyleObject;
use super::scripts::is_script;
use super::subject::{Inline, InlineForm, Subject};

/// What a `style` attribute holds.
#[derive(Debug)]
pub(super) struct Own<'s> {
    pub inline: &'s Inline,
    pub kind: OwnForm,
}

#[derive(Debug)]
pub(super) enum OwnForm {
    /// An object in the attribute.
    Object,
    /// CSS text in the attribute.
    Text,
    /// An object that the attribute names.
    Named(Named),
    /// Something that cannot be followed.
    Opaque,
}

/// An object declared elsewhere.
#[derive(Debug)]
pub(super) struct Named {
    pub path: String,
    pub text: Arc<str>,
    pub range: Range<usize>,
    /// How often it is named, here included.
    pub shared: usize,
}

impl<'s> Own<'s> {
    /// Reads all `style` attributes; those with objects come first, since they win over texts.
    pub fn read(project: &dyn Project, subject: &'s Subject<'_>) -> Vec<Self> {
        let mut owns: Vec<Self> = subject
            .styles
            .iter()
            .map(|inline| {
                let kind = match inline.form {
                    InlineForm::Object if direct(subject, inline).is_some() => OwnForm::Object,
                    InlineForm::Text if readable(&subject.text[inline.range.clone()], inline.quote) => OwnForm::Text,
                    InlineForm::Expression => named(project, subject, inline).map_or(OwnForm::Opaque, OwnForm::Named),
                    _ => OwnForm::Opaque,
                };
                Self { inline, kind }
            })
            .collect();
        owns.sort_by_key(|own| matches!(own.kind, OwnForm::Text));
        owns
    }

    /// The style object, in the text of its file.
    pub fn object<'a>(&'a self, subject: &'a Subject<'_>) -> Option<StyleObject<'a>> {
        match &self.kind {
            OwnForm::Object => direct(subject, self.inline),
            OwnForm::Named(named) => StyleObject::read(&named.text, named.range.clone(), place(subject, None)),
            OwnForm::Text | OwnForm::Opaque => None,
        }
    }

    /// The file that holds its declarations.
    pub fn path<'a>(&'a self, subject: &'a Subject<'_>) -> &'a str {
        match &self.kind {
            OwnForm::Named(named) => &named.path,
            _ => subject.path,
        }
    }
}

fn direct<'a>(subject: &'a Subject<'_>, inline: &Inline) -> Option<StyleObject<'a>> {
    StyleObject::read(subject.text, inline.range.clone(), place(subject, inline.quote))
}

/// React adds `px` to numbers, Vue does not.
fn place(subject: &Subject<'_>, quote: Option<char>) -> Place {
    let pixels = subject.pixels;
    Place { pixels, quote }
}

/// Whether the text between an attribute's quotes is the text that CSS gets.
fn readable(raw: &str, quote: Option<char>) -> bool {
    Coding::Markup(quote.unwrap_or('"'))
        .decode(raw)
        .is_some_and(|decoded| decoded == raw)
}

/// Follows `card`, `styles.card`, `styles['card']` to an object literal of a constant, in this file or an imported one.
fn named(project: &dyn Project, subject: &Subject<'_>, inline: &Inline) -> Option<Named> {
    let source = subject.text.get(inline.range.clone())?;
    let (name, members) = path_of(source)?;
    let members: Vec<&str> = members.iter().map(String::as_str).collect();
    let scripts = subject
        .scripts
        .iter()
        .filter_map(|range| Some((range.start, subject.text.get(range.clone())?)));
    let mut found: Option<Found> = None;
    for (start, script) in scripts {
        match look_up(script, &name, &members)? {
            Found::Absent => {}
            Found::Here(range) if found.is_none() => found = Some(Found::Here(range.start + start..range.end + start)),
            other if found.is_none() => found = Some(other),
            _ => return None,
        }
    }
    let (path, text, range) = match found? {
        Found::Here(range) => (subject.path.to_owned(), Arc::from(subject.text), range),
        Found::Imported(specifier, imported) => {
            let path = resolve(project, subject.path, &specifier)?;
            let text = project.read(&path)?;
            let Found::Here(range) = look_up_exported(&text, &imported, &members)? else {
                return None;
            };
            (path, text, range)
        }
        Found::Absent => return None,
    };
    let shared = uses(project, subject, &path, &name, &members);
    Some(Named {
        path,
        text,
        range,
        shared,
    })
}

/// How often the object is named: in the element's file, and in other files that might import it.
fn uses(project: &dyn Project, subject: &Subject<'_>, path: &str, name: &str, members: &[&str]) -> usize {
    let own = mentions(subject.text, name, members);
    let stem = path
        .rsplit('/')
        .next()
        .and_then(|file| file.split('.').next())
        .unwrap_or_default();
    let others = project.files();
    let others = others.iter().filter(|other| *other != subject.path && is_script(other));
    let elsewhere = others
        .filter_map(|other| project.read(other))
        .filter(|text| text.contains(stem));
    let last = members.last().copied().unwrap_or(name);
    let elsewhere: usize = elsewhere
        .map(|text| {
            if path == subject.path && !text.contains(name) {
                0
            } else {
                mentions(&text, "", &[last])
            }
        })
        .sum();
    // Its declaration is no use of it when nothing but the name says so.
    let declared = usize::from(members.is_empty() && path == subject.path)
        + usize::from(members.is_empty() && path != subject.path);
    (own + if path == subject.path && !exports(subject.text, name) {
        0
    } else {
        elsewhere
    })
    .saturating_sub(declared)
    .max(1)
}

fn exports(text: &str, name: &str) -> bool {
    text.contains("export")
        && words(text, name).any(|at| {
            text[..at].trim_end().ends_with("const")
                && text[..at]
                    .trim_end()
                    .trim_end_matches("const")
                    .trim_end()
                    .ends_with("export")
        })
        || text
            .split("export {")
            .skip(1)
            .any(|rest| words(rest.split('}').next().unwrap_or_default(), name).next().is_some())
        || text.contains(&format!("export default {name}"))
}

/// How often `name.member` (or only `.member`) stands in a text.
fn mentions(text: &str, name: &str, members: &[&str]) -> usize {
    match members {
        [] => words(text, name).count(),
        [.., last] => {
            let after = |at: usize| {
                let before = text[..at].trim_end_matches(['\'', '"', '[', '.', '?']);
                before.len() < at && (name.is_empty() || members.len() > 1 || before.ends_with(name))
            };
            words(text, last).filter(|at| after(*at)).count()
        }
    }
}

/// The places of a whole word.
pub(super) fn words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$');
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        !word.is_empty() && !text[..*at].ends_with(part) && !text[at + word.len()..].starts_with(part)
    })
}

/// The name and the members of `a.b['c']`.
fn path_of(source: &str) -> Option<(String, Vec<String>)> {
    with_program("style.tsx", &format!("({source})"), |program| {
        let [Statement::ExpressionStatement(statement)] = program.body.as_slice() else {
            return None;
        };
        let mut members = Vec::new();
        let mut expression = plain(&statement.expression);
        loop {
            expression = match expression {
                Expression::Identifier(name) => {
                    members.reverse();
                    return Some((name.name.to_string(), members));
                }
                Expression::StaticMemberExpression(member) => {
                    members.push(member.property.name.to_string());
                    plain(&member.object)
                }
                Expression::ComputedMemberExpression(member) => {
                    let Expression::StringLiteral(name) = &member.expression else {
                        return None;
                    };
                    members.push(name.value.to_string());
                    plain(&member.object)
                }
                _ => return None,
            };
        }
    })
    .ok()
    .flatten()
}

enum Found {
    /// No declaration of that name.
    Absent,
    /// The range of the object literal.
    Here(Range<usize>),
    /// The specifier and the exported name (`default` for the default).
    Imported(String, String),
}

/// Looks for a constant at the top of a script, or an import. `None` when the name means several things, or no object.
fn look_up(script: &str, name: &str, members: &[&str]) -> Option<Found> {
    with_program("style.tsx", script, |program| {
        let mut found = Found::Absent;
        for statement in &program.body {
            let next = match statement {
                Statement::ImportDeclaration(import) => {
                    let specifiers = import.specifiers.iter().flatten();
                    let imported = specifiers.into_iter().find_map(|specifier| match specifier {
                        ImportDeclarationSpecifier::ImportSpecifier(own) if own.local.name == name => {
                            Some(match &own.imported {
                                ModuleExportName::StringLiteral(name) => name.value.to_string(),
                                name => name.name().to_string(),
                            })
                        }
                        ImportDeclarationSpecifier::ImportDefaultSpecifier(own) if own.local.name == name => {
                            Some("default".to_owned())
                        }
                        _ => None,
                    });
                    imported.map(|imported| Found::Imported(import.source.value.to_string(), imported))
                }
                statement => object_in(statement, name, members)?,
            };
            if let Some(next) = next {
                if !matches!(found, Found::Absent) {
                    return None;
                }
                found = next;
            }
        }
        // A second declaration of the name, in a function, might be the one that is meant.
        let declared = ["const ", "let ", "var ", "function "]
            .iter()
            .map(|word| script.matches(&format!("{word}{name}")).count())
            .sum::<usize>();
        (declared <= 1).then_some(found)
    })
    .ok()
    .flatten()
}

/// Looks for an exported constant.
fn look_up_exported(script: &str, name: &str, members: &[&str]) -> Option<Found> {
    with_program("style.tsx", script, |program| {
        for statement in &program.body {
            let found = match statement {
                Statement::ExportDefaultDeclaration(export) if name == "default" => {
                    match export.declaration.as_expression().map(plain) {
                        Some(Expression::Identifier(own)) => {
                            let own = own.name.to_string();
                            return program
                                .body
                                .iter()
                                .find_map(|statement| object_in(statement, &own, members).flatten());
                        }
                        Some(object @ Expression::ObjectExpression(_)) => descend(object, members).map(Found::Here),
                        _ => None,
                    }
                }
                Statement::ExportDeclaration(_) => object_in(statement, name, members)?,
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    })
    .ok()
    .flatten()
}

/// The object that a statement declares by the name: `Some(None)` when it declares no such name, `None` when what it declares
/// is no constant object.
fn object_in(statement: &Statement<'_>, name: &str, members: &[&str]) -> Option<Option<Found>> {
    let declaration: &VariableDeclaration<'_> = match statement {
        Statement::VariableDeclaration(declaration) => declaration,
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::VariableDeclaration(declaration) => declaration,
            _ => return Some(None),
        },
        _ => return Some(None),
    };
    for declarator in &declaration.declarations {
        let BindingPattern::BindingIdentifier(own) = &declarator.id else {
            continue;
        };
        if own.name == name {
            let range = declarator
                .init
                .as_ref()
                .and_then(|init| descend(plain(init), members))?;
            return declaration.kind.is_const().then_some(Some(Found::Here(range)));
        }
    }
    Some(None)
}

/// The object literal at the end of a path of members; also through `StyleSheet.create({ … })` and `Object.freeze`.
fn descend(expression: &Expression<'_>, members: &[&str]) -> Option<Range<usize>> {
    let mut expression = plain(expression);
    for (depth, member) in members.iter().enumerate() {
        if let (0, Expression::CallExpression(call)) = (depth, expression) {
            let Expression::StaticMemberExpression(callee) = &call.callee else {
                return None;
            };
            let passes_on = matches!(callee.property.name.as_str(), "create" | "freeze");
            expression = plain(call.arguments.first().filter(|_| passes_on)?.as_expression()?);
        }
        let Expression::ObjectExpression(object) = expression else {
            return None;
        };
        // A spread behind it may replace the member.
        let property = object.properties.iter().rev().find_map(|property| match property {
            ObjectPropertyKind::SpreadProperty(_) => Some(None),
            ObjectPropertyKind::ObjectProperty(property) => {
                let named = !property.computed
                    && match &property.key {
                        PropertyKey::StaticIdentifier(name) => name.name == *member,
                        PropertyKey::StringLiteral(name) => name.value == *member,
                        _ => false,
                    };
                named.then_some(Some(property))
            }
        });
        expression = plain(&property??.value);
    }
    match expression {
        Expression::ObjectExpression(object) => {
            let span = object.span();
            Some(span.start as usize..span.end as usize)
        }
        _ => None,
    }
}
