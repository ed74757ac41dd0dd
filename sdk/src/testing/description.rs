//! Checks a plugin's part of the API description.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::plugin::Plugin;

/// Checks that the plugin's OpenAPI fragment describes every route and no other, and has every schema it names.
///
/// # Panics
/// When it does not.
#[track_caller]
pub fn check_description(plugin: &Plugin) {
    let manifest: Value = serde_json::from_slice(&plugin.describe()).expect("a manifest is JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let routes = manifest["routes"].as_array().into_iter().flatten();
    let routes: BTreeSet<_> = routes
        .map(|route| (text(&route["path"]), text(&route["method"]).to_lowercase()))
        .collect();
    let paths = manifest["openapi"]["paths"].as_object().into_iter().flatten();
    let described: BTreeSet<_> = paths
        .flat_map(|(path, operations)| {
            let methods = operations.as_object().into_iter().flatten();
            methods.map(|(method, _)| (path.clone(), method.clone()))
        })
        .collect();
    assert_eq!(described, routes, "the fragment and the routes differ");

    let fragment = manifest["openapi"].to_string();
    for rest in fragment.split("#/components/schemas/").skip(1) {
        let name = rest.split('"').next().unwrap_or_default();
        let schema = &manifest["openapi"]["components"]["schemas"][name];
        assert!(schema.is_object(), "there is no schema `{name}`");
    }
}
