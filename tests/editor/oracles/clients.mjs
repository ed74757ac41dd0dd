// The vendors' own clients judge our provider's double: what it streams they read as a text, a call, an error, each as from the vendor.
// The script of answers is that of `models_double.rs`; what does not hold is thrown.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { packages, address, key } = JSON.parse(process.argv[2]);
const require = createRequire(join(packages, 'package.json'));
const { Anthropic } = require('@anthropic-ai/sdk');
const { OpenAI } = require('openai');

const schema = { type: 'object', properties: { x: { type: 'number' } } };
const messages = [{ role: 'user', content: 'Hello' }];

const anthropic = new Anthropic({ apiKey: key, baseURL: address, maxRetries: 0 });
const said = (more = {}) => anthropic.messages.stream({ model: 'claude-sonnet-5-5', max_tokens: 100, messages, ...more }).finalMessage();
assert.deepEqual((await anthropic.models.list()).data.map(({ id }) => id), ['claude-sonnet-5-5', 'claude-opus-5-5']);
const text = await said();
assert.equal(text.content[0].text, 'Good day');
assert.equal(text.stop_reason, 'end_turn');
assert.equal(text.usage.output_tokens, 56);
const called = await said({ tools: [{ name: 'look', description: 'Looks', input_schema: schema }] });
assert.equal(called.stop_reason, 'tool_use');
assert.equal(called.content[0].signature, 'c2lnbmVk');
assert.deepEqual(called.content[1].input, { x: 1 });
await assert.rejects(said(), (error) => error.error?.error?.type === 'overloaded_error' || /overloaded/i.test(error.message));
await assert.rejects(said(), (error) => error instanceof Anthropic.RateLimitError && error.headers.get('retry-after') === '42');
await assert.rejects(said(), /ended|without|stream/i);
await assert.rejects(new Anthropic({ apiKey: 'sk-wrong', baseURL: address, maxRetries: 0 }).models.list(), Anthropic.AuthenticationError);

const openai = new OpenAI({ apiKey: key, baseURL: `${address}/v1`, maxRetries: 0 });
const asked = (more = {}) => openai.chat.completions.stream({ model: 'gpt-6-sol', messages, stream_options: { include_usage: true }, ...more });
const words = await asked().finalChatCompletion();
assert.equal(words.choices[0].message.content, 'Good day');
assert.equal(words.usage.prompt_tokens, 1234);
// Its helper counts calls from 0: the chunks themselves are read as an application does.
const arguments_ = [];
for await (const chunk of await openai.chat.completions.create({ model: 'gpt-6-sol', messages, stream: true, tools: [{ type: 'function', function: { name: 'look', parameters: schema } }] })) {
  for (const call of chunk.choices[0]?.delta.tool_calls ?? []) arguments_.push(call.function?.arguments ?? '');
}
assert.deepEqual(JSON.parse(arguments_.join('')), { x: 1 });
await assert.rejects(asked().finalChatCompletion(), /overloaded/i);
await assert.rejects(asked().finalChatCompletion(), (error) => error instanceof OpenAI.RateLimitError && error.headers.get('retry-after') === '42');
await assert.rejects(new OpenAI({ apiKey: 'sk-wrong', baseURL: `${address}/v1`, maxRetries: 0 }).models.list(), OpenAI.AuthenticationError);
