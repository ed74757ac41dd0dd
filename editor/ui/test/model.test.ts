import { expect, test } from 'vitest';
import { fittingZoom, zoomed } from '../src/model/breakpoints.ts';
import { matching } from '../src/model/classes.ts';
import { readPreferences } from '../src/model/preferences.ts';
import { timeAgo } from '@kit/times.ts';

const classes = ['p-4', 'pt-4', 'text-sm', 'text-primary', 'card'].map((name) => ({ name, from: '', preview: '', sets: null }));
const found = (typed: string): string[] => matching(classes, typed, 10).map(({ name }) => name);

test('classes that begin with what was typed come first', () => {
  expect(found('p')[0]).toBe('p-4');
  expect(found('p')).toContain('text-primary');
  expect(found('sm')).toEqual(['text-sm']);
  expect(found('tsm')).toEqual(['text-sm']);
});

test('variants stay in front of the class', () => {
  expect(found('md:hover:card')).toEqual(['md:hover:card']);
  expect(found('p-4 md:te')).toEqual(['md:text-sm', 'md:text-primary']);
});

test('zoom goes in steps and fits wide pages', () => {
  expect([zoomed(1, 1), zoomed(1, -1), zoomed(2, 1), zoomed(0.6, 1)]).toEqual([1.25, 0.9, 2, 0.67]);
  expect([fittingZoom(null, 500), fittingZoom(1000, 500), fittingZoom(390, 900)]).toEqual([1, 0.5, 1]);
});

test('damaged preferences fall back one by one', () => {
  const stored = (text: string) => readPreferences({ getItem: () => text });
  expect(stored('{')).toMatchObject({ theme: 'system', left: true, width: 1280, zoom: null });
  expect(stored('{"theme":"pink","left":false,"width":1,"zoom":0.5}')).toMatchObject({ theme: 'system', left: false, width: 1280, zoom: 0.5 });
  expect(stored('[]')).toMatchObject({ singleKeys: true });
  expect(stored('{"width":null}')).toMatchObject({ width: null, zoom: null });
});

test('times are told from now on', () => {
  const now = Date.parse('2030-01-02T12:00:00Z');
  expect(timeAgo('2030-01-02T11:59:40Z', now)).toBe('just now');
  expect(timeAgo('2030-01-02T09:30:00Z', now)).toBe('2 hours ago');
  expect(timeAgo('2030-01-01T11:00:00Z', now)).toBe('yesterday');
  expect(timeAgo('soon', now)).toBe('soon');
});
