//! The names of a component's props.

use oxc::ast::ast::{
    Argument, CallExpression, Declaration, Expression, ObjectExpression, Program, PropertyKey, Statement, TSSignature,
    TSType, TSTypeName,
};
use oxc::ast_visit::{Visit, walk};

use crate::source::script;

/// The names that `defineProps(…)`, `defineProps<…>()` or the option `props` declare; none when the script cannot be read.
pub(super) fn names(language: &str, source: &str) -> Vec<String> {
    if !source.contains("defineProps") && !source.contains("props") {
        return Vec::new();
    }
    let names = script::with_program(language, source, |program| {
        let mut props = Props {
            program,
            names: Vec::new(),
        };
        props.visit_program(program);
        props.names
    });
    names.unwrap_or_default()
}

struct Props<'p, 'a> {
    program: &'p Program<'a>,
    names: Vec<String>,
}

impl<'a> Visit<'a> for Props<'_, 'a> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let callee = call.callee.get_identifier_reference();
        if callee.is_some_and(|callee| callee.name == "defineProps") {
            if let Some(argument) = call.arguments.first().and_then(Argument::as_expression) {
                self.value(argument);
            }
            let types = call.type_arguments.iter().flat_map(|types| &types.params);
            types.for_each(|declared| self.declared(declared, 4));
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_object_expression(&mut self, object: &ObjectExpression<'a>) {
        let properties = object.properties.iter().filter_map(|property| property.as_property());
        for property in properties {
            if property.key.is_specific_static_name("props") {
                self.value(&property.value);
            }
        }
        walk::walk_object_expression(self, object);
    }
}

impl<'a> Props<'_, 'a> {
    /// `['title']` and `{ title: String }`.
    fn value(&mut self, value: &Expression<'a>) {
        match value.get_inner_expression() {
            Expression::ArrayExpression(list) => {
                let items = list.elements.iter().filter_map(|item| item.as_expression());
                let texts = items.filter_map(|item| match item {
                    Expression::StringLiteral(text) => Some(text.value.to_string()),
                    _ => None,
                });
                self.names.extend(texts);
            }
            Expression::ObjectExpression(object) => {
                let properties = object.properties.iter().filter_map(|property| property.as_property());
                self.names.extend(properties.filter_map(|property| key(&property.key)));
            }
            _ => {}
        }
    }

    /// `{ title: string }`, and names of such types in this script.
    fn declared(&mut self, declared: &TSType<'a>, depth: u32) {
        match declared {
            TSType::TSTypeLiteral(literal) => self.members(&literal.members),
            TSType::TSIntersectionType(both) => both.types.iter().for_each(|one| self.declared(one, depth)),
            TSType::TSTypeReference(reference) if depth > 0 => {
                let TSTypeName::IdentifierReference(name) = &reference.type_name else {
                    return;
                };
                let program = self.program;
                for statement in &program.body {
                    self.named(statement, name.name.as_str(), depth - 1);
                }
            }
            _ => {}
        }
    }

    fn named(&mut self, statement: &'_ Statement<'a>, name: &str, depth: u32) {
        match statement {
            Statement::TSInterfaceDeclaration(interface) if interface.id.name == name => {
                self.members(&interface.body.body)
            }
            Statement::TSTypeAliasDeclaration(alias) if alias.id.name == name => {
                self.declared(&alias.type_annotation, depth);
            }
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::TSInterfaceDeclaration(interface) if interface.id.name == name => {
                    self.members(&interface.body.body);
                }
                Declaration::TSTypeAliasDeclaration(alias) if alias.id.name == name => {
                    self.declared(&alias.type_annotation, depth);
                }
                _ => {}
            },
            _ => {}
        }
    }

    fn members(&mut self, members: &[TSSignature<'a>]) {
        let names = members.iter().filter_map(|member| match member {
            TSSignature::TSPropertySignature(property) => key(&property.key),
            _ => None,
        });
        self.names.extend(names);
    }
}

fn key(key: &PropertyKey<'_>) -> Option<String> {
    key.static_name().map(|name| name.into_owned())
}
