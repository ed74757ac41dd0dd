import { expect, test } from 'vitest';
import { acceptProposal, letTry, stopTrying, undoAttempt } from '../src/model/attempts.ts';
import { createEditor, type Editor } from '../src/model/editor.ts';
import { edit } from '../src/model/edits.ts';
import { changeModels, loadModels } from '../src/model/models.ts';
import type { Attempt } from '../src/model/model.ts';
import { onServerEvent } from '../src/runtime/running.ts';

const models = (ready: boolean) => ({
  ok: true, provider: 'anthropic', chosenBy: 'key', ready, subscription: false, missing: null, problem: null, providerVariable: null,
  providers: [{ id: 'anthropic', name: 'Anthropic', key: ready ? { source: 'stored' } : null, variable: 'ANTHROPIC_API_KEY', model: null, defaultModel: 'm', modelVariable: null, baseUrl: null, defaultBaseUrl: 'https://api.example', baseUrlVariable: null }],
});
const refused = { ok: false, code: 'computed', reason: 'The text is made when the code runs.', fallback: 'save' };
const cost = { calls: 1, inputTokens: 900, outputTokens: 40, usd: 0.004, estimated: false };
const done = { ok: true, editId: '5', files: [{ path: 'src/App.tsx', diff: '' }], src: 'src/App.tsx:3:4', notes: [], lane: 'save', why: 'The name was computed.', verified: 'preview', cost };

type Answer = (body: Record<string, unknown>, signal: AbortSignal | null | undefined) => unknown;

async function bench(answers: Record<string, Answer>, ready = true): Promise<{ editor: Editor; asked: { path: string; body: Record<string, unknown> }[] }> {
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  const all: Record<string, Answer> = { '/api/models': () => models(ready), '/api/editor/edit': () => refused, ...answers };
  const send: typeof fetch = async (input, init) => {
    const path = new URL(String(input), 'http://127.0.0.1').pathname;
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    asked.push({ path, body });
    return new Response(JSON.stringify((await all[path]?.(body, init?.signal)) ?? { ok: false, code: 'not-found', reason: `nothing at ${path}` }));
  };
  const page = { lead: 'main' as const, send: () => undefined, attach: () => undefined, receive: () => undefined };
  const editor = createEditor({ send, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() }, page);
  await loadModels(editor);
  return { editor, asked };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const write = (editor: Editor): Promise<unknown> => edit(editor, { kind: 'text', text: 'New' }, { title: 'Edit text', src: 'src/App.tsx:3:4' });
const first = ({ store }: Editor): Attempt => {
  const [attempt] = store.getState().attempts;
  if (!attempt) throw new Error('nothing was offered');
  return attempt;
};

test('a refused edit is offered to a model, and done by it when somebody says so', async () => {
  const { editor, asked } = await bench({ '/api/editor/llm-fallback': () => done });
  await write(editor);
  const { id, reason, state } = first(editor);
  expect([reason, state.is]).toEqual([refused.reason, 'offered']);
  expect(editor.store.getState().toasts).toEqual([]);
  expect(asked.some(({ path }) => path === '/api/editor/llm-fallback')).toBe(false);
  await letTry(editor, id);
  expect(asked.find(({ path }) => path === '/api/editor/llm-fallback')?.body).toEqual({ kind: 'text', text: 'New', src: 'src/App.tsx:3:4', ticket: id });
  expect(first(editor).state).toMatchObject({ is: 'done', editId: '5', why: 'The name was computed.', cost: { usd: 0.004 } });
  expect(editor.store.getState().busy).toBe(0);
});

test('without a key, or where people want none, a refusal is what it was', async () => {
  const keyless = await bench({}, false);
  await write(keyless.editor);
  const never = await bench({});
  never.editor.store.setState({ letModelTry: 'never' });
  await write(never.editor);
  for (const { editor } of [keyless, never]) {
    expect(editor.store.getState().attempts).toEqual([]);
    expect(editor.store.getState().toasts.map(({ tone, words }) => [tone, words])).toEqual([['bad', refused.reason]]);
  }
  const plain = await bench({ '/api/editor/edit': () => ({ ...refused, fallback: undefined }) });
  await write(plain.editor);
  expect(plain.editor.store.getState().attempts).toEqual([]);
});

test('who wants it always is not asked', async () => {
  const { editor } = await bench({ '/api/editor/llm-fallback': () => done });
  editor.store.setState({ letModelTry: 'always' });
  await write(editor);
  await settle();
  expect(first(editor).state.is).toBe('done');
});

test('a model at work tells its steps and what they cost, and can be stopped', async () => {
  const { editor } = await bench({
    '/api/editor/llm-fallback': (_, signal) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))),
  });
  await write(editor);
  const { id } = first(editor);
  const trying = letTry(editor, id);
  onServerEvent(editor, { event: 'lane', data: { ticket: 'another', lane: 'save', step: 'again', calls: 2, usd: 1 } });
  onServerEvent(editor, { event: 'lane', data: { ticket: id, lane: 'save', step: 'looking', calls: 1, usd: 0.002 } });
  expect(first(editor).state).toMatchObject({ is: 'running', step: 'looking', usd: 0.002 });
  stopTrying(editor, id);
  await trying;
  expect(first(editor).state.is).toBe('stopped');
});

test('a change that no page could confirm waits for a yes', async () => {
  const proposal = { id: 'p1', files: [{ path: 'src/App.tsx', diff: '@@' }], why: 'Renamed.' };
  const { editor, asked } = await bench({
    '/api/editor/llm-fallback': () => ({ ok: false, code: 'not-verified', reason: 'No page shows it.', proposal, cost }),
    '/api/editor/llm-fallback/accept': () => ({ ok: true, editId: '6', files: [], src: 'src/App.tsx:3:4' }),
  });
  await write(editor);
  const { id } = first(editor);
  await letTry(editor, id);
  expect(first(editor).state).toMatchObject({ is: 'asks', reason: 'No page shows it.', proposal });
  await acceptProposal(editor, id);
  expect(asked.at(-1)?.path === '/api/editor/llm-fallback/accept' || asked.some(({ body }) => body['proposal'] === 'p1')).toBe(true);
  expect(first(editor).state).toMatchObject({ is: 'done', editId: '6', why: 'Renamed.' });
});

test('what a model could not do says why, in the provider’s words too, and what it cost', async () => {
  const { editor } = await bench({ '/api/editor/llm-fallback': () => ({ ok: false, code: 'provider', reason: 'The provider said no.', words: 'invalid x-api-key', cost }) });
  await write(editor);
  await letTry(editor, first(editor).id);
  expect(first(editor).state).toMatchObject({ is: 'refused', reason: 'The provider said no. invalid x-api-key', cost: { usd: 0.004 } });
});

test('what a model did is undone by its step', async () => {
  const { editor, asked } = await bench({ '/api/editor/llm-fallback': () => done, '/api/editor/undo': () => ({ ok: true, editId: '5', files: [] }) });
  await write(editor);
  const { id } = first(editor);
  await letTry(editor, id);
  await undoAttempt(editor, id);
  expect(asked.find(({ path }) => path === '/api/editor/undo')?.body).toEqual({ editId: '5' });
  expect(editor.store.getState().attempts).toEqual([]);
});

test('the same refused edit is offered once', async () => {
  const { editor } = await bench({});
  await write(editor);
  await write(editor);
  expect(editor.store.getState().attempts).toHaveLength(1);
});

test('a key that the provider refuses is told in its words, and nothing is known of the key afterwards', async () => {
  const { editor } = await bench({ '/api/models': (body) => (body['key'] === undefined ? models(false) : { ok: false, code: 'key-refused', reason: 'Anthropic refused the key.', words: 'invalid x-api-key' }) }, false);
  const refusal = await changeModels(editor, { provider: 'anthropic', key: 'sk-canary-of-the-test' });
  expect([refusal?.code, refusal?.words]).toEqual(['key-refused', 'invalid x-api-key']);
  expect(JSON.stringify(editor.store.getState())).not.toContain('canary');
});
