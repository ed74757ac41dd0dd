import { expect, test } from 'vitest';
import { createEditor } from '../src/model/editor.ts';
import { candidates, isRaw, keepToken, nearest, tokenOf } from '../src/model/tokens.ts';
import type { Inspection } from '../src/api/inspection.ts';

const token = (name: string, standsFor: string) => ({ name, value: standsFor, standsFor, at: 'src/index.css:1:1' });
const variables = candidates([], [token('--ink', '#111111'), token('--ink-soft', '#333a45'), token('--gap', '8px'), token('--gap-wide', '1rem')], false);

function element(value: string, tokens: string[], set: object[] | null = null): Inspection {
  const styles = [{ property: 'color', value, from: 'stylesheet', editable: true, conditions: [], wins: true, tokens }];
  return { styles, utilities: set === null ? null : { fresh: true, set } } as unknown as Inspection;
}

test('what a property follows is a variable, a class of the theme, or nothing', () => {
  expect(tokenOf(element('var(--ink)', ['--ink']), 'color', null, false)).toBe('var(--ink)');
  expect(tokenOf(element('#111', []), 'color', null, false)).toBeNull();
  const set = (name: string, tokens: string[], variants: string[] = []) => [{ class: name, variants, properties: ['color'], among: [], tokens }];
  expect(tokenOf(element('', [], set('text-brand', ['text-brand'])), 'color', null, true)).toBe('text-brand');
  expect(tokenOf(element('', [], set('md:text-brand', ['text-brand'], ['md'])), 'color', 'md', true)).toBe('md:text-brand');
  expect(tokenOf(element('', [], set('text-(--ink)', ['--ink'])), 'color', null, true)).toBe('var(--ink)');
  expect(tokenOf(element('', [], set('text-[#333]', [])), 'color', null, true)).toBeNull();
});

test('colours and lengths are raw, keywords and variables are not', () => {
  for (const value of ['#333', '14px', '.5rem', 'rgb(1 2 3)', 'oklch(0.6 0.2 20)', '0']) expect(isRaw(value), value).toBe(true);
  for (const value of ['var(--ink)', 'calc(var(--gap) * 2)', 'inherit', 'auto', 'text-brand', 'flex']) expect(isRaw(value), value).toBe(false);
});

test('the nearest token is one of the same kind, and another than the one that stands there', () => {
  expect(nearest('#333', variables, 'var(--ink)')?.written).toBe('var(--ink-soft)');
  expect(nearest('14px', variables, 'var(--gap)')?.written).toBe('var(--gap-wide)');
  expect(nearest('14vh', variables, 'var(--gap)')).toBeNull();
  const scale = [{ name: 'p-3', from: '', preview: 'padding: 0.75rem', sets: 'padding' }, { name: 'p-4', from: '', preview: 'padding: 1rem', sets: 'padding' }];
  expect(nearest('13px', candidates(scale, [], true), 'md:p-6')?.written).toBe('p-3');
});

test('a token that stands for the very value stays, and nobody is asked', async () => {
  const page = { lead: 'main', send: () => undefined, attach: () => undefined, receive: () => undefined } as const;
  const world = { send: fetch, storage: null, open: () => undefined, copy: () => Promise.resolve(), focusPage: () => undefined, wait: () => Promise.resolve() };
  const editor = createEditor(world, page);
  const kept = (value: string, like: string, all = variables): Promise<string | null> => keepToken(editor, 'color', value, like, all);
  expect(await kept('rgb(17 17 17)', 'var(--ink)')).toBe('var(--ink)');
  const scale = [{ name: 'text-brand', from: '', preview: 'color: #123456', sets: 'color' }, { name: 'text-blue-950', from: '', preview: 'color: #162456', sets: 'color' }];
  for (const brand of ['text-brand', 'md:text-brand']) expect(await kept('#123456', brand, candidates(scale, [], true))).toBe(brand);
  expect(editor.store.getState().choosing).toBeNull();
  const asked = kept('#123457', 'text-brand', candidates(scale, [], true));
  editor.store.getState().choosing?.choose({ option: 'token', value: 'raw', label: '' });
  expect(await asked).toBe('#123457');
});
