import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picked } from '../src/messages.ts';
import { describe, makePicker } from '../src/picker.ts';
import { one, page } from './dom.ts';

/** Elements of the small DOM have no layout. */
function boxed(element: Element): Element {
  element.getBoundingClientRect = () => ({ x: 1, y: 2, width: 3, height: 4 }) as DOMRect;
  return element;
}

test('an element is described by its place, name and text', () => {
  const document = page('<p id="intro">One\n  <b>two</b><script>three()</script><style>p {}</style></p>');
  assert.deepEqual(describe(boxed(one(document, 'p'))), {
    type: 'galley:element',
    selector: '#intro',
    rect: { x: 1, y: 2, width: 3, height: 4 },
    tag: 'p',
    text: 'One two',
  });
});

test('a long text is cut', () => {
  assert.equal(describe(boxed(one(page(`<p>${'word '.repeat(5000)}</p>`), 'p'))).text.length, 199);
});

test('reports are made once a frame, once an element, and only while on', () => {
  const document = page('<p id="one">1</p><p id="two">2</p>');
  const [first, second] = [boxed(one(document, '#one')), boxed(one(document, '#two'))];
  const listeners = new Map<string, (event: unknown) => void>();
  let paint: (() => void) | undefined;
  const view = {
    addEventListener: (kind: string, listener: () => void) => listeners.set(kind, listener),
    removeEventListener: (kind: string) => listeners.delete(kind),
    requestAnimationFrame: (callback: () => void) => ((paint = callback), 7),
    cancelAnimationFrame: () => (paint = undefined),
  };
  const frame = (): void => {
    const callback = paint;
    paint = undefined;
    callback?.();
  };
  const move = (target: unknown): void => listeners.get('pointermove')?.({ target });
  const reported: string[] = [];
  const pick = makePicker(view as unknown as Window, (picked: Picked) => reported.push(picked.selector));

  move(first);
  pick(true);
  move(first);
  move(second);
  assert.deepEqual(reported, [], 'nothing before the browser paints');
  frame();
  move(second);
  frame();
  assert.deepEqual(reported, ['#two'], 'the last element of a frame, once');
  listeners.get('scroll')?.({});
  frame();
  assert.deepEqual(reported, ['#two', '#two'], 'again after scrolling, with its new place');
  move(first);
  pick(false);
  frame();
  move(first);
  assert.deepEqual(reported, ['#two', '#two'], 'nothing after it was switched off');
});
