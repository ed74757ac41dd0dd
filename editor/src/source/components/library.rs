//! Components that a library exports: by its type declarations, `Button.d.ts` beside `Button.js`, or by its sources.
//!
//! A name is a component's when its type says so (`React.FC<…>`, `DefineComponent<…>`, a function that gives an element, a
//! class of React's), or when a type with its name and `Props` behind it is declared where it is, as libraries do whose
//! components have types of their own. Everything else that a package exports is left out.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use oxc::ast::ast::{
    BindingPattern, Class, Declaration, ExportDefaultDeclarationKind, Expression, Program, Statement, TSType,
    VariableDeclarator,
};

use super::facts::Definition;
use super::properties::{MAX_DEPTH, Properties, Types};
use super::read;
use super::types::{self, COMPONENTS, Member, OF_ANOTHER, Type};
use crate::source::model::memo::Memo;
use crate::source::model::{LibraryComponent, Project};
use crate::source::script;

/// More components of one entry are not listed.
const MAX_COMPONENTS: usize = 1000;

/// The values a file declares, and the names it exports them by.
#[derive(Debug, Default)]
struct Values {
    types: HashMap<String, Type>,
    /// As `(exported, local)`.
    exports: Vec<(String, String)>,
}

/// A component where it was found: the file its type is seen from.
struct Found {
    home: String,
    props: Option<Type>,
    is_vue: bool,
}

/// The components that the file `entry` of a package exports, by their names; `package` is what an import of it says.
#[must_use]
pub fn declared(project: &dyn Project, entry: &str, package: &str) -> Vec<LibraryComponent> {
    let reader = Reader {
        project,
        types: Types::new(project),
    };
    let mut names = HashSet::new();
    reader.names(entry, MAX_DEPTH, &mut names, &mut HashSet::new());
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_unstable();
    let found = names.into_iter().filter_map(|export| {
        let name = match export.as_str() {
            "default" => reader.default_name(entry, package)?,
            name => name.to_owned(),
        };
        if !name.starts_with(char::is_uppercase) {
            return None;
        }
        let (home, local) = reader.exporter(entry, &export, MAX_DEPTH)?;
        let (properties, is_vue) = reader.component(&home, &local, &name)?;
        Some(LibraryComponent {
            name,
            package: package.to_owned(),
            export,
            props: properties.list,
            more: properties.more,
            content: properties.children,
            is_vue,
            hint: None,
        })
    });
    found.take(MAX_COMPONENTS).collect()
}

struct Reader<'p> {
    project: &'p dyn Project,
    types: Types<'p>,
}

impl Reader<'_> {
    /// Every name that a file exports, through the files it passes on.
    fn names(&self, path: &str, depth: usize, names: &mut HashSet<String>, seen: &mut HashSet<String>) {
        let (Some(depth), true) = (depth.checked_sub(1), seen.insert(path.to_owned())) else {
            return;
        };
        let (Some(values), Some(facts)) = (values(self.project, path), read::facts(self.project, path)) else {
            return;
        };
        names.extend(values.exports.iter().map(|(exported, _)| exported.clone()));
        for (exported, import) in &facts.passed_on {
            match exported.as_str() {
                "*" => {
                    let mut passed = HashSet::new();
                    if let Some(home) = self.types.file(path, &import.from) {
                        self.names(&home, depth, &mut passed, seen);
                    }
                    names.extend(passed.into_iter().filter(|name| name != "default"));
                }
                name => {
                    names.insert(name.to_owned());
                }
            }
        }
    }

    /// The file that declares what a file exports by a name, and the name there.
    fn exporter(&self, path: &str, export: &str, depth: usize) -> Option<(String, String)> {
        let depth = depth.checked_sub(1)?;
        if path.ends_with(".vue") {
            return (export == "default").then(|| (path.to_owned(), "default".to_owned()));
        }
        let values = values(self.project, path)?;
        let facts = read::facts(self.project, path)?;
        if let Some((_, local)) = values.exports.iter().find(|(exported, _)| exported == export) {
            if values.types.contains_key(local) {
                return Some((path.to_owned(), local.clone()));
            }
            let import = facts.import(local)?;
            return self.exporter(&self.types.file(path, &import.from)?, &import.imported, depth);
        }
        if let Some((_, import)) = facts.passed_on.iter().find(|(exported, _)| exported == export) {
            return self.exporter(&self.types.file(path, &import.from)?, &import.imported, depth);
        }
        let mut stars = facts.passed_on.iter().filter(|(exported, _)| exported == "*");
        stars.find_map(|(_, import)| self.exporter(&self.types.file(path, &import.from)?, export, depth))
    }

    /// What a default export is called: by its declaration, else by what it is imported from.
    fn default_name(&self, entry: &str, package: &str) -> Option<String> {
        let (_, local) = self.exporter(entry, "default", MAX_DEPTH)?;
        if local.starts_with(char::is_uppercase) {
            return Some(local);
        }
        let last = package.rsplit('/').next()?;
        Some(crate::source::sfc::component_name(last))
    }

    /// What a component is given, and whether it is one of Vue.
    fn component(&self, home: &str, local: &str, name: &str) -> Option<(Properties, bool)> {
        let own = |home: &str, component: &Definition, is_vue| (self.types.properties(home, component), is_vue);
        let facts = read::facts(self.project, home)?;
        // A library's source says more than its declarations.
        let source = facts.components.iter().find(|component| match local {
            "default" => component.exports.iter().any(|export| export == "default"),
            local => component.local.as_deref() == Some(local),
        });
        if let Some(component) = source {
            return Some(own(home, component, home.ends_with(".vue")));
        }
        let values = values(self.project, home)?;
        let of = values.types.get(local)?;
        let named = || {
            // A function that gives something else is no component, whatever types stand beside it.
            let props = [format!("{name}Props"), format!("{local}Props")];
            let named = props
                .into_iter()
                .find(|props| self.types.find(home, props, MAX_DEPTH).is_some())?;
            (*of != Type::Code).then(|| Found {
                home: home.to_owned(),
                props: Some(Type::Named(named, Vec::new())),
                is_vue: false,
            })
        };
        let found = self.component_type(home, of, MAX_DEPTH).or_else(named)?;
        let definition = Definition {
            takes_more: found.props.is_none(),
            props: found.props,
            ..Definition::default()
        };
        Some(own(&found.home, &definition, found.is_vue))
    }

    /// What a component of this type is given; `None` for what is certainly or possibly none.
    fn component_type(&self, home: &str, of: &Type, depth: usize) -> Option<Found> {
        let depth = depth.checked_sub(1)?;
        let found = |props: Option<Type>, is_vue: bool| {
            Some(Found {
                home: home.to_owned(),
                props,
                is_vue,
            })
        };
        match of {
            Type::Shows(props) => found(props.as_deref().cloned(), false),
            Type::Named(name, arguments) if COMPONENTS.contains(&name.as_str()) => {
                let is_vue = matches!(
                    name.as_str(),
                    "DefineComponent" | "DefineSetupFnComponent" | "FunctionalComponent"
                );
                let props = arguments
                    .first()
                    .map(|props| if is_vue { options(props) } else { props.clone() });
                found(props, is_vue)
            }
            Type::Named(name, arguments) if OF_ANOTHER.contains(&name.as_str()) => {
                self.component_type(home, arguments.first()?, depth)
            }
            Type::Named(name, _) => {
                let (home, of) = self.types.find(home, name, depth)?;
                self.component_type(&home, &of, depth)
            }
            Type::Of(local) => {
                let own = values(self.project, home)?;
                if let Some(of) = own.types.get(local) {
                    return self.component_type(home, of, depth);
                }
                let facts = read::facts(self.project, home)?;
                let import = facts.import(local)?;
                let (home, local) = self.exporter(&self.types.file(home, &import.from)?, &import.imported, depth)?;
                self.component_type(&home, values(self.project, &home)?.types.get(&local)?, depth)
            }
            Type::All(parts) => parts.iter().find_map(|part| self.component_type(home, part, depth)),
            _ => None,
        }
    }
}

/// Vue's properties as options, `{ label: { type: StringConstructor; required: true } }`, as types of values.
fn options(props: &Type) -> Type {
    let Type::Object(members) = props else {
        return props.clone();
    };
    let members = members.iter().map(|member| {
        let Type::Object(option) = &member.of else {
            return member.clone();
        };
        let named = |name: &str| option.iter().find(|part| part.name == name);
        let Some(of) = named("type") else {
            return member.clone();
        };
        let value = match &of.of {
            Type::Named(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("StringConstructor", _) => Type::Text,
                ("NumberConstructor", _) => Type::Number,
                ("BooleanConstructor", _) => Type::Boolean,
                ("PropType", [value]) => value.clone(),
                _ => Type::Code,
            },
            _ => Type::Code,
        };
        Member {
            name: member.name.clone(),
            optional: named("required").is_none_or(|required| required.written != "true"),
            of: value,
            written: of.written.clone(),
        }
    });
    Type::Object(members.collect())
}

/// What a file declares, read once while it stays as it is.
fn values(project: &dyn Project, path: &str) -> Option<Arc<Values>> {
    let text = project.read(path)?;
    let make = || {
        let read = script::with_program(path, &text, |program| read_values(&text, program));
        read.ok().map(Arc::new)
    };
    match project.kept() {
        Some(kept) => kept.of::<Memo<Option<Arc<Values>>>>().get(path, &text, make),
        None => make(),
    }
}

fn read_values(text: &str, program: &Program<'_>) -> Values {
    let mut values = Values::default();
    for statement in &program.body {
        match statement {
            Statement::ExportDeclaration(export) => {
                let names = values.declare(text, &export.declaration);
                values
                    .exports
                    .extend(names.into_iter().map(|name| (name.clone(), name)));
            }
            Statement::ExportNamedDeclaration(export) => {
                let named = export.specifiers.iter();
                values
                    .exports
                    .extend(named.map(|one| (one.exported.name().to_string(), one.local.name().to_string())));
            }
            Statement::ExportDefaultDeclaration(export) => values.export_default(text, &export.declaration),
            Statement::TSExportAssignment(export) => {
                if let Expression::Identifier(name) = &export.expression {
                    values.exports.push(("default".to_owned(), name.name.to_string()));
                }
            }
            statement => {
                if let Some(declaration) = statement.as_declaration() {
                    values.declare(text, declaration);
                }
            }
        }
    }
    values
}

impl Values {
    fn declare(&mut self, text: &str, declaration: &Declaration<'_>) -> Vec<String> {
        match declaration {
            Declaration::FunctionDeclaration(function) => {
                let Some(name) = &function.id else { return Vec::new() };
                let of = types::shows(text, &function.params, function.return_type.as_deref());
                self.add(&name.name, of)
            }
            Declaration::ClassDeclaration(class) => match &class.id {
                Some(name) => self.add(&name.name, class_type(text, class)),
                None => Vec::new(),
            },
            Declaration::VariableDeclaration(variables) => {
                let added = variables.declarations.iter().filter_map(|one| self.variable(text, one));
                added.collect()
            }
            _ => Vec::new(),
        }
    }

    fn variable(&mut self, text: &str, declarator: &VariableDeclarator<'_>) -> Option<String> {
        let BindingPattern::BindingIdentifier(name) = &declarator.id else {
            return None;
        };
        let annotation = declarator.type_annotation.as_ref().map(|of| &of.type_annotation);
        // A function's type that shows nothing is certainly no component; another type may be one of a library's own.
        let Some(annotation) = annotation else {
            return self.add(&name.name, Type::Any(Vec::new())).pop();
        };
        let of = match annotation {
            of @ (TSType::TSFunctionType(_) | TSType::TSTypeReference(_) | TSType::TSImportType(_)) => {
                types::lower(text, of)
            }
            of => match types::lower(text, of) {
                Type::Code => Type::Any(Vec::new()),
                of => of,
            },
        };
        self.add(&name.name, of).pop()
    }

    fn export_default(&mut self, text: &str, declaration: &ExportDefaultDeclarationKind<'_>) {
        let default = |name: &str| ("default".to_owned(), name.to_owned());
        match declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                let name = function.id.as_ref().map_or("default", |id| id.name.as_str());
                self.add(
                    name,
                    types::shows(text, &function.params, function.return_type.as_deref()),
                );
                self.exports.push(default(name));
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                let name = class.id.as_ref().map_or("default", |id| id.name.as_str());
                self.add(name, class_type(text, class));
                self.exports.push(default(name));
            }
            ExportDefaultDeclarationKind::Identifier(name) => self.exports.push(default(&name.name)),
            _ => {}
        }
    }

    /// Of a function that is declared several times, the declaration that shows something counts.
    fn add(&mut self, name: &str, of: Type) -> Vec<String> {
        let known = self.types.entry(name.to_owned()).or_insert(Type::Code);
        if *known == Type::Code {
            *known = of;
        }
        vec![name.to_owned()]
    }
}

/// `extends React.Component<Props>`
fn class_type(text: &str, class: &Class<'_>) -> Type {
    let Some(heritage) = &class.heritage else {
        return Type::Code;
    };
    let name = match &heritage.expression {
        Expression::Identifier(name) => name.name.as_str(),
        Expression::StaticMemberExpression(member) => member.property.name.as_str(),
        _ => return Type::Code,
    };
    if !matches!(name, "Component" | "PureComponent") {
        return Type::Code;
    }
    let props = heritage.type_arguments.as_ref().and_then(|types| types.params.first());
    Type::Named(
        "ComponentClass".to_owned(),
        props.map(|of| types::lower(text, of)).into_iter().collect(),
    )
}
