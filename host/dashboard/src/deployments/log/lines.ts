/** The lines of a log, as text arrives in pieces. */
import { PLAIN, readLine, type Span, type Style } from './ansi.ts';

export interface Line {
  /** Without control sequences: what is searched and copied. */
  text: string;
  spans: Span[];
}

/** Lines that are kept; the oldest go first. A log on the server is bounded lower. */
export const MAX_LINES = 200_000;

export class Lines {
  readonly lines: Line[] = [];
  /** Lines that are no longer kept. */
  dropped = 0;
  #rest = '';
  #style: Style = PLAIN;
  #isOpen = false;

  /** Adds text, which may end in the middle of a line. That line is shown already, and grows. */
  append(text: string): void {
    if (this.#isOpen) this.lines.pop();
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) this.#style = this.#push(part.endsWith('\r') ? part.slice(0, -1) : part);
    this.#isOpen = this.#rest !== '';
    if (this.#isOpen) this.#push(this.#rest);
    const over = this.lines.length - MAX_LINES;
    if (over > 0) {
      this.lines.splice(0, over);
      this.dropped += over;
    }
  }

  #push(part: string): Style {
    const { spans, after } = readLine(part, this.#style);
    this.lines.push({ spans, text: spans.map(({ text }) => text).join('') });
    return after;
  }
}

/** The numbers of the lines that contain `words`, whatever their case. */
export function search(lines: readonly Line[], words: string): number[] {
  if (words === '') return [];
  const wanted = words.toLowerCase();
  const hits: number[] = [];
  for (const [at, line] of lines.entries()) if (line.text.toLowerCase().includes(wanted)) hits.push(at);
  return hits;
}

/** Splits a line's spans so that every hit of `words` is a span of its own. */
export function highlighted(line: Line, words: string): { span: Span; isHit: boolean }[] {
  if (words === '') return line.spans.map((span) => ({ span, isHit: false }));
  const text = line.text.toLowerCase();
  const wanted = words.toLowerCase();
  // A letter whose lower case is longer (İ) would shift every place behind it.
  if (text.length !== line.text.length) return line.spans.map((span) => ({ span, isHit: false }));
  const cuts: [number, number][] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) cuts.push([at, at + wanted.length]);
  const parts: { span: Span; isHit: boolean }[] = [];
  let start = 0;
  for (const span of line.spans) {
    const end = start + span.text.length;
    let from = start;
    const add = (to: number, isHit: boolean): void => {
      if (to > from) parts.push({ span: { ...span, text: span.text.slice(from - start, to - start) }, isHit });
      from = Math.max(from, to);
    };
    for (const [begin, stop] of cuts) {
      if (stop <= from || begin >= end) continue;
      add(Math.min(begin, end), false);
      add(Math.min(stop, end), true);
    }
    add(end, false);
    start = end;
  }
  return parts;
}
