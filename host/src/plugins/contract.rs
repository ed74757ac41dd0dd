//! Which versions of the contract's interfaces this host has, and whether a component fits them.

use std::borrow::Cow;

use wasmparser::{Parser, Payload, Validator, WasmFeatures};

use crate::capabilities::contract_0_1;

/// Each interface of `wit/` with its version, by name.
pub const INTERFACES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/interfaces.rs"));

/// The interface that every plugin exports.
pub const HANDLER: &str = "galley:plugin/handler";

/// The interface that plugins with jobs export.
pub const JOBS: &str = "galley:plugin/jobs";

/// The interface that plugins with a part of the pages export.
pub const UI: &str = "galley:plugin/ui";

/// What an operator reads in place of the interfaces of WASI. They need no approval: there is nothing behind them.
pub const WASI: &str = "WASI, empty";

/// The version before the first that grows by addition only. It is spoken by `capabilities/contract_0_1.rs`.
const V0_1: &str = "0.1.0";
/// What components of [`V0_1`] are told to import where nothing changed. As long as the other, so that a name keeps its
/// place in the file.
const V1_0: &str = "1.0.0";

/// How an interface with a version compares with this host's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    /// The host has it.
    Fits,
    /// The host no longer has it.
    Old,
    /// The host does not have it yet.
    New,
    /// The host has no such interface in any version.
    Unknown,
}

/// The version this host has of an interface.
pub fn version(interface: &str) -> Option<&'static str> {
    let found = INTERFACES.iter().find(|(name, _)| *name == interface);
    found.map(|(_, version)| *version)
}

/// Compares the version of an interface with this host's.
pub fn fit(interface: &str, wanted: &str) -> Fit {
    if wanted == V0_1 && is_0_1(interface) {
        return Fit::Fits;
    }
    let Some(has) = version(interface) else {
        return Fit::Unknown;
    };
    let (wanted, has) = (numbers(wanted), numbers(has));
    match (wanted, has) {
        (Some([major, ..]), Some([own, ..])) if major < own => Fit::Old,
        (Some([major, minor, _]), Some([own, own_minor, _])) if major == own && minor <= own_minor => Fit::Fits,
        (Some(_), Some(_)) => Fit::New,
        _ => Fit::Old,
    }
}

fn numbers(version: &str) -> Option<[u32; 3]> {
    let mut parts = version.split('.').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

fn is_0_1(interface: &str) -> bool {
    let exports = [
        "galley:plugin/handler",
        "galley:plugin/subscriber",
        "galley:plugin/lifecycle",
    ];
    contract_0_1::CHANGED.contains(&interface) || exports.contains(&interface)
}

/// A component of version 0.1 imports interfaces that have not changed since: it gets them under their present version.
/// Any other file is given back as it is.
pub fn adapt(wasm: &[u8]) -> Cow<'_, [u8]> {
    let mut adapted = Cow::Borrowed(wasm);
    let mut depth = 0_usize;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload {
            Ok(Payload::ModuleSection { .. } | Payload::ComponentSection { .. }) => depth += 1,
            Ok(Payload::End(_)) => depth = depth.saturating_sub(1),
            Ok(Payload::ComponentImportSection(imports)) if depth == 0 => {
                for import in imports {
                    let Ok(import) = import else { return adapted };
                    let Some((interface, V0_1)) = import.name.name.split_once('@') else {
                        continue;
                    };
                    if version(interface).is_some() && !contract_0_1::CHANGED.contains(&interface) {
                        let name = import.name.name;
                        let end = name.as_ptr() as usize - wasm.as_ptr() as usize + name.len();
                        adapted.to_mut()[end - V1_0.len()..end].copy_from_slice(V1_0.as_bytes());
                    }
                }
            }
            // The engine says what is wrong with the file.
            Err(_) => return adapted,
            Ok(_) => {}
        }
    }
    adapted
}

/// The first function that a component exports or imports as `async`, if there is one. The engine of this host does not
/// read such components.
pub fn async_function(wasm: &[u8]) -> Option<String> {
    use wasmparser::component_types::ComponentEntityType as Entity;
    let types = Validator::new_with_features(WasmFeatures::all())
        .validate_all(wasm)
        .ok()?;
    let types = types.as_ref();
    let mut depth = 0_usize;
    for payload in Parser::new(0).parse_all(wasm) {
        let names: Vec<&str> = match payload.ok()? {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                depth += 1;
                continue;
            }
            Payload::End(_) => {
                depth = depth.saturating_sub(1);
                continue;
            }
            Payload::ComponentExportSection(exports) if depth == 0 => exports
                .into_iter()
                .map_while(|export| Some(export.ok()?.name.name))
                .collect(),
            Payload::ComponentImportSection(imports) if depth == 0 => imports
                .into_iter()
                .map_while(|import| Some(import.ok()?.name.name))
                .collect(),
            _ => continue,
        };
        for name in names {
            let Some(item) = types
                .component_item_for_export(name)
                .or_else(|| types.component_item_for_import(name))
            else {
                continue;
            };
            match item.ty {
                Entity::Func(id) if types[id].async_ => return Some(name.to_owned()),
                Entity::Instance(id) => {
                    let is_async = |entity: &Entity| matches!(entity, Entity::Func(id) if types[*id].async_);
                    let mut items = types[id].exports.iter();
                    if let Some((function, _)) = items.find(|(_, item)| is_async(&item.ty)) {
                        return Some(format!("{name}#{function}"));
                    }
                }
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_side_that_is_behind_is_told() {
        let fits = |wanted: &str| fit(HANDLER, wanted);
        assert_eq!(fits("1.0.0"), Fit::Fits);
        assert_eq!(fits("0.1.0"), Fit::Fits);
        for old in ["0.0.9", "0.2.0", ""] {
            assert_eq!(fits(old), Fit::Old, "{old}");
        }
        for new in ["1.99.0", "2.0.0"] {
            assert_eq!(fits(new), Fit::New, "{new}");
        }
        assert_eq!(fit("galley:magic/magic", "1.0.0"), Fit::Unknown);
        assert_eq!(fit("galley:http/context", "0.1.0"), Fit::Fits);
        assert_eq!(fit("galley:http/context", "1.0.0"), Fit::Unknown);
    }

    #[test]
    fn a_component_of_version_0_1_imports_the_present_version() {
        let wasm = include_bytes!("../../../tests/contracts/0.1.0.wasm");
        let adapted = adapt(wasm);
        let has = |name: &str| adapted.windows(name.len()).any(|window| window == name.as_bytes());
        assert!(has("galley:sql/sql@1.0.0") && has("galley:sites/sites@0.1.0") && has("galley:http/types@0.1.0"));
        assert_eq!(adapted.len(), wasm.len());
        assert!(matches!(adapt(b"hello"), Cow::Borrowed(_)));
    }

    /// A component that exports the function `run`, of a type that begins with this byte.
    fn exporting(kind: u8) -> Vec<u8> {
        let module: &[u8] =
            b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\x07\x05\x01\x01f\0\0\x0a\x04\x01\x02\0\x0b";
        let sections: [(u8, &[u8]); 6] = [
            (1, module),
            (2, b"\x01\0\0\0"),
            (6, b"\x01\0\0\x01\0\x01f"),
            (7, &[1, kind, 0, 1, 0]),
            (8, b"\x01\0\0\0\0\0"),
            (11, b"\x01\0\x03run\x01\0\0"),
        ];
        let mut component = b"\0asm\x0d\0\x01\0".to_vec();
        for (id, content) in sections {
            component.extend([id, content.len() as u8]);
            component.extend(content);
        }
        component
    }

    #[test]
    fn an_async_export_is_named() {
        const SYNC: u8 = 0x40;
        const ASYNC: u8 = 0x43;
        assert_eq!(async_function(&exporting(ASYNC)).as_deref(), Some("run"));
        assert_eq!(async_function(&exporting(SYNC)), None);
    }

    #[test]
    fn the_table_is_that_of_wit() {
        assert!(version("galley:sql/sql").is_some() && version("galley:files/tree").is_some());
        assert!(version("galley:sites/sites").is_none());
    }
}
