// A real model behind the interface that OpenAI's has: small enough for any machine, and too weak to be of use. What it is asked to
// call it calls, with arguments of the tool's own form; what stands in them is what it makes up.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { packages, model: file } = JSON.parse(process.argv[2]);
const require = createRequire(join(packages, 'package.json'));
const { getLlama, LlamaChatSession } = await import(pathToFileURL(require.resolve('node-llama-cpp')));

// The most it reads and says, in tokens.
const CONTEXT = 2048;
const ANSWER = 80;
// What it reads of the instructions, and of the end of what it is told, in letters: a token has two or more.
const SYSTEM = 400;
const MOST = 1200;

const llama = await getLlama({ gpu: false, build: 'never', logLevel: 'error' });
const model = await llama.loadModel({ modelPath: file });
const context = await model.createContext({ contextSize: CONTEXT, threads: 2 });
let turn = Promise.resolve();

const text = (content) => (Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : (content ?? ''));

async function answer({ messages, tools = [] }) {
  // In a chat once, or it would go on until it is stopped.
  const isNew = tools.length === 1 || !messages.some(({ role }) => role === 'tool');
  const wanted = isNew && tools.find(({ function: { name } }) => name === 'propose');
  const told = messages.filter(({ role }) => role !== 'system').map(({ content }) => text(content)).join('\n\n');
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => text(content)).join('\n').slice(0, SYSTEM);
  const sequence = context.getSequence();
  const session = new LlamaChatSession({ contextSequence: sequence, systemPrompt: system });
  try {
    const grammar = wanted && (await llama.createGrammarForJsonSchema(wanted.function.parameters));
    const said = await session.prompt(told.slice(-MOST), { maxTokens: ANSWER, temperature: 0, ...(grammar && { grammar }) });
    return wanted ? { call: wanted.function.name, said } : { said };
  } finally {
    session.dispose();
    sequence.dispose();
  }
}

const chunk = (delta, finish = null) => ({ id: 'small', object: 'chat.completion.chunk', created: 0, model: 'small', choices: [{ index: 0, delta, finish_reason: finish }] });

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ object: 'list', data: [{ id: 'small', object: 'model' }] }));
    return;
  }
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const body = JSON.parse(Buffer.concat(pieces).toString());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const tell = (data) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  tell(chunk({ role: 'assistant', content: '' }));
  // One after the other: there is one context.
  turn = turn.then(() => answer(body)).then(
    ({ call, said }) => {
      process.stdout.write(`${JSON.stringify({ call: call ?? null, said })}\n`);
      if (call) {
        tell(chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: call, arguments: said } }] }));
      } else {
        tell(chunk({ content: said }));
      }
      tell(chunk({}, call ? 'tool_calls' : 'stop'));
      response.end('data: [DONE]\n\n');
    },
    (error) => {
      process.stderr.write(`${error.stack}\n`);
      response.destroy();
    },
  );
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/v1\n`));
