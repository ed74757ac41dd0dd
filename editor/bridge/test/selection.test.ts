import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FromPage } from '../src/editor_messages.ts';
import type { Overlay } from '../src/overlay.ts';
import { Selection } from '../src/selection.ts';
import { STAMP } from '../src/stamps.ts';
import { Targets } from '../src/targets.ts';
import { one, page } from './dom.ts';

const stamped = (tag: string, line: number): string => `<${tag} ${STAMP}="src/App.tsx:${line}:6">${tag}</${tag}>`;

/** A page with its paragraph selected, and the source's next text: the paragraph in front of the heading. */
function moved(): { selection: Selection; reload: () => void; selected: () => (string | undefined)[] } {
  const document = page(`<main>${stamped('h1', 4)}${stamped('p', 5)}</main>`);
  globalThis.getComputedStyle ??= (() => ({ getPropertyValue: () => '' })) as unknown as typeof getComputedStyle;
  Object.getPrototypeOf(Object.getPrototypeOf(one(document, 'p'))).getBoundingClientRect ??= () => ({ x: 0, y: 0, width: 1, height: 1 });
  const said: FromPage[] = [];
  const overlay = { draw: () => undefined } as unknown as Overlay;
  const selection = new Selection(document, new Targets(document), overlay, (message) => said.push(message));
  selection.select(one(document, 'p'), []);
  const reload = (): void => {
    one(document, 'main').innerHTML = `${stamped('p', 4)}${stamped('h1', 5)}`;
  };
  return { selection, reload, selected: () => said.flatMap((message) => (message.type === 'editor:selected' ? [message.target?.tag] : [])) };
}

test('an edited element that hot reload makes anew is found by its new stamp', () => {
  const { selection, reload, selected } = moved();
  selection.follow('src/App.tsx:5:6', undefined);
  selection.follow('src/App.tsx:5:6', 'src/App.tsx:4:6');
  selection.frame(0);
  reload();
  selection.frame(16);
  assert.deepEqual(selected(), ['p', 'p']);
});

test('a page that is ahead of the answer waits for it', () => {
  const { selection, reload, selected } = moved();
  selection.follow('src/App.tsx:5:6', undefined);
  reload();
  selection.frame(16);
  selection.frame(5000);
  assert.deepEqual(selected(), ['p']);
  selection.follow('src/App.tsx:5:6', 'src/App.tsx:4:6');
  selection.frame(5016);
  assert.deepEqual(selected(), ['p', 'p']);
});

test('an edit of another element changes nothing', () => {
  const { selection, reload, selected } = moved();
  selection.follow('src/App.tsx:9:6', 'src/App.tsx:4:6');
  reload();
  selection.frame(16);
  assert.deepEqual(selected(), ['p', 'h1']);
});
