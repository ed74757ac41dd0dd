import { expect, test } from 'vitest';
import { colourFamilies } from '../src/model/colours.ts';
import { becomesClass, decidingAt, fitting, scaleOf, settingOf, valueOf, withoutVariant } from '../src/model/utilities.ts';
import type { Inspection } from '../src/api/inspection.ts';

const sets = (name: string, property: string, among: string[] = [], variants: string[] = []) => ({ class: name, variants, properties: [property], among, tokens: [] });
const padding = [sets('p-4', 'padding', ['padding-left']), sets('pl-2', 'padding-left'), sets('md:p-6', 'padding', ['padding-left'], ['md']), sets('md:hover:p-8', 'padding', [], ['hover', 'md'])];

test('the class for exactly a property is found before one for more', () => {
  expect(settingOf(padding, 'padding-left', null)).toEqual({ class: 'pl-2', exact: true });
  expect(settingOf(padding, 'padding', null)).toEqual({ class: 'p-4', exact: true });
});

test('under a breakpoint only its own classes count', () => {
  expect(settingOf(padding, 'padding', 'md')).toEqual({ class: 'md:p-6', exact: true });
  expect(settingOf(padding, 'padding-left', 'md')).toEqual({ class: 'md:p-6', exact: false });
  expect(settingOf(padding, 'padding', 'lg')).toBeNull();
});

test('the class of a wider breakpoint decides at the width of the page', () => {
  const breakpoints = [{ name: 'sm', width: 640 }, { name: 'md', width: 768 }, { name: 'lg', width: 1024 }];
  expect(decidingAt(padding, 'padding', breakpoints, -1, 900)).toBe('md:p-6');
  expect(decidingAt(padding, 'padding', breakpoints, -1, 700)).toBeNull();
  expect(decidingAt(padding, 'padding', breakpoints, 768, 900)).toBeNull();
});

function element(styles: { property: string; from: 'inline' | 'stylesheet' }[], set = padding, fresh = true): Inspection {
  return { utilities: { fresh, set }, classes: { editable: true }, styles: styles.map((style) => ({ ...style, value: '1px', editable: true })) } as unknown as Inspection;
}

test('a style of the element itself stays one', () => {
  expect(becomesClass(element([{ property: 'padding', from: 'inline' }]), 'padding', undefined, null)).toBe(false);
  expect(becomesClass(element([]), 'padding', undefined, null)).toBe(true);
});

test('a rule of a stylesheet is changed where it stands, unless a class sets the property', () => {
  const rule = [{ property: 'color', from: 'stylesheet' as const }];
  expect(becomesClass(element(rule), 'color', undefined, null)).toBe(false);
  expect(becomesClass(element(rule, [sets('text-red-500', 'color')]), 'color', undefined, null)).toBe(true);
});

test('for some widths only everything is a class', () => {
  expect(becomesClass(element([{ property: 'padding', from: 'inline' }]), 'padding', undefined, 'md')).toBe(true);
});

test('without Tailwind nothing is a class', () => {
  expect(becomesClass({ ...element([]), utilities: null }, 'padding', undefined, null)).toBe(false);
});

const classes = [
  { name: 'p-4', from: 'Tailwind', preview: 'padding: 1rem', sets: 'padding' },
  { name: 'p-6', from: 'Tailwind', preview: 'padding: 1.5rem', sets: 'padding' },
  { name: 'text-red-500', from: 'Tailwind', preview: '#ef4444', sets: 'color' },
  { name: 'card', from: 'a.css', preview: 'color: red', sets: null },
];

test('a scale is what the theme offers for a property', () => {
  expect(scaleOf(classes, 'padding').map(({ name }) => name)).toEqual(['p-4', 'p-6']);
  expect(fitting(scaleOf(classes, 'padding'), '1.5').map(({ name }) => name)).toEqual(['p-6']);
  expect(classes.map(valueOf)).toEqual(['1rem', '1.5rem', '#ef4444', 'red']);
});

test('a class is shown without the variant that was chosen', () => {
  expect(withoutVariant('md:p-6', 'md')).toBe('p-6');
  expect(withoutVariant('p-6', 'md')).toBe('p-6');
});

test('shades stand with their like', () => {
  const colours = ['brand', 'red-50', 'red-500', 'white'].map((name) => ({ name, value: '#fff' }));
  expect(colourFamilies(colours).map(({ family, colours }) => [family, colours.length])).toEqual([['', 2], ['red', 2]]);
});
