//! The properties of a component: what its types come to, across files.

use super::facts::Definition;
use super::read;
use super::types::{Member, Type};
use crate::source::imports::{ImportResolver, Target};
use crate::source::model::Project;
use crate::source::model::library::{Kind, Property};

/// Types that lead to types are followed this far.
pub(super) const MAX_DEPTH: usize = 12;

/// More choices or properties are not listed.
const MAX_LISTED: usize = 200;

/// What the framework gives a component itself.
const NOT_GIVEN: [&str; 3] = ["children", "key", "ref"];

/// What a component takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Properties {
    /// In the order of the source.
    pub list: Vec<Property>,
    /// Whether it takes more than those: attributes of an element, or what is declared where nobody reads.
    pub more: bool,
    /// Whether its type names what stands between its tags.
    pub children: bool,
}

/// The types of a project.
pub(super) struct Types<'p> {
    project: &'p dyn Project,
    imports: ImportResolver<'p>,
}

/// Members of an object type, each with the file its type is seen from.
#[derive(Default)]
struct Members {
    list: Vec<(Member, String)>,
    more: bool,
}

impl<'p> Types<'p> {
    pub fn new(project: &'p dyn Project) -> Self {
        let imports = ImportResolver::new(project);
        Self { project, imports }
    }

    /// Where an import leads.
    pub fn resolve(&self, from: &str, specifier: &str) -> Target {
        self.imports.resolve(from, specifier)
    }

    /// The properties of a component of the file `path`.
    pub fn properties(&self, path: &str, component: &Definition) -> Properties {
        let mut members = Members {
            list: Vec::new(),
            more: component.takes_more && component.props.is_none(),
        };
        match &component.props {
            Some(of) => self.members(path, of, MAX_DEPTH, &mut members),
            None => members
                .list
                .extend(component.taken.iter().map(|taken| (taken.clone(), path.to_owned()))),
        }
        let untyped = component.props.is_none();
        let mut found: Vec<(Property, bool)> = Vec::new();
        let mut children = false;
        for (member, home) in members.list {
            let default = component
                .taken
                .iter()
                .any(|taken| taken.name == member.name && taken.optional);
            // A script without types does not tell what has to be given.
            let optional = member.optional || default || (untyped && !path.ends_with(".vue"));
            let unknown = member.of == Type::Nothing;
            let kind = self.kind(&home, &member.of, MAX_DEPTH);
            if NOT_GIVEN.contains(&member.name.as_str()) {
                children |= member.name == "children" && kind == Kind::Text;
                continue;
            }
            if let Some((known, was_unknown)) = found.iter_mut().find(|(known, _)| known.name == member.name) {
                known.required &= !optional;
                if std::mem::replace(was_unknown, *was_unknown && unknown) && !unknown {
                    (known.kind, known.written) = (kind, member.written);
                }
                continue;
            }
            let (name, written) = (member.name, member.written);
            // What Vue gets without a value is false.
            let is_flag = kind == Kind::Boolean && path.ends_with(".vue");
            let required = !optional && !is_flag;
            found.push((
                Property {
                    name,
                    kind,
                    required,
                    written,
                },
                unknown,
            ));
        }
        found.retain(|(_, unknown)| !unknown);
        members.more |= found.len() > MAX_LISTED;
        found.truncate(MAX_LISTED);
        let list = found.into_iter().map(|(property, _)| property).collect();
        Properties {
            list,
            more: members.more,
            children,
        }
    }

    /// What a property of this type takes.
    fn kind(&self, path: &str, of: &Type, depth: usize) -> Kind {
        let Some(depth) = depth.checked_sub(1) else {
            return Kind::Code;
        };
        match of {
            Type::Text | Type::Node | Type::Nothing => Kind::Text,
            Type::Number => Kind::Number,
            Type::Boolean => Kind::Boolean,
            Type::Choice(options) => Kind::Choice {
                options: options.clone(),
            },
            Type::Any(sides) => {
                let shown = sides.iter().filter(|side| **side != Type::Nothing);
                let kinds: Vec<Kind> = shown.map(|side| self.kind(path, side, depth)).collect();
                either(kinds)
            }
            // `string & {}` keeps an editor's suggestions.
            Type::All(parts) if parts.contains(&Type::Text) => Kind::Text,
            Type::Named(name, arguments) => match (name.as_str(), arguments.as_slice()) {
                ("NonNullable" | "Readonly", [one]) => self.kind(path, one, depth),
                _ => match self.find(path, name, depth) {
                    Some((home, of)) => self.kind(&home, &of, depth),
                    None => Kind::Code,
                },
            },
            Type::All(_) | Type::Object(_) | Type::Of(_) | Type::Shows(_) | Type::Code => Kind::Code,
        }
    }

    fn members(&self, path: &str, of: &Type, depth: usize, found: &mut Members) {
        let Some(depth) = depth.checked_sub(1) else {
            found.more = true;
            return;
        };
        match of {
            Type::Object(members) => found
                .list
                .extend(members.iter().map(|member| (member.clone(), path.to_owned()))),
            Type::All(parts) => parts.iter().for_each(|part| self.members(path, part, depth, found)),
            Type::Named(name, arguments) => self.named(path, name, arguments, depth, found),
            // Which side holds is not known: what all of them have in common is not worked out.
            _ => found.more = true,
        }
    }

    fn named(&self, path: &str, name: &str, arguments: &[Type], depth: usize, found: &mut Members) {
        if let Some((home, of)) = self.find(path, name, depth) {
            return self.members(&home, &of, depth, found);
        }
        let mut inner = |change: &dyn Fn(&mut Member) -> bool| {
            let mut own = Members::default();
            if let Some(first) = arguments.first() {
                self.members(path, first, depth, &mut own);
            }
            found.more |= own.more;
            found.list.extend(
                own.list
                    .into_iter()
                    .filter_map(|(mut member, home)| change(&mut member).then_some((member, home))),
            );
        };
        let names = || arguments.get(1).map(|names| self.kind(path, names, depth));
        match name {
            "Readonly" | "PropsWithChildren" | "PropsWithRef" | "NonNullable" => inner(&|_| true),
            "Partial" => inner(&|member| {
                member.optional = true;
                true
            }),
            "Required" => inner(&|member| {
                member.optional = false;
                true
            }),
            "Omit" | "Pick" => match names() {
                Some(Kind::Choice { options }) => inner(&|member| options.contains(&member.name) == (name == "Pick")),
                _ => found.more = true,
            },
            "VariantProps" => match arguments
                .first()
                .and_then(|argument| self.variants(path, argument, depth))
            {
                Some(variants) => found
                    .list
                    .extend(variants.into_iter().map(|member| (member, path.to_owned()))),
                None => found.more = true,
            },
            _ => found.more = true,
        }
    }

    /// The choices that `VariantProps<typeof name>` stands for.
    fn variants(&self, path: &str, of: &Type, depth: usize) -> Option<Vec<Member>> {
        let Type::Of(name) = of else { return None };
        let facts = read::facts(self.project, path)?;
        if let Some(variants) = facts.variants.get(name) {
            return Some(variants.clone());
        }
        let import = facts.import(name)?;
        let home = self.file(path, &import.from)?;
        self.variants(&home, &Type::Of(import.imported.clone()), depth.checked_sub(1)?)
    }

    /// The type that a name means in a file, and the file that declares it.
    pub fn find(&self, path: &str, name: &str, depth: usize) -> Option<(String, Type)> {
        let depth = depth.checked_sub(1)?;
        let facts = read::facts(self.project, path)?;
        if let Some(of) = facts.types.get(name) {
            return Some((path.to_owned(), of.clone()));
        }
        if let Some(import) = facts.import(name) {
            let home = self.file(path, &import.from)?;
            return self.find(&home, &import.imported, depth);
        }
        let named = facts.passed_on.iter().find(|(exported, _)| exported == name);
        if let Some((_, import)) = named {
            let home = self.file(path, &import.from)?;
            return self.find(&home, &import.imported, depth);
        }
        let mut stars = facts.passed_on.iter().filter(|(exported, _)| exported == "*");
        stars.find_map(|(_, import)| self.find(&self.file(path, &import.from)?, name, depth))
    }

    pub fn file(&self, from: &str, specifier: &str) -> Option<String> {
        match self.resolve(from, specifier) {
            Target::File(path) => Some(path),
            Target::Library(_) | Target::Missing => None,
        }
    }
}

/// What takes a value of one of these kinds.
fn either(kinds: Vec<Kind>) -> Kind {
    let mut options = Vec::new();
    for kind in &kinds {
        match kind {
            Kind::Choice { options: own } => options.extend(own.iter().cloned()),
            _ => {
                options.clear();
                break;
            }
        }
    }
    if !options.is_empty() {
        options.truncate(MAX_LISTED);
        return Kind::Choice { options };
    }
    // A text is the easiest of several to write.
    if kinds.contains(&Kind::Text) {
        return Kind::Text;
    }
    let of_values = kinds
        .iter()
        .find(|kind| matches!(kind, Kind::Number | Kind::Boolean | Kind::Choice { .. }));
    of_values.cloned().unwrap_or(Kind::Code)
}
