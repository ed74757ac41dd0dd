import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findParent, parentOrigin } from '../src/parent.ts';
import { one, page } from './dom.ts';

interface Frame {
  ancestor?: string;
  referrer?: string;
}

/** A window inside another one, as far as the bridge looks at it. */
function framed({ ancestor, referrer = '' }: Frame) {
  const sent: { message: unknown; origin: string }[] = [];
  const listeners: ((event: unknown) => void)[] = [];
  const parent = { postMessage: (message: unknown, origin: string) => sent.push({ message, origin }) };
  const view = {
    parent,
    location: ancestor === undefined ? {} : { ancestorOrigins: [ancestor] },
    document: { referrer },
    addEventListener: (_: string, listener: (event: unknown) => void) => listeners.push(listener),
  };
  const receive = (event: unknown): void => listeners.forEach((listener) => listener(event));
  return { view: view as unknown as Window, parent, sent, receive };
}

function script(attributes: string): Element {
  return one(page(`<script ${attributes}></script>`), 'script');
}

test('the parent is who the server says, then who the browser says, then where the page was opened from', () => {
  const { view } = framed({ ancestor: 'https://browser.test', referrer: 'https://referrer.test/x' });
  assert.equal(parentOrigin(view, script('data-parent-origin="https://server.test"')), 'https://server.test');
  assert.equal(parentOrigin(view, script('')), 'https://browser.test');
  assert.equal(parentOrigin(framed({ referrer: 'https://referrer.test/x?y' }).view, null), 'https://referrer.test');
});

test('without a known parent nothing is said', () => {
  assert.equal(findParent(framed({}).view, null), undefined);
  assert.equal(findParent(framed({ ancestor: 'null' }).view, null), undefined);
  assert.equal(findParent(framed({}).view, script('data-parent-origin="*"')), undefined);
});

test('a page that is not framed has no parent', () => {
  const view = { document: { referrer: 'https://referrer.test/' }, location: {} } as Record<string, unknown>;
  view.parent = view;
  assert.equal(findParent(view as unknown as Window, null), undefined);
});

test('messages go to the exact origin', () => {
  const { view, sent } = framed({ ancestor: 'https://parent.test' });
  findParent(view, null)?.send({ type: 'review:pin', id: 'x' });
  assert.deepEqual(sent, [{ message: { type: 'review:pin', id: 'x' }, origin: 'https://parent.test' }]);
});

test('only the parent is listened to', () => {
  const { view, parent, receive } = framed({ ancestor: 'https://parent.test' });
  const heard: unknown[] = [];
  findParent(view, null)?.onMessage((data) => heard.push(data));
  receive({ source: parent, origin: 'https://other.test', data: 1 });
  receive({ source: {}, origin: 'https://parent.test', data: 2 });
  receive({ source: parent, origin: 'null', data: 3 });
  assert.deepEqual(heard, []);
  receive({ source: parent, origin: 'https://parent.test', data: 4 });
  assert.deepEqual(heard, [4]);
});
