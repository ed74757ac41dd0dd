import { expect, test } from 'vitest';
import { follow } from '../../src/deployments/compare/scrolling.ts';

test('pages of about the same height keep their pixels', () => {
  expect(follow({ y: 400, max: 2000 }, 2100)).toBe(400);
  expect(follow({ y: 1999.6, max: 2000 }, 2100)).toBe(2100);
});

test('pages of different height keep their share', () => {
  expect(follow({ y: 500, max: 1000 }, 4000)).toBe(2000);
  expect(follow({ y: 1000, max: 1000 }, 4000)).toBe(4000);
});

test('a page that does not scroll leaves the other at its top', () => {
  expect(follow({ y: 0, max: 0 }, 4000)).toBe(0);
});
