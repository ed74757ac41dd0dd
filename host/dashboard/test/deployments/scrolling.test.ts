import { expect, test } from 'vitest';
import { follow, makeTogether } from '../../src/deployments/compare/scrolling.ts';

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

test('one page follows the other, and what it says of that moves nobody', () => {
  const together = makeTogether();
  expect(together.moved(0, { y: 0, max: 1000 }, 0)).toBeNull();
  expect(together.moved(1, { y: 0, max: 4000 }, 0)).toBeNull();
  expect(together.moved(0, { y: 500, max: 1000 }, 10)).toBe(2000);
  expect(together.moved(1, { y: 1990, max: 4000 }, 30)).toBeNull();
  expect(together.moved(1, { y: 2000, max: 4000 }, 40)).toBeNull();
  // Somebody scrolls the other one later.
  expect(together.moved(1, { y: 4000, max: 4000 }, 1000)).toBe(1000);
});

test('a page that grows or is shown anew moves nobody', () => {
  const together = makeTogether();
  together.moved(0, { y: 100, max: 1000 }, 0);
  together.moved(1, { y: 100, max: 1000 }, 0);
  expect(together.moved(0, { y: 100, max: 3000 }, 1000)).toBeNull();
  together.forget(0);
  expect(together.moved(0, { y: 0, max: 1000 }, 2000)).toBeNull();
  expect(together.moved(0, { y: 300, max: 1000 }, 3000)).toBe(300);
});

test('what was said while the pages went their own ways counts as where they are', () => {
  const together = makeTogether();
  together.learn(0, { y: 0, max: 1000 });
  together.learn(1, { y: 700, max: 1000 });
  expect(together.moved(0, { y: 20, max: 1000 }, 0)).toBe(20);
});
