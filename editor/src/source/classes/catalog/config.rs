//! Tailwind 3: the theme of `tailwind.config.*`, as far as it is literal.

use std::collections::HashMap;

use oxc::ast::ast::{
    Argument, BindingPattern, Expression, ObjectExpression, ObjectPropertyKind, Program, PropertyKey, Statement,
};

use crate::source::script::with_program;

use super::defaults::Replaced;
use super::entry::{CatalogEntry, resolved};
use super::themed::themed;

/// Nested names, as `primary.foreground`.
const MAX_DEPTH: usize = 6;

/// Reads the configuration; a broken one gives nothing.
pub(super) fn read(
    path: &str,
    text: &str,
    variables: &HashMap<String, String>,
    entries: &mut Vec<CatalogEntry>,
    replaced: &mut Replaced,
) {
    let _ = with_program(path, text, |program| {
        let Some(config) = exported(program) else { return };
        let Some(theme) = member(config, "theme") else { return };
        let mut reader = Reader {
            path,
            variables,
            entries,
        };
        if let Some(extend) = member(theme, "extend") {
            reader.sections(extend);
        }
        replaced.colors |= value(theme, "colors").is_some();
        replaced.spacing |= value(theme, "spacing").is_some();
        reader.sections(theme);
    });
}

/// The breakpoints: whether they replace Tailwind's own, and each with its width.
pub(super) fn screens(path: &str, text: &str) -> (bool, Vec<(String, String)>) {
    let found = with_program(path, text, |program| {
        let theme = exported(program).and_then(|config| member(config, "theme"));
        let own = theme.and_then(|theme| member(theme, "screens"));
        let added = theme.and_then(|theme| member(member(theme, "extend")?, "screens"));
        let listed = [own, added].into_iter().flatten().flat_map(members);
        let widths = listed.filter_map(|(name, width)| Some((name, self::text(plain(width))?)));
        (own.is_some(), widths.collect())
    });
    found.unwrap_or_default()
}

struct Reader<'r> {
    path: &'r str,
    variables: &'r HashMap<String, String>,
    entries: &'r mut Vec<CatalogEntry>,
}

impl Reader<'_> {
    fn sections(&mut self, theme: &ObjectExpression<'_>) {
        for (section, value) in members(theme) {
            if let Expression::ObjectExpression(values) = plain(value) {
                self.values(&section, "", values, 0);
            }
        }
    }

    fn values(&mut self, section: &str, before: &str, values: &ObjectExpression<'_>, depth: usize) {
        for (name, value) in members(values) {
            let name = match (before, name.as_str()) {
                (_, "DEFAULT") => before.to_owned(),
                ("", _) => name,
                _ => format!("{before}-{name}"),
            };
            match plain(value) {
                Expression::ObjectExpression(inner) if depth < MAX_DEPTH => {
                    self.values(section, &name, inner, depth + 1)
                }
                value => {
                    let text = text(value).map(|text| resolved(&text, self.variables));
                    themed(section, &name, text.as_deref(), self.path, self.entries);
                }
            }
        }
    }
}

/// A value's text: a string or number, the first of a list.
fn text(value: &Expression<'_>) -> Option<String> {
    Some(match value {
        Expression::StringLiteral(string) => string.value.to_string(),
        Expression::NumericLiteral(number) => number.value.to_string(),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first()?.value.cooked.as_ref()?.to_string()
        }
        Expression::ArrayExpression(list) => text(list.elements.first()?.as_expression()?)?,
        _ => return None,
    })
}

/// The object of `export default …` or `module.exports = …`, also within a call and through a constant.
fn exported<'p, 'a>(program: &'p Program<'a>) -> Option<&'p ObjectExpression<'a>> {
    let exported = program.body.iter().find_map(|statement| match statement {
        Statement::ExportDefaultDeclaration(export) => export.declaration.as_expression(),
        Statement::ExpressionStatement(statement) => match &statement.expression {
            Expression::AssignmentExpression(assignment) => {
                let target = assignment.left.as_simple_assignment_target()?.as_member_expression()?;
                (target.static_property_name() == Some("exports")).then_some(&assignment.right)
            }
            _ => None,
        },
        _ => None,
    })?;
    object(exported, program, 0)
}

fn object<'p, 'a>(
    expression: &'p Expression<'a>,
    program: &'p Program<'a>,
    depth: usize,
) -> Option<&'p ObjectExpression<'a>> {
    match plain(expression) {
        Expression::ObjectExpression(object) => Some(object),
        Expression::CallExpression(call) if depth < MAX_DEPTH => {
            let mut arguments = call.arguments.iter().filter_map(Argument::as_expression);
            arguments.find_map(|argument| object(argument, program, depth + 1))
        }
        Expression::Identifier(name) if depth < MAX_DEPTH => {
            let declarations = program.body.iter().filter_map(|statement| match statement {
                Statement::VariableDeclaration(declaration) => Some(declaration),
                _ => None,
            });
            let mut declarators = declarations.flat_map(|declaration| &declaration.declarations);
            let own = declarators
                .find(|own| matches!(&own.id, BindingPattern::BindingIdentifier(id) if id.name == name.name))?;
            object(own.init.as_ref()?, program, depth + 1)
        }
        _ => None,
    }
}

fn members<'p, 'a>(object: &'p ObjectExpression<'a>) -> impl Iterator<Item = (String, &'p Expression<'a>)> {
    object.properties.iter().filter_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) if !property.computed => {
            let name = match &property.key {
                PropertyKey::StaticIdentifier(name) => name.name.to_string(),
                PropertyKey::StringLiteral(name) => name.value.to_string(),
                PropertyKey::NumericLiteral(name) => name.value.to_string(),
                _ => return None,
            };
            Some((name, &property.value))
        }
        _ => None,
    })
}

fn value<'p, 'a>(object: &'p ObjectExpression<'a>, name: &str) -> Option<&'p Expression<'a>> {
    members(object).find(|(own, _)| own == name).map(|(_, value)| value)
}

fn member<'p, 'a>(object: &'p ObjectExpression<'a>, name: &str) -> Option<&'p ObjectExpression<'a>> {
    match plain(value(object, name)?) {
        Expression::ObjectExpression(object) => Some(object),
        _ => None,
    }
}

/// An expression without what only TypeScript reads.
fn plain<'p, 'a>(expression: &'p Expression<'a>) -> &'p Expression<'a> {
    expression.get_inner_expression()
}

/// Whether a file is a configuration of Tailwind.
pub(super) fn is_config(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let ending = file.strip_prefix("tailwind.config.");
    matches!(ending, Some("js" | "ts" | "cjs" | "mjs" | "cts" | "mts"))
}
