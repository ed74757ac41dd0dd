/** Keeps each pin at its element while the page changes, and says honestly which have lost it. */
import type { Anchor } from '../../kit/anchor.ts';
import type { PinState, PlacedPin, ReviewPin } from '../../kit/review.ts';
import { samePage } from '../../kit/samePage.ts';
import type { Root } from './roots.ts';
import { Resolver, type Resolved } from './resolve.ts';
import { deepSelectorFor, findDeep, TEST_IDS } from './selector.ts';
import { inSlices } from './slices.ts';
import { textOf } from './texts.ts';
import { anchorOf } from './evidence.ts';
import { boxOf } from './targets.ts';

/** How long an element may be away before its pin is detached, in milliseconds: frameworks take some out and put others in. */
const ABSENCE_TIMEOUT = 1_500;
/** The wait from a change of the page until it is read again, in milliseconds. */
const CHANGE_PAUSE = 150;
/** A page that changes all the time is read for at most one part in so many of the time. */
const MAX_SHARE = 10;
/** Attributes that are evidence. Styles and classes change with every animation and tell nothing. */
const WATCHED = [...'id name href src alt placeholder role aria-label aria-labelledby for'.split(' '), ...TEST_IDS];

/** What is known of one pin. */
interface Known {
  state: 'exact' | 'moved' | 'selector' | 'detached' | 'searching';
  element: Element | undefined;
  /** The most similar element of one that is not found. */
  guess: Element | undefined;
  score: number | null;
  absentSince: number | undefined;
}

export class PinTracker {
  readonly #view: Window;
  readonly #page: Document;
  #pins: ReviewPin[] = [];
  #known = new Map<string, Known>();
  /** The page as it was read; undefined once it has changed. */
  #resolver: Resolver | undefined;
  #callOff: (() => void) | undefined;
  #timer = 0;
  #due = Infinity;
  #cost = 0;
  /** Counts the changes of the page. */
  #version = 0;
  readonly #changes: MutationObserver;
  readonly #watched = new WeakSet<Root>();

  constructor(view: Window) {
    this.#view = view;
    this.#page = view.document;
    this.#changes = new MutationObserver(() => this.changed());
  }

  /** The page has changed: it is read again in a moment. */
  changed(): void {
    this.#forget();
    this.#again(Math.max(CHANGE_PAUSE, MAX_SHARE * this.#cost));
  }

  set pins(pins: ReviewPin[]) {
    const before = new Map(this.#pins.map((pin) => [pin.id, meaning(pin)]));
    const kept = new Map<string, Known>();
    for (const pin of pins) {
      const known = this.#known.get(pin.id);
      if (known && meaning(pin) === before.get(pin.id)) kept.set(pin.id, known);
    }
    this.#pins = pins;
    this.#known = kept;
    if (kept.size < pins.length) this.#again(0);
  }

  get pins(): ReviewPin[] {
    return this.#pins;
  }

  /** A router has gone to another page: everything is looked for anew. */
  moved(): void {
    this.#known.clear();
    this.#forget();
    this.#again(0);
  }

  /** The element of a pin, or the best guess for it. */
  element(id: string, guess = false): Element | undefined {
    const known = this.#known.get(id);
    return guess ? known?.guess : known?.element;
  }

  /** Where each pin is now. Asks the page's layout: called once a frame at most. */
  placed(): PlacedPin[] {
    return this.#pins.map((pin) => {
      const known = this.#known.get(pin.id);
      if (!samePage(pin.page, this.#view.location.href)) return { id: pin.id, state: 'elsewhere', score: null, rect: null, guess: null };
      const { element, guess, score = null } = known ?? {};
      const there = element?.isConnected ? element : undefined;
      let state: PinState = known?.state ?? 'searching';
      if (there && state !== 'detached' && !isVisible(there)) state = 'hidden';
      const rect = there && state !== 'hidden' && state !== 'detached' ? boxOf(there) : null;
      const similar = state === 'detached' && guess?.isConnected ? { text: textOf(guess).slice(0, 80), score: score ?? 0, rect: boxOf(guess) } : null;
      return { id: pin.id, state, score, rect, guess: similar };
    });
  }

  /** Writes down the evidence of an element, for a comment on it. */
  anchor(element: Element, point: { x: number; y: number }, done: (selector: string, anchor: Anchor) => void): void {
    const { innerWidth: width, innerHeight: height } = this.#view;
    const work = this.#withResolver(function* (resolver) {
      const entry = resolver.reader.index.entry(element);
      if (!entry) return undefined;
      const rivals = yield* resolver.rivals(entry);
      return anchorOf(resolver.reader.facts(entry), point, boxOf(element), { width, height }, rivals);
    });
    inSlices(this.#view, work, (anchor) => anchor && done(deepSelectorFor(element), anchor));
  }

  #forget(): void {
    this.#resolver = undefined;
    this.#version += 1;
  }

  #again(wait: number): void {
    const due = performance.now() + wait;
    if (this.#pins.length === 0 || this.#due <= due) return;
    this.#view.clearTimeout(this.#timer);
    this.#due = due;
    this.#timer = this.#view.setTimeout(() => {
      this.#due = Infinity;
      this.#read();
    }, wait);
  }

  #read(): void {
    this.#callOff?.();
    const page = this.#view.location.href;
    const pins = this.#pins.filter((pin) => samePage(pin.page, page));
    if (pins.length === 0) return;
    const outcome = new Map<string, Resolved | undefined>();
    const look = this.#withResolver(function* (resolver) {
      for (const pin of pins) {
        outcome.set(pin.id, pin.anchor ? yield* resolver.resolve(pin.anchor, pin.selector) : undefined);
        yield undefined;
      }
    });
    const began = performance.now();
    this.#callOff = inSlices(this.#view, look, () => {
      this.#callOff = undefined;
      // Half of the time from the first to the last slice is the page's own.
      this.#cost = (performance.now() - began) / 2;
      for (const pin of pins) this.#learn(pin, outcome.get(pin.id));
    });
  }

  #learn(pin: ReviewPin, resolved: Resolved | undefined): void {
    const before = this.#known.get(pin.id);
    const alone = pin.anchor ? undefined : findDeep(this.#page, pin.selector);
    const found = alone ?? (resolved?.state === 'detached' ? undefined : resolved?.element);
    const score = resolved?.score ?? null;
    if (found) {
      const state = resolved?.state === 'exact' || resolved?.state === 'moved' ? resolved.state : 'selector';
      this.#known.set(pin.id, { state, element: found, guess: undefined, score, absentSince: undefined });
      return;
    }
    const absentSince = before?.absentSince ?? performance.now();
    const left = ABSENCE_TIMEOUT - (performance.now() - absentSince);
    const guess = resolved?.element;
    if (left > 0) {
      // The old place for a moment, if it was ever found.
      this.#known.set(pin.id, { state: 'searching', element: before?.element, guess, score, absentSince });
      // What is still to come may come without a change that is seen: a shadow root, a frame's page.
      this.#forget();
      this.#again(left + 1);
    } else this.#known.set(pin.id, { state: 'detached', element: undefined, guess, score, absentSince });
  }

  /** Reads the page unless it is as it was, and goes on with it. */
  *#withResolver<T>(work: (resolver: Resolver) => Generator<undefined, T>): Generator<undefined, T> {
    let resolver = this.#resolver;
    if (!resolver) {
      // Watched from before it is read, so that no change is missed.
      this.#watch(this.#page);
      const version = this.#version;
      resolver = yield* Resolver.of(this.#page);
      for (const root of resolver.reader.index.roots) this.#watch(root);
      if (version === this.#version) this.#resolver = resolver;
    }
    return yield* work(resolver);
  }

  #watch(root: Root): void {
    if (this.#watched.has(root)) return;
    this.#watched.add(root);
    this.#changes.observe(root, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: WATCHED });
  }
}

/** What a pin is found by: with another one it is looked for anew. */
function meaning({ selector, page, anchor }: ReviewPin): string {
  return JSON.stringify([selector, page, anchor]);
}

/** Whether somebody could see it, scrolled to or not. */
function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}
