import { expect, test } from 'vitest';
import { parseDiff } from '../src/model/diff.ts';

const ONE = 'diff --git a/a.tsx b/a.tsx\n--- a/a.tsx\n+++ b/a.tsx\n@@ -3,3 +3,3 @@\n <main>\n-  <h1>Old title</h1>\n+  <h1>New title</h1>\n </main>\n';

test('lines are numbered in the file they stand in', () => {
  const { lines, added, removed } = parseDiff(ONE);
  expect(lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ['same', 3, 3],
    ['removed', 4, null],
    ['added', null, 4],
    ['same', 5, 5],
  ]);
  expect([added, removed]).toEqual([1, 1]);
});

test('only the characters that differ are marked', () => {
  const [, removed, added] = parseDiff(ONE).lines;
  const marked = (line: typeof removed): string => line?.text.slice(line.changed?.from, line.changed?.to) ?? '';
  expect([marked(removed), marked(added)]).toEqual(['Old', 'New']);
});

test('lines with nothing in common are not marked as versions of each other', () => {
  const { lines } = parseDiff('@@ -1 +1 @@\n-completely other words here\n+x\n');
  expect(lines.map(({ changed }) => changed)).toEqual([null, null]);
});

test('a line that begins with dashes inside a hunk is a removed line', () => {
  const { lines } = parseDiff('--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n--- rule\n');
  expect(lines).toMatchObject([{ kind: 'removed', text: '-- rule' }]);
});

test('two hunks have a gap between them, and windows line ends are not shown', () => {
  const { lines } = parseDiff('@@ -1 +1 @@\n a\r\n@@ -9 +9 @@\n b\r\n');
  expect(lines.map(({ kind, text }) => [kind, text])).toEqual([['same', 'a'], ['gap', ''], ['same', 'b']]);
});

test('a picture has no lines', () => {
  expect(parseDiff('diff --git a/a.png b/a.png\nBinary files a/a.png and b/a.png differ\n')).toMatchObject({ lines: [], binary: true });
});
