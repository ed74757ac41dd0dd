//! What a provider keeps of a chat: each request begins with everything that the one before it said, byte for byte, and is marked
//! where the provider shall keep it.

use galley_editor_tests::Repository;
use galley_editor_tests::provider::{Asked, Provider, Reply};
use serde_json::{Value, json};

use super::{Desk, build, retype};

/// A request without its marks, which move on: tools, instructions, and each block of the conversation.
fn blocks(asked: &Asked) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut blocks = list(&asked.body["tools"]);
    blocks.extend(list(&asked.body["system"]));
    for message in list(&asked.body["messages"]) {
        let role = message["role"].clone();
        blocks.extend(list(&message["content"]).into_iter().map(|mut block| {
            block["role"] = role.clone();
            block
        }));
    }
    let plain = |mut block: Value| {
        block.as_object_mut().unwrap().remove("cache_control");
        block.to_string()
    };
    blocks.into_iter().map(plain).collect()
}

#[test]
fn each_request_of_a_chat_begins_with_the_one_before_it() {
    let repository = Repository::react().file("AGENTS.md", "Be brief\n").commit();
    let (provider, home) = (Provider::that_counts(), tempfile::tempdir().unwrap());
    let editor = build(&repository, &provider, &home).start();
    let desk = Desk { editor, provider, home };
    let session = desk.session();
    let mut asked = Vec::new();
    for number in 0..4 {
        let script = [
            Reply::Call("read_file", json!({ "path": "src/App.tsx" })),
            retype(&format!("Turn {number}")),
            Reply::Text("Done"),
            Reply::Call("judge", json!({ "verdict": "reached", "why": "It is." })),
        ];
        let turn = desk.turn(&session, &format!("turn-000{number}"), "Change the heading", script);
        assert_eq!(turn["status"], "done", "{turn:#}");
        asked.extend(desk.provider.asked());
    }
    let tools = asked[0].body["tools"].clone();
    asked.retain(|asked| asked.body["tools"] == tools);
    assert_eq!(asked.len(), 12, "three of each turn, without the judge's");
    for pair in asked.windows(2) {
        let (before, now) = (blocks(&pair[0]), blocks(&pair[1]));
        assert!(now.len() > before.len());
        for (one, other) in before.iter().zip(&now) {
            assert_eq!(one, other);
        }
        let counted = pair[1].counted.unwrap();
        let all = pair[0].counted.unwrap().all();
        assert!(counted.read == all, "of {all} tokens {counted:?} are known");
    }
    let fixed = tools.to_string().len() + asked[0].body["system"].to_string().len();
    assert!(fixed <= 24 << 10, "{fixed}");
}
