//! The component that a Vue file is.

use oxc::ast::ast::{
    Argument, CallExpression, ExportDefaultDeclarationKind, Expression, ObjectExpression, ObjectPropertyKind, Program,
    Statement, TSType, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};

use super::declarations::declared;
use super::facts::{Definition, Facts};
use super::lower::{self, of_value, type_argument};
use super::types::{self, Member, Type, key};
use crate::source::script;
use crate::source::sfc::{self, component_name};

/// Reads a file; `None` when it cannot be parsed.
pub(super) fn read(path: &str, text: &str) -> Option<Facts> {
    let sfc = sfc::read(text).ok()?;
    let mut facts = Facts::default();
    let mut component = Definition {
        exports: vec!["default".to_owned()],
        range: 0..text.len(),
        ..Definition::default()
    };
    let mut props = Vec::new();
    for block in sfc.scripts() {
        if block.src.is_some() {
            component.takes_more = true;
        }
        let Some(language) = block.script_path() else {
            component.takes_more = true;
            continue;
        };
        let content = block.content.of(text);
        let read = script::with_program(language, content, |program| {
            let declared = declared(content, program);
            let mut reader = Reader {
                text: content,
                setup: block.setup,
                props: Vec::new(),
                more: false,
            };
            reader.visit_program(program);
            if !block.setup {
                reader.options(program);
            }
            (declared, reader.props, reader.more)
        });
        let (declared, found, more) = read.ok()?;
        facts.types.extend(declared.types);
        facts.imports.extend(declared.imports);
        facts.passed_on.extend(declared.passed_on);
        component.takes_more |= more;
        props.extend(found);
    }
    if !props.is_empty() {
        component.props = Some(Type::All(props));
    }
    let tags = sfc.elements().map(|(_, element)| sfc.tag(element));
    let named = tags.filter(|tag| tag.starts_with(char::is_uppercase) || tag.contains('-'));
    component.tags = named.map(component_name).collect();
    component.tags.sort_unstable();
    component.tags.dedup();
    component.local = Some(own_name(path));
    facts.components = vec![component];
    Some(facts)
}

/// What a file's component is called: an `index.vue` by its folder.
pub(super) fn own_name(path: &str) -> String {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    match file.split('.').next() {
        Some("index") if !folder.is_empty() => component_name(folder),
        _ => component_name(file),
    }
}

struct Reader<'t> {
    text: &'t str,
    setup: bool,
    props: Vec<Type>,
    /// Whether it takes properties that are not named here.
    more: bool,
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let callee = call
            .callee
            .get_identifier_reference()
            .map(|callee| callee.name.as_str());
        match callee {
            Some("defineProps") if self.setup => {
                if let Some(argument) = call.arguments.first().and_then(Argument::as_expression) {
                    self.declared(argument);
                }
                let declared = call.type_arguments.iter().flat_map(|arguments| &arguments.params);
                self.props.extend(declared.map(|of| types::lower(self.text, of)));
            }
            Some("withDefaults") if self.setup => {
                walk::walk_call_expression(self, call);
                if let Some(Expression::ObjectExpression(defaults)) =
                    call.arguments.get(1).and_then(Argument::as_expression)
                {
                    let names = defaults.properties.iter().filter_map(ObjectPropertyKind::as_property);
                    self.defaults(names.filter_map(|property| key(&property.key)).collect());
                }
                return;
            }
            Some("defineComponent") if !self.setup => {
                if let Some(Expression::ObjectExpression(object)) =
                    call.arguments.first().and_then(Argument::as_expression)
                {
                    self.object(object);
                }
            }
            _ => {}
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        walk::walk_variable_declarator(self, declarator);
        // `const { size = 'md' } = defineProps<…>()`
        if let oxc::ast::ast::BindingPattern::ObjectPattern(object) = &declarator.id
            && self.setup
            && let Some(Expression::CallExpression(call)) = &declarator.init
            && call
                .callee
                .get_identifier_reference()
                .is_some_and(|callee| callee.name == "defineProps")
        {
            let taken = object
                .properties
                .iter()
                .filter_map(|property| Some((key(&property.key)?, &property.value)));
            let taken = lower::taken(taken).into_iter().filter(|member| member.optional);
            self.defaults(taken.map(|member| member.name).collect());
        }
    }
}

impl Reader<'_> {
    /// The options of a component without `setup`.
    fn options(&mut self, program: &Program<'_>) {
        for statement in &program.body {
            if let Statement::ExportDefaultDeclaration(export) = statement
                && let ExportDefaultDeclarationKind::ObjectExpression(object) = &export.declaration
            {
                self.object(object);
            }
        }
    }

    fn object(&mut self, object: &ObjectExpression<'_>) {
        for property in &object.properties {
            match property {
                ObjectPropertyKind::ObjectProperty(property) if property.key.is_specific_static_name("props") => {
                    self.declared(&property.value);
                }
                ObjectPropertyKind::ObjectProperty(property) => {
                    self.more |= ["mixins", "extends"]
                        .iter()
                        .any(|name| property.key.is_specific_static_name(name));
                }
                ObjectPropertyKind::SpreadProperty(_) => self.more = true,
            }
        }
    }

    /// What has a default need not be given.
    fn defaults(&mut self, names: Vec<String>) {
        self.props.push(Type::Object(
            names
                .into_iter()
                .map(|name| Member {
                    name,
                    of: Type::Nothing,
                    optional: true,
                    written: String::new(),
                })
                .collect(),
        ));
    }

    /// `['title']` and `{ title: { type: String, required: true } }`
    fn declared(&mut self, value: &Expression<'_>) {
        match value.get_inner_expression() {
            Expression::ArrayExpression(list) => {
                let names = list.elements.iter().filter_map(|item| match item.as_expression()? {
                    Expression::StringLiteral(name) => Some(name.value.to_string()),
                    _ => None,
                });
                let members = names.map(|name| Member {
                    name,
                    of: Type::Text,
                    optional: true,
                    written: String::new(),
                });
                self.props.push(Type::Object(members.collect()));
            }
            Expression::ObjectExpression(object) => {
                self.more |= object
                    .properties
                    .iter()
                    .any(|property| property.as_property().is_none());
                let properties = object.properties.iter().filter_map(ObjectPropertyKind::as_property);
                let members = properties.filter_map(|property| self.member(key(&property.key)?, &property.value));
                let members = members.collect();
                self.props.push(Type::Object(members));
            }
            _ => self.more = true,
        }
    }

    fn member(&self, name: String, value: &Expression<'_>) -> Option<Member> {
        let plain = |of: Type, written: String| Member {
            name: name.clone(),
            of,
            optional: true,
            written,
        };
        Some(match value {
            Expression::ObjectExpression(options) => {
                let option = |wanted: &str| {
                    let mut properties = options.properties.iter().filter_map(ObjectPropertyKind::as_property);
                    properties
                        .find(|property| property.key.is_specific_static_name(wanted))
                        .map(|property| &property.value)
                };
                let (of, written) = option("type").map_or((Type::Text, String::new()), |of| self.constructor(of));
                let required = matches!(option("required"), Some(Expression::BooleanLiteral(yes)) if yes.value);
                Member {
                    optional: !required || option("default").is_some(),
                    ..plain(of, written)
                }
            }
            other => {
                let (of, written) = self.constructor(other);
                plain(of, written)
            }
        })
    }

    /// `String`, `[String, Number]`, `String as PropType<'a' | 'b'>`
    fn constructor(&self, value: &Expression<'_>) -> (Type, String) {
        if let Expression::TSAsExpression(cast) = value
            && let Some(of) = type_argument(&cast.type_annotation, "PropType")
        {
            return (types::lower(self.text, of), source_of(self.text, of));
        }
        match value.get_inner_expression() {
            Expression::Identifier(name) => {
                let of = match name.name.as_str() {
                    "String" => Type::Text,
                    "Number" => Type::Number,
                    "Boolean" => Type::Boolean,
                    _ => Type::Code,
                };
                (of, name.name.to_string())
            }
            Expression::ArrayExpression(list) => {
                let all = list
                    .elements
                    .iter()
                    .filter_map(|item| Some(self.constructor(item.as_expression()?)));
                let (types, names): (Vec<_>, Vec<_>) = all.unzip();
                (Type::Any(types), names.join(" | "))
            }
            Expression::NullLiteral(_) => (of_value(value), String::new()),
            _ => (Type::Code, String::new()),
        }
    }
}

fn source_of(text: &str, of: &TSType<'_>) -> String {
    use oxc::span::GetSpan;
    let span = of.span();
    crate::source::model::plan::short(text.get(span.start as usize..span.end as usize).unwrap_or_default())
}
