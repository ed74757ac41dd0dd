import { expect, test } from 'vitest';
import { aroundOf, fileRows, found, foundInFiles, keysAbove, movable, pageRows, type Row } from '../src/model/structure.ts';
import type { PageNode } from '../src/api/page.ts';

let id = 0;
const node = (src: string, ...children: PageNode[]): PageNode => ({ id: ++id, src, tag: src.split(':').at(-1) === '0' ? 'main' : 'div', mark: '', text: '', children });
const names = (rows: Row[]): string[] => rows.map(({ kind, name, level }) => `${level} ${kind} ${name}`);

test('elements of another file are grouped under its component', () => {
  const tree = [node('src/App.tsx:1:0', node('src/Card.tsx:3:2', node('src/Card.tsx:4:4')))];
  expect(names(pageRows(tree, {}))).toEqual(['1 component App', '2 element main', '3 component Card', '4 element div', '5 element div']);
});

test('elements side by side are one component, the same element again is the component again', () => {
  const tree = [node('src/Page.tsx:1:0'), node('src/Page.tsx:2:2'), node('src/Page.tsx:1:0')];
  expect(names(pageRows(tree, {}))).toEqual(['1 component Page', '2 element main', '2 element div', '1 component Page', '2 element main']);
});

test('children that were handed down are not a component of their own', () => {
  const tree = [node('src/App.tsx:1:0', node('src/Card.tsx:3:2', node('src/App.tsx:5:6')))];
  expect(pageRows(tree, {}).filter(({ kind, name }) => kind === 'component' && name === 'App')).toHaveLength(1);
});

test('what is folded is left out, and says that it holds something', () => {
  const tree = [node('src/App.tsx:1:0', node('src/App.tsx:2:2'))];
  const [first, ...rest] = pageRows(tree, { [`e${tree[0]?.id}`]: false }).slice(1);
  expect(first).toMatchObject({ children: true, expanded: false });
  expect(rest).toEqual([]);
});

test('elements that share a stamp are counted in document order', () => {
  const tree = [node('src/App.tsx:1:0', node('src/App.tsx:2:2'), node('src/App.tsx:2:2'))];
  expect(pageRows(tree, {}).slice(1).map(({ index, position, siblings }) => [index, position, siblings])).toEqual([[0, 1, 1], [0, 1, 2], [1, 2, 2]]);
});

test('the keys above an element open the way to it', () => {
  const inner = node('src/App.tsx:3:4');
  const middle = node('src/App.tsx:2:2', inner);
  const outer = node('src/App.tsx:1:0', middle);
  const open = Object.fromEntries(keysAbove([outer], inner.id).map((key) => [key, true]));
  expect(pageRows([outer], { [`e${outer.id}`]: false, [`e${middle.id}`]: false, ...open })).toHaveLength(4);
  expect(keysAbove([outer], -1)).toEqual([]);
});

test('a file shows its elements once they are known', () => {
  const files = [{ path: 'src/App.tsx', elements: 2 }];
  const outline = [{ src: 'src/App.tsx:1:0', tag: 'main', component: false, text: '', children: [{ src: 'src/App.tsx:2:2', tag: 'Card', component: true, text: '', children: [] }] }];
  expect(names(fileRows(files, {}, {}))).toEqual(['1 file src/App.tsx']);
  const rows = fileRows(files, { 'src/App.tsx': outline }, { 'fsrc/App.tsx': true });
  expect(names(rows)).toEqual(['1 file src/App.tsx', '2 element main', '3 component Card']);
});

test('moving stays in one file and away from the element itself', () => {
  const [, a, b] = pageRows([node('src/App.tsx:1:0'), node('src/App.tsx:2:2')], {});
  const [, other] = pageRows([node('src/Card.tsx:1:0')], {});
  if (!a || !b || !other) throw new Error('no rows');
  expect([movable(a, b), movable(a, a), movable(a, other)]).toEqual([true, false, false]);
});

test('an element is found with its siblings', () => {
  const tree = [node('src/App.tsx:1:0', node('src/App.tsx:2:2'), node('src/App.tsx:3:2'))];
  const around = aroundOf(tree, ({ src }) => src === 'src/App.tsx:3:2');
  expect([around?.at, around?.parent?.src]).toEqual([1, 'src/App.tsx:1:0']);
});

test('elements are found by tag, id, class and text, in the page and in files', () => {
  const tree = [{ ...node('src/App.tsx:1:0'), mark: '#top.hero.wide', text: 'Ship it' }, { ...node('src/App.tsx:2:4'), text: 'Other' }];
  const rows = pageRows(tree, {});
  const names = (sought: string) => rows.filter((row) => found(row, sought)).map(({ src }) => src);
  expect(names('#top')).toEqual(['src/App.tsx:1:0']);
  expect(names('main.hero')).toEqual([]);
  expect(names('.wide ship')).toEqual(['src/App.tsx:1:0']);
  expect(names('OTHER')).toEqual(['src/App.tsx:2:4']);
  const outlines = { 'src/App.tsx': [{ src: 'src/App.tsx:1:0', tag: 'h1', component: false, text: 'Ship it', children: [] }], 'src/Card.tsx': [] };
  const files = fileRows([{ path: 'src/App.tsx', elements: 1 }, { path: 'src/Card.tsx', elements: 0 }], outlines, { 'fsrc/App.tsx': true });
  expect(foundInFiles(files, 'ship').map(({ name }) => name)).toEqual(['src/App.tsx', 'h1']);
  expect(foundInFiles(files, 'card').map(({ name }) => name)).toEqual(['src/Card.tsx']);
});
