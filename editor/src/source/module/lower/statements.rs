//! Statements: imports, exports, returns, and what decides whether something runs.

use oxc::ast::AstKind;
use oxc::ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AssignmentTarget, Class, Declaration, ExportAllDeclaration,
    ExportDeclaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind, ExportFromDeclaration,
    ExportNamedDeclaration, Expression, Function as ParsedFunction, IdentifierReference, IfStatement,
    ImportDeclaration, ImportDeclarationSpecifier, MethodDefinition, ModuleExportName, ReturnStatement,
    SimpleAssignmentTarget, SwitchCase, UpdateExpression, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use super::Lower;
use super::bind::Source;
use super::frames::{key_name, walked};
use crate::source::module::binding::{Export, Function, Imported, Origin};
use crate::source::module::expression::Shape;
use crate::source::module::frame::FrameKind;
use crate::source::module::ids::{FunctionId, NodeId};

impl Lower<'_> {
    /// Notes that a property of `object` is given another value.
    fn assigned(&mut self, object: NodeId, key: Option<String>, span: Span) {
        let at = self.shift.range(span).start;
        match self.module[object].shape {
            Shape::This => self.module.this_written.push((key, at)),
            // The property of the name itself.
            Shape::Name(..) => self.touch_root(object, at, key.filter(|key| key != "value")),
            _ => self.touch(object, span),
        }
    }

    fn assignment<'a>(&mut self, assignment: &AssignmentExpression<'a>) {
        let value = self.node(&assignment.right);
        let (object, key) = match &assignment.left {
            AssignmentTarget::StaticMemberExpression(member) => {
                (&member.object, Some(member.property.name.to_string()))
            }
            AssignmentTarget::ComputedMemberExpression(member) => {
                self.node(&member.expression);
                (&member.object, None)
            }
            other => return self.visit_assignment_target(other),
        };
        let object = self.node(object);
        self.assigned(object, key.clone(), assignment.span);
        if let (Some(root), Some(key), Shape::Name(..)) = (self.module.root(object), key, &self.module[object].shape) {
            self.module.statics.push((root, key, value));
        }
    }

    fn update<'a>(&mut self, update: &UpdateExpression<'a>) {
        match &update.argument {
            SimpleAssignmentTarget::StaticMemberExpression(member) => {
                let object = self.node(&member.object);
                self.assigned(object, Some(member.property.name.to_string()), update.span);
            }
            SimpleAssignmentTarget::ComputedMemberExpression(member) => {
                self.node(&member.expression);
                let object = self.node(&member.object);
                self.assigned(object, None, update.span);
            }
            other => self.visit_simple_assignment_target(other),
        }
    }
}

impl<'a> Visit<'a> for Lower<'_> {
    fn enter_node(&mut self, node: AstKind<'a>) {
        self.open(walked(node), node.span());
    }

    fn leave_node(&mut self, _: AstKind<'a>) {
        self.close();
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        self.node(expression);
    }

    fn visit_function(&mut self, function: &ParsedFunction<'a>, _: ScopeFlags) {
        self.function(function);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.arrow(arrow);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        let name = declarator.id.get_binding_identifier().map(|name| name.name.to_string());
        self.open(FrameKind::Declarator(name), declarator.span);
        let source = match &declarator.init {
            Some(value) => {
                let node = self.node(value);
                if let (Shape::Function(function), Some(name)) =
                    (&self.module[node].shape, declarator.id.get_binding_identifier())
                {
                    let function = function.index();
                    let named = &mut self.module.functions[function].name;
                    named.get_or_insert_with(|| name.name.to_string());
                }
                Source::Value(node)
            }
            None => Source::Unknown("a value that is given later"),
        };
        self.bind(&declarator.id, source, &[]);
        self.close();
    }

    fn visit_return_statement(&mut self, statement: &ReturnStatement<'a>) {
        let node = match &statement.argument {
            Some(value) => self.framed(FrameKind::Return, statement.span, |lower| lower.node(value)),
            None => self.push(statement.span, Shape::Nothing),
        };
        if let Some(function) = self.function {
            self.module.functions[function.index()].returns.push(node);
        }
    }

    fn visit_if_statement(&mut self, statement: &IfStatement<'a>) {
        self.guarded(|lower| walk::walk_if_statement(lower, statement));
    }

    fn visit_switch_case(&mut self, case: &SwitchCase<'a>) {
        self.guarded(|lower| walk::walk_switch_case(lower, case));
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        let symbol = class.id.as_ref().and_then(|id| id.symbol_id.get());
        let symbol = symbol.map(|symbol| self.symbol(symbol));
        let outer = std::mem::replace(&mut self.class, symbol);
        walk::walk_class(self, class);
        self.class = outer;
        if let Some(symbol) = symbol {
            let renders =
                |function: &Function| function.class == Some(symbol) && function.name.as_deref() == Some("render");
            let render = self.module.functions.iter().position(renders);
            let origin = render.map(|index| Origin::Function(FunctionId::nth(index)));
            self.module.symbols[symbol.index()].origin = origin.unwrap_or(Origin::Other("a class"));
        }
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        self.open(FrameKind::Function(key_name(&method.key)), method.span);
        self.visit_decorators(&method.decorators);
        let name = self.property_key(&method.key, method.computed);
        let function = self.function(&method.value);
        self.close();
        let written = &mut self.module.functions[function.index()];
        written.name = name;
        written.class = self.class;
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        self.framed(FrameKind::Other, assignment.span, |lower| lower.assignment(assignment));
    }

    fn visit_update_expression(&mut self, update: &UpdateExpression<'a>) {
        self.framed(FrameKind::Other, update.span, |lower| lower.update(update));
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        let Some(reference) = name.reference_id.get() else {
            return;
        };
        let writes = self.scoping.get_reference(reference).is_write();
        if let Some(symbol) = self.binding(Some(reference), &name.name).filter(|_| writes) {
            let at = self.shift.range(name.span).start;
            self.module.symbols[symbol.index()].write.get_or_insert(at);
        }
    }

    fn visit_import_declaration(&mut self, import: &ImportDeclaration<'a>) {
        let from = import.source.value.as_str();
        self.scenes.import(import);
        if import.specifiers.iter().flatten().next().is_some() {
            let range = self.shift.range(import.span);
            self.module.imports.push(range);
        }
        for specifier in import.specifiers.iter().flatten() {
            let (local, imported) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    (&one.local, Imported::Name(one.imported.name().to_string()))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    (&one.local, Imported::Name("default".to_owned()))
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => (&one.local, Imported::All),
            };
            if let Some(symbol) = local.symbol_id.get() {
                let symbol = self.symbol(symbol);
                self.module.symbols[symbol.index()].origin = Origin::Import(from.to_owned(), imported);
            }
        }
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        walk::walk_export_declaration(self, export);
        let mut exported = Vec::new();
        match &export.declaration {
            Declaration::VariableDeclaration(variables) => {
                for declarator in &variables.declarations {
                    exported.extend(declarator.id.get_binding_identifiers());
                }
            }
            Declaration::FunctionDeclaration(function) => exported.extend(function.id.as_ref()),
            Declaration::ClassDeclaration(class) => exported.extend(class.id.as_ref()),
            _ => {}
        }
        for name in exported {
            if let Some(symbol) = name.symbol_id.get() {
                let symbol = self.symbol(symbol);
                let export = (name.name.to_string(), Export::Symbol(symbol));
                self.module.exports.push(export);
            }
        }
    }

    fn visit_export_named_declaration(&mut self, export: &ExportNamedDeclaration<'a>) {
        for specifier in &export.specifiers {
            let reference = match &specifier.local {
                ModuleExportName::IdentifierReference(name) => name.reference_id.get(),
                _ => None,
            };
            if let Some(symbol) = self.binding(reference, &specifier.local.name()) {
                let exported = specifier.exported.name().to_string();
                self.module.exports.push((exported, Export::Symbol(symbol)));
            }
        }
    }

    fn visit_export_from_declaration(&mut self, export: &ExportFromDeclaration<'a>) {
        for specifier in &export.specifiers {
            let from = export.source.value.to_string();
            let imported = Imported::Name(specifier.local.name().to_string());
            let exported = specifier.exported.name().to_string();
            self.module.exports.push((exported, Export::From(from, imported)));
        }
    }

    fn visit_export_all_declaration(&mut self, export: &ExportAllDeclaration<'a>) {
        let from = export.source.value.to_string();
        match &export.exported {
            Some(name) => {
                let export = (name.name().to_string(), Export::From(from, Imported::All));
                self.module.exports.push(export);
            }
            None => self.module.stars.push(from),
        }
    }

    fn visit_export_default_declaration(&mut self, export: &ExportDefaultDeclaration<'a>) {
        self.framed(FrameKind::Statement, export.span, |lower| lower.export_default(export));
    }
}

impl Lower<'_> {
    fn export_default(&mut self, export: &ExportDefaultDeclaration<'_>) {
        let node = match &export.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                let id = self.function(function);
                self.push(function.span, Shape::Function(id))
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                self.visit_class(class);
                let id = class.id.as_ref();
                let symbol = id.and_then(|id| id.symbol_id.get()).map(|symbol| self.symbol(symbol));
                let name = id.map(|id| id.name.to_string()).unwrap_or_default();
                self.push(class.span, Shape::Name(symbol, name))
            }
            other => match other.as_expression() {
                Some(expression) => self.node(expression),
                None => return,
            },
        };
        self.module.exports.push(("default".to_owned(), Export::Node(node)));
    }
}
