import { expect, test } from 'vitest';
import type { ToPage } from '../src/api/page.ts';
import { MAX_ANSWER } from '../src/api/reading.ts';
import { createEditor, type Editor } from '../src/model/editor.ts';
import { loadHistory } from '../src/model/loading.ts';
import { onPageMessage, onServerEvent } from '../src/runtime/running.ts';

interface Bench {
  editor: Editor;
  /** What the page was asked, and in which pane. */
  told: { message: ToPage; pane: string | undefined }[];
  /** What the program was told of readings. */
  readings: unknown[];
  /** How often the history was asked for. */
  histories: (() => void)[];
}

function bench(): Bench {
  const told: Bench['told'] = [];
  const readings: unknown[] = [];
  const histories: (() => void)[] = [];
  const send: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input), 'http://127.0.0.1');
    if (pathname === '/api/editor/history') await new Promise<void>((resolve) => histories.push(resolve));
    if (pathname === '/api/editor/reading') readings.push(JSON.parse(String(init?.body)));
    return new Response(JSON.stringify({ ok: true, taken: true, entries: [] }));
  };
  const page = { lead: 'main' as const, send: (message: ToPage, pane?: string) => void told.push({ message, pane }), attach: () => undefined, receive: () => undefined };
  const editor = createEditor({ send, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() }, page);
  editor.store.setState(({ page: shown }) => ({ page: { ...shown, ready: true, address: 'http://127.0.0.1:4401/about' } }));
  return { editor, told, readings, histories };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const asks = (id: string, what: 'begin' | 'look' | 'end', page = '/about') => ({ event: 'read' as const, data: { id, ticket: null, page, ask: { do: what, reader: 'r' } } });

test('the page that is meant is asked, and what it says is handed on', async () => {
  const { editor, told, readings } = bench();
  onServerEvent(editor, asks('1', 'begin'));
  expect(told).toEqual([{ message: { type: 'editor:read', id: '1', ask: { do: 'begin', reader: 'r' } }, pane: 'main' }]);
  onPageMessage(editor, { type: 'editor:read', id: '1', answer: { is: 'ready', complaints: [] } });
  onServerEvent(editor, asks('2', 'look'));
  onServerEvent(editor, asks('', 'end'));
  onPageMessage(editor, { type: 'editor:read', id: '', answer: { is: 'ended' } });
  await settle();
  expect(told.map(({ message }) => message.type === 'editor:read' && message.id)).toEqual(['1', '2', '']);
  expect(readings).toEqual([{ id: '1', answer: { is: 'ready', complaints: [] } }]);
});

test('another page, one that never began and an answer without end are none', async () => {
  const { editor, told, readings } = bench();
  onServerEvent(editor, asks('1', 'begin', '/elsewhere'));
  onServerEvent(editor, asks('2', 'look'));
  onPageMessage(editor, { type: 'editor:read', id: '3', answer: 'x'.repeat(MAX_ANSWER) });
  await settle();
  expect(told).toEqual([]);
  expect(readings).toEqual([1, 2, 3].map((id) => ({ id: String(id), answer: null })));
});

test('one request for the history is under way, and it is asked again when it changed meanwhile', async () => {
  const { editor, histories } = bench();
  for (let change = 0; change < 9; change++) void loadHistory(editor);
  await settle();
  expect(histories.length).toBe(1);
  histories[0]?.();
  await settle();
  expect(histories.length).toBe(2);
  histories[1]?.();
  await settle();
  expect(histories.length).toBe(2);
});
