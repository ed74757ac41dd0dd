//! The plugin's part of the API's description.

use std::collections::BTreeSet;

use super::*;

#[test]
fn every_route_is_described_and_no_other() {
    let manifest: Value = serde_json::from_slice(&galley_repo::plugin().describe()).unwrap();
    let routes = manifest["routes"].as_array().unwrap().iter().map(|route| {
        let part = |key: &str| route[key].as_str().unwrap().to_owned();
        (part("path"), part("method").to_lowercase())
    });
    let routes: BTreeSet<_> = routes.collect();
    let paths = manifest["openapi"]["paths"].as_object().unwrap().iter();
    let described = paths.flat_map(|(path, operations)| {
        let methods = operations.as_object().unwrap().keys();
        methods.map(|method| (path.clone(), method.clone()))
    });
    assert_eq!(described.collect::<BTreeSet<_>>(), routes);
}

#[test]
fn every_schema_that_is_named_is_there() {
    let manifest: Value = serde_json::from_slice(&galley_repo::plugin().describe()).unwrap();
    let text = manifest["openapi"].to_string();
    let schemas = manifest["openapi"]["components"]["schemas"].as_object().unwrap();
    for name in text.split("#/components/schemas/").skip(1) {
        let name = name.split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name}");
    }
}
