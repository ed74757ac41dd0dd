import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Dragging, placeFor } from '../src/dragging.ts';
import { one, page } from './dom.ts';

/** The small DOM has no layout: each element gets the box that its `data-box` names. */
function laidOut(body: string): Document {
  const document = page(body);
  for (const element of document.querySelectorAll('*')) {
    const [x = 0, y = 0, width = 0, height = 0] = (element.getAttribute('data-box') ?? '').split(' ').map(Number);
    element.getBoundingClientRect = () => ({ x, y, width, height }) as DOMRect;
  }
  return document;
}

const LIST = `<main data-desde-src="A.tsx:1:0" data-box="0 0 100 400">
  <p id="a" data-desde-src="A.tsx:2:0" data-box="0 0 100 100"></p>
  <p id="b" data-desde-src="A.tsx:3:0" data-box="0 100 100 100"><b data-desde-src="B.tsx:1:0"></b></p>
  <div id="c" data-desde-src="A.tsx:4:0" data-box="0 200 100 100"></div>
</main>`;

test('an element goes before or behind the one under the pointer', () => {
  const document = laidOut(LIST);
  const [a, b] = [one(document, '#a'), one(document, '#b')];
  assert.deepEqual(placeFor(a, [b], { x: 5, y: 110 })?.drop, { to: 'A.tsx:3:0', tag: 'p', place: 'before' });
  assert.deepEqual(placeFor(a, [b], { x: 5, y: 190 })?.drop, { to: 'A.tsx:3:0', tag: 'p', place: 'after' });
});

test('what another file writes is passed on to what holds it', () => {
  const document = laidOut(LIST);
  assert.deepEqual(placeFor(one(document, '#a'), [one(document, 'b')], { x: 5, y: 190 })?.drop, { to: 'A.tsx:3:0', tag: 'p', place: 'after' });
});

test('between elements the nearest one counts', () => {
  const document = laidOut(LIST);
  assert.deepEqual(placeFor(one(document, '#a'), [one(document, 'main')], { x: 5, y: 390 })?.drop, { to: 'A.tsx:4:0', tag: 'div', place: 'after' });
});

test('an empty container takes it in', () => {
  const document = laidOut(LIST);
  assert.deepEqual(placeFor(one(document, '#a'), [one(document, '#c')], { x: 5, y: 250 })?.drop, { to: 'A.tsx:4:0', tag: 'div', place: 'last' });
});

test('elements side by side are passed to the left and to the right', () => {
  const document = laidOut(`<i id="a" data-desde-src="A.tsx:1:0" data-box="0 0 50 20"></i><i id="b" data-desde-src="A.tsx:2:0" data-box="50 0 50 20"></i>`);
  const drop = placeFor(one(document, '#a'), [one(document, '#b')], { x: 90, y: 2 });
  assert.deepEqual(drop?.drop, { to: 'A.tsx:2:0', tag: 'i', place: 'after' });
  assert.equal(drop?.mark.box.height, 20);
});

test('nothing goes into itself, nor among items of one place in the source', () => {
  const document = laidOut(`<ul data-desde-src="A.tsx:1:0"><li id="a" data-desde-src="A.tsx:2:0"><b data-desde-src="A.tsx:3:0"></b></li><li id="b" data-desde-src="A.tsx:2:0"></li></ul>`);
  const dragged = one(document, '#a');
  assert.equal(placeFor(dragged, [one(document, 'b')], { x: 0, y: 0 }), undefined);
  assert.equal(placeFor(dragged, [one(document, '#b')], { x: 0, y: 0 }), undefined);
});

test('a press is a click until the pointer moves far enough', () => {
  const document = laidOut(LIST);
  const [a, b] = [one(document, '#a'), one(document, '#b')];
  const dragging = new Dragging();
  dragging.press(a, { x: 0, y: 0 });
  assert.equal(dragging.move([b], { x: 3, y: 3 }), false);
  assert.equal(dragging.release(), undefined);
  assert.equal(dragging.swallows(), false);
  dragging.press(a, { x: 0, y: 0 });
  assert.equal(dragging.move([b], { x: 5, y: 190 }), true);
  assert.deepEqual(dragging.release(), { to: 'A.tsx:3:0', tag: 'p', place: 'after' });
  assert.equal(dragging.swallows(), true);
  assert.equal(dragging.swallows(), false);
});

test('a drag that is called off goes nowhere, and its click is none', () => {
  const document = laidOut(LIST);
  const dragging = new Dragging();
  dragging.press(one(document, '#a'), { x: 0, y: 0 });
  dragging.move([one(document, '#b')], { x: 5, y: 190 });
  dragging.cancel();
  assert.equal(dragging.mark, undefined);
  assert.equal(dragging.release(), undefined);
  assert.equal(dragging.swallows(), true);
});
