/** The bridge on the review server: comments are pinned to elements, and the pins shown. It does nothing until the page around asks. */
import { REVIEW_VERSION, type FromReviewed, type PlacedPin, type ReviewMode, type ReviewPin, type ToReviewed } from '../../kit/review.ts';
import { pagePath } from '../../kit/samePage.ts';
import { freeze } from './freeze.ts';
import { takeOver } from './gestures.ts';
import { forwardKeys } from './keys.ts';
import { navigate } from './navigate.ts';
import { Overlay, type Outline } from './overlay.ts';
import { Pins } from './pins.ts';
import { pinTarget } from './pin_target.ts';
import { isElement } from './roots.ts';
import { watchPage } from './surroundings.ts';
import { boxOf, share } from './targets.ts';

const MAX_ERRORS = 20;

/** Everything of the review that happens in one page. */
export class ReviewBridge {
  readonly #view: Window;
  readonly #page: Document;
  readonly #deployment: string | null;
  readonly #send: (message: FromReviewed) => void;
  readonly #overlay: Overlay;
  readonly #pins: Pins;
  #started = false;
  #mode: ReviewMode = 'use';
  #keys = false;
  #handBack: (() => void) | undefined;
  #thaw: (() => void) | undefined;
  #hovered: Element | undefined;
  #shown: { id: string; guess: boolean } | undefined;
  /** Scroll to it as soon as it is found. */
  #wanted = false;
  #address = '';
  #title = '';
  #errors = 0;
  /** Somebody wants to know how the page is scrolled; what was told last. */
  #scrolls = false;
  #scrolled = '';

  constructor(view: Window, deployment: string | null, send: (message: FromReviewed) => void) {
    this.#view = view;
    this.#deployment = deployment;
    this.#page = view.document;
    this.#send = send;
    this.#overlay = new Overlay(this.#page, (id) => send({ type: 'review:pin', id }));
    this.#pins = new Pins(view, this.#overlay, (pins) => send({ type: 'review:pins', pins }));
  }

  /** Says that there is a page, and whether it has been asked to take part. */
  hello(): void {
    [this.#address, this.#title] = this.#where();
    this.#send({ type: 'review:ready', version: REVIEW_VERSION, page: this.#address, title: this.#title, started: this.#started, deployment: this.#deployment });
  }

  /** Does what the review page asks. */
  receive(message: ToReviewed): void {
    if (message.type === 'review:start') {
      if (!this.#started) this.#start();
      this.#keys = message.keys;
      this.#overlay.theme = message.theme;
      this.#setPins(message.pins);
      this.#setMode(message.mode, true);
      this.#scrolls = message.scroll === true;
      this.#scrolled = '';
      this.hello();
      // A page that is not painted, because it is out of view, has no frames that would tell.
      return this.#tellScroll();
    }
    if (!this.#started) return;
    switch (message.type) {
      case 'review:mode':
        return this.#setMode(message.mode, message.still !== false);
      case 'review:pins':
        return this.#setPins(message.pins);
      case 'review:show':
        this.#shown = message.id === null ? undefined : { id: message.id, guess: message.guess === true };
        this.#wanted = this.#shown !== undefined;
        return;
      case 'review:place': {
        const guess = this.#pins.tracker.element(message.id, true);
        if (guess?.isConnected) this.#place(guess, { x: 0.5, y: 0.5 }, message.id);
        return;
      }
      case 'review:scroll':
        return this.#scroller().scrollTo({ top: message.y, behavior: 'instant' });
      case 'review:go':
        return navigate(this.#view, message.to);
    }
  }

  #start(): void {
    this.#started = true;
    const frame = (): void => {
      this.#frame();
      this.#view.requestAnimationFrame(frame);
    };
    this.#view.requestAnimationFrame(frame);
    forwardKeys(this.#view, {
      inUse: () => this.#mode === 'use',
      takes: (event) => this.#takesKey(event),
      single: () => this.#keys,
      send: (pressed) => this.#send({ type: 'review:key', ...pressed }),
    });
    watchPage(this.#view, this.#overlay, (message) => this.#complain(message));
    // Whoever goes through the page by keys sees what Enter would comment.
    this.#page.addEventListener('focusin', (event) => {
      if (this.#mode === 'comment') this.#hovered = isElement(event.target) && event.target !== this.#overlay.host ? event.target : undefined;
    });
  }

  #setPins(pins: ReviewPin[]): void {
    this.#pins.tracker.pins = pins;
    this.#pins.tellAgain();
  }

  #setMode(mode: ReviewMode, still: boolean): void {
    this.#mode = mode;
    this.#handBack?.();
    this.#thaw?.();
    this.#handBack = this.#thaw = this.#hovered = undefined;
    if (mode === 'use') return;
    if (still) this.#thaw = freeze(this.#page);
    this.#handBack = takeOver(this.#page, () => this.#overlay.host, (event) => this.#isOurs(event), {
      press: () => false,
      move: ([top]) => (this.#hovered = top && pinTarget(top)),
      release: () => undefined,
      leave: () => (this.#hovered = undefined),
      click: ([top], at) => {
        if (!top) return;
        const target = pinTarget(top);
        const box = boxOf(target);
        this.#place(target, { x: share(box.x, box.width, at.x), y: share(box.y, box.height, at.y) });
      },
      edit: () => undefined,
      menu: () => undefined,
    });
  }

  #place(element: Element, point: { x: number; y: number }, id?: string): void {
    const page = pagePath(this.#view.location.href);
    this.#pins.tracker.anchor(element, point, (selector, anchor) => {
      const text = (anchor.name || anchor.text).slice(0, 40);
      const label = text === '' ? anchor.tag : `${anchor.tag} “${text}”`;
      this.#send({ type: 'review:placed', selector, anchor, rect: boxOf(element), page, label, ...(id && { id }) });
    });
  }

  /** Called for each frame the browser paints. */
  #frame(): void {
    const [address, title] = this.#where();
    if (address !== this.#address || title !== this.#title) {
      if (pagePath(address) !== pagePath(this.#address)) this.#pins.tracker.moved();
      [this.#address, this.#title] = [address, title];
      this.#send({ type: 'review:page', page: address, title });
    }
    const placed = this.#pins.tracker.placed();
    this.#scroll(placed);
    this.#outline(placed);
    this.#pins.draw(placed, this.#shown?.id);
    this.#pins.report(placed);
    this.#tellScroll();
  }

  #outline(placed: PlacedPin[]): void {
    const outlines: Outline[] = [];
    const hovered = this.#mode === 'comment' && this.#hovered?.isConnected ? this.#hovered : undefined;
    if (hovered) outlines.push({ kind: 'hover', box: boxOf(hovered), label: hovered.localName });
    const shown = this.#shown && placed.find(({ id }) => id === this.#shown?.id);
    if (shown?.rect) outlines.push({ kind: 'selected', box: shown.rect });
    else if (shown?.guess && this.#shown?.guess) outlines.push({ kind: 'also', box: shown.guess.rect, label: 'Here?' });
    this.#overlay.draw(outlines);
  }

  #scroll(placed: PlacedPin[]): void {
    if (!this.#wanted || !this.#shown) return;
    const { id, guess } = this.#shown;
    const shown = placed.find((each) => each.id === id);
    const element = this.#pins.tracker.element(id, guess && shown?.state === 'detached');
    if (!element?.isConnected || (!shown?.rect && !shown?.guess)) return;
    this.#wanted = false;
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  }

  #scroller(): Element {
    return this.#page.scrollingElement ?? this.#page.documentElement;
  }

  #tellScroll(): void {
    if (!this.#scrolls) return;
    const { scrollTop: y, scrollHeight, clientHeight } = this.#scroller();
    const max = Math.max(0, scrollHeight - clientHeight);
    if (this.#scrolled === `${y} ${max}`) return;
    this.#scrolled = `${y} ${max}`;
    this.#send({ type: 'review:scroll', y, max });
  }

  /** Enter comments what has the focus. */
  #takesKey(event: KeyboardEvent): boolean {
    if (this.#isOurs(event)) return event.key === 'Enter' || event.key === ' ' || event.key === 'Tab';
    const focused = this.#page.activeElement;
    if (this.#mode !== 'comment' || event.key !== 'Enter' || !focused || focused === this.#page.body) return false;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#place(pinTarget(focused), { x: 0.5, y: 0.5 });
    return true;
  }

  #isOurs(event: Event): boolean {
    return this.#overlay.host !== undefined && event.composedPath()[0] === this.#overlay.host;
  }

  #complain(message: string): void {
    this.#errors += 1;
    if (this.#errors <= MAX_ERRORS) this.#send({ type: 'review:error', message: message.slice(0, 500) });
  }

  #where(): [string, string] {
    return [this.#view.location.href, this.#page.title];
  }
}
