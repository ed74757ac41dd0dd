//! What stands at the top of a script beside its components: imports, what it passes on, types, and lists of variants.

use oxc::ast::ast::{
    Argument, BindingPattern, Declaration, Expression, ImportDeclarationSpecifier, Program, Statement,
    VariableDeclarator,
};

use super::facts::{Facts, Import};
use super::types::{self, Member, Type, key};

/// The types and imports of a script.
pub(super) fn declared(text: &str, program: &Program<'_>) -> Facts {
    let mut facts = Facts::default();
    for statement in &program.body {
        match statement {
            Statement::ImportDeclaration(import) => {
                for specifier in import.specifiers.iter().flatten() {
                    let (imported, local) = match specifier {
                        ImportDeclarationSpecifier::ImportSpecifier(one) => {
                            (one.imported.name().to_string(), &one.local)
                        }
                        ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => ("default".to_owned(), &one.local),
                        ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => ("*".to_owned(), &one.local),
                    };
                    facts.imports.push(Import {
                        local: local.name.to_string(),
                        imported,
                        from: import.source.value.to_string(),
                    });
                }
            }
            Statement::ExportFromDeclaration(export) => {
                for specifier in &export.specifiers {
                    let imported = specifier.local.name().to_string();
                    let import = Import {
                        local: imported.clone(),
                        imported,
                        from: export.source.value.to_string(),
                    };
                    facts.passed_on.push((specifier.exported.name().to_string(), import));
                }
            }
            Statement::ExportAllDeclaration(export) if export.exported.is_none() => {
                let (local, imported) = ("*".to_owned(), "*".to_owned());
                let import = Import {
                    local,
                    imported,
                    from: export.source.value.to_string(),
                };
                facts.passed_on.push(("*".to_owned(), import));
            }
            Statement::ExportDeclaration(export) => declare(text, &export.declaration, &mut facts),
            statement => {
                if let Some(declaration) = statement.as_declaration() {
                    declare(text, declaration, &mut facts);
                }
            }
        }
    }
    facts
}

/// A declaration of a type or of variants, exported or not.
fn declare(text: &str, declaration: &Declaration<'_>, facts: &mut Facts) {
    let (name, lowered) = match declaration {
        Declaration::TSInterfaceDeclaration(interface) => (&interface.id.name, types::interface(text, interface)),
        Declaration::TSTypeAliasDeclaration(alias) => (&alias.id.name, types::lower(text, &alias.type_annotation)),
        Declaration::VariableDeclaration(variables) => return variants(&variables.declarations, facts),
        _ => return,
    };
    facts.types.insert(name.to_string(), lowered);
}

/// `const button = cva('…', { variants: { size: { sm: '…' } }, defaultVariants: { size: 'sm' } })`
fn variants(declarators: &[VariableDeclarator<'_>], facts: &mut Facts) {
    for declarator in declarators {
        let Some(Expression::CallExpression(call)) = declarator.init.as_ref().map(Expression::get_inner_expression)
        else {
            continue;
        };
        let is_cva = call
            .callee
            .get_identifier_reference()
            .is_some_and(|callee| callee.name == "cva" || callee.name == "tv");
        let options = call
            .arguments
            .iter()
            .filter_map(Argument::as_expression)
            .find_map(|argument| match argument {
                Expression::ObjectExpression(object) => Some(object),
                _ => None,
            });
        let (BindingPattern::BindingIdentifier(name), true, Some(options)) = (&declarator.id, is_cva, options) else {
            continue;
        };
        let entries = options.properties.iter().filter_map(|property| property.as_property());
        let variants = entries
            .into_iter()
            .find(|property| property.key.is_specific_static_name("variants"));
        let Some(Expression::ObjectExpression(variants)) = variants.map(|property| &property.value) else {
            continue;
        };
        let members = variants
            .properties
            .iter()
            .filter_map(|property| property.as_property())
            .filter_map(|variant| {
                let Expression::ObjectExpression(values) = &variant.value else {
                    return None;
                };
                let values = values.properties.iter().filter_map(|property| property.as_property());
                let values: Vec<String> = values.filter_map(|value| key(&value.key)).collect();
                let is_flag = !values.is_empty() && values.iter().all(|value| value == "true" || value == "false");
                Some(Member {
                    name: key(&variant.key)?,
                    written: values.join(" | "),
                    of: if is_flag { Type::Boolean } else { Type::Choice(values) },
                    optional: true,
                })
            });
        facts.variants.insert(name.name.to_string(), members.collect());
    }
}
