import { expect, test } from 'vitest';
import { draftSaved, keepDraft } from '../src/model/drafts.ts';
import type { Draft } from '../src/model/model.ts';
import { createEditor } from '../src/model/editor.ts';
import { matchingPeople, mentionedIn, mentioningAt, piecesOf, withMention } from '@kit/mentions.ts';
import { readSetting, settingGroups, shownSetting } from '../src/model/settings.ts';
import type { Setting } from '../src/api/project.ts';

const person = (id: string, displayName: string, status = 'active') => ({ id, displayName, status });
const people = [person('p1', 'Ana'), person('p2', 'Ana Maria'), person('p3', 'Jörg Ohm'), person('p4', 'Sam'), person('p5', 'Sam')];

test('a mention is what is typed behind an @ at the caret', () => {
  expect(mentioningAt('Hi @an', 6)).toEqual({ from: 3, typed: 'an' });
  expect(mentioningAt('@', 1)).toEqual({ from: 0, typed: '' });
  expect(mentioningAt('(@Ana M', 7)).toEqual({ from: 1, typed: 'Ana M' });
  expect(mentioningAt('Hi @an and more', 6)).toEqual({ from: 3, typed: 'an' });
});

test('an address is no mention, nor is what stands in another line', () => {
  expect(mentioningAt('write to a@b', 12)).toBeNull();
  expect(mentioningAt('@ana\nthen', 9)).toBeNull();
  expect(mentioningAt('nobody', 6)).toBeNull();
});

test('people are found by the beginning of any part of their name', () => {
  expect(matchingPeople(people, 'ma').map(({ id }) => id)).toEqual(['p2']);
  expect(matchingPeople(people, 'OHM').map(({ id }) => id)).toEqual(['p3']);
  expect(matchingPeople(people, '')).toHaveLength(5);
});

test('a picked name takes the place of what was typed', () => {
  const text = 'Hi @an, see';
  expect(withMention(text, { from: 3, typed: 'an' }, 'Ana Maria')).toEqual({ text: 'Hi @Ana Maria , see', caret: 14 });
  expect(withMention('@a now', { from: 0, typed: 'a' }, 'Ana')).toEqual({ text: '@Ana now', caret: 5 });
});

test('of names that begin alike the longest is meant', () => {
  expect(mentionedIn('@Ana Maria and @Ana, not @Anabel', people, [])).toEqual(['p2', 'p1']);
  expect(piecesOf('Hi @Ana!', people).map(({ text, person }) => [text, person?.id])).toEqual([['Hi ', undefined], ['@Ana', 'p1'], ['!', undefined]]);
});

test('of several with one name the one that was picked is meant', () => {
  expect(mentionedIn('@Sam', people, [])).toEqual([]);
  expect(mentionedIn('@Sam', people, [people[4] ?? person('', '')])).toEqual(['p5']);
});

test('who was taken out of the text again is not mentioned', () => {
  expect(mentionedIn('Nobody', people, people)).toEqual([]);
});

test('a setting is read as it is shown', () => {
  for (const [kind, value] of [['number', 3.5], ['text', 'a b'], ['texts', ['a', 'b c']], ['object', { a: [1] }], ['list', [{ name: 'x' }]]] as const) {
    expect(readSetting(kind, shownSetting(kind, value))).toEqual({ ok: true, value });
  }
});

test('an empty field is the default', () => {
  expect(readSetting('number', '  ')).toEqual({ ok: true, value: null });
  expect(shownSetting('texts', null)).toBe('');
});

test('what is no number and no JSON is said so', () => {
  expect(readSetting('number', 'many')).toEqual({ ok: false, why: '“many” is no number.' });
  expect(readSetting('object', '{ a: 1 }')).toMatchObject({ ok: false });
});

const editorWith = (drafts: Record<string, Draft> = {}) => {
  const editor = createEditor({ send: () => Promise.reject(new Error('nobody is there')), storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() });
  editor.store.setState({ drafts });
  return editor;
};

test('a draft keeps the text it began with, so that a newer one is not overwritten', () => {
  const editor = editorWith();
  keepDraft(editor, 'note a', { text: 'old', hash: '1' }, 'old and more');
  keepDraft(editor, 'note a', { text: 'newer', hash: '2' }, 'old and even more');
  expect(editor.store.getState().drafts['note a']).toEqual({ text: 'old and even more', base: { text: 'old', hash: '1' } });
});

test('a draft that says what is there already is none', () => {
  const editor = editorWith();
  keepDraft(editor, 'note a', { text: 'old', hash: '1' }, 'old!');
  keepDraft(editor, 'note a', { text: 'old', hash: '1' }, 'old');
  expect(editor.store.getState().drafts).toEqual({});
});

test('what is typed while a text is saved stays a draft over what was saved', () => {
  const editor = editorWith({ 'note a': { text: 'b!', base: { text: 'a', hash: '1' } } });
  draftSaved(editor, 'note a', { text: 'b', hash: '2' });
  expect(editor.store.getState().drafts['note a']).toEqual({ text: 'b!', base: { text: 'b', hash: '2' } });
  draftSaved(editor, 'note a', { text: 'b!', hash: '3' });
  expect(editor.store.getState().drafts).toEqual({});
});

test('settings stand in groups, are found, and are left out while they do nothing', () => {
  const setting = (key: string, more: Partial<Setting> = {}): Setting => ({
    key, kind: 'boolean', value: null, file: '', default: null, description: `About ${key}.`, restart: true, editable: true, works: true, isSet: false, pending: false, byEnvironment: false, variable: null, problem: null, ...more,
  });
  const all = [setting('hosts.vite'), setting('editor.notes'), setting('chat.costCeilingUsd', { works: false }), setting('mcpServers', { works: false, isSet: true }), setting('editor.codeView')];
  const keys = (sought: string) => settingGroups(all, sought).map(({ name, settings }) => [name, ...settings.map(({ key }) => key)]);
  expect(keys('')).toEqual([['The interface', 'editor.notes', 'editor.codeView'], ['Dev servers', 'hosts.vite'], ['More', 'mcpServers']]);
  expect(keys('interface NOTES')).toEqual([['The interface', 'editor.notes']]);
  expect(keys('cost')).toEqual([]);
});
