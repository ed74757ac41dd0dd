import { expect, test } from 'vitest';
import { concerned, keepAnswer, keptAnswer, spoken, suggested } from '../src/model/choices.ts';
import { askAgain } from '../src/actions/ask_again.ts';
import { createEditor } from '../src/model/editor.ts';
import type { Selection } from '../src/model/model.ts';
import type { Choice } from '../src/api/result.ts';

const scope: Choice[] = [
  { option: 'scope', value: 'all', label: 'Change .card (src/card.css:3) for all 3 places of the source that it holds for' },
  { option: 'scope', value: 'item', label: 'Only this element, in its own style' },
];
const use = (line: number) => ({ src: `src/App.tsx:${line}:2`, component: 'Card', path: 'src/App.tsx', text: '', likely: false });
const target = { id: 1, src: 'src/Card.tsx:3:4', tag: 'h3', rect: { x: 0, y: 0, width: 1, height: 1 }, selector: 'h3', text: 'Quick', classes: [], shared: 2, index: 1, within: null, ancestors: [], styles: {} };
const selection: Selection = { number: 1, target, subject: { src: target.src, item: 1, within: null }, use: null, usages: [use(9), use(10)], wantsUse: false, under: [] };
const refusal = { code: 'choice-needed', reason: '', choices: scope, lane: null };

test('the narrow answer is suggested, wherever it stands', () => {
  expect(suggested(scope, { selection })).toBe(1);
  expect(suggested([scope[1]!, scope[0]!], { selection })).toBe(0);
  const items: Choice[] = [...['Exact', 'Quick'].map((text, at) => ({ option: 'at', value: `src/list.ts:${at}:0`, label: `“${text}” – src/list.ts:${at}` })), { option: 'scope', value: 'all', label: 'All 2 items' }];
  expect(suggested(items, { selection })).toBe(1);
  const uses = [9, 10].map((line) => ({ option: 'usage', value: use(line).src, label: `used in src/App.tsx:${line}` }));
  expect(suggested(uses, { selection })).toBe(1);
  expect(suggested([scope[0]!], { selection: null })).toBe(0);
});

test('an answer names the elements of the page that it changes', () => {
  const structure = ['Exact', 'Quick'].map((text, id) => ({ id, src: target.src, tag: 'h3', mark: '', text, children: [] }));
  const style = { property: 'color' };
  expect(concerned(scope[1]!, style, { selection, structure })).toEqual({ places: [{ src: target.src, index: 1 }] });
  expect(concerned(scope[0]!, style, { selection, structure })).toEqual({ places: [{ src: target.src, index: 1 }], property: 'color' });
  expect(concerned(scope[0]!, { property: null }, { selection, structure })).toEqual({ places: [{ src: target.src }] });
  expect(concerned({ option: 'usage', value: use(9).src, label: '' }, style, { selection, structure })).toEqual({ places: [{ src: target.src, index: 0 }] });
  expect(concerned({ option: 'at', value: 'src/list.ts:1:0', label: '“Exact” – src/list.ts:1' }, style, { selection, structure })).toEqual({ places: [{ src: target.src, index: 0 }] });
});

test('answers speak of what one sees; the program’s words stand below', () => {
  expect(spoken(scope[1]!, null)).toEqual({ label: 'Only this element', help: 'in its own style' });
  expect(spoken(scope[0]!, 3)).toEqual({ label: 'All 3 elements outlined in the page, and where else it is used', help: scope[0]!.label });
});

test('an answer can hold for the session, for its kind of edit, until it is asked again', () => {
  const world = { send: () => new Promise<never>(() => undefined), storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() };
  const editor = createEditor(world);
  expect(keptAnswer(editor.store.getState(), 'style', refusal)).toBeUndefined();
  keepAnswer(editor, 'style', 'item');
  expect(keptAnswer(editor.store.getState(), 'style', refusal)).toEqual(scope[1]);
  expect(keptAnswer(editor.store.getState(), 'text', refusal)).toBeUndefined();
  askAgain.perform(editor);
  expect(keptAnswer(editor.store.getState(), 'style', refusal)).toBeUndefined();
});
