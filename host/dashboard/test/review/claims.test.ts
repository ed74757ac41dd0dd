import { describe, expect, it } from 'vitest';
import { makeThrottle, parseClaim, placedFor } from '../../src/review/model/claims.ts';

const rect = { x: 1, y: 2, width: 3, height: 4 };
const placed = { type: 'review:placed', selector: '#buy', anchor: { v: 1, tag: 'button' }, rect, page: '/p/shop/', label: 'button “Buy”' };

describe('what a prototype says', () => {
  it('is parsed', () => {
    expect(parseClaim(placed)).toEqual(placed);
    expect(parseClaim({ type: 'review:pins', pins: [{ id: 'c1', state: 'moved', score: 0.9, rect, guess: null }] })).toBeDefined();
    expect(parseClaim({ type: 'review:ready', version: 1, page: 'http://x/', title: 't'.repeat(900), started: true })).toMatchObject({ title: 't'.repeat(200), deployment: null });
    expect(parseClaim({ type: 'review:ready', version: 1, page: 'http://x/', title: '', started: true, deployment: 'd1' })).toMatchObject({ deployment: 'd1' });
  });

  it('tells how it is scrolled, in pixels', () => {
    expect(parseClaim({ type: 'review:scroll', y: 12.5, max: 900 })).toEqual({ type: 'review:scroll', y: 12.5, max: 900 });
    for (const wrong of [{ y: -1, max: 1 }, { y: Infinity, max: 1 }, { y: '1', max: 1 }, { y: 1 }]) expect(parseClaim({ type: 'review:scroll', ...wrong })).toBeUndefined();
  });

  it.each([
    ['nothing', null],
    ['a text', 'review:ready'],
    ['another type', { type: 'review:delete-everything' }],
    ['a selector that is no text', { ...placed, selector: { text: '#x' } }],
    ['an endless selector', { ...placed, selector: 'x'.repeat(3_000) }],
    ['an anchor beyond 8 KiB', { ...placed, anchor: { text: 'x'.repeat(9_000) } }],
    ['an anchor that is a list', { ...placed, anchor: [] }],
    ['a place nowhere', { ...placed, rect: { ...rect, x: Number.NaN } }],
    ['a state that is none', { type: 'review:pins', pins: [{ id: 'c1', state: 'perfect', score: 1, rect, guess: null }] }],
    ['more pins than were asked for', { type: 'review:pins', pins: Array.from({ length: 1_001 }, () => ({ id: 'x', state: 'exact', score: 1, rect, guess: null })) }],
    ['a key that is a novel', { type: 'review:key', key: 'x'.repeat(99), meta: false, ctrl: false, shift: false, alt: false }],
  ])('is left alone when it is %s', (_, message) => {
    expect(parseClaim(message)).toBeUndefined();
  });

  it('is heard 60 times a second', () => {
    let now = 1_000;
    const mayPass = makeThrottle(60, () => now);
    const passed = (): number => Array.from({ length: 1_000 }, mayPass).filter(Boolean).length;
    expect(passed()).toBe(60);
    now += 1_000;
    expect(passed()).toBe(60);
  });
});

describe('an element that the frame says somebody chose', () => {
  const nothing = { mode: 'use', repinning: null, guessed: null } as const;

  it('is for what the reader asked for', () => {
    expect(placedFor(undefined, { ...nothing, mode: 'comment' })).toBe('new');
    expect(placedFor(undefined, { ...nothing, mode: 'comment', repinning: 'c1' })).toEqual({ again: 'c1' });
    expect(placedFor('c1', { ...nothing, guessed: 'c1' })).toEqual({ again: 'c1' });
  });

  it('is for nothing when nobody asked', () => {
    expect(placedFor(undefined, nothing)).toBe(null);
    expect(placedFor('c1', nothing)).toBe(null);
    expect(placedFor('c1', { ...nothing, mode: 'comment' })).toBe(null);
    expect(placedFor('c2', { mode: 'comment', repinning: 'c1', guessed: 'c1' })).toBe(null);
  });
});
