import assert from 'node:assert/strict';
import { test } from 'node:test';
import { costs, places, RUN } from '../src/alignment.ts';

function all(run: string, page: string): number[] {
  const steps = costs(run, places(page));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return [...value];
  }
}

test('a run that is there costs nothing at its end, wherever that is', () => {
  const found = all('abc', 'xxabcxx');
  assert.equal(found.length, 8);
  assert.equal(found[5], 0);
  assert.ok(found.every((cost, at) => at === 5 || cost > 0), found.join());
});

test('elements that came or went together cost little more than one of them', () => {
  const [head, tail] = ['abcdefghijkl', 'mnopqrstuvw'];
  assert.equal(all(head + tail, `${head}X${tail}`).at(-1), RUN + 1);
  assert.equal(all(head + tail, `${head}XXXXXXXXXX${tail}`).at(-1), RUN + 10);
  assert.equal(all(`${head}XXX${tail}`, head + tail).at(-1), RUN + 3);
});

test('two changes in different places cost more than one of the same size', () => {
  assert.ok((all('abcdef', 'axbcdexf').at(-1) as number) > (all('abcdef', 'abcxxdef').at(-1) as number));
});

test('another element in the place of one costs as much as one that came', () => {
  assert.equal(all('abcd', 'abxd').at(-1), RUN + 1);
});

test('an empty run costs nothing anywhere', () => {
  assert.deepEqual(all('', 'ab'), [0, 0, 0]);
});
