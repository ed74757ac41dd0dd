import { expect, test } from 'vitest';
import * as v from 'valibot';
import { address, createClient } from '../src/api/client.ts';
import { listen } from '../src/api/events.ts';
import { createPageChannel, parsePageMessage } from '../src/api/page.ts';
import { parseEvent } from '../src/api/session.ts';

const answering = (status: number, text: string): typeof fetch => () => Promise.resolve(new Response(text, { status }));
const Thing = v.object({ thing: v.number() });

test('an answer is parsed, and one of another shape is refused in words', async () => {
  expect(await createClient(answering(200, '{"ok":true,"thing":1}'))(Thing, '/x')).toEqual({ ok: true, value: { thing: 1 } });
  const wrong = await createClient(answering(200, '{"ok":true,"thing":"1"}'))(Thing, '/x');
  expect(wrong).toMatchObject({ ok: false, refusal: { code: 'not-understood', reason: expect.stringContaining('thing') } });
});

test('refusals keep their code, reason and choices', async () => {
  const text = '{"ok":false,"code":"choice-needed","reason":"Which?","choices":[{"option":"scope","value":"all","label":"All"}]}';
  const refused = await createClient(answering(409, text))(Thing, '/x');
  expect(refused).toEqual({ ok: false, refusal: { code: 'choice-needed', reason: 'Which?', choices: [{ option: 'scope', value: 'all', label: 'All' }], lane: null } });
});

test('the name a review server suggests is kept', async () => {
  const text = '{"ok":false,"code":"not-found","reason":"No such project","suggestedSlug":"shop"}';
  expect(await createClient(answering(404, text))(Thing, '/x')).toMatchObject({ ok: false, refusal: { reason: 'No such project', suggestedSlug: 'shop' } });
});

test('a program that is gone, a page of HTML and a foreign error are refusals too', async () => {
  const gone = await createClient(() => Promise.reject(new TypeError('fetch failed')))(Thing, '/x');
  expect(gone).toMatchObject({ ok: false, refusal: { code: 'unreachable' } });
  expect(await createClient(answering(502, '<html>'))(Thing, '/x')).toMatchObject({ ok: false, refusal: { code: 'status-502' } });
  expect(await createClient(answering(404, '{"error":"Comment not found"}'))(Thing, '/x')).toMatchObject({ refusal: { reason: 'Comment not found' } });
});

test('every request is a POST, and only writing ones have a body', async () => {
  const seen: [string, RequestInit | undefined][] = [];
  const call = createClient((input, init) => (seen.push([String(input), init]), Promise.resolve(new Response('{}'))));
  await call(v.looseObject({}), '/read', { query: { src: 'a b:1:2', item: null } });
  await call(v.looseObject({}), '/write', { body: { a: 1 } });
  expect(seen).toMatchObject([
    ['/read?src=a+b%3A1%3A2', { method: 'POST' }],
    ['/write', { method: 'POST', body: '{"a":1}' }],
  ]);
  expect(seen[0]?.[1]?.body).toBeUndefined();
  expect(address('/x', { none: null })).toBe('/x');
});

test('events are parsed by name; what is damaged or unknown is left out', () => {
  expect(parseEvent('edited', '{"editId":7,"files":["a.tsx",{"path":"b.tsx"}]}')).toEqual({ event: 'edited', data: { editId: '7', files: [{ path: 'a.tsx' }, { path: 'b.tsx' }] } });
  expect(parseEvent('git', '')).toEqual({ event: 'git' });
  expect(parseEvent('log', '{')).toBeUndefined();
  expect(parseEvent('constructor', '{}')).toBeUndefined();
});

test('a lost event stream is said, and begun again', async () => {
  const stop = new AbortController();
  const told: string[] = [];
  let calls = 0;
  const send: typeof fetch = () => {
    calls++;
    if (calls === 1) return Promise.resolve(new Response(new Blob(['event: git\ndata: {}\n\n']).stream()));
    stop.abort();
    return Promise.reject(new Error('over'));
  };
  await listen(send, { onEvent: ({ event }) => told.push(event), onConnection: (is) => told.push(is) }, stop.signal);
  expect(told).toEqual(['connecting', 'live', 'git', 'lost', 'connecting']);
});

test('messages of the page need the nonce, the origin, the frame and the right shape', () => {
  const ready = { type: 'editor:ready', version: 1, page: '/', title: '', nonce: 'n' };
  expect(parsePageMessage(ready, 'n')).toMatchObject({ type: 'editor:ready' });
  expect(parsePageMessage(ready, 'other')).toBeUndefined();
  expect(parsePageMessage({ ...ready, version: '1' }, 'n')).toBeUndefined();
  expect(parsePageMessage(null, 'n')).toBeUndefined();

  const sent: unknown[] = [];
  const frame = { postMessage: (...message: unknown[]) => sent.push(message) } as unknown as Window;
  const channel = createPageChannel();
  channel.send({ type: 'editor:structure' });
  channel.attach(frame, 'http://127.0.0.1:5000', 'n');
  channel.send({ type: 'editor:structure' });
  expect(sent).toEqual([[{ type: 'editor:structure', nonce: 'n' }, 'http://127.0.0.1:5000']]);
  const event = { data: ready, origin: 'http://127.0.0.1:5000', source: frame };
  expect(channel.receive(event)).toMatchObject({ type: 'editor:ready' });
  expect(channel.receive({ ...event, origin: 'http://127.0.0.1:5001' })).toBeUndefined();
  expect(channel.receive({ ...event, source: null })).toBeUndefined();
});
