import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseToPage } from '../src/to_page.ts';

test('a message without the nonce of the run is nothing', () => {
  for (const data of [undefined, null, 'editor:structure', {}, { type: 'editor:structure' }, { type: 'editor:structure', nonce: 'other' }]) {
    assert.equal(parseToPage(data, 'right'), undefined);
  }
  assert.deepEqual(parseToPage({ type: 'editor:structure', nonce: 'right' }, 'right'), { type: 'editor:structure' });
});

test('fields of another type are as if they were missing', () => {
  const say = (message: object): unknown => parseToPage({ ...message, nonce: 'n' }, 'n');
  assert.deepEqual(say({ type: 'editor:select', id: '7', src: 'a:1:0', index: NaN }), { type: 'editor:select', src: 'a:1:0', scroll: false, quiet: false });
  assert.deepEqual(say({ type: 'editor:follow', src: 'a:1:0', to: 'a:2:0' }), { type: 'editor:follow', src: 'a:1:0', to: 'a:2:0' });
  assert.deepEqual(say({ type: 'editor:follow', src: 'a:1:0', to: null }), { type: 'editor:follow', src: 'a:1:0' });
  assert.equal(say({ type: 'editor:follow', to: 'a:2:0' }), undefined);
  assert.deepEqual(say({ type: 'editor:select', src: 'a:1:0', from: 4 }), { type: 'editor:select', src: 'a:1:0', from: 4, scroll: false, quiet: false });
  assert.deepEqual(say({ type: 'editor:mark', places: [{ src: 'a:1:0', index: 2 }, { src: 7 }, 'a'], property: 1 }), { type: 'editor:mark', places: [{ src: 'a:1:0', index: 2 }] });
  assert.deepEqual(say({ type: 'editor:preview', property: 'color', value: 1 }), { type: 'editor:preview', property: 'color', value: null });
  assert.deepEqual(say({ type: 'editor:before', show: 'never' }), { type: 'editor:before', show: null });
  assert.equal(say({ type: 'editor:mode', mode: 'other', freeze: true }), undefined);
  assert.equal(say({ type: 'editor:edit-text', id: '7', edit: 'e' }), undefined);
  assert.equal(say({ type: 'editor:edit-text', id: 7 }), undefined);
  assert.deepEqual([say({ type: 'editor:no-edit' }), say({ type: 'editor:no-edit', id: 7 })], [undefined, { type: 'editor:no-edit', id: 7 }]);
  assert.deepEqual(say({ type: 'editor:edit-text', id: 7, edit: 'e', at: { x: 1 } }), { type: 'editor:edit-text', id: 7, run: null, at: null, edit: 'e' });
  assert.deepEqual(say({ type: 'editor:drag', src: 'a:1:0', edit: 'e' }), { type: 'editor:drag', src: 'a:1:0', edit: 'e' });
  assert.equal(say({ type: 'editor:drag', src: 'a:1:0' }), undefined);
  assert.equal(say({ type: 'editor:pins', pins: {} }), undefined);
  assert.deepEqual(say({ type: 'editor:pins', pins: [1, { id: 'a' }] }), { type: 'editor:pins', pins: [] });
  assert.equal(say({ type: 'editor:other' }), undefined);
});
