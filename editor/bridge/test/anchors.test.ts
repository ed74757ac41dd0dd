import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inPageTarget, repairAnchors } from '../src/anchors.ts';
import { one, page } from './dom.ts';

/** A click on `.target` in a page of `body`. */
function click(body: string, event: Partial<MouseEvent> = {}): MouseEvent {
  const target = one(page(body), '.target');
  return { defaultPrevented: false, button: 0, target, preventDefault: () => {}, ...event } as unknown as MouseEvent;
}

test('a link to a place in the page is one', () => {
  assert.equal(inPageTarget(click('<a class="target" href="#x">x</a>')), '#x');
  assert.equal(inPageTarget(click('<a href="#x"><b class="target">x</b></a>')), '#x');
  assert.equal(inPageTarget(click('<a class="target" href=" # ">x</a>')), '#');
  assert.equal(inPageTarget(click('<a class="target" target="_self" href="#/route">x</a>')), '#/route');
});

test('everything else is left to the browser', () => {
  for (const body of [
    '<p class="target">x</p>',
    '<a class="target">x</a>',
    '<a class="target" href="other#x">x</a>',
    '<a class="target" href="#x" download>x</a>',
    '<a class="target" href="#x" target="_blank">x</a>',
  ]) {
    assert.equal(inPageTarget(click(body)), undefined, body);
  }
  for (const event of [{ button: 1 }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { defaultPrevented: true }]) {
    assert.equal(inPageTarget(click('<a class="target" href="#x">x</a>', event)), undefined, JSON.stringify(event));
  }
});

test('links are repaired where the server put the base, and only there', () => {
  for (const [head, expected] of [
    ['<base href="/p/demo/" data-galley>', ['http://host/p/demo/page?q=1#x']],
    ['<base href="/elsewhere/">', []],
    ['', []],
  ] as const) {
    const went: string[] = [];
    let listener: ((event: MouseEvent) => void) | undefined;
    const view = {
      document: page('', head),
      location: { href: 'http://host/p/demo/page?q=1#old', assign: (to: string) => went.push(to) },
      addEventListener: (_: string, added: (event: MouseEvent) => void) => (listener = added),
    };
    repairAnchors(view as unknown as Window);
    listener?.(click('<a class="target" href="#x">x</a>'));
    assert.deepEqual(went, expected, head);
  }
});
