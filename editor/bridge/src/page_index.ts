/**
 * Every element of a page and its text, read once in document order through shadow roots and frames. Each comparison of pins with
 * the page uses it, so the page is walked once for all of them.
 */
import { BEFORE, frameDocument, type Root } from './roots.ts';
import { OVERLAY } from './overlay.ts';

/** Elements that nobody sees: they and what is in them are no part of the page. */
const UNSEEN = new Set(['head', 'script', 'style', 'template', 'noscript', 'link', 'meta', 'base', 'title', OVERLAY]);

/** Elements read between two looks at the clock. */
const BATCH = 100;

/** No text node needs more characters than this for any evidence. */
const MAX_NODE_TEXT = 1_000;

/** Tokens are written as ideographs: letters that JSON keeps as they are, and that are never joined with others. */
const FIRST_TOKEN = 0x4e00;
const TOKENS = 20_000;

/** One element and its place in the page. */
export interface Entry {
  readonly element: Element;
  readonly tag: string;
  readonly parent: Entry | undefined;
  /** The element before and the one behind it, among its siblings. */
  readonly previous: Entry | undefined;
  next: Entry | undefined;
  /** How many siblings of its name stand before it. */
  readonly nth: number;
  /** Its place in document order, and that of the last element in it. */
  readonly order: number;
  last: number;
  /** Where its text lies in the page's. */
  start: number;
  end: number;
}

/** Whether an element is in another one, or is it. */
export function contains(around: Entry, { order }: Entry): boolean {
  return around.order <= order && order <= around.last;
}

/** A page, read. */
export class PageIndex {
  readonly entries: Entry[] = [];
  /** The shadow roots and the documents of frames in it. */
  readonly roots: Root[] = [];
  readonly #of = new Map<Element, Entry>();
  #chunks: string[] = [];
  #length = 0;
  #text: string | undefined;
  #tokens: [string, string] | undefined;

  /** Reads a page; yields now and then so that the caller may give the browser its turn. */
  static *read(page: Document): Generator<undefined, PageIndex> {
    const index = new PageIndex();
    if (page.documentElement) yield* index.#walk(page.documentElement);
    return index;
  }

  /** How much there is in it: the same for a page that did not change. */
  get extent(): string {
    return `${this.entries.length}/${this.#length}`;
  }

  entry(element: Element | undefined | null): Entry | undefined {
    return element ? this.#of.get(element) : undefined;
  }

  /**
   * One character for each element, in document order and the other way round: its name and the text up to the next element, digested.
   * What only puts a box around others adds a token and changes none.
   */
  get tokens(): [string, string] {
    if (!this.#tokens) {
      const tokens = this.entries.map(({ tag, start, end }, at) => String.fromCharCode(FIRST_TOKEN + (digest(tag + this.slice(start, this.entries[at + 1]?.start ?? end)) % TOKENS)));
      this.#tokens = [tokens.join(''), tokens.reverse().join('')];
    }
    return this.#tokens;
  }

  /** A part of the page's text. */
  slice(start: number, end: number): string {
    this.#text ??= this.#chunks.join('');
    return this.#text.slice(Math.max(0, start), end).trim();
  }

  *#walk(root: Element): Generator<undefined> {
    interface Step {
      entry: Entry;
      /** Nodes still to be read: first those of the shadow root or frame, then the element's own. */
      node: Node | null;
      then: Node | null;
      last: Entry | undefined;
      counts: Map<string, number>;
    }
    const enter = (element: Element, above: Step | undefined): Step => {
      const tag = element.localName;
      const nth = above?.counts.get(tag) ?? 0;
      above?.counts.set(tag, nth + 1);
      const entry: Entry = { element, tag, parent: above?.entry, previous: above?.last, next: undefined, nth, order: this.entries.length, last: 0, start: this.#length, end: this.#length };
      if (above?.last) above.last.next = entry;
      if (above) above.last = entry;
      this.entries.push(entry);
      this.#of.set(element, entry);
      const within = element.shadowRoot ?? frameDocument(element);
      if (within) this.roots.push(within);
      const inner = element.shadowRoot?.firstChild ?? frameDocument(element)?.documentElement ?? null;
      // A drawing is one thing: its lines are no places for comments.
      const own = tag === 'svg' ? null : element.firstChild;
      return { entry, node: inner ?? own, then: inner ? own : null, last: undefined, counts: new Map() };
    };
    const steps = [enter(root, undefined)];
    for (let read = 0, step = steps.at(-1); step; step = steps.at(-1)) {
      const { node } = step;
      if (!node) {
        if (step.then) {
          step.node = step.then;
          step.then = null;
          continue;
        }
        step.entry.end = this.#length;
        step.entry.last = this.entries.length - 1;
        steps.pop();
        continue;
      }
      step.node = node.nextSibling;
      if (node.nodeType === 3) this.#addText(node.nodeValue ?? '');
      if (node.nodeType !== 1) continue;
      const element = node as Element;
      if (UNSEEN.has(element.localName) || element.hasAttribute(BEFORE)) continue;
      steps.push(enter(element, step));
      read += 1;
      if (read % BATCH === 0) yield undefined;
    }
  }

  #addText(value: string): void {
    const text = value.slice(0, MAX_NODE_TEXT).replace(/\s+/g, ' ').trim();
    if (text === '') return;
    this.#chunks.push(text, ' ');
    this.#length += text.length + 1;
  }
}

/** Short and the same for the same text. It guards nothing. */
export function digest(text: string): number {
  let sum = 5381;
  for (let at = 0; at < text.length; at += 1) sum = (Math.imul(sum, 33) ^ text.charCodeAt(at)) >>> 0;
  return sum;
}
