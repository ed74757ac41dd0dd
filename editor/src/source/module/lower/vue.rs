//! From a single-file component to a [`Module`]: its scripts, then its template.
//!
//! The file is the function of its props. They get their names from `defineProps` and `props`; the default export of the file
//! is the component.

use std::sync::Arc;

use super::vue_template::Template;
use super::{Fragments, vue_options, vue_props};
use crate::source::module::binding::{Export, Function, Origin, Take};
use crate::source::module::expression::{Node, Shape};
use crate::source::module::ids::{FunctionId, NodeId};
use crate::source::module::table::{Messages, Module};
use crate::source::notation::Within;
use crate::source::script::Broken;
use crate::source::sfc;

/// Reads a file.
///
/// # Errors
/// With the first error of the markup or of a script.
pub(super) fn component(path: &str, text: &Arc<str>) -> Result<Module, Broken> {
    let sfc = sfc::read(text)?;
    let mut module = Module::new(path, text);
    let component = declare(&mut module);
    let mut fragments = Fragments::new(&mut module, "component.ts");
    let mut props = Vec::new();
    let mut has_setup = false;
    for setup in [false, true] {
        for block in sfc
            .scripts()
            .filter(|block| block.setup == setup && block.src.is_none())
        {
            fragments.language = block.script_path().unwrap_or("component.jsx");
            let source = block.content.of(text);
            let names = vue_props::names(fragments.language, source);
            name_props(&mut fragments, component, &names);
            props.extend(names);
            has_setup |= setup;
            fragments.function = setup.then_some(component);
            fragments.block(block.content.range(), Within::Block)?;
        }
    }
    for block in sfc.messages().filter(|block| block.src.is_none()) {
        let node = match block.lang {
            None | Some("json" | "json5") => fragments.wrapped("(", block.content.range(), "\n)", Within::Json).ok(),
            Some(_) => None,
        };
        let has = |name| sfc.element(block.id).and_then(|element| sfc.plain(element, name));
        match node {
            Some(node) => fragments.module.blocks.push(Messages {
                locale: has("locale").map(str::to_owned),
                global: has("global").is_some(),
                node,
            }),
            None => fragments.module.unread_messages = Some(block.content.start),
        }
    }
    fragments.language = "component.ts";
    fragments.function = Some(component);
    vue_options::add(&mut fragments, has_setup, |fragments| {
        name_props(fragments, component, &props);
    });
    if let Some(block) = sfc.template() {
        Template::new(&sfc, fragments).read(block.id);
    }
    Ok(module)
}

/// The function that the file is, and its export.
fn declare(module: &mut Module) -> FunctionId {
    let id = FunctionId::next(&module.functions);
    let range = 0..module.text.len();
    module.functions.push(Function {
        range: range.clone(),
        body: None,
        returns: Vec::new(),
        outer: None,
        argument_of: None,
        name: Some(sfc::component_name(&module.path)),
        class: None,
        repeats: None,
        slot: None,
    });
    module.component = Some(id);
    let node = NodeId::next(&module.nodes);
    module.nodes.push(Node {
        range,
        shape: Shape::Function(id),
        function: None,
    });
    module.exports.push(("default".to_owned(), Export::Node(node)));
    id
}

/// Templates name props directly.
fn name_props(fragments: &mut Fragments<'_>, component: FunctionId, props: &[String]) {
    for name in props {
        let origin = Origin::Parameter(component, 0, vec![Take::Key(name.clone())]);
        fragments.name(name, origin);
    }
}
