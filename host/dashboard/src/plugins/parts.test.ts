import { expect, it } from 'vitest';
import type { Ui, User } from '../api/ui.ts';
import { partAddress, partsAt } from './parts.ts';

const part = (rest: object) => ({ at: 'review-panel', title: 'Notes', icon: null, entry: '/.galley/ui/notes/0a1b/panel.html', guard: 'project:read', requests: [], ...rest });
const ui = (...parts: object[]): Ui => ({ publicUrl: '', serving: 'path', hasAccounts: true, settings: {} as Ui['settings'], slots: [{ slot: 'notes', state: 'ready', ui: parts }] });
const admin: User = { id: 'u1', email: 'a@example.com', displayName: 'Ann', role: 'admin' };
const titles = (given: Ui, ...[at, viewer]: [Parameters<typeof partsAt>[1], Parameters<typeof partsAt>[2]]) => partsAt(given, at, viewer).map(({ title }) => title);

it('a part is at its place, for those whom its guard lets pass', () => {
  const given = ui(part({}), part({ title: 'For managers', guard: 'project:manage' }), part({ at: 'instance', title: 'All', guard: 'instance:admin' }), part({ at: 'page', title: 'Mine', guard: 'identified' }));
  expect(titles(given, 'review-panel', { user: null })).toEqual(['Notes']);
  expect(titles(given, 'review-panel', { user: admin, canManage: true })).toEqual(['Notes', 'For managers']);
  expect(titles(given, 'instance', { user: { ...admin, role: 'editor' } })).toEqual([]);
  expect(titles(given, 'instance', { user: admin })).toEqual(['All']);
  expect(titles(given, 'page', { user: null })).toEqual([]);
  expect(partsAt(given, 'page', { user: admin }).map(partAddress)).toEqual(['notes/3']);
});

it('what is not understood, and what a slot that fails brings, is left out', () => {
  const given = ui(part({ at: 'moon' }), part({ entry: 'https://evil.example/' }), part({ entry: '/p/shop/' }), part({ icon: 'javascript:alert(1)' }), part({ guard: 'sudo' }));
  expect(titles(given, 'review-panel', { user: admin, canManage: true, canComment: true })).toEqual([]);
  const failed = ui(part({}));
  failed.slots[0]!.state = 'failed';
  expect(titles(failed, 'review-panel', { user: admin })).toEqual([]);
});
