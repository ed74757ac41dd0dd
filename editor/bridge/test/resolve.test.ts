import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence } from '../../kit/anchor.ts';
import { Resolver, type Resolved } from '../src/resolve.ts';
import { deepSelectorFor } from '../src/selector.ts';
import { parseAnchor } from '../src/to_reviewed.ts';
import { one, page } from './dom.ts';

function all<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as T;
  }
}

/** The evidence of what `pick` finds, as it would be stored, and its selector. */
function anchorOf(document: Document, pick: string): [Evidence, string] {
  const resolver = all(Resolver.of(document));
  const element = one(document, pick);
  const entry = resolver.reader.index.entry(element);
  assert.ok(entry, `${pick} is read`);
  const rivals = all(resolver.rivals(entry));
  return [JSON.parse(JSON.stringify({ v: 1, ...resolver.reader.facts(entry), point: { x: 0, y: 0 }, ...rivals })), deepSelectorFor(element)];
}

/** Sets a pin in one page and looks for it in another. */
function found(before: string, pick: string, after: string): Resolved {
  const [anchor, selector] = anchorOf(page(before), pick);
  return all(all(Resolver.of(page(after))).resolve(anchor, selector));
}

const SHOP = `<header><a href="/">Home</a><a href="/cart">Cart</a></header>
  <main><h1>Blue shirt</h1><section><h2>Buy it</h2><p>12 left in stock</p><button class="t">Buy now</button><button>Add to wish list</button></section>
  <section><h2>Reviews</h2><ul><li>Fits well</li><li>Too small</li></ul></section></main><footer><a href="/imprint">Imprint</a></footer>`;

test('in the same build every element is found exactly', () => {
  const document = page(SHOP);
  for (const [at, element] of [...document.querySelectorAll('body *')].entries()) {
    element.setAttribute('data-truth', String(at));
    const [anchor, selector] = anchorOf(document, `[data-truth="${at}"]`);
    const { state, element: it } = all(all(Resolver.of(document)).resolve(anchor, selector));
    assert.equal(it, element, selector);
    assert.equal(state, 'exact', selector);
  }
});

test('a button that went to another part of the page is found there', () => {
  const moved = SHOP.replace('<button class="t">Buy now</button>', '').replace('<h1>Blue shirt</h1>', '<h1>Blue shirt</h1><div><button class="u">Buy now</button></div>');
  const { state, element } = found(SHOP, '.t', moved);
  assert.equal(element?.className, 'u');
  assert.equal(state, 'moved');
});

test('what is gone is detached, and what stands in its place is not taken for it', () => {
  const gone = SHOP.replace('<button class="t">Buy now</button>', '');
  const { state, element } = found(SHOP, '.t', gone);
  assert.equal(state, 'detached');
  assert.notEqual(element?.textContent, 'Buy now');
});

test('a changed text in its place is the same element', () => {
  const { state, element } = found(SHOP, 'p', SHOP.replace('12 left', '9 left'));
  assert.equal(element?.localName, 'p');
  assert.equal(state, 'exact');
});

test('a look-alike before it does not take the pin', () => {
  const { element } = found(SHOP, '.t', SHOP.replace('<button class="t">', '<button>Buy two</button><button class="t">'));
  assert.equal(element?.className, 't');
});

test('one of several that look the same, when one of them went away: nobody knows which', () => {
  const rows = (count: number, pinned: number): string => `<ul>${Array.from({ length: count }, (_, at) => `<li><button${at === pinned ? ' class="t"' : ''}>Edit</button></li>`).join('')}</ul>`;
  assert.equal(found(rows(40, 20), '.t', rows(40, 20)).state, 'exact');
  assert.equal(found(rows(40, 20), '.t', rows(39, 19)).state, 'detached');
});

/** Rows that differ in one cell each, with a button that says the same in all; `pinned` is marked. */
const rows = (names: string[], pinned: string): string => `<table><tbody>${names.map((name) => `<tr><td><i></i></td><td>${name}</td><td>Ready</td><td>Open</td><td><button${name === pinned ? ' data-truth' : ''}>Edit</button></td></tr>`).join('')}</tbody></table>`;

test('of many that look the same the order of what is around them tells which', () => {
  const names = ['Ada', 'Alan', 'Grace', 'Annie', 'Edsger', 'Barbara', 'Donald', 'Frances'];
  const changed = ['Radia', ...names.filter((name) => name !== 'Ada' && name !== 'Frances'), 'Tim', 'Vint'];
  for (const pinned of ['Grace', 'Edsger', 'Donald']) {
    const { state, element } = found(rows(names, pinned), '[data-truth]', rows(changed, pinned));
    assert.notEqual(state, 'detached', pinned);
    assert.ok(element?.hasAttribute('data-truth'), pinned);
  }
});

test('one of them whose row is gone is detached', () => {
  const names = ['Ada', 'Alan', 'Grace', 'Annie', 'Edsger', 'Barbara'];
  assert.equal(found(rows(names, 'Grace'), '[data-truth]', rows(names.filter((name) => name !== 'Grace'), 'Grace')).state, 'detached');
});

test('a text that is quite another one between neighbours that stayed is not taken, but guessed', () => {
  const list = (third: string): string => `<h2>Plans</h2><ul><li>Free</li><li>Personal</li><li class="t">${third}</li><li>Company</li></ul><p>All prices in euros</p>`;
  const { state, element } = found(list('Professional team'), '.t', list('Workgroup'));
  assert.equal(state, 'detached');
  assert.equal(element?.className, 't');
});

test('an anchor of an earlier version, without the order around it, still finds what did not change', () => {
  const [anchor, selector] = anchorOf(page(SHOP), '.t');
  const { above, below, classes, ...earlier } = anchor;
  assert.ok(above !== '' && below !== '' && classes === 't');
  const read = parseAnchor(JSON.parse(JSON.stringify(earlier))) as Evidence;
  const { state, element } = all(all(Resolver.of(page(SHOP.replace('12 left', '9 left')))).resolve(read, selector));
  assert.equal(element?.className, 't');
  assert.equal(state, 'exact');
});

test('equal buttons of a table are told apart by their rows', () => {
  const row = (name: string, mark = ''): string => `<tr><td>${name}</td><td><button${mark}>Edit</button></td></tr>`;
  const before = `<table><tbody>${row('Ada Lovelace')}${row('Alan Turing', ' class="t"')}${row('Grace Hopper')}</tbody></table>`;
  const after = `<table><tbody>${row('Annie Easley')}${row('Ada Lovelace')}${row('Alan Turing', ' class="t"')}${row('Grace Hopper')}</tbody></table>`;
  const { state, element, score } = found(before, '.t', after);
  assert.equal(element?.className, 't');
  assert.equal(state, 'moved', String(score));
});

test('the hash of a build is no part of the evidence', () => {
  const [anchor] = anchorOf(page('<img src="/assets/logo-DkS3hf2k.svg" alt="Logo">'), 'img');
  assert.equal(anchor.attrs.src, 'logo.svg');
  assert.equal(anchorOf(page('<p id=":r3:" data-testid="item-48213">x</p>'), 'p')[0].attrs.id, undefined);
});

test('an anchor is small, whatever the page', () => {
  const long = 'long '.repeat(5_000);
  const [anchor] = anchorOf(page(`<h1>${long}</h1><label>${long}<input class="t" id="a" name="${'n'.repeat(70)}" placeholder="${long}"></label><p>${long}</p>`), '.t');
  assert.ok(JSON.stringify(anchor).length < 6_000, `${JSON.stringify(anchor).length}`);
});
