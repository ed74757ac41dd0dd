/** What is hovered and selected, and keeping it so while the prototype's framework makes its elements anew. */
import type { FromPage } from './editor_messages.ts';
import type { Outline, Overlay } from './overlay.ts';
import { sharing, stampOf } from './stamps.ts';
import { boxOf, type Targets } from './targets.ts';

/** How long an element may be away before it counts as gone, in milliseconds: hot reload takes some out and puts others in. */
const ABSENCE = 1500;

/** More of the same are not outlined: a table of ten thousand rows would be. */
const MOST_ALIKE = 40;

/** The hovered and the selected element of a page. */
export class Selection {
  readonly #page: Document;
  readonly #targets: Targets;
  readonly #overlay: Overlay;
  readonly #send: (message: FromPage) => void;
  #hovered: Element | undefined;
  #selected: Element | undefined;
  /** Where the selected element stands, to find it again. */
  #place: { src: string; index: number } | undefined;
  /** An edit of the selected element is under way: which stamp it will carry is not known yet. */
  #edited = false;
  /** The stamp it carries once hot reload has brought the edit. */
  #next: string | undefined;
  #absentSince: number | undefined;
  #told = '';
  /** The page goes along with another one. */
  #following = false;
  /** What is outlined besides; elements are looked up anew, as hot reload replaces them. */
  also: () => Element[] = () => [];
  /** Where a dragged element would go. */
  mark: Outline | undefined;
  /** While a text is edited, an outline would only be in the way. */
  quiet = false;

  constructor(page: Document, targets: Targets, overlay: Overlay, send: (message: FromPage) => void) {
    this.#page = page;
    this.#targets = targets;
    this.#overlay = overlay;
    this.#send = send;
  }

  get selected(): Element | undefined {
    return this.#selected;
  }

  /** Hovers; told only when it is another element. */
  hover(element: Element | undefined, tell: boolean): void {
    if (element === this.#hovered) return;
    this.#hovered = element;
    if (tell) this.#send({ type: 'editor:hovered', target: element ? this.#targets.describe(element) : null });
  }

  /** Selects; `under` is what lies at the point that was clicked. While another page leads, nothing is told. */
  select(element: Element | undefined, under: Element[], following = false): void {
    this.#selected = element;
    this.#following = following;
    this.#remember();
    const target = element ? this.#targets.describe(element) : null;
    this.#told = target ? JSON.stringify(target.rect) + target.text : '';
    if (following) return;
    this.#send({
      type: 'editor:selected',
      target,
      under: under.map((each) => ({ id: this.#targets.id(each), src: stampOf(each), tag: each.localName })),
    });
  }

  /** Called for each frame the browser paints: follows elements that move, and draws. */
  frame(now: number): void {
    if (this.#hovered && !this.#hovered.isConnected) this.hover(undefined, true);
    if (this.#selected && !this.#selected.isConnected) this.#findAgain(now);
    else if (this.#selected) this.#tellMoves(this.#selected);
    this.#draw();
  }

  /** The element with this stamp is being edited, or was, and has the stamp `to` as soon as the page shows it. */
  follow(src: string, to: string | undefined): void {
    if (this.#place?.src !== src) return;
    this.#edited = to === undefined;
    this.#next = to;
  }

  /** The stamps of the page changed: the file was edited. */
  restamped(): void {
    if (!this.#selected?.isConnected || stampOf(this.#selected) === this.#place?.src) return;
    this.#remember();
    this.#send({ type: 'editor:moved', target: this.#targets.describe(this.#selected) });
  }

  #remember(): void {
    this.#absentSince = this.#next = undefined;
    this.#edited = false;
    const src = this.#selected && stampOf(this.#selected);
    if (!src || !this.#selected) this.#place = undefined;
    else this.#place = { src, index: Math.max(0, sharing(this.#page, src).indexOf(this.#selected)) };
  }

  #findAgain(now: number): void {
    if (this.#edited) return;
    const found = this.#place && this.#targets.find({ ...this.#place, src: this.#next ?? this.#place.src });
    if (found) return this.select(found, [], this.#following);
    this.#absentSince ??= now;
    if (now - this.#absentSince > ABSENCE) this.select(undefined, [], this.#following);
  }

  #tellMoves(element: Element): void {
    // The place of an element is asked for in each frame; everything else only when that differs.
    const facts = JSON.stringify(boxOf(element)) + (element.textContent ?? '').length;
    if (facts === this.#told) return;
    this.#told = facts;
    this.#send({ type: 'editor:moved', target: this.#targets.describe(element) });
  }

  #draw(): void {
    if (this.quiet) return this.#overlay.draw([]);
    const outlines: Outline[] = [];
    const hovered = this.#hovered;
    if (hovered?.isConnected && hovered !== this.#selected) {
      outlines.push({ kind: 'hover', box: boxOf(hovered), label: hovered.localName });
    }
    const selected = this.#selected;
    if (selected?.isConnected) {
      const alike = this.#place ? sharing(this.#page, this.#place.src) : [];
      for (const each of alike.slice(0, MOST_ALIKE)) {
        if (each !== selected) outlines.push({ kind: 'alike', box: boxOf(each) });
      }
      const label = alike.length > 1 ? `${selected.localName} · ${alike.indexOf(selected) + 1} of ${alike.length}` : selected.localName;
      outlines.push({ kind: 'selected', box: boxOf(selected), label });
    }
    for (const each of this.also().slice(0, MOST_ALIKE)) {
      if (each !== selected) outlines.push({ kind: 'also', box: boxOf(each) });
    }
    if (this.mark) outlines.push(this.mark);
    this.#overlay.draw(outlines);
  }
}
