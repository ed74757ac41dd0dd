import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectorFor } from '../src/selector.ts';
import { one, page } from './dom.ts';

/** The selector of what `pick` finds; fails when it does not lead back to that element alone. */
function selectorOf(document: Document, pick: string): string {
  const element = one(document, pick);
  const selector = selectorFor(element);
  assert.equal(one(document, selector), element, selector);
  return selector;
}

test('an id that is the only one names its element', () => {
  assert.equal(selectorOf(page('<p id="intro">x</p>'), 'p'), '#intro');
});

test('an id with characters of its own is escaped', () => {
  assert.equal(selectorOf(page('<p id="a.b">x</p>'), 'p'), '#a\\.b');
});

test('an id that stands twice is no name', () => {
  const document = page('<p id="x">1</p><p id="x" class="second">2</p>');
  assert.equal(selectorOf(document, '.second'), 'html > body > p:nth-of-type(2)');
});

test('ids that frameworks count up are no names', () => {
  for (const id of [':r1:', '«r1»', 'radix-:r3:', 'item-48213', 'css-1f9a8b7c', '']) {
    const selector = selectorOf(page(`<main><p id="${id}">x</p></main>`), 'p');
    assert.equal(selector, 'html > body > main > p', id);
  }
});

test('a test id names its element, quotes and all', () => {
  assert.equal(selectorOf(page('<a data-testid="save">x</a>'), 'a'), '[data-testid="save"]');
  assert.equal(selectorOf(page(`<a data-cy='say "hi"'>x</a>`), 'a'), '[data-cy="say \\"hi\\""]');
});

test('a path begins at the nearest name', () => {
  const document = page('<ul id="list"><li>1</li><li>2 <b class="target">x</b></li></ul>');
  assert.equal(selectorOf(document, '.target'), '#list > li:nth-of-type(2) > b');
});

test('places are counted among elements of one name', () => {
  const document = page('<div><span>1</span><p>2</p><span class="target">3</span></div>');
  assert.equal(selectorOf(document, '.target'), 'html > body > div > span:nth-of-type(2)');
});

test('every element of a page is found again', () => {
  const card = (n: number) => `<section><h2>${n}</h2><p>a</p><p data-testid="dup">b <em>c</em></p><svg><g><path/></g></svg></section>`;
  const document = page(`<header id="top"><nav><a href="#">1</a><a href="#">2</a></nav></header>${[1, 2, 3].map(card).join('')}`);
  for (const element of document.querySelectorAll('*')) {
    assert.equal(one(document, selectorFor(element)), element);
  }
});
