import { expect, test } from 'vitest';
import { createEditor } from '../src/model/editor.ts';
import { isSingleKey, matches, pressed, readableKeys } from '../src/actions/keys.ts';
import { selectSource } from '../src/model/selecting.ts';
import { ACTIONS } from '../src/actions/index.ts';

const press = (key: string, more: Partial<Record<'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey', boolean>> = {}) => ({
  key, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, ...more,
});

test('the command key is Control, or Command on a Mac', () => {
  expect(matches('Mod+Z', press('z', { ctrlKey: true }), false)).toBe(true);
  expect(matches('Mod+Z', press('z', { metaKey: true }), true)).toBe(true);
  expect(matches('Mod+Z', press('z', { ctrlKey: true }), true)).toBe(false);
  expect(matches('Mod+Z', press('Z', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
});

test('a sign is a sign, with Shift or without', () => {
  expect(matches('?', press('?', { shiftKey: true }), false)).toBe(true);
  expect(matches('+', press('+'), false)).toBe(true);
  expect(matches('V', press('v', { shiftKey: true }), false)).toBe(false);
});

test('shortcuts are told in the words of the machine', () => {
  expect(readableKeys('Mod+Shift+Z', true)).toBe('⌘⇧Z');
  expect(readableKeys('Mod+Shift+Z', false)).toBe('Ctrl+Shift+Z');
  expect(readableKeys('+', false)).toBe('+');
});

test('single keys are those that speech input could say', () => {
  expect(['V', '?', 'Shift+F', 'Mod+K', 'Delete', 'Alt+ArrowUp'].map(isSingleKey)).toEqual([true, true, true, false, false, false]);
});

test('no two actions have one shortcut, and no two one name', () => {
  const keys = ACTIONS.flatMap((action) => action.keys);
  expect(keys.filter((each, index) => keys.indexOf(each) !== index)).toEqual([]);
  const ids = ACTIONS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a key whose edit cannot be done now says why', () => {
  const editor = createEditor({ send: () => Promise.reject(new Error('nobody is there')), storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() });
  expect(pressed(editor, press('Delete'))).toBe(true);
  expect(editor.store.getState().toasts).toMatchObject([{ title: 'Delete', words: 'Select an element first.' }]);
  expect(pressed(editor, press('ArrowDown'))).toBe(false);
});

test('a key right after a click waits for the source to be read', async () => {
  let answer = (): void => undefined;
  const asked: string[] = [];
  const send: typeof fetch = (input) => {
    const path = new URL(String(input), 'http://x').pathname;
    asked.push(path);
    if (path !== '/api/editor/inspect') return Promise.resolve(new Response(JSON.stringify({ ok: false, code: 'not-here', reason: 'not here' })));
    return new Promise((resolve) => (answer = () => resolve(new Response(JSON.stringify({ ok: false, code: 'no-element', reason: 'Nothing stands there.' })))));
  };
  const never = new Promise<void>(() => undefined);
  const editor = createEditor({ send, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => never });
  selectSource(editor, 'src/App.tsx:3:4');
  expect(pressed(editor, press('Delete'))).toBe(true);
  expect(editor.store.getState().toasts).toEqual([]);
  answer();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(asked).toContain('/api/editor/inspect');
  expect(editor.store.getState().toasts).toMatchObject([{ title: 'Delete', words: 'Nothing stands there.' }]);
});

test('no shortcut is a digit with Shift, which is another sign on every keyboard', () => {
  expect(ACTIONS.flatMap(({ keys }) => keys).filter((each) => /Shift\+\d$/.test(each))).toEqual([]);
});
