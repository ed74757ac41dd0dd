//! `components.d.ts`, which unplugin-vue-components and Nuxt write: `Card: typeof import('./src/Card.vue')['default']`.

use oxc::ast::ast::{TSInterfaceDeclaration, TSSignature, TSType, TSTypeQueryExprName};
use oxc::ast_visit::Visit;

use crate::source::imports::{folder, join};
use crate::source::script;

/// The components a declaration file lists, with the files they are the default exports of.
pub(super) fn components(path: &str, text: &str) -> Vec<(String, String)> {
    let found = script::with_program("components.ts", text, |program| {
        let mut reader = Reader {
            folder: folder(path),
            found: Vec::new(),
        };
        reader.visit_program(program);
        reader.found
    });
    found.unwrap_or_default()
}

struct Reader<'r> {
    folder: &'r str,
    found: Vec<(String, String)>,
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_ts_interface_declaration(&mut self, interface: &TSInterfaceDeclaration<'a>) {
        if interface.id.name != "GlobalComponents" {
            return;
        }
        for member in &interface.body.body {
            let TSSignature::TSPropertySignature(property) = member else {
                continue;
            };
            let (Some(name), Some(declared)) = (property.key.static_name(), &property.type_annotation) else {
                continue;
            };
            let Some(specifier) = default_of(&declared.type_annotation) else {
                continue;
            };
            let path = specifier
                .starts_with('.')
                .then(|| join(self.folder, specifier))
                .flatten();
            self.found.extend(path.map(|path| (name.into_owned(), path)));
        }
    }
}

/// The module in `typeof import('…')['default']`.
fn default_of<'t>(declared: &'t TSType<'_>) -> Option<&'t str> {
    let TSType::TSIndexedAccessType(access) = declared else {
        return None;
    };
    let TSType::TSLiteralType(index) = &access.index_type else {
        return None;
    };
    let oxc::ast::ast::TSLiteral::StringLiteral(index) = &index.literal else {
        return None;
    };
    let TSType::TSTypeQuery(query) = &access.object_type else {
        return None;
    };
    let TSTypeQueryExprName::TSImportType(import) = &query.expr_name else {
        return None;
    };
    (index.value == "default").then_some(import.source.value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_exports_of_files_are_listed() {
        let text = "/* eslint-disable */\nexport {}\ndeclare module 'vue' {\n  export interface GlobalComponents {\n    \
            AppCard: typeof import('./components/AppCard.vue')['default']\n    RouterLink: typeof import('vue-router')['RouterLink']\n    \
            ElButton: typeof import('element-plus/es')['ElButton']\n  }\n}\n";
        let found = components("src/components.d.ts", text);
        assert_eq!(found, [("AppCard".to_owned(), "src/components/AppCard.vue".to_owned())]);
        assert!(components("components.d.ts", "export interface {").is_empty());
    }
}
