import { expect, test } from 'vitest';
import { comparedOf, comparingAddress } from '../src/shell/compared.ts';

test('both addresses name the same two versions', () => {
  const address = new URL(comparingAddress('my-shop', 'a1', 'b/2'), 'http://localhost');
  expect(address.pathname).toBe('/projects/my-shop');
  expect(comparedOf(address)).toEqual(['a1', 'b/2']);
  expect(comparedOf(new URL('http://localhost/projects/my-shop/compare/a1/b%2F2'))).toEqual(['a1', 'b/2']);
  expect(comparedOf(new URL('http://localhost/projects/compare?page=/x'))).toEqual([]);
});
