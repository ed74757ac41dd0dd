//! Imports of a component that have nothing behind them: each of their functions fails when it is called.

use wasmtime::component::types::ComponentItem;
use wasmtime::component::{Component, Linker, ResourceType};

/// The packages of WASI 0.2 that the engine has, empty. Those of other toolchains' components may import more: StarlingMonkey
/// has `wasi:http` for a `fetch` that no plugin can use.
const PRESENT: [&str; 6] = [
    "wasi:cli",
    "wasi:clocks",
    "wasi:filesystem",
    "wasi:io",
    "wasi:random",
    "wasi:sockets",
];

/// Whether an import is a part of WASI.
pub fn is_wasi(import: &str) -> bool {
    let (interface, version) = import.split_once('@').unwrap_or((import, ""));
    interface.starts_with("wasi:") && version.starts_with("0.2.")
}

/// Whether an import is a part of WASI that the engine does not have.
pub fn is_missing_wasi(import: &str) -> bool {
    let package = import.split_once('/').map_or(import, |(package, _)| package);
    is_wasi(import) && !PRESENT.contains(&package)
}

/// Defines the imports of a component that `is_absent` names. The other ones have to be in the linker already: a name with
/// another patch version than the linker's would hide what is there.
pub fn define<T: 'static>(
    linker: &mut Linker<T>,
    component: &Component,
    is_absent: fn(&str) -> bool,
) -> wasmtime::Result<()> {
    let engine = linker.engine().clone();
    let component_type = component.component_type();
    // Types that an absent interface only uses are defined by their own.
    let mut present: Vec<ResourceType> = Vec::new();
    for (name, item) in component_type.imports(&engine) {
        let ComponentItem::ComponentInstance(instance) = item.ty else {
            continue;
        };
        let absent = is_absent(name);
        let mut defined = if absent { Some(linker.instance(name)?) } else { None };
        for (member, item) in instance.exports(&engine) {
            match (&mut defined, item.ty) {
                (None, ComponentItem::Resource(resource)) => present.push(resource),
                (Some(defined), ComponentItem::Resource(resource)) if !present.contains(&resource) => {
                    defined.resource(member, ResourceType::host::<()>(), |_, _| Ok(()))?;
                }
                (Some(defined), ComponentItem::ComponentFunc(_)) => {
                    let function = format!("{name}#{member}");
                    defined.func_new(member, move |_, _, _, _| {
                        Err(wasmtime::format_err!("{function} is not there"))
                    })?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_wasi_are_told_apart() {
        assert!(is_wasi("wasi:io/poll@0.2.0") && !is_missing_wasi("wasi:io/poll@0.2.0"));
        assert!(is_missing_wasi("wasi:http/types@0.2.10"));
        assert!(!is_wasi("wasi:http/types@0.3.0") && !is_missing_wasi("galley:http/types@1.0.0"));
    }
}
