import { expect, test } from 'vitest';
import { clickedInside } from '../src/model/selecting.ts';
import type { Selection } from '../src/model/model.ts';

const main = { id: 1, src: 'src/App.tsx:3:4', tag: 'main' };
const button = { id: 2, src: null, tag: 'button' };
const selection = (target: object | null, under: object[]): Selection => ({ target, under }) as unknown as Selection;

test('what was clicked is named where only the element around it is in the source', () => {
  expect(clickedInside(selection(main, [button, main]))).toBe('button');
  expect(clickedInside(selection(main, [main]))).toBeNull();
  expect(clickedInside(selection(main, []))).toBeNull();
  expect(clickedInside(selection(button, [button]))).toBeNull();
  expect(clickedInside(selection(null, [button]))).toBeNull();
});
