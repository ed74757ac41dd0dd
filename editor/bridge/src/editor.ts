/** The bridge inside the Editor: picks, outlines, edits texts in place, and tells the interface of all of it. */
import { VERSION, type FromPage, type Place, type Point, type ToPage } from './editor_messages.ts';
import { pagePath } from '../../kit/samePage.ts';
import { Before } from './before.ts';
import { holding } from './conditions.ts';
import { Dragging } from './dragging.ts';
import { freeze } from './freeze.ts';
import { takeOver } from './gestures.ts';
import { editText, type Outcome } from './inline_text.ts';
import { forwardKeys } from './keys.ts';
import { navigate } from './navigate.ts';
import { Overlay } from './overlay.ts';
import { pinTarget } from './pin_target.ts';
import { Pins } from './pins.ts';
import { read } from './reading.ts';
import { frameOffset, isElement, parentOf } from './roots.ts';
import { Selection } from './selection.ts';
import { sameRule } from './same_rule.ts';
import { nearestStamped, sharing, STAMP, stampOf } from './stamps.ts';
import { watchPage } from './surroundings.ts';
import { boxOf, share, Targets } from './targets.ts';

/** Structure is told at most this often, in milliseconds. */
const STRUCTURE_PAUSE = 250;

/** Everything that happens in one page. */
export class EditorBridge {
  readonly #view: Window;
  readonly #page: Document;
  readonly #send: (message: FromPage) => void;
  readonly #targets: Targets;
  readonly #overlay: Overlay;
  readonly #selection: Selection;
  readonly #before: Before;
  readonly #pins: Pins;
  readonly #dragging = new Dragging();
  /** The drag that the interface has allowed. */
  #drag: { src: string; edit: string } | undefined;
  #mode: 'select' | 'comment' | 'use' = 'use';
  #handBack: (() => void) | undefined;
  #thaw: (() => void) | undefined;
  /** Ends the editing of a text: what was typed counts, or the text is as it was. */
  #endText: ((confirmed: boolean) => void) | undefined;
  #editing: Element | undefined;
  /** A text that somebody began to edit by a double click, until the interface names the edit. */
  #unnamed: { id: number; name: (edit: string) => void } | undefined;
  #previews = new Map<Element, Map<string, string>>();
  #structureWanted = false;
  #structureTimer = 0;
  #address = '';

  constructor(view: Window, send: (message: FromPage) => void) {
    this.#view = view;
    this.#page = view.document;
    this.#send = send;
    this.#targets = new Targets(this.#page);
    this.#overlay = new Overlay(this.#page, (id) => send({ type: 'editor:pin', id }));
    this.#selection = new Selection(this.#page, this.#targets, this.#overlay, send);
    this.#before = new Before(this.#page);
    this.#pins = new Pins(view, this.#overlay, (pins) => send({ type: 'editor:pins', pins }));
  }

  /** Begins: says hello, and follows the page. */
  start(): void {
    this.#address = this.#view.location.href;
    this.#send({ type: 'editor:ready', version: VERSION, page: this.#address, title: this.#page.title });
    const frame = (now: number): void => {
      this.#selection.frame(now);
      this.#tellPage();
      const placed = this.#pins.tracker.placed();
      this.#pins.draw(placed);
      this.#pins.report(placed);
      this.#view.requestAnimationFrame(frame);
    };
    this.#view.requestAnimationFrame(frame);
    new MutationObserver(() => {
      this.#selection.restamped();
      if (this.#structureWanted) this.#tellStructureSoon();
    }).observe(this.#page, { subtree: true, childList: true, attributes: true, attributeFilter: [STAMP] });
    forwardKeys(this.#view, { inUse: () => this.#mode === 'use', takes: (event) => this.#takesKey(event), send: (pressed) => this.#send({ type: 'editor:key', ...pressed }) });
    watchPage(this.#view, this.#overlay, (message) => this.#send({ type: 'editor:error', message }));
  }

  /** Does what the interface asks. */
  receive(message: ToPage): void {
    switch (message.type) {
      case 'editor:mode':
        return this.#setMode(message.mode, message.freeze);
      case 'editor:select': {
        const { selected } = this.#selection;
        if (message.from && selected && this.#targets.id(selected) !== message.from) return;
        const element = this.#targets.find(message);
        if (message.scroll) element?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        return this.#selection.select(element, [], message.quiet);
      }
      case 'editor:hover':
        return this.#selection.hover(this.#targets.find(message), false);
      case 'editor:follow':
        return this.#selection.follow(message.src, message.to);
      case 'editor:edit-text': {
        const unnamed = this.#unnamed;
        this.#unnamed = undefined;
        if (unnamed?.id === message.id) return unnamed.name(message.edit);
        const element = this.#targets.find(message);
        return element && this.#editText(element, message.run, message.at ?? undefined, message.edit);
      }
      case 'editor:no-edit':
        if (this.#unnamed?.id !== message.id) return undefined;
        this.#unnamed = undefined;
        return this.#endText?.(false);
      case 'editor:drag':
        this.#drag = { src: message.src, edit: message.edit };
        return undefined;
      case 'editor:preview':
        return this.#preview(message);
      case 'editor:mark':
        return this.#mark(message.places, message.property);
      case 'editor:keep':
        return this.#keep();
      case 'editor:before':
        return this.#send({ type: 'editor:before', shown: this.#before.show(message.show) });
      case 'editor:structure':
        this.#structureWanted = true;
        return this.#tellStructureSoon();
      case 'editor:conditions': {
        const element = this.#targets.find(message);
        return element && this.#send({ type: 'editor:conditions', id: message.id, holds: holding(element, message.conditions) });
      }
      case 'editor:pins':
        this.#pins.tracker.pins = message.pins;
        return this.#pins.tellAgain();
      case 'editor:read':
        return void read(this.#view, message.ask).then((answer) => this.#send({ type: 'editor:read', id: message.id, answer }));
      case 'editor:go':
        return navigate(this.#view, message.to);
    }
  }

  #setMode(mode: 'select' | 'comment' | 'use', still: boolean): void {
    this.#mode = mode;
    this.#endText?.(true);
    this.#handBack?.();
    this.#thaw?.();
    this.#handBack = this.#thaw = undefined;
    if (still) this.#thaw = freeze(this.#page);
    this.#dragging.cancel();
    this.#selection.mark = undefined;
    this.#selection.hover(undefined, true);
    if (mode === 'use') return;
    this.#handBack = takeOver(this.#page, () => this.#overlay.host, (event) => this.#isOurs(event), {
      press: (under, at) => {
        this.#takeFocus(under);
        // Only what is selected is dragged: a press elsewhere selects.
        const { selected } = this.#selection;
        const held = selected !== undefined && under[0] !== undefined && selected.contains(under[0]);
        const draggable = this.#mode === 'select' && held && !this.#editing;
        this.#dragging.press(draggable ? selected : undefined, at);
        return draggable;
      },
      move: (under, at) => {
        const before = this.#dragging.active;
        if (!this.#dragging.move(under, at)) return this.#selection.hover(pick(under), true);
        if (!before) this.#wantDrag();
        this.#selection.hover(undefined, true);
        this.#selection.mark = this.#dragging.mark;
      },
      release: () => this.#drop(),
      leave: () => this.#selection.hover(undefined, true),
      click: (under, at, keys) => {
        // A finger clicks without a press.
        this.#takeFocus(under);
        if (!this.#dragging.swallows()) this.#click(under, at, keys);
      },
      edit: (under, at) => {
        const element = pick(under);
        if (!element || this.#mode !== 'select') return;
        const target = this.#targets.describe(element);
        // The caret is there at once, so that no key that is typed now goes elsewhere. The edit counts once it has its name.
        this.#editText(element, null, at, undefined);
        this.#send({ type: 'editor:wants-text', target, at });
      },
      menu: (under, at) => {
        const element = pick(under);
        if (!element || this.#mode !== 'select') return;
        this.#takeFocus(under);
        this.#selection.select(element, under);
        this.#send({ type: 'editor:menu', target: this.#targets.describe(element), x: at.x, y: at.y });
      },
    });
  }

  /**
   * What a press in any page does, and does not here where its default is prevented: the interface's field loses the focus, so that it
   * saves what it is left with; a text that is edited ends, unless the press is beside its letters.
   */
  #takeFocus([top]: Element[]): void {
    this.#view.focus();
    if (top !== this.#editing) this.#endText?.(true);
  }

  #click(under: Element[], at: { x: number; y: number }, { altKey: deeper, shiftKey: more }: { altKey: boolean; shiftKey: boolean }): void {
    // What is in the way is passed by clicking with Alt: each time the next one below.
    const stamped = [...new Set(under.map(nearestStamped).filter((each) => each !== undefined))];
    const current = this.#selection.selected;
    const next = deeper && current ? stamped[(stamped.indexOf(current) + 1) % stamped.length] : undefined;
    const element = next ?? pick(under);
    if (this.#mode === 'select' && more && current && element) return this.#send({ type: 'editor:added', target: this.#targets.describe(element) });
    const [top] = under;
    // What carries no stamp itself comes first: the interface says why the element around it is selected.
    const isMade = !next && top && !stampOf(top);
    if (this.#mode === 'select') return this.#selection.select(element, isMade ? [top, ...stamped] : stamped);
    if (!top) return;
    const target = pinTarget(top);
    const box = boxOf(target);
    const [x, y] = [share(box.x, box.width, at.x), share(box.y, box.height, at.y)];
    this.#pins.tracker.anchor(target, { x, y }, (_, anchor) => this.#send({ type: 'editor:placed', target: this.#targets.describe(target), x, y, anchor }));
  }

  #drop(): void {
    const src = this.#selection.selected && stampOf(this.#selection.selected);
    const drop = this.#dragging.release();
    const drag = this.#drag;
    this.#drag = this.#selection.mark = undefined;
    if (src && drop && drag?.src === src) this.#send({ type: 'editor:drop', src, ...drop, edit: drag.edit });
  }

  #wantDrag(): void {
    const src = this.#selection.selected && stampOf(this.#selection.selected);
    this.#drag = undefined;
    if (src) this.#send({ type: 'editor:wants-drag', src });
  }

  /** Without the name of the edit what is typed is kept until the interface gives one. */
  #editText(element: Element, run: number | null, at: Point | undefined, edit: string | undefined): void {
    this.#endText?.(true);
    const src = stampOf(element);
    const id = this.#targets.id(element);
    if (src === null) return;
    const target = this.#targets.describe(element);
    const offset = frameOffset(element);
    const inside = at && { x: at.x - offset.x, y: at.y - offset.y };
    this.#selection.quiet = true;
    this.#editing = element;
    let named = edit;
    let kept: Outcome | undefined;
    const tell = (outcome: Outcome, edit: string): void => this.#send({ type: 'editor:text', id, src, index: target.index, ...outcome, edit });
    const end = editText(element, { run, at: inside }, (outcome) => {
      this.#selection.quiet = false;
      this.#editing = this.#endText = undefined;
      if (!outcome) this.#send({ type: 'editor:text-cancelled', id });
      else if (named === undefined) kept = outcome;
      else tell(outcome, named);
    });
    this.#endText = end;
    if (end && edit === undefined) {
      this.#unnamed = { id, name: (given) => ((named = given), kept && tell(kept, given)) };
    }
    if (end) return;
    // There is no text to edit here; the interface says what can be done instead.
    this.#selection.quiet = false;
    this.#editing = undefined;
    if (edit !== undefined) this.#send({ type: 'editor:no-text', target });
  }

  #mark(places: Place[], property: string | undefined): void {
    const { selected } = this.#selection;
    const alike = selected && property !== undefined ? sameRule(selected, property) : [];
    const also = (): Element[] => {
      const named = places.flatMap(({ src, index }) => {
        const all = sharing(this.#page, src);
        return index === undefined ? all : all.slice(index, index + 1);
      });
      return [...new Set([...named, ...alike.filter((each) => each.isConnected)])];
    };
    this.#selection.also = also;
    this.#send({ type: 'editor:marked', count: also().length });
  }

  #preview({ id, property, value }: { id?: number; property: string; value: string | null }): void {
    const element = id === undefined ? this.#selection.selected : this.#targets.find({ id });
    if (!element || !('style' in element)) return;
    const { style } = element as HTMLElement;
    const before = this.#previews.get(element) ?? new Map<string, string>();
    if (!before.has(property)) before.set(property, style.getPropertyValue(property));
    this.#previews.set(element, before);
    if (value !== null) return style.setProperty(property, value);
    style.setProperty(property, before.get(property) ?? '');
    before.delete(property);
  }

  /** What is only previewed is not how the page was. */
  #keep(): void {
    const shown = [...this.#previews].map(([element, before]) => {
      const { style } = element as HTMLElement;
      const text = style.cssText;
      for (const [property, value] of before) style.setProperty(property, value);
      return () => (style.cssText = text);
    });
    this.#before.keep();
    for (const back of shown) back();
  }

  /** Whether a key is the overlay's, a text's that is being edited, or calls a drag off. */
  #takesKey(event: KeyboardEvent): boolean {
    if (this.#isOurs(event)) return true;
    if (event.key !== 'Escape' || !this.#dragging.active) return false;
    this.#dragging.cancel();
    this.#selection.mark = undefined;
    event.preventDefault();
    event.stopImmediatePropagation();
    return true;
  }

  /** Routers change the address without loading a page. */
  #tellPage(): void {
    const page = this.#view.location.href;
    if (page === this.#address) return;
    if (pagePath(page) !== pagePath(this.#address)) this.#pins.tracker.moved();
    this.#address = page;
    this.#send({ type: 'editor:page', page, title: this.#page.title });
  }

  #tellStructureSoon(): void {
    if (this.#structureTimer) return;
    this.#structureTimer = this.#view.setTimeout(() => {
      this.#structureTimer = 0;
      this.#send({ type: 'editor:structure', nodes: this.#targets.structure() });
    }, STRUCTURE_PAUSE);
  }

  #isOurs(event: Event): boolean {
    const [first] = event.composedPath();
    if (first === this.#overlay.host) return true;
    const text = this.#editing;
    for (let step = isElement(first) ? first : null; text && step; step = parentOf(step)) {
      if (step === text) return step !== first || event.type.startsWith('key');
    }
    return false;
  }
}

/** What a click on this stack of elements means: the topmost with a stamp on it or around it, else the topmost. */
function pick(under: Element[]): Element | undefined {
  const [top] = under;
  return top && (nearestStamped(top) ?? top);
}
