import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forwardKeys } from '../src/keys.ts';
import { one, page } from './dom.ts';

/** Presses keys in a page, and gives those that the interface hears of. */
function bench(inUse: boolean): (key: string, more?: object) => { told: string[]; withheld: boolean } {
  const listeners: ((event: KeyboardEvent) => void)[] = [];
  const told: string[] = [];
  const view = { addEventListener: (_: string, listener: (event: KeyboardEvent) => void) => listeners.push(listener) };
  forwardKeys(view as unknown as Window, { inUse: () => inUse, takes: () => false, send: ({ key }) => told.push(key) });
  return (key, more = {}) => {
    told.length = 0;
    let withheld = false;
    const event = { key, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, defaultPrevented: false, composedPath: () => [], preventDefault: () => (withheld = true), stopImmediatePropagation: () => undefined, ...more };
    for (const listener of listeners) listener(event as unknown as KeyboardEvent);
    return { told: [...told], withheld };
  };
}

test('while somebody picks, every key is the interface’s but the browser’s own', () => {
  const press = bench(false);
  assert.deepEqual(press('v'), { told: ['v'], withheld: true });
  assert.deepEqual(press('z', { ctrlKey: true }), { told: ['z'], withheld: true });
  assert.deepEqual(press('R', { ctrlKey: true, shiftKey: true }), { told: ['R'], withheld: true });
  for (const [key, more] of [['Tab', {}], ['F5', {}], ['r', { ctrlKey: true }], ['t', { metaKey: true }], ['w', { ctrlKey: true }]] as const) {
    assert.deepEqual(press(key, more), { told: [], withheld: false });
  }
});

test('while the prototype is used its keys stay its own', () => {
  const press = bench(true);
  assert.deepEqual(press('v'), { told: [], withheld: false });
  assert.deepEqual(press('k', { ctrlKey: true }), { told: ['k'], withheld: false });
  assert.deepEqual(press('k', { ctrlKey: true, defaultPrevented: true }), { told: [], withheld: false });
});

test('undoing in a field of the prototype undoes nothing in its source', () => {
  const press = bench(true);
  const inside = { ctrlKey: true, composedPath: () => [one(page('<input>'), 'input')] };
  assert.deepEqual(press('z', inside).told, []);
  assert.deepEqual(press('k', inside).told, ['k']);
});
