/** The code under test, as the corpus calls it: the bridge does the same in small steps. */
import type { Anchor } from '../../../editor/kit/anchor.ts';
import { anchorOf } from '../../../editor/bridge/src/evidence.ts';
import { pinTarget } from '../../../editor/bridge/src/pin_target.ts';
import { Resolver, type Resolved } from '../../../editor/bridge/src/resolve.ts';
import { MAX_SLICE } from '../../../editor/bridge/src/slices.ts';
import { deepSelectorFor } from '../../../editor/bridge/src/selector.ts';

/** Takes all steps at once. */
function all<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as T;
  }
}

/** Takes all steps in slices, as the bridge does; gives the time of all of them and of the longest, in milliseconds. */
function timed(steps: Generator<undefined, unknown>): { total: number; longest: number } {
  let [total, longest] = [0, 0];
  for (let ended = false; !ended; ) {
    const began = performance.now();
    do ended = steps.next().done === true;
    while (!ended && performance.now() - began < MAX_SLICE);
    const took = performance.now() - began;
    total += took;
    longest = Math.max(longest, took);
  }
  return { total, longest };
}

class PageReader {
  readonly #resolver: Resolver;

  constructor(page: Document) {
    this.#resolver = all(Resolver.of(page));
  }

  /** How long it takes to read a page and to find these pins in it. */
  static time(page: Document, pins: { selector: string; anchor: string }[]): { total: number; longest: number } {
    return timed((function* () {
      const resolver = yield* Resolver.of(page);
      for (const { selector, anchor } of pins) {
        yield* resolver.resolve(JSON.parse(anchor) as Anchor, selector);
        yield undefined;
      }
    })());
  }

  target(clicked: Element): Element {
    return pinTarget(clicked);
  }

  pin(element: Element): { selector: string; anchor: string } {
    const entry = this.#resolver.reader.index.entry(element);
    if (!entry) throw new Error(`${element.localName} is not in the index`);
    const { x, y, width, height } = element.getBoundingClientRect();
    const viewport = { width: innerWidth, height: innerHeight };
    const rivals = all(this.#resolver.rivals(entry));
    const anchor = anchorOf(this.#resolver.reader.facts(entry), { x: 0.5, y: 0.5 }, { x, y, width, height }, viewport, rivals);
    return { selector: deepSelectorFor(element), anchor: JSON.stringify(anchor) };
  }

  find(anchor: Anchor, selector: string): Resolved {
    return all(this.#resolver.resolve(anchor, selector));
  }

  facts(element: Element): unknown {
    const entry = this.#resolver.reader.index.entry(element);
    return entry && this.#resolver.reader.facts(entry);
  }
}

Object.assign(window, { galleyAnchors: { PageReader } });
