import { expect, test } from 'vitest';
import type { Project } from '../src/api/projects.ts';
import { firstCommands, listed, matching, slugOf, sorted, type Listed } from '../src/projects/model.ts';

function project(name: string, more: Partial<Project> = {}): Project {
  const slug = slugOf(name);
  return { id: `id-${slug}`, slug, name, repoUrl: null, access: 'all-members', url: `/p/${slug}/`, openUrl: null, createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', activeDeploymentId: null, canManage: true, canComment: true, ...more };
}

const names = (list: readonly Listed[]): string[] => list.map((each) => each.project.name);

test('the last thing that happened counts, whoever did it', () => {
  const shop = listed(project('Shop'), { open: 2, unread: 1, lastAt: '2026-03-01T00:00:00Z' }, { live: null, building: null, last: { at: '2026-02-01T00:00:00Z' } });
  expect(new Date(shop.activeAt).toISOString()).toBe('2026-03-01T00:00:00.000Z');
  expect(listed(project('Old', { createdAt: 'nonsense', updatedAt: '' }), undefined, undefined).activeAt).toBe(0);
});

test('every word is searched in name and address, without accents', () => {
  const all = [listed(project('Café Zürich'), undefined, undefined), listed(project('Shop 2', { slug: 'old-store' }), undefined, undefined)];
  expect(names(matching(all, ' zurich cafe '))).toEqual(['Café Zürich']);
  expect(names(matching(all, 'STORE'))).toEqual(['Shop 2']);
  expect(names(matching(all, 'shop zurich'))).toEqual([]);
  expect(matching(all, '')).toHaveLength(2);
});

test('orders fall back on names, with numbers as numbers', () => {
  const all = ['Shop 10', 'shop 2', 'Abc'].map((name) => listed(project(name), undefined, undefined));
  expect(names(sorted(all, 'name'))).toEqual(['Abc', 'shop 2', 'Shop 10']);
  expect(names(sorted(all, 'activity'))).toEqual(['Abc', 'shop 2', 'Shop 10']);
  const unread = [...all, listed(project('Zoo'), { open: 1, unread: 1, lastAt: null }, undefined)];
  expect(names(sorted(unread, 'unread'))[0]).toBe('Zoo');
  const created = [...all, listed(project('New', { createdAt: '2026-09-01T00:00:00Z' }), undefined, undefined)];
  expect(names(sorted(created, 'created'))[0]).toBe('New');
});

test('a name suggests an address', () => {
  expect(slugOf('  Café Zürich & Söhne ')).toBe('cafe-zurich-sohne');
  expect(slugOf('Straße 5')).toBe('strasse-5');
  expect(slugOf('日本')).toBe('');
  expect(slugOf('x'.repeat(62) + ' yz')).toBe('x'.repeat(62));
});

test('the commands of a first upload name this server', () => {
  expect(firstCommands('https://review.example.org')).toContain('--data-binary @site.tgz https://review.example.org/api/v1/projects/$ID/deployments');
});
