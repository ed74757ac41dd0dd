//! Which functions of a template join class lists.

use oxc::ast::AstKind;
use oxc::ast::ast::{BindingPattern, ImportDeclaration, ImportDeclarationSpecifier, PropertyKey};
use oxc::ast_visit::Visit;
use oxc::span::{GetSpan, Span};

use crate::source::classes::{import_joins, may_join};
use crate::source::script;
use crate::source::sfc::tree::Sfc;

/// Whether the name, in the template of this file, is such a function: by its import or declaration in a script. A name that
/// no script declares is imported for the whole project, as Nuxt does, or given to all templates.
pub(super) fn is_joining(sfc: &Sfc<'_>, name: &str) -> bool {
    let mut joins = None;
    for block in sfc.scripts() {
        let Some(path) = block.script_path().filter(|_| block.src.is_none()) else {
            // What cannot be read may declare it.
            return false;
        };
        let source = block.content.of(sfc.text);
        let found = script::with_program(path, source, |program| {
            let mut finder = Finder {
                name,
                source,
                joins: None,
            };
            finder.visit_program(program);
            finder.joins
        });
        match found {
            Ok(found) => joins = found.or(joins),
            Err(_) => return false,
        }
    }
    joins.unwrap_or_else(|| may_join(name))
}

/// Looks for what declares a name.
struct Finder<'t> {
    name: &'t str,
    source: &'t str,
    joins: Option<bool>,
}

impl Finder<'_> {
    fn import(&mut self, declaration: &ImportDeclaration<'_>) {
        let from = declaration.source.value.as_str();
        for specifier in declaration.specifiers.iter().flatten() {
            if specifier.local().name.as_str() != self.name {
                continue;
            }
            self.joins = Some(match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    import_joins(self.name, from, Some(named.imported.name().as_str()))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => import_joins(self.name, from, None),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => false,
            });
        }
    }

    /// The name is declared here. Declared twice, one that does not join counts.
    fn declared(&mut self, whole: Span) {
        let text = self
            .source
            .get(whole.start as usize..whole.end as usize)
            .unwrap_or_default();
        let joins = may_join(self.name) && !text.contains(".bind(");
        self.joins = Some(self.joins.unwrap_or(true) && joins);
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn enter_node(&mut self, node: AstKind<'a>) {
        match node {
            AstKind::ImportDeclaration(declaration) => self.import(declaration),
            AstKind::VariableDeclarator(declarator) => {
                if let BindingPattern::BindingIdentifier(id) = &declarator.id
                    && id.name.as_str() == self.name
                {
                    self.declared(declarator.span);
                }
            }
            AstKind::Function(function) if function.id.as_ref().is_some_and(|id| id.name.as_str() == self.name) => {
                self.declared(function.span);
            }
            // `methods: { cx: classNames.bind(styles) }`
            AstKind::ObjectProperty(property) => {
                if let PropertyKey::StaticIdentifier(key) = &property.key
                    && key.name.as_str() == self.name
                    && !property.shorthand
                {
                    self.declared(property.value.span());
                }
            }
            _ => {}
        }
    }
}
