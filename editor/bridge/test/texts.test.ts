import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../src/texts.ts';
import { one, page } from './dom.ts';

test('the text of an element is what people read of it', () => {
  assert.equal(textOf(one(page('<p id="intro">One\n  <b>two</b><script>three()</script><style>p {}</style></p>'), 'p')), 'One two');
});

test('a long text is cut', () => {
  assert.equal(textOf(one(page(`<p>${'word '.repeat(5000)}</p>`), 'p')).length, 199);
});
