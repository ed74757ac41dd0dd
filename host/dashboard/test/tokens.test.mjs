import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const here = join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(here, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
const defined = (css) => [...css.matchAll(/(--[\w-]+)\s*:/g)].map((match) => match[1] ?? '');
const used = (css) => [...css.matchAll(/var\((--[\w-]+)/g)].map((match) => match[1] ?? '');

const TOKENS = '../../editor/kit/tokens.css';
const kit = readdirSync(join(here, '../../editor/kit')).filter((name) => name.endsWith('.css')).map((name) => `../../editor/kit/${name}`);
const sources = readdirSync(join(here, 'src'), { recursive: true, encoding: 'utf8' }).map((name) => `src/${name}`);
const pages = sources.filter((name) => name.endsWith('.css'));
/** Set on an element by its style attribute. */
const onElements = sources.filter((name) => name.endsWith('.tsx')).flatMap((path) => [...read(path).matchAll(/'(--[\w-]+)'/g)].map((match) => match[1]));

test('the sign-in pages have no colours of their own', () => {
  const css = read('../templates/galley.css');
  expect(css).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(/i);
  expect(used(css).filter((name) => !defined(read(TOKENS)).includes(name))).toEqual([]);
});

test('the parts of the kit need the tokens alone', () => {
  for (const path of kit) {
    const known = [...defined(read(TOKENS)), ...defined(read(path))];
    expect(used(read(path)).filter((name) => !known.includes(name) && !name.startsWith('--radix-')), path).toEqual([]);
  }
});

test('the pages use tokens that exist', () => {
  const all = [...onElements, ...[TOKENS, ...pages].flatMap((path) => defined(read(path)))];
  for (const path of pages) {
    expect(used(read(path)).filter((name) => !all.includes(name) && !name.startsWith('--radix-')), path).toEqual([]);
  }
});

test('every colour of a scheme has one of the other', () => {
  const [root] = /:root \{[\s\S]*?\n\}/.exec(read(TOKENS)) ?? [''];
  const alone = root.split('\n').filter((line) => /#[0-9a-f]{3,8}/i.test(line) && !line.includes('light-dark('));
  expect(alone.map((line) => line.trim().split(':')[0])).toEqual(['--accent-ink']);
});
