//! The contract's text in `wit/` and its released versions in `wit/frozen/`, as facts that can be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use wit_parser::{Function, Handle, Resolve, Type, TypeDefKind, TypeId, TypeOwner, WorldItem};

/// What one package says, a line for each function and type. Documentation is left out.
pub type Facts = BTreeSet<String>;

/// The packages of the contract by name and version.
pub type Packages = BTreeMap<(String, String), Facts>;

/// The contract as it is.
pub fn present(wit: &Path) -> Packages {
    let mut resolve = Resolve::default();
    resolve.push_dir(wit).expect("wit/ is valid");
    packages(&resolve)
}

/// The released versions.
pub fn frozen(folder: &Path) -> Packages {
    let mut text = String::from("package galley:frozen;\n");
    for file in fs::read_dir(folder).expect("wit/frozen is there") {
        let path = file.expect("a file").path();
        let file = fs::read_to_string(&path).expect("a text");
        let (head, body) = file.split_once(';').expect("a package's file begins with its name");
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .replacen('-', ":", 1);
        assert_eq!(head, format!("package {name}"), "{}", path.display());
        text += &format!("{head} {{{body}}}\n");
    }
    let mut resolve = Resolve::default();
    resolve.push_str("frozen.wit", &text).expect("wit/frozen is valid");
    packages(&resolve)
}

/// The major version. Before 1 each minor version is one.
pub fn major(version: &str) -> &str {
    match version.split('.').next() {
        Some("0") => version.rsplit_once('.').map_or(version, |(major, _)| major),
        first => first.unwrap_or_default(),
    }
}

fn packages(resolve: &Resolve) -> Packages {
    let mut found = Packages::new();
    for (_, package) in resolve.packages.iter() {
        let Some(version) = &package.name.version else { continue };
        let name = format!("{}:{}", package.name.namespace, package.name.name);
        let facts = found.entry((name, version.to_string())).or_default();
        for (interface, id) in &package.interfaces {
            facts.insert(format!("interface {interface}"));
            let definition = &resolve.interfaces[*id];
            for function in definition.functions.values() {
                facts.insert(format!("{interface}: {}", signature(resolve, function)));
            }
            for (name, id) in &definition.types {
                // A name of another interface's type says nothing: who uses it says the type itself.
                if !matches!(resolve.types[*id].kind, TypeDefKind::Type(Type::Id(_))) {
                    facts.insert(format!("{interface}: {name} = {}", kind(resolve, *id)));
                }
            }
        }
        for (world, id) in &package.worlds {
            let world_definition = &resolve.worlds[*id];
            let sides = [
                ("import", &world_definition.imports),
                ("export", &world_definition.exports),
            ];
            for (side, items) in sides {
                for item in items.values() {
                    if let WorldItem::Interface { id, .. } = item {
                        facts.insert(format!("world {world}: {side} {}", interface_name(resolve, *id)));
                    }
                }
            }
        }
    }
    found
}

fn interface_name(resolve: &Resolve, id: wit_parser::InterfaceId) -> String {
    let interface = &resolve.interfaces[id];
    let package = interface.package.map(|package| &resolve.packages[package].name);
    let package = package.map_or(String::new(), |name| format!("{}:{}/", name.namespace, name.name));
    format!("{package}{}", interface.name.as_deref().unwrap_or_default())
}

fn signature(resolve: &Resolve, function: &Function) -> String {
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| format!("{}: {}", param.name, type_name(resolve, &param.ty)))
        .collect();
    let result = function.result.as_ref().map(|result| type_name(resolve, result));
    format!(
        "{:?} {}({}) -> {result:?}",
        kind_word(function),
        function.name,
        params.join(", ")
    )
}

fn kind_word(function: &Function) -> &'static str {
    if function.kind.is_async() { "async" } else { "sync" }
}

fn type_name(resolve: &Resolve, ty: &Type) -> String {
    let Type::Id(id) = ty else {
        return format!("{ty:?}").to_lowercase();
    };
    let definition = &resolve.types[*id];
    match (&definition.kind, &definition.name, definition.owner) {
        // The type behind a `use`.
        (TypeDefKind::Type(inner @ Type::Id(_)), ..) => type_name(resolve, inner),
        (_, Some(name), TypeOwner::Interface(owner)) => format!("{}.{name}", interface_name(resolve, owner)),
        _ => kind(resolve, *id),
    }
}

fn kind(resolve: &Resolve, id: TypeId) -> String {
    let name = |ty: &Type| type_name(resolve, ty);
    let optional = |ty: &Option<Type>| ty.as_ref().map_or("_".to_owned(), name);
    match &resolve.types[id].kind {
        TypeDefKind::Record(record) => {
            let fields = record
                .fields
                .iter()
                .map(|field| format!("{}: {}", field.name, name(&field.ty)));
            format!("record({})", fields.collect::<Vec<_>>().join(", "))
        }
        TypeDefKind::Variant(variant) => {
            let cases = variant
                .cases
                .iter()
                .map(|case| format!("{}: {}", case.name, optional(&case.ty)));
            format!("variant({})", cases.collect::<Vec<_>>().join(", "))
        }
        TypeDefKind::Enum(one) => {
            format!(
                "enum({})",
                one.cases
                    .iter()
                    .map(|case| case.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
        TypeDefKind::Tuple(tuple) => format!("tuple({})", tuple.types.iter().map(name).collect::<Vec<_>>().join(", ")),
        TypeDefKind::Option(ty) => format!("option({})", name(ty)),
        TypeDefKind::List(ty) => format!("list({})", name(ty)),
        TypeDefKind::Result(result) => format!("result({}, {})", optional(&result.ok), optional(&result.err)),
        TypeDefKind::Handle(Handle::Own(id)) => format!("own({})", name(&Type::Id(*id))),
        TypeDefKind::Handle(Handle::Borrow(id)) => format!("borrow({})", name(&Type::Id(*id))),
        TypeDefKind::Type(ty) => name(ty),
        TypeDefKind::Resource => "resource".to_owned(),
        other => panic!("the contract has no {}", other.as_str()),
    }
}
