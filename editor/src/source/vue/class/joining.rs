//! What names of a template are: functions that join class lists, and CSS modules.

use oxc::ast::AstKind;
use oxc::ast::ast::{BindingPattern, ImportDeclaration, ImportDeclarationSpecifier, PropertyKey};
use oxc::ast_visit::Visit;
use oxc::span::{GetSpan, Span};

use crate::source::classes::{import_joins, is_stylesheet, may_join};
use crate::source::script::{self, Broken};
use crate::source::sfc::blocks::Block;
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
        match Finder::read(path, block.content.of(sfc.text), name) {
            Ok(found) => joins = found.joins.or(joins),
            Err(_) => return false,
        }
    }
    joins.unwrap_or_else(|| may_join(name))
}

/// Whether the name is a CSS module: a style block's, or an imported stylesheet.
pub(super) fn is_module(sfc: &Sfc<'_>, name: &str) -> bool {
    let scripts = || sfc.scripts().filter(|block| block.src.is_none());
    let imports = |block: &Block<'_>| {
        let found = block
            .script_path()
            .map(|path| Finder::read(path, block.content.of(sfc.text), name));
        matches!(
            found,
            Some(Ok(Finder {
                is_stylesheet: true,
                ..
            }))
        )
    };
    sfc.styles().any(|style| style.module == Some(name)) || scripts().any(|block| imports(&block))
}

/// Looks for what declares a name.
struct Finder<'t> {
    name: &'t str,
    source: &'t str,
    joins: Option<bool>,
    is_stylesheet: bool,
}

impl<'t> Finder<'t> {
    fn read(path: &str, source: &'t str, name: &'t str) -> Result<Self, Broken> {
        script::with_program(path, source, |program| {
            let mut finder = Self {
                name,
                source,
                joins: None,
                is_stylesheet: false,
            };
            finder.visit_program(program);
            finder
        })
    }

    fn import(&mut self, declaration: &ImportDeclaration<'_>) {
        let from = declaration.source.value.as_str();
        for specifier in declaration.specifiers.iter().flatten() {
            if specifier.local().name.as_str() != self.name {
                continue;
            }
            self.is_stylesheet = is_stylesheet(from);
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
