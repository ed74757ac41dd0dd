//! Chat by the vendor's program, which a program of ours plays: the lines are those that were seen of the real one.

use galley_editor_tests::Repository;
use galley_editor_tests::provider::KEY;
use galley_harness::poll::eventually;
use serde_json::{Value, json};

use super::{Desk, assert_unseen, build, items};

/// Plays the steps of `vendor.json` in its home, and writes down what it was given.
const PROGRAM: &str = r#"#!/usr/bin/env node
const fs = require('fs');
const home = process.env.HOME;
const note = value => fs.appendFileSync(home + '/vendor.log', JSON.stringify(value) + '\n');
note({ argv: process.argv.slice(2), env: Object.keys(process.env), folder: fs.readdirSync('.') });
const out = value => process.stdout.write(JSON.stringify(value) + '\n');
const waiting = new Map();
let next = 1;
const ask = request => new Promise(done => {
  const id = 'vendor-' + next++;
  waiting.set(id, done);
  out({ type: 'control_request', request_id: id, request });
});
const mcp = (method, params, id = next++) =>
  ask({ subtype: 'mcp_message', server_name: 'editor', message: { jsonrpc: '2.0', id, method, params } }).then(answer => answer.mcp_response);
const event = event => out({ type: 'stream_event', session_id: 's', parent_tool_use_id: null, event });
const finish = more => {
  out({ type: 'result', subtype: 'success', is_error: false, session_id: 's', result: '', total_cost_usd: 0.0125,
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 }, ...more });
  process.exit(0);
};
async function play() {
  await mcp('initialize', { protocolVersion: '2025-06-18', capabilities: {} });
  await ask({ subtype: 'mcp_message', server_name: 'editor', message: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  note({ tools: (await mcp('tools/list', {})).result.tools.map(tool => tool.name) });
  out({ type: 'system', subtype: 'init', model: 'the-vendors-model', tools: [] });
  for (const step of JSON.parse(fs.readFileSync(home + '/vendor.json', 'utf8'))) {
    if (step.say) {
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
      for (const text of step.say.match(/.{1,7}/gs)) event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
      event({ type: 'content_block_stop', index: 0 });
    }
    if (step.call) {
      const tool_name = 'mcp__editor__' + step.call;
      const may = await ask({ subtype: 'can_use_tool', tool_name: step.foreign ? step.call : tool_name, input: step.input });
      note({ may });
      if (may.behavior === 'allow') note({ answer: (await mcp('tools/call', { name: step.call, arguments: may.updatedInput })).result });
    }
    if (step.limit) out({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: Math.floor(Date.now() / 1000) + 3600 } });
    if (step.stall) return;
    if (step.die) process.exit(1);
    if (step.result) finish(step.result);
  }
  finish({});
}
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line);
  if (message.type === 'control_response') return waiting.get(message.response.request_id)(message.response.response);
  if (message.type === 'control_request') {
    out({ type: 'control_response', response: { subtype: 'success', request_id: message.request_id, response: {} } });
    if (message.request.subtype === 'interrupt') finish({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' });
  }
  if (message.type === 'user') { note({ user: message.message.content[0].text }); play(); }
}).on('close', () => process.exit(0));
"#;

fn start(repository: &Repository) -> Desk {
    let provider = galley_editor_tests::provider::Provider::start();
    let home = tempfile::tempdir().unwrap();
    let program = home.path().join("vendor");
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let editor = build(repository, &provider, &home)
        .env("EDITOR_USE_SUBSCRIPTION", "yes")
        .env("EDITOR_VENDOR_CLI", &program)
        .start();
    Desk { editor, provider, home }
}

fn begin(desk: &Desk, session: &str, turn: &str, steps: &Value) {
    std::fs::write(desk.home.path().join("vendor.json"), steps.to_string()).unwrap();
    desk.begin(session, turn, "Change the heading").expect(200);
}

/// What the program wrote down, by a key.
fn noted(desk: &Desk, key: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(desk.home.path().join("vendor.log")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines
        .filter(|line| !line[key].is_null())
        .map(|line| line[key].clone())
        .collect()
}

#[test]
fn the_program_works_with_our_tools_and_no_others() {
    let repository = Repository::react().file("AGENTS.md", "Be brief\n").commit();
    let desk = start(&repository);
    let session = desk.session();
    let steps = json!([
        { "say": "Let me change the heading." },
        { "call": "edit", "input": { "src": "src/App.tsx:1:25", "kind": "text", "text": "Welcome" } },
        { "call": "Bash", "foreign": true, "input": { "command": "cat .env" } },
        { "call": "read_file", "input": { "path": ".env" } },
        { "say": "Done." }
    ]);
    begin(&desk, &session, "turn-0001", &steps);
    let turn = desk.over(&session);
    assert_eq!(turn["status"], "done", "{turn:#}");
    assert!(repository.read("src/App.tsx").contains("Welcome"));
    let texts: Vec<&str> = items(&turn, "text")
        .iter()
        .map(|item| item["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, ["Let me change the heading.", "Done."]);
    assert_eq!((items(&turn, "edit").len(), &turn["cost"]["usd"]), (1, &json!(0.0125)));
    let behaviours: Vec<Value> = noted(&desk, "may").iter().map(|may| may["behavior"].clone()).collect();
    assert_eq!(behaviours, ["allow", "deny", "allow"]);
    assert_eq!(noted(&desk, "answer")[1]["isError"], true);
    assert!(noted(&desk, "tools")[0].as_array().unwrap().contains(&json!("propose")));
    // No key, no settings, no folder of the user's.
    let environment = noted(&desk, "env")[0].to_string();
    assert!(
        !environment.contains("API_KEY") && !environment.contains("EDITOR_"),
        "{environment}"
    );
    assert_eq!(noted(&desk, "folder")[0], json!([]));
    let arguments = noted(&desk, "argv")[0].to_string();
    assert!(
        arguments.contains("--setting-sources=") && arguments.contains("--strict-mcp-config"),
        "{arguments}"
    );
    // The next turn knows what was said, though the program is another one.
    begin(&desk, &session, "turn-0002", &json!([{ "say": "Yes" }]));
    assert_eq!(desk.over(&session)["status"], "done");
    let told = noted(&desk, "user");
    assert!(
        told[1].as_str().unwrap().contains("Let me change the heading.Done."),
        "{told:?}"
    );
    assert!(told[0].as_str().unwrap().contains("Be brief"));
    assert!(desk.provider.asked().is_empty(), "the key is not used");
    let undo = format!("/api/editor/chat/sessions/{session}/turns/turn-0001/undo");
    desk.editor.post(&undo, &json!({})).expect(200);
    assert!(repository.read("src/App.tsx").contains("Hello"));
    assert_unseen(KEY, &[&repository.path(), desk.home.path()]);
}

#[test]
fn its_failures_have_their_own_words() {
    let repository = Repository::react();
    let desk = start(&repository);
    let session = desk.session();
    let failed = |number: u32, steps: &Value| {
        begin(&desk, &session, &format!("turn-000{number}"), steps);
        let turn = desk.over(&session);
        assert_eq!(
            (&turn["status"], &turn["failure"]["subscription"]),
            (&json!("failed"), &json!(true)),
            "{turn:#}"
        );
        turn["failure"].clone()
    };
    let failure = failed(1, &json!([{ "result": { "is_error": true, "api_error_status": 401 } }]));
    assert_eq!(failure["kind"], "authentication");
    assert_eq!(
        failure["words"],
        "Authentication failed (401). Sign in again in the vendor tool, then start a new chat turn."
    );
    let failure = failed(
        2,
        &json!([{ "limit": true }, { "result": { "is_error": true, "api_error_status": 429 } }]),
    );
    let wait = failure["retrySeconds"].as_u64().unwrap();
    assert!((3_000..=3_600).contains(&wait), "{failure}");
    assert!(
        failure["words"]
            .as_str()
            .unwrap()
            .ends_with(&format!("try again in {wait} seconds"))
    );
    assert_eq!(failed(3, &json!([{ "die": true }]))["kind"], "provider");
    begin(
        &desk,
        &session,
        "turn-0004",
        &json!([{ "say": "I was about to" }, { "stall": true }]),
    );
    eventually("its words", || {
        let turn = desk.newest(&session);
        (items(&turn, "text").first()?["text"] == "I was about to").then_some(())
    });
    desk.editor
        .post(&format!("/api/editor/chat/sessions/{session}/stop"), &json!({}))
        .expect(200);
    let turn = desk.over(&session);
    assert_eq!((&turn["status"], &turn["failure"]), (&json!("stopped"), &Value::Null));
}

/// A heading that is computed, which the engine refuses.
const COMPUTED: &str = "export default function App() {\n  return <h1>{['Hel', 'lo'].join('')}</h1>\n}\n";

#[test]
fn a_refused_edit_is_tried_by_the_program() {
    let repository = Repository::react().file("src/App.tsx", COMPUTED).commit();
    let desk = start(&repository);
    let edit = json!({ "src": "src/App.tsx:2:9", "kind": "text", "text": "Servus", "before": "Hello" });
    let lane = |steps: Value| {
        std::fs::write(desk.home.path().join("vendor.json"), steps.to_string()).unwrap();
        let answer = desk.editor.post("/api/editor/llm-fallback", &edit);
        (answer.status, answer.json())
    };
    let propose = |old: &str| {
        let files = json!([{ "path": "src/App.tsx", "old": old, "new": "Servus" }]);
        json!({ "call": "propose", "input": { "files": files, "why": "as asked" } })
    };

    // The second proposal knows why the first was refused, and waits for a yes: no page can be looked at here.
    let (status, told) = lane(json!([
        { "call": "Bash", "foreign": true, "input": { "command": "cat .env" } },
        propose("{nowhere}"),
        propose("{['Hel', 'lo'].join('')}")
    ]));
    assert_eq!((status, told["cost"]["usd"].as_f64()), (409, Some(0.0125)), "{told}");
    assert_eq!(
        (&told["cost"]["calls"], &told["cost"]["estimated"]),
        (&json!(2), &json!(false))
    );
    assert_eq!(noted(&desk, "may")[0]["behavior"], "deny");
    assert_eq!(noted(&desk, "tools")[0], json!(["propose"]));
    let refused = noted(&desk, "answer")[0].to_string();
    assert!(refused.contains("Refused (not-unique)"), "{refused}");
    assert!(
        noted(&desk, "user")[0]
            .as_str()
            .unwrap()
            .contains("Why the engine refused it")
    );
    assert_eq!(repository.read("src/App.tsx"), COMPUTED);
    let yes = json!({ "proposal": told["proposal"]["id"] });
    desk.editor.post("/api/editor/llm-fallback/accept", &yes).expect(200);
    let right = COMPUTED.replace("{['Hel', 'lo'].join('')}", "Servus");
    assert_eq!(repository.read("src/App.tsx"), right);
    desk.editor.ask("/api/editor/undo").expect(200);

    let (status, told) = lane(json!([{ "say": "This cannot be done." }]));
    assert_eq!((status, &told["code"]), (422, &json!("not-verified")), "{told}");
    assert!(
        told["reason"].as_str().unwrap().contains("This cannot be done."),
        "{told}"
    );
    let (status, told) = lane(json!([{ "result": { "is_error": true, "api_error_status": 401 } }]));
    assert_eq!((status, &told["code"]), (502, &json!("provider")), "{told}");
    assert!(
        told["reason"]
            .as_str()
            .unwrap()
            .contains("sign in again in the vendor tool"),
        "{told}"
    );
    let (status, told) = lane(json!([{ "limit": true }, { "result": { "is_error": true, "api_error_status": 429 } }]));
    assert_eq!((status, &told["code"]), (429, &json!("rate-limited")), "{told}");
    assert!(told["retryAfterSeconds"].as_u64().unwrap() > 3_000, "{told}");
    let (status, told) = lane(json!([{ "die": true }]));
    assert_eq!((status, &told["code"]), (502, &json!("provider")), "{told}");
    assert_eq!(repository.read("src/App.tsx"), COMPUTED);
    assert!(desk.provider.asked().is_empty(), "the key is not used");

    std::fs::remove_file(desk.home.path().join("vendor")).unwrap();
    let (status, told) = lane(json!([]));
    assert_eq!((status, &told["code"]), (503, &json!("missing-key")), "{told}");
    assert!(told["reason"].as_str().unwrap().contains("EDITOR_VENDOR_CLI"), "{told}");
    assert_unseen(KEY, &[&repository.path(), desk.home.path()]);
}
