import { expect, test } from 'vitest';
import { parseChatEvent, type ChatEvent, type ChatSession, type Item, type Turn } from '../src/api/chat.ts';
import { loadChats, loadOlder, openChat, tabsOf, threadIn } from '../src/model/chats.ts';
import { chipsOf, sendTurn, setPrompt, undoTurn } from '../src/model/chatting.ts';
import { costOf } from '../src/model/costs.ts';
import { createEditor, type Editor } from '../src/model/editor.ts';
import { arrived, isTorn, MAX_EARLY, startAt } from '../src/model/in_order.ts';
import { told, threadOf, withOlder, type Thread } from '../src/model/thread.ts';
import { attachToShown } from '../src/runtime/attaching.ts';
import { onServerEvent } from '../src/runtime/running.ts';

const cost = { usd: 0, sure: true, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const session = (id: string, more: Partial<ChatSession> = {}): ChatSession => ({ id, title: `Chat ${id}`, createdAt: 1, updatedAt: 1, status: 'idle', turn: null, turns: 1, cost, ceilingUsd: null, ...more });
const turn = (id: string, at: number, more: Partial<Turn> = {}): Turn => ({ id, at, endedAt: null, text: `Do ${id}`, selection: [], page: null, model: null, status: 'running', failure: null, items: [], cost: null, edits: [], undone: false, goal: null, ...more });
const text = (n: number, words: string): Item => ({ n, type: 'text', text: words });
const thread = (turns: Turn[], seq = 0, more = false): Thread => threadOf({ session: session('c'), turns, more, seq });
const delta = (n: number, words: string, id = 't'): ChatEvent => ({ event: 'delta', data: { turn: id, n, text: words } });
/** The chat after these events, by their numbers. */
const after = (before: Thread, events: [number, ChatEvent][]): Thread => events.reduce((now, [number, event]) => told(now, number, event).thread, before);
const said = ({ turns }: Thread): string => turns.map(({ items }) => items.map((item) => ('text' in item ? item.text : item.type)).join('|')).join('/');

test('a text grows by what is told, in the order of its numbers', () => {
  const begun = thread([turn('t', 1, { items: [text(0, '')] })]);
  const events: [number, ChatEvent][] = [[1, delta(0, 'a')], [2, delta(0, 'b')], [3, delta(0, 'c')], [4, delta(0, 'd')]];
  expect(said(after(begun, events))).toBe('abcd');
  for (const order of [[3, 2, 1, 0], [1, 0, 3, 2], [0, 3, 1, 2], [2, 0, 3, 1]]) {
    const shuffled = order.flatMap((at) => (events[at] ? [events[at]] : []));
    expect(said(after(begun, shuffled))).toBe('abcd');
    // Twice each, and all of it once more.
    expect(said(after(after(begun, [...shuffled, ...shuffled]), events))).toBe('abcd');
  }
});

test('what was read already does not count again, whatever the stream begins with', () => {
  const read = thread([turn('t', 1, { items: [text(0, 'ab')] })], 2);
  expect(said(after(read, [[1, delta(0, 'a')], [2, delta(0, 'b')], [3, delta(0, 'c')]]))).toBe('abc');
});

test('an event of a later version takes its number, and one that cannot be read', () => {
  const begun = thread([turn('t', 1, { items: [text(0, '')] })]);
  expect(said(after(begun, [[1, parseChatEvent('news', '{}')], [2, parseChatEvent('delta', '{"turn":1}')], [3, parseChatEvent('delta', 'no JSON')], [4, delta(0, 'a')]]))).toBe('a');
});

test('without a number nothing counts but a snapshot', () => {
  const begun = thread([turn('t', 1, { items: [text(0, '')] })]);
  expect(said(told(begun, null, delta(0, 'a')).thread)).toBe('');
  const { thread: anew } = told(begun, null, { event: 'snapshot', data: { session: session('c', { turns: 7 }), turn: turn('u', 2, { items: [text(0, 'new')] }), seq: 40 } });
  expect([said(anew), anew.more, anew.events.last]).toEqual(['new', true, 40]);
  expect(said(after(anew, [[40, delta(0, '!', 'u')], [41, delta(0, '?', 'u')]]))).toBe('new?');
});

test('items come by their number in the turn, and replace each other', () => {
  const tool = (status: 'running' | 'done'): Item => ({ n: 1, type: 'tool', tool: 'read_file', title: 'Read src/Card.tsx', server: null, status, detail: null });
  const item = (given: Item): ChatEvent => ({ event: 'item', data: { turn: 't', item: given } });
  const now = after(thread([turn('t', 1)]), [[1, item(tool('running'))], [2, item(text(0, 'First'))], [3, item(tool('done'))]]);
  expect(now.turns[0]?.items).toEqual([text(0, 'First'), tool('done')]);
});

test('a turn that changes stays where it is, a new one is the last, an unread old one is not put at the end', () => {
  const begun = thread([turn('b', 2), turn('c', 3)]);
  const event = (given: Turn): ChatEvent => ({ event: 'turn', data: { turn: given } });
  const now = after(begun, [[1, event(turn('b', 2, { undone: true }))], [2, event(turn('d', 4))], [3, event(turn('a', 1, { undone: true }))]]);
  expect(now.turns.map(({ id, undone }) => [id, undone])).toEqual([['b', true], ['c', false], ['d', false]]);
});

test('older turns come in front, without those that the stream told of since', () => {
  const now = withOlder(thread([turn('c', 3, { undone: true })], 0, true), [turn('a', 1), turn('b', 2), turn('c', 3)], false);
  expect(now.turns.map(({ id, undone }) => [id, undone])).toEqual([['a', false], ['b', false], ['c', true]]);
  expect(now.more).toBe(false);
});

test('a gap that nothing fills is noticed', () => {
  let now = startAt<string>(0);
  for (let number = 2; !isTorn(now); number++) now = arrived(now, number, 'late').now;
  expect(now.early.size).toBe(MAX_EARLY);
  expect(arrived(now, 1, 'first').ready).toHaveLength(MAX_EARLY + 1);
});

test('items and turns of later versions are kept by their numbers', () => {
  const event = parseChatEvent('item', JSON.stringify({ turn: 't', item: { n: 4, type: 'hologram', size: 3 } }));
  expect(event).toEqual({ event: 'item', data: { turn: 't', item: { n: 4, type: 'other' } } });
});

test('a few chats have tabs, and the one that is shown always has', () => {
  const sessions = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => session(id));
  expect(tabsOf({ sessions, single: false }, 'b').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  expect(tabsOf({ sessions, single: false }, 'f').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'f']);
  expect(tabsOf({ sessions, single: true }, 'a')).toEqual([]);
  expect(tabsOf({ sessions: sessions.slice(0, 1), single: false }, 'a')).toEqual([]);
});

test('sums are read with the digits that they need', () => {
  expect(costOf({ usd: 0.0123, sure: true })).toBe('$0.012');
  expect(costOf({ usd: 1.5, sure: false }, 5)).toBe('at most $1.50 of $5.00');
  expect(costOf({ usd: 0.00004, sure: true })).toBe('< $0.001');
});

type Answer = (body: Record<string, unknown>, query: URLSearchParams) => unknown;

/** A program with chats, and the requests it got. Answers that are streams go on as long as somebody listens. */
function bench(answers: Record<string, Answer>): { editor: Editor; asked: { path: string; method: string; body: Record<string, unknown>; query: Record<string, string> }[]; say: (text: string) => void } {
  const asked: { path: string; method: string; body: Record<string, unknown>; query: Record<string, string> }[] = [];
  let push: ((text: string) => void) | null = null;
  const send: typeof fetch = async (input, init) => {
    const { pathname: path, searchParams } = new URL(String(input), 'http://127.0.0.1');
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
    asked.push({ path, method: init?.method ?? '', body, query: Object.fromEntries(searchParams) });
    if (path.endsWith('/events')) {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          push = (words) => controller.enqueue(new TextEncoder().encode(words));
          init?.signal?.addEventListener('abort', () => controller.error(new DOMException('', 'AbortError')));
        },
      });
      return new Response(stream);
    }
    const answer = await answers[path]?.(body, searchParams);
    return new Response(JSON.stringify(answer ?? { ok: false, code: 'not-found', reason: `nothing at ${path}` }));
  };
  const page = { lead: 'main' as const, send: () => undefined, attach: () => undefined, receive: () => undefined };
  const editor = createEditor({ send, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() }, page);
  return { editor, asked, say: (words) => push?.(words) };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const sessions = (...all: ChatSession[]) => ({ '/api/editor/chat/sessions': () => ({ ok: true, sessions: all, single: false }) });
const sse = (id: number, event: string, data: unknown): string => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

test('the newest chat is shown, and its stream is read from the number that is known', async () => {
  const { editor, asked, say } = bench({
    ...sessions(session('c'), session('d')),
    '/api/editor/chat/sessions/c': () => ({ ok: true, session: session('c'), turns: [turn('t', 1, { items: [text(0, 'a')] })], more: false, seq: 7 }),
    '/api/editor/chat/sessions/d': () => ({ ok: true, session: session('d'), turns: [], more: false, seq: 0 }),
  });
  const stop = attachToShown(editor);
  await loadChats(editor);
  await settle();
  expect(asked.find(({ path }) => path.endsWith('/c/events'))?.query).toEqual({ after: '7' });
  say(sse(7, 'delta', { turn: 't', n: 0, text: 'again' }) + sse(8, 'delta', { turn: 't', n: 0, text: 'b' }));
  await settle();
  const shown = threadIn(editor.store.getState(), 'c');
  expect(shown && said(shown)).toBe('ab');
  // Another chat is shown: this one is left, and read on from where it was when one comes back.
  await openChat(editor, 'd');
  await settle();
  await openChat(editor, 'c');
  await settle();
  expect(asked.filter(({ path }) => path.endsWith('/c/events')).map(({ query }) => query['after'])).toEqual(['7', '8']);
  expect(asked.filter(({ path }) => path.endsWith('/sessions/c'))).toHaveLength(1);
  stop();
});

test('a stream that begins anew brings what is older back', async () => {
  const { editor, asked, say } = bench({
    ...sessions(session('c')),
    '/api/editor/chat/sessions/c': (_, query) =>
      query.get('before') === 'u'
        ? { ok: true, session: session('c'), turns: [turn('t', 1)], more: false, seq: 3 }
        : { ok: true, session: session('c'), turns: [turn('t', 1)], more: false, seq: 90 },
  });
  const stop = attachToShown(editor);
  await loadChats(editor);
  await settle();
  say(sse(3, 'snapshot', { session: session('c', { turns: 2 }), turn: turn('u', 2), seq: 3 }));
  await settle();
  expect(threadIn(editor.store.getState(), 'c')?.turns.map(({ id }) => id)).toEqual(['t', 'u']);
  expect(asked.filter(({ query }) => query['before'] === 'u')).toHaveLength(1);
  stop();
});

test('older turns are asked for once at a time, before the oldest that is known then', async () => {
  const before: (string | null)[] = [];
  const { editor } = bench({
    ...sessions(session('c')),
    '/api/editor/chat/sessions/c': (_, query) => {
      before.push(query.get('before'));
      const at = { '3': 2, '2': 1 }[query.get('before') ?? ''] ?? 3;
      return { ok: true, session: session('c'), turns: [turn(String(at), at)], more: at > 1, seq: 1 };
    },
  });
  await loadChats(editor);
  await Promise.all([loadOlder(editor, 'c'), loadOlder(editor, 'c')]);
  await loadOlder(editor, 'c');
  await loadOlder(editor, 'c');
  expect(before).toEqual([null, '3', '2']);
  expect(threadIn(editor.store.getState(), 'c')?.turns.map(({ id }) => id)).toEqual(['1', '2', '3']);
});

test('a turn whose answer was lost is sent again as the same turn; another text is another turn', async () => {
  let reached = false;
  const { editor, asked } = bench({
    ...sessions(session('c')),
    '/api/editor/chat/sessions/c': () => ({ ok: true, session: session('c'), turns: [], more: false, seq: 0 }),
    '/api/editor/chat/sessions/c/turns': (body) => {
      if (!reached) throw new TypeError('network');
      return { ok: true, session: session('c'), turn: turn(String(body['turn']), 1), seq: 1 };
    },
  });
  await loadChats(editor);
  setPrompt(editor, { text: ' Make it calm ', turn: null });
  expect(await sendTurn(editor)).toBe(false);
  reached = true;
  expect(await sendTurn(editor)).toBe(true);
  setPrompt(editor, { text: 'And loud', turn: null });
  expect(await sendTurn(editor)).toBe(true);
  const ids = asked.filter(({ path }) => path.endsWith('/turns')).map(({ body }) => body['turn']);
  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[1]);
  expect(asked.find(({ path }) => path.endsWith('/turns'))?.body['text']).toBe('Make it calm');
  expect(threadIn(editor.store.getState(), 'c')?.turns).toHaveLength(2);
  expect(editor.store.getState().prompts).toEqual({});
});

test('what was written without a chat is sent in the one that is made for it', async () => {
  const { editor, asked } = bench({
    '/api/editor/chat/sessions': (body) => (Object.keys(body).length === 0 ? { ok: true, sessions: [], session: session('new'), single: false } : {}),
    '/api/editor/chat/sessions/new': () => ({ ok: true, session: session('new'), turns: [], more: false, seq: 0 }),
    '/api/editor/chat/sessions/new/turns': (body) => ({ ok: true, session: session('new', { status: 'running' }), turn: turn(String(body['turn']), 1), seq: 1 }),
  });
  await loadChats(editor);
  setPrompt(editor, { text: 'Hello', turn: null });
  expect(await sendTurn(editor)).toBe(true);
  expect(editor.store.getState().chat).toBe('new');
  expect(asked.find(({ path }) => path.endsWith('/new/turns'))?.body['text']).toBe('Hello');
});

test('the selection goes along until it is left out; the next selection does again', () => {
  const { editor } = bench({});
  const select = (number: number): void =>
    editor.store.setState({ selection: { number, target: null, subject: { src: 'src/Card.tsx:3:4', item: null, within: null }, use: null, usages: [], wantsUse: false, under: [] }, alsoSelected: [{ src: 'src/App.tsx:9:2', index: 0, tag: 'p' }] });
  select(1);
  expect(chipsOf(editor.store.getState())).toEqual([{ src: 'src/Card.tsx:3:4', label: 'Card.tsx:3' }, { src: 'src/App.tsx:9:2', label: '<p> App.tsx:9' }]);
  editor.store.setState({ withoutSelection: 1 });
  expect(chipsOf(editor.store.getState())).toEqual([]);
  select(2);
  expect(chipsOf(editor.store.getState())).toHaveLength(2);
});

test('a turn that cannot be undone says why', async () => {
  const { editor } = bench({ '/api/editor/chat/sessions/c/turns/t/undo': () => ({ ok: false, code: 'undo-overlap', reason: 'A later step changed the same place.', laterId: '9' }) });
  await undoTurn(editor, 'c', 't');
  expect(editor.store.getState().toasts.map(({ tone, title, words }) => [tone, title, words])).toEqual([['bad', 'The turn was not undone', 'A later step changed the same place.']]);
});

const failing = (failure: Turn['failure']) =>
  bench({ ...sessions(session('c', { status: 'failed' })), '/api/editor/chat/sessions/c': () => ({ ok: true, session: session('c', { status: 'failed' }), turns: [turn('t', 1, { status: 'failed', failure })], more: false, seq: 1 }) });

test('a failed chat is told once, a rate limit as a warning with when to come back', async () => {
  const words = 'Authentication failed (401). Replace the key from the settings gear, then start a new chat turn.';
  const { editor } = failing({ kind: 'authentication', words, retrySeconds: null, subscription: false });
  for (let twice = 0; twice < 2; twice++) {
    onServerEvent(editor, { event: 'chat', data: { session: 'c', status: 'failed' } });
    await settle();
  }
  expect(editor.store.getState().toasts.map(({ tone, title, words }) => [tone, title, words])).toEqual([['bad', 'Chat session failed', words]]);
  const limited = failing({ kind: 'rate-limited', words: 'Too many requests: try again in 42 seconds', retrySeconds: 42, subscription: false });
  onServerEvent(limited.editor, { event: 'chat', data: { session: 'c', status: 'failed' } });
  await settle();
  expect(limited.editor.store.getState().toasts.map(({ tone, title, words }) => [tone, title, words])).toEqual([['warn', 'Chat session rate-limited', 'try again in 42 seconds']]);
});
