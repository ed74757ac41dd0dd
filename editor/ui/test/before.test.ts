import { expect, test } from 'vitest';
import { beforeEdit } from '../src/actions/before.ts';
import { edit } from '../src/model/edits.ts';
import { createEditor } from '../src/model/editor.ts';
import { onPageMessage } from '../src/runtime/running.ts';
import type { PageChannel, ToPage } from '../src/api/page.ts';

function bench() {
  const told: ToPage[] = [];
  const page: PageChannel = { lead: 'main', send: (message) => told.push(message), attach: () => undefined, receive: () => undefined };
  const send: typeof fetch = () => Promise.resolve(new Response(JSON.stringify({ ok: false, code: 'no', reason: 'no' })));
  const editor = createEditor({ send, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() }, page);
  onPageMessage(editor, { type: 'editor:ready', version: 1, page: 'http://127.0.0.1:5000/', title: '' });
  told.length = 0;
  return { editor, told };
}

test('the page is kept before an edit is asked for', async () => {
  const { editor, told } = bench();
  await edit(editor, { kind: 'delete' }, { title: 'Delete', src: 'src/App.tsx:3:4' });
  expect(told[0]).toEqual({ type: 'editor:keep' });
});

test('the page of before is shown and put away; an edit puts it away too', () => {
  const { editor, told } = bench();
  beforeEdit.perform(editor);
  onPageMessage(editor, { type: 'editor:before', shown: true });
  expect(editor.store.getState().showsBefore).toBe('edit');
  void edit(editor, { kind: 'delete' }, { title: 'Delete', src: 'src/App.tsx:3:4' });
  return Promise.resolve().then(() => {
    expect(told).toContainEqual({ type: 'editor:before', show: null });
    expect(editor.store.getState().showsBefore).toBeNull();
  });
});

test('where nothing was kept, that is said', () => {
  const { editor } = bench();
  beforeEdit.perform(editor);
  onPageMessage(editor, { type: 'editor:before', shown: false });
  expect(editor.store.getState()).toMatchObject({ showsBefore: null, toasts: [{ title: 'Nothing to compare with' }] });
});
