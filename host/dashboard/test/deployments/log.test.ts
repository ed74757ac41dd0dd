import { expect, test } from 'vitest';
import { readLine } from '../../src/deployments/log/ansi.ts';
import { highlighted, Lines, search } from '../../src/deployments/log/lines.ts';

const ESC = '\u001b';
const shown = (log: Lines): string[] => log.lines.map(({ text }) => text);

test('colours are read, other sequences dropped', () => {
  const { spans, after } = readLine(`${ESC}[1m${ESC}[32m✓${ESC}[39m${ESC}[22m built ${ESC}[2K${ESC}]8;;https://x.test${ESC}\\here${ESC}]8;;\u0007 ${ESC}[31mred`);
  expect(spans.map(({ text, colour, bold }) => [text, colour, bold])).toEqual([
    ['✓', 2, true],
    [' built ', null, false],
    ['here', null, false],
    [' ', null, false],
    ['red', 1, false],
  ]);
  expect(after.colour).toBe(1);
});

test('bright, 256 and 24-bit colours', () => {
  const colours = (text: string): (number | null)[] => readLine(text).spans.map(({ colour }) => colour);
  expect(colours(`${ESC}[91ma${ESC}[38;5;4mb${ESC}[38;5;200mc${ESC}[38;2;1;2;3md${ESC}[0me`)).toEqual([9, 4, null, null, null]);
});

test('what a progress bar wrote over is gone', () => {
  expect(readLine('10 %\r50 %\r100 %').spans.map(({ text }) => text)).toEqual(['100 %']);
  expect(readLine('done\r').spans.map(({ text }) => text)).toEqual(['done']);
});

test('hostile text stays text', () => {
  expect(readLine(`<script>alert(1)</script>${ESC}[`).spans[0]?.text).toContain('<script>');
  expect(readLine(`${ESC}[999999999;38;5m x`).spans.at(-1)?.text).toBe(' x');
});

test('lines come out whole, however the text is cut', () => {
  const log = new Lines();
  for (const piece of ['fir', 'st\nsec', 'ond\r\n', 'th']) log.append(piece);
  expect(shown(log)).toEqual(['first', 'second', 'th']);
  log.append('ird\n');
  expect(shown(log)).toEqual(['first', 'second', 'third']);
});

test('a colour lasts until it is taken back, over lines and cuts', () => {
  const log = new Lines();
  log.append(`${ESC}[33mone\ntw`);
  log.append(`o${ESC}[0m\nthree`);
  expect(log.lines.map(({ spans }) => spans[0]?.colour)).toEqual([3, 3, null]);
});

test('search finds lines, hits are marked across colours', () => {
  const log = new Lines();
  log.append(`Error: ${ESC}[31mno${ESC}[0mthing\nfine\nan ERROR\n`);
  expect(search(log.lines, 'error')).toEqual([0, 2]);
  const [line] = log.lines;
  const hits = line ? highlighted(line, 'nothing') : [];
  expect(hits.filter(({ isHit }) => isHit).map(({ span }) => span.text)).toEqual(['no', 'thing']);
  expect(hits.map(({ span }) => span.text).join('')).toBe(line?.text);
});

test('100,000 lines are read in well under a second', () => {
  const log = new Lines();
  const piece = `${ESC}[32mINFO${ESC}[0m building module number one of many, with a name\n`.repeat(100);
  const start = performance.now();
  for (let times = 0; times < 1000; times += 1) log.append(piece);
  expect(log.lines.length).toBe(100_000);
  expect(performance.now() - start).toBeLessThan(3000);
});
