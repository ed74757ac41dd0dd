import { expect, test } from 'vitest';
import { componentName, longPlace, parsePlace, shortPlace, vscodeAddress } from '../src/model/place.ts';
import { pagePath, samePage } from '@kit/samePage.ts';
import { pinsOf } from '../src/model/commenting.ts';

test('a stamp is a path, a line and a column, whatever the path holds', () => {
  expect(parsePlace('src/a:b/App.tsx:12:4')).toEqual({ path: 'src/a:b/App.tsx', line: 12, column: 4 });
  expect(parsePlace('src/App.tsx')).toBeNull();
  expect([shortPlace('src/ui/App.tsx:12:4'), longPlace('src/ui/App.tsx:12:4')]).toEqual(['App.tsx:12', 'src/ui/App.tsx:12']);
});

test('a component is named after its file, or after its folder when the file is an index', () => {
  expect(componentName('src/Card.tsx')).toBe('Card');
  expect(componentName('src/hero-banner/index.tsx')).toBe('HeroBanner');
  expect(componentName('index.vue')).toBe('Index');
});

test('the address for VS Code keeps signs of the path apart from its own', () => {
  expect(vscodeAddress('/home/a b', 'src/[id].tsx:3:0')).toBe('vscode://file/home/a%20b/src/%5Bid%5D.tsx:3:1');
  expect(vscodeAddress('C:\\work', 'App.tsx:1:2')).toBe('vscode://file/C%3A/work/App.tsx:1:3');
});

test('a page is the same one locally and on the review server', () => {
  expect(samePage('http://127.0.0.1:5000/pricing/?a=1', '/pricing')).toBe(true);
  expect(samePage('/p/launch-page/pricing', 'http://127.0.0.1:5000/pricing')).toBe(true);
  expect(samePage('/p/launch-page', '/')).toBe(true);
  expect(samePage('/p/launch-page/@dep1/', '/')).toBe(true);
  expect(samePage('/#/a', '/#/b')).toBe(false);
  expect(pagePath('/docs#part')).toBe('/docs');
});

test('pins have the number of their comment in the list', () => {
  const comment = (id: string, page: string, anchorSelector = 'h1') => ({
    id, body: '', position: { anchorSelector, page }, author: { uid: '', displayName: 'A' }, resolved: false, mentions: [], replies: [], createdAt: '',
  });
  const pins = pinsOf([comment('a', '/', ''), comment('b', '/x'), comment('c', '/')]);
  expect(pins.map(({ id, label, page, anchor }) => [id, label, page, anchor])).toEqual([['b', '2', '/x', null], ['c', '3', '/', null]]);
});
