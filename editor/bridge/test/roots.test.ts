import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { frameOffset, parentOf } from '../src/roots.ts';

afterEach(() => Reflect.deleteProperty(globalThis, 'window'));

/** A frame at this place, in a document that another frame may hold. */
function framed(x: number, y: number, outer: unknown = null): { view: unknown; frame: Element } {
  const frame = { clientLeft: 0, clientTop: 0, getBoundingClientRect: () => ({ x, y }), ownerDocument: { defaultView: { frameElement: outer } } } as unknown as Element;
  return { view: { frameElement: frame }, frame };
}

test('a frame inside the page moves what is in it', () => {
  const page = framed(0, 48);
  const inner = framed(30, 40);
  Object.assign(inner.frame.ownerDocument, { defaultView: page.view });
  Object.assign(globalThis, { window: page.view });
  const element = { ownerDocument: { defaultView: inner.view } } as unknown as Element;
  assert.deepEqual(frameOffset(element), { x: 30, y: 40 });
});

test('the frame that a page of the same origin shows this page in is not part of it', () => {
  const { view } = framed(150, 48);
  Object.assign(globalThis, { window: view });
  const ownerDocument = { defaultView: view };
  assert.deepEqual(frameOffset({ ownerDocument } as unknown as Element), { x: 0, y: 0 });
  assert.equal(parentOf({ parentElement: null, getRootNode: () => ownerDocument } as unknown as Element), null);
});
