/** Which declaration a control shows, and how the page is asked about conditions. */
import { expect, test } from 'vitest';
import { answered, askPage, viewportOf } from '../src/model/conditions.ts';
import { conditionOf, contradicts, deciding, losing } from '../src/model/deciding.ts';
import { emptyModel } from '../src/model/model.ts';
import type { Inspection, StyleEntry } from '../src/api/inspection.ts';
import { createStore } from 'zustand/vanilla';

const entry = (value: string, wins: boolean | null, holds: boolean | null | undefined, more: Partial<StyleEntry> = {}): StyleEntry => ({
  property: 'font-size', value, from: 'stylesheet', at: 'src/index.css:1:0', editable: true, why: null, shared: 1, wins, tokens: [],
  conditions: holds === undefined ? [] : [{ text: '@media (max-width: 1024px)', words: 'on pages up to 1024 pixels wide', holds, ask: true }],
  ...more,
});

test('a control shows what decides in the page, and what loses against it', () => {
  const [narrow, base] = [entry('36px', true, true), entry('56px', false, undefined)];
  const shown = deciding([narrow, base], 'font-size');
  expect(shown).toBe(narrow);
  expect(losing([narrow, base], 'font-size', shown, false)).toEqual({ entry: base, winner: narrow });
  expect(conditionOf(narrow)).toBe('on pages up to 1024 pixels wide');
});

test('what holds at other widths only is neither shown nor lost', () => {
  const [narrow, base] = [entry('36px', false, false), entry('56px', true, undefined)];
  expect(deciding([narrow, base], 'font-size')).toBe(base);
  expect(losing([narrow, base], 'font-size', base, false)).toBeNull();
});

test('a declaration that the page does not compute is said to lose, whoever wins', () => {
  const base = entry('56px', true, undefined);
  expect(contradicts('font-size', '56px', '36px')).toBe(true);
  expect(losing([base], 'font-size', base, true)).toEqual({ entry: base, winner: null });
  expect(contradicts('font-size', '56px', '56px')).toBe(false);
  expect(contradicts('font-weight', '700', '400')).toBe(true);
  // What is computed from it, and what the layout comes into, says nothing.
  expect(contradicts('font-size', 'calc(1rem + 2vw)', '36px')).toBe(false);
  expect(contradicts('width', '300px', '280px')).toBe(false);
});

test('the page is asked once for each selection and width', () => {
  const target = { id: 7 } as never;
  const selection = { number: 3, target, subject: { src: 'a:1:0', item: null, within: null }, use: null, usages: [], wantsUse: false, under: [] };
  const store = createStore(() => ({ ...emptyModel(null), selection, shown: { width: 876, scale: 1 } }));
  const sent: unknown[] = [];
  const editor = { store, page: { send: (message: unknown) => sent.push(message) } } as unknown as Parameters<typeof askPage>[0];
  const facts = { styles: [entry('1px', null, null), entry('2px', null, null), entry('3px', true, true)] } as Inspection;
  askPage(editor, facts);
  expect(sent).toEqual([{ type: 'editor:conditions', id: 7, conditions: ['@media (max-width: 1024px)'] }]);
  const answer = { type: 'editor:conditions' as const, id: 7, holds: { '@media (max-width: 1024px)': true } };
  expect(answered(editor.store, { ...answer, id: 8 })).toBe(false);
  expect(answered(editor.store, answer)).toBe(true);
  expect(viewportOf(store.getState())).toEqual({ width: 876, holds: answer.holds });
  askPage(editor, facts);
  expect(answered(editor.store, answer)).toBe(false);
  expect(sent).toHaveLength(1);
  store.setState({ shown: { width: 1200, scale: 1 } });
  expect(viewportOf(store.getState())).toEqual({ width: 1200 });
});
