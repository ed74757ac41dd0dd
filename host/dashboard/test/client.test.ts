import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ask, refusal } from '../src/api/client.ts';
import { ApiError } from '../src/api/error.ts';

let key = '__GALLEY_KEY__';

beforeEach(() => {
  key = '__GALLEY_KEY__';
  vi.stubGlobal('document', { querySelector: () => ({ content: key }) });
});
afterEach(() => void vi.unstubAllGlobals());

function answering(response: () => Response | Promise<Response>) {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) => response());
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

const Thing = v.object({ name: v.string() });

async function failureOf(asked: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await asked.catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error('it did not fail');
  return error;
}

test('an answer is parsed, and the key of the page goes along', async () => {
  key = 'all.abc';
  const fetched = answering(() => Response.json({ name: 'Shop', more: 1 }));
  expect(await ask(Thing, '/projects', { query: { slug: 'a b', none: null } })).toEqual({ name: 'Shop' });
  const [path, init] = fetched.mock.calls[0] ?? [];
  expect(path).toBe('/api/v1/projects?slug=a+b');
  expect(init?.headers).toMatchObject({ 'x-galley-key': 'all.abc' });
});

test('a page without a key sends none', async () => {
  const fetched = answering(() => Response.json({ name: 'Shop' }));
  await ask(Thing, '/projects', { body: { name: 'Shop' } });
  const init = fetched.mock.calls[0]?.[1];
  expect(init?.headers).not.toHaveProperty('x-galley-key');
  expect(init?.method).toBe('POST');
});

test('refusals keep the sentence of the server', () => {
  expect(refusal(409, '{"error":"The slug is taken"}', null)).toMatchObject({ failure: 'refused', reason: 'The slug is taken', status: 409 });
  expect(refusal(404, '{"error":"Project not found"}', null)).toMatchObject({ failure: 'gone', reason: 'Project not found' });
  expect(refusal(401, '{"error":"Your session has ended: sign in again"}', null).failure).toBe('signed-out');
  expect(refusal(403, '{"error":"The key of this page belongs to another sign-in: reload the page","key":"stale"}', null).failure).toBe('stale');
  expect(refusal(502, '<html>', null).reason).toContain('502');
});

test('a busy server says when to try again', () => {
  const busy = refusal(429, '{"error":"Too many requests."}', '7');
  expect(busy).toMatchObject({ failure: 'busy', retryAfter: 7 });
  expect(busy.reason).toBe('Too many requests. Try again in 7 seconds.');
  expect(refusal(503, '{"error":"Starting"}', 'Wed, 21 Oct 2026 07:28:00 GMT')).toMatchObject({ failure: 'busy', retryAfter: null, reason: 'Starting' });
});

test('an unreachable server, a cancelled request and a strange answer are told apart', async () => {
  answering(() => Promise.reject(new TypeError('fetch failed')));
  expect((await failureOf(ask(Thing, '/projects'))).failure).toBe('offline');
  answering(() => Promise.reject(new DOMException('stop', 'AbortError')));
  expect((await failureOf(ask(Thing, '/projects'))).failure).toBe('aborted');
  answering(() => Response.json({ name: 7 }));
  const broken = await failureOf(ask(Thing, '/projects'));
  expect(broken.failure).toBe('broken');
  expect(broken.reason).toContain('/projects');
});
