import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAnchor, parseToReviewed } from '../src/to_reviewed.ts';

test('what is no message is nothing', () => {
  for (const data of [undefined, null, 7, 'review:start', {}, { type: 'review:start' }, { type: 'review:mode', mode: 'edit' }, { type: 'review:pins', pins: 'x' }, { type: 'review:show', id: {} }, { type: 'review:go', to: 7 }, { type: 'review:scroll', y: Infinity }, { type: 'review:scroll', y: '7' }, { type: 'review:other' }]) {
    assert.equal(parseToReviewed(data), undefined);
  }
});

test('fields of another type are as if they were missing', () => {
  assert.deepEqual(parseToReviewed({ type: 'review:start', mode: 'use', theme: 1, pins: 7 }), { type: 'review:start', mode: 'use', theme: 'light', pins: [], keys: false, scroll: false });
  assert.deepEqual(parseToReviewed({ type: 'review:mode', mode: 'comment' }), { type: 'review:mode', mode: 'comment', still: true });
  const pins = [null, { id: '' }, { id: 'x'.repeat(129), selector: 'a', page: '/' }, { id: 'a', selector: '<<', page: '/', anchor: 7, label: '12345', status: 'odd' }];
  assert.deepEqual(parseToReviewed({ type: 'review:pins', pins }), {
    type: 'review:pins',
    pins: [{ id: 'a', selector: '<<', anchor: null, page: '/', label: '1234', title: '', status: 'open', unread: false }],
  });
});

test('no more pins are read than can be drawn', () => {
  const pins = Array.from({ length: 1_200 }, (_, at) => ({ id: String(at), selector: 'a', page: '/' }));
  const message = parseToReviewed({ type: 'review:pins', pins });
  assert.equal(message?.type === 'review:pins' && message.pins.length, 1_000);
});

test('an anchor that others wrote is read with its bounds', () => {
  assert.equal(parseAnchor({ v: 2, tag: 'p' }), null);
  assert.equal(parseAnchor({ v: 1 }), null);
  const anchor = parseAnchor({ v: 1, tag: 'p', text: 7, name: 'x'.repeat(1e5), attrs: { id: 'a', onclick: 'x' }, nth: Infinity, point: { x: -4, y: 0.25 }, rival: 'high' });
  assert.equal(anchor?.name.length, 2_000);
  assert.deepEqual([anchor?.text, anchor?.nth, anchor?.rival, anchor?.likeness, anchor?.point], ['', 0, 0, 1, { x: 0.5, y: 0.25 }]);
  assert.equal(Object.keys(anchor?.attrs ?? {}).includes('onclick'), false);
});
