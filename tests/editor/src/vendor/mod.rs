//! The vendor's program, which a program of ours plays: the lines are those that were seen of the real one.

pub mod record;
mod slim;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Build;

/// Plays the steps of `vendor.json` in its home, and writes down what it was given. A question that brings one tool has its own
/// steps in `vendor.TOOL.json`; without them a judgement is none.
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
  const tools = (await mcp('tools/list', {})).result.tools.map(tool => tool.name);
  note({ tools });
  out({ type: 'system', subtype: 'init', model: 'the-vendors-model', tools: [] });
  const own = home + '/vendor.' + tools.join() + '.json';
  const script = fs.existsSync(own) ? own : home + '/vendor.json';
  for (const step of tools.join() === 'judge' && script !== own ? [] : JSON.parse(fs.readFileSync(script, 'utf8'))) {
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
// What was recorded, in its order: what it said it says again, once it was told what it was told then.
const told = [];
let recorded;
let wake = () => {};
async function replay(message) {
  told.push(message);
  wake();
  if (recorded) return;
  recorded = JSON.parse(fs.readFileSync(home + '/recorded.json', 'utf8'));
  for (const { from, line } of recorded) {
    if (from === 'program') {
      out(line);
      continue;
    }
    const is = other => other.type === line.type && (line.type !== 'control_response' || other.response.request_id === line.response.request_id);
    while (!told.some(is)) await new Promise(done => (wake = done));
    note({ heard: told.splice(told.findIndex(is), 1)[0] });
  }
  process.exit(0);
}
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const message = JSON.parse(line);
  if (fs.existsSync(home + '/recorded.json')) return replay(message);
  if (message.type === 'control_response') return waiting.get(message.response.request_id)(message.response.response);
  if (message.type === 'control_request') {
    out({ type: 'control_response', response: { subtype: 'success', request_id: message.request_id, response: {} } });
    if (message.request.subtype === 'interrupt') finish({ subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' });
  }
  if (message.type === 'user') {
    const { content } = message.message;
    note({ user: content[0].text });
    note({ pictures: content.filter(part => part.type === 'image').map(part => part.source.media_type) });
    play();
  }
}).on('close', () => process.exit(0));
"#;

/// The program, in a home of its own.
#[derive(Debug)]
pub struct Vendor {
    home: PathBuf,
}

impl Vendor {
    /// Puts it into a folder, which is the home that it looks for its script in.
    #[must_use]
    pub fn at(home: &Path) -> Vendor {
        let vendor = Vendor { home: home.to_owned() };
        std::fs::write(vendor.program(), PROGRAM).expect("its home can be written");
        std::fs::set_permissions(vendor.program(), PermissionsExt::from_mode(0o755)).expect("it is ours");
        vendor
    }

    fn program(&self) -> PathBuf {
        self.home.join("vendor")
    }

    /// An Editor that asks it instead of a provider.
    #[must_use]
    pub fn asked_by(&self, editor: Build) -> Build {
        editor
            .env("HOME", &self.home)
            .env("EDITOR_USE_SUBSCRIPTION", "yes")
            .env("EDITOR_VENDOR_CLI", self.program())
    }

    /// What it does when it is asked next: a list of `{ say }`, `{ call, input, foreign? }`, `{ limit }`, `{ stall }`, `{ die }` and
    /// `{ result }`.
    pub fn plays(&self, steps: &Value) {
        std::fs::write(self.home.join("vendor.json"), steps.to_string()).expect("its home can be written");
    }

    /// It says again what was recorded of the vendor's own program: `{ from, line }` each.
    pub fn says_again(&self, lines: &Value) {
        std::fs::write(self.home.join("recorded.json"), lines.to_string()).expect("its home can be written");
    }

    /// What it does when it is asked whether a turn reached its goal.
    pub fn judges(&self, steps: &Value) {
        std::fs::write(self.home.join("vendor.judge.json"), steps.to_string()).expect("its home can be written");
    }

    /// What it wrote down, by a key.
    #[must_use]
    pub fn noted(&self, key: &str) -> Vec<Value> {
        let text = std::fs::read_to_string(self.home.join("vendor.log")).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines
            .filter(|line| !line[key].is_null())
            .map(|line| line[key].clone())
            .collect()
    }

    /// It is not installed any more.
    pub fn goes(&self) {
        std::fs::remove_file(self.program()).expect("it was there");
    }
}
