//! Our double of a provider is one: the vendors' own clients read its answers as their services'.

use galley_editor_tests::provider::{KEY, Provider, Reply};
use galley_editor_tests::{oracle, paths};
use galley_harness::node;
use serde_json::json;

#[test]
fn the_vendors_clients_understand_the_double() {
    let packages = oracle::packages("clients", &["@anthropic-ai/sdk@1.12.0", "openai@7.57.0"]);
    let provider = Provider::start();
    let busy = json!({ "type": "error", "error": { "type": "rate_limit_error", "message": "slow down" } });
    let script = [
        Reply::Text("Good day"),
        Reply::Call("look", json!({ "x": 1 })),
        Reply::Overloaded,
        Reply::Status(429, vec![("retry-after", "42")], busy.clone()),
    ];
    let (first, second) = (script.clone(), script);
    provider.script(first.into_iter().chain([Reply::Cut]).chain(second));
    let task = json!({ "packages": packages, "address": provider.address, "key": KEY });
    node::run(&paths::checkout().join("tests/editor/oracles/clients.mjs"), &task);
    assert_eq!(provider.asked().len(), 9);
}
