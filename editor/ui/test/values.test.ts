import { expect, test } from 'vitest';
import { formatColour, parseColour, readableColour, themeColours } from '../src/model/colours.ts';
import { parseLength, readableLength, stepped, typedValue } from '../src/model/lengths.ts';

test('colours are read in the spellings browsers compute', () => {
  expect(parseColour('#fff')).toEqual({ r: 255, g: 255, b: 255, a: 1 });
  expect(parseColour('rgb(63, 79, 214)')).toEqual({ r: 63, g: 79, b: 214, a: 1 });
  expect(parseColour('rgb(0 0 0 / 50%)')).toEqual({ r: 0, g: 0, b: 0, a: 0.5 });
  expect(parseColour('transparent')?.a).toBe(0);
});

test('what is no plain colour is left as it is', () => {
  for (const text of ['var(--ink)', 'rgb(1,2)', '#12', 'rgb(a, b, c)', 'oklch(0.5 0.1 200)']) {
    expect(parseColour(text)).toBeNull();
    expect(readableColour(text)).toBe(text);
  }
});

test('what cannot be seen is called transparent', () => {
  expect(readableColour('rgba(0, 0, 0, 0)')).toBe('transparent');
});

test('a colour is written in hex, with its alpha only when it has one', () => {
  expect(formatColour({ r: 63, g: 79, b: 214, a: 1 })).toBe('#3f4fd6');
  expect(formatColour({ r: 0, g: 0, b: 0, a: 0.5 })).toBe('#00000080');
});

test('colours of the theme are found among the classes, each once', () => {
  const classes = [
    { name: 'bg-rose-500', preview: 'background-color: #f43f5e' },
    { name: 'text-rose-500', preview: 'color: #f43f5e' },
    { name: 'bg-cover', preview: 'background-size: cover' },
    { name: 'text-brand', preview: 'color: oklch(0.6 0.2 30)' },
  ];
  expect(themeColours(classes)).toEqual([
    { name: 'rose-500', value: '#f43f5e' },
    { name: 'brand', value: 'oklch(0.6 0.2 30)' },
  ]);
});

test('arrow keys step numbers in their unit', () => {
  const plain = { shift: false, alt: false };
  expect(stepped('16px', 1, plain, 'px')).toBe('17px');
  expect(stepped('16', -1, { shift: true, alt: false }, 'px')).toBe('6px');
  expect(stepped('1rem', 1, plain, 'px')).toBe('1.1rem');
  expect(stepped('0.1', 1, plain, '')).toBe('0.2');
  expect(stepped('auto', 1, plain, 'px')).toBeNull();
});

test('a bare number gets the unit of its field, zero and words do not', () => {
  expect(typedValue('12', 'px')).toBe('12px');
  expect(typedValue(' 1.5 ', '')).toBe('1.5');
  expect(typedValue('0', 'px')).toBe('0');
  expect(typedValue('auto', 'px')).toBe('auto');
  expect(typedValue('calc(1px + 2%)', 'px')).toBe('calc(1px + 2%)');
  expect(typedValue('  ', 'px')).toBeNull();
});

test('computed lengths are shown without noise', () => {
  expect(readableLength('12.345678px')).toBe('12.35px');
  expect(readableLength('auto')).toBe('auto');
  expect(parseLength('1e3px')).toBeNull();
});
