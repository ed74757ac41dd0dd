import { describe, expect, it } from 'vitest';
import { isPath, parsePlace, queryOf } from '../../src/review/model/address.ts';
import { addressIn, innerPath, isOnPage, openAddress, pageToKeep } from '../../src/review/model/pages.ts';

describe('the address of a review', () => {
  it('names a comment, a page, a version and a width', () => {
    const place = { comment: 12, page: '/about', deployment: 'dep_1', width: 390 };
    expect(parsePlace('?c=12&page=/about&at=dep_1&w=390')).toEqual(place);
    expect(parsePlace(queryOf(place))).toEqual(place);
    expect(queryOf(place)).toBe('?c=12&page=/about&at=dep_1&w=390');
    expect(queryOf({ comment: null, page: '/', deployment: null, width: null })).toBe('');
  });

  it('leaves out what it does not understand', () => {
    expect(parsePlace('?c=-1&page=https://evil.example&at=../x&w=9')).toEqual({ comment: null, page: null, deployment: null, width: null });
    expect(parsePlace('?c=12abc&w=99999')).toMatchObject({ comment: null, width: null });
  });

  it('takes paths of the prototype only', () => {
    for (const bad of ['//evil.example', '/\\evil.example', 'javascript:alert(1)', '', '/a\nb']) expect(isPath(bad)).toBe(false);
    expect(isPath('/shop/cart#/pay')).toBe(true);
  });
});

describe('pages of a prototype', () => {
  it('are the same below a path and at an address of their own', () => {
    expect(innerPath('/p/shop/about')).toBe('/about');
    expect(innerPath('http://localhost:4310/p/shop/@dep1/about/')).toBe('/about');
    expect(innerPath('https://shop.example.org/about')).toBe('/about');
    expect(innerPath('/p/shop/')).toBe('/');
    expect(innerPath('https://shop.example.org/#/cart')).toBe('/#/cart');
    expect(innerPath('http://localhost:4310/p/shop/#/cart')).toBe('/#/cart');
  });

  it('have a query, by which one page may be several screens', () => {
    expect(innerPath('http://localhost:4310/p/shop/?screen=cart')).toBe('/?screen=cart');
    expect(innerPath('https://shop.example.org/a/?screen=cart#/pay')).toBe('/a?screen=cart#/pay');
    expect(pageToKeep('/p/shop', 'http://localhost/p/shop/?screen=cart')).toBe('/p/shop?screen=cart');
    // The frame is elsewhere by now, or the query is endless.
    expect(pageToKeep('/p/shop', 'http://localhost/p/shop/about?screen=cart')).toBe('/p/shop');
    expect(pageToKeep('/p/shop', `http://localhost/p/shop/?x=${'x'.repeat(2_000)}`)).toBe('/p/shop');
  });

  it('hold a comment when they have its query, or its element', () => {
    const [home, cart] = ['http://localhost/p/shop/', 'http://localhost/p/shop/?screen=cart'];
    expect(isOnPage(cart, '/p/shop?screen=cart', 'detached')).toBe(true);
    expect(isOnPage(cart, '/p/shop', 'detached')).toBe(true);
    expect(isOnPage(home, '/p/shop?screen=cart', 'exact')).toBe(true);
    for (const state of ['detached', 'unknown'] as const) expect(isOnPage(home, '/p/shop?screen=cart', state)).toBe(false);
    expect(isOnPage('http://localhost/p/shop/about', '/p/shop', 'exact')).toBe(false);
  });

  it('open the live version or one that is named', () => {
    expect(openAddress('shop', null, '/')).toBe('/open/shop');
    expect(openAddress('shop', 'dep1', '/about?x=1')).toBe('/open/d-dep1?to=%2Fabout%3Fx%3D1');
  });

  it('are gone to within the version that is shown', () => {
    expect(addressIn('http://localhost/p/shop/@dep1/x', '/about')).toBe('/p/shop/@dep1/about');
    expect(addressIn('https://shop.example.org/x', '/about')).toBe('/about');
  });
});
