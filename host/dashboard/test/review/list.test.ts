import { describe, expect, it } from 'vitest';
import { counts, shown, type View } from '../../src/review/model/filters.ts';
import { commandOf, FRAME_COMMANDS, step } from '../../src/review/model/keys.ts';
import { merged } from '../../src/review/model/merge.ts';
import { pinsOf } from '../../src/review/model/pins.ts';
import { ANA, BO, comment, entry } from './samples.ts';

const view = (change: Partial<View> = {}): View => ({ filter: 'open', query: '', me: ANA.uid, participant: null, onThisPage: () => true, stateOf: () => 'exact', keep: null, ...change });

describe('the list', () => {
  const all = [comment(1, { resolved: true }), comment(2, { author: BO }), comment(3, { author: BO, mentions: [ANA.uid] }), comment(4, { body: 'Zu groß: Überschrift' })];
  const numbers = (change: Partial<View>): number[] => shown(all, view(change)).map(({ number }) => number);

  it('shows what a filter says, the newest first', () => {
    expect(numbers({})).toEqual([4, 3, 2]);
    expect(numbers({ filter: 'resolved' })).toEqual([1]);
    expect(numbers({ filter: 'mine' })).toEqual([4, 3, 1]);
    expect(numbers({ filter: 'page', onThisPage: ({ number }) => number === 2 })).toEqual([2]);
    expect(numbers({ filter: 'detached', stateOf: ({ number }) => (number === 3 ? 'detached' : 'exact') })).toEqual([3]);
  });

  it('knows its reader by the account and by the place in the directory', () => {
    const named = [comment(1, { author: BO, mentions: ['p_ana'] }), comment(2, { author: BO }), comment(3, { author: BO, mentions: [ANA.uid] })];
    const mine = (change: Partial<View>): number[] => shown(named, view({ filter: 'mine', ...change })).map(({ number }) => number);
    expect(mine({ participant: 'p_ana' })).toEqual([3, 1]);
    expect(mine({ me: null })).toEqual([]);
  });

  it('keeps the open one while its filter changes', () => {
    expect(numbers({ keep: 'c1' })).toEqual([4, 3, 2, 1]);
  });

  it('finds words whatever their accents, numbers and names', () => {
    expect(numbers({ query: 'uberschrift' })).toEqual([4]);
    expect(numbers({ query: '#3' })).toEqual([3]);
    expect(numbers({ query: 'bo text' })).toEqual([3, 2]);
    expect(numbers({ query: 'nothing like it' })).toEqual([]);
  });

  it('counts', () => {
    expect(counts(all, view())).toEqual({ open: 3, resolved: 1, mine: 3, page: 3, detached: 0 });
  });
});

describe('pins', () => {
  it('are those of open comments, the chosen one, and the draft', () => {
    const comments = merged([comment(1, { resolved: true }), comment(2), comment(3, { position: { anchorSelector: '', page: '/' } })], [entry('key-00001')], ANA);
    const given = { comments, resolved: false, selected: null, draft: null, unread: () => false, title: () => 'x'.repeat(500) };
    expect(pinsOf(given).map(({ id }) => id)).toEqual(['c2', 'pending:key-00001']);
    expect(pinsOf({ ...given, selected: 'c1' }).map(({ id }) => id)).toEqual(['c1', 'c2', 'pending:key-00001']);
    expect(pinsOf({ ...given, draft: { anchorSelector: 'h1', page: '/' } }).at(-1)).toMatchObject({ id: 'draft', status: 'draft', label: '' });
    expect(pinsOf(given)[0]?.title).toHaveLength(200);
  });

  it('are at most 1,000', () => {
    const comments = merged(Array.from({ length: 1_200 }, (_, index) => comment(index + 1)), [], ANA);
    const pins = pinsOf({ comments, resolved: false, selected: null, draft: { anchorSelector: 'h1', page: '/' }, unread: () => false, title: () => '' });
    expect(pins).toHaveLength(1_000);
    expect(pins[0]?.id).toBe('c202');
  });
});

describe('keys', () => {
  const press = (key: string, change = {}) => ({ key, meta: false, ctrl: false, shift: false, alt: false, ...change });
  const given = { singleKeys: true, typing: false, mac: false };
  it('mean commands, and letters where somebody types', () => {
    expect('cnpre/?'.split('').map((key) => commandOf(press(key), given))).toEqual(['comment', 'next', 'previous', 'reply', 'resolve', 'search', 'help']);
    expect(commandOf(press('c'), { ...given, typing: true })).toBe(null);
    expect(commandOf(press('c', { ctrl: true }), given)).toBe(null);
    expect(commandOf(press('k', { ctrl: true }), { ...given, typing: true })).toBe('palette');
    expect(commandOf(press('k', { meta: true }), { ...given, mac: true })).toBe('palette');
  });

  it('of one letter can be switched off', () => {
    expect(commandOf(press('c'), { ...given, singleKeys: false })).toBe(null);
    expect(commandOf(press('Escape'), { ...given, singleKeys: false })).toBe('leave');
  });

  it('from the frame change nothing on the server', () => {
    expect('cnpre/?'.split('').filter((key) => !FRAME_COMMANDS.has(commandOf(press(key), given)!))).toEqual(['e']);
    expect(['palette', 'leave'].every((command) => FRAME_COMMANDS.has(command as 'palette' | 'leave'))).toBe(true);
  });

  it('walk along the list, around its ends', () => {
    const list = [{ id: 'a' }, { id: 'b' }];
    expect(step(list, null, 1)?.id).toBe('a');
    expect(step(list, 'b', 1)?.id).toBe('a');
    expect(step(list, 'a', -1)?.id).toBe('b');
    expect(step([], 'a', 1)).toBe(null);
  });
});
