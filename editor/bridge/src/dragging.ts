/** Moving an element with the pointer: when it begins, and where it would go. */
import type { Outline } from './overlay.ts';
import { parentOf } from './roots.ts';
import { fileOf, nearestStamped, STAMP, stampOf } from './stamps.ts';
import { boxOf } from './targets.ts';

interface Point {
  x: number;
  y: number;
}

/** Where an element goes: `to` is the stamp of the element it goes to, `tag` what that is. */
export interface Drop {
  to: string;
  tag: string;
  place: 'before' | 'after' | 'last';
}

/** How far the pointer goes until a press is no click any more, in CSS pixels. */
const THRESHOLD = 6;

/** How thick the line is that shows the place. */
const LINE = 3;

/** One press of the pointer: a click until it moves far enough. */
export class Dragging {
  #pressed: { element: Element; at: Point } | undefined;
  #place: { drop: Drop; mark: Outline } | undefined;
  #active = false;
  /** The click that ends a drag is none. */
  #swallow = false;

  get active(): boolean {
    return this.#active;
  }

  /** What to draw while it is dragged. */
  get mark(): Outline | undefined {
    return this.#active ? this.#place?.mark : undefined;
  }

  /** The pointer went down on what may be dragged. */
  press(element: Element | undefined, at: Point): void {
    this.#swallow = false;
    this.#pressed = element && { element, at };
  }

  /** The pointer moved; gives whether that is a drag. */
  move(under: Element[], at: Point): boolean {
    if (!this.#pressed) return false;
    const { element, at: from } = this.#pressed;
    this.#active ||= Math.hypot(at.x - from.x, at.y - from.y) >= THRESHOLD;
    if (this.#active) this.#place = placeFor(element, under, at);
    return this.#active;
  }

  /** The pointer went up: where the element goes, when it was dragged to a place. */
  release(): Drop | undefined {
    const drop = this.#active ? this.#place?.drop : undefined;
    this.cancel();
    return drop;
  }

  /** Takes everything back. */
  cancel(): void {
    this.#pressed = this.#place = undefined;
    this.#swallow ||= this.#active;
    this.#active = false;
  }

  /** Whether the click that comes now belongs to a drag. */
  swallows(): boolean {
    const swallow = this.#swallow;
    this.#swallow = false;
    return swallow;
  }
}

/** Where `dragged` would go at a point: beside an element of its own file, or into an empty one. */
export function placeFor(dragged: Element, under: Element[], at: Point): { drop: Drop; mark: Outline } | undefined {
  const own = stampOf(dragged);
  const [top] = under;
  if (own === null || !top || dragged.contains(top)) return undefined;
  // The same stamp is the same place in the source: one item of a list cannot be moved among the others.
  const fits = (element: Element): boolean => {
    const stamp = stampOf(element);
    return stamp !== null && stamp !== own && fileOf(stamp) === fileOf(own) && !dragged.contains(element);
  };
  for (let step = nearestStamped(top) ?? null; step; step = parentOf(step)) {
    // Between the children of what holds it, the nearest of them counts.
    const element = step.contains(dragged) ? nearest([...step.children].filter(fits), at) : fits(step) ? step : undefined;
    if (element) return beside(element, at);
    if (step.contains(dragged)) return undefined;
  }
  return undefined;
}

function beside(element: Element, at: Point): { drop: Drop; mark: Outline } {
  const box = boxOf(element);
  const named = { to: stampOf(element) ?? '', tag: element.localName };
  const inside = at.y > box.y + box.height / 4 && at.y < box.y + (box.height * 3) / 4;
  if (inside && isEmpty(element)) return { drop: { ...named, place: 'last' }, mark: { kind: 'into', box } };
  const row = inRow(element);
  const before = row ? at.x < box.x + box.width / 2 : at.y < box.y + box.height / 2;
  const line = row
    ? { x: (before ? box.x : box.x + box.width) - LINE / 2, y: box.y, width: LINE, height: box.height }
    : { x: box.x, y: (before ? box.y : box.y + box.height) - LINE / 2, width: box.width, height: LINE };
  return { drop: { ...named, place: before ? 'before' : 'after' }, mark: { kind: 'drop', box: line } };
}

/** Whether it stands beside its siblings rather than below them. */
function inRow(element: Element): boolean {
  const box = boxOf(element);
  return [element.previousElementSibling, element.nextElementSibling].some((sibling) => {
    if (!sibling) return false;
    const other = boxOf(sibling);
    const [top, bottom] = [Math.max(box.y, other.y), Math.min(box.y + box.height, other.y + other.height)];
    return other.width > 0 && bottom - top > Math.min(box.height, other.height) / 2;
  });
}

function isEmpty(element: Element): boolean {
  const holds = ['div', 'section', 'main', 'header', 'footer', 'article', 'aside', 'nav', 'ul', 'ol', 'form'];
  return holds.includes(element.localName) && !element.querySelector(`[${STAMP}]`) && (element.textContent ?? '').trim() === '';
}

function nearest(elements: Element[], at: Point): Element | undefined {
  const away = (element: Element): number => {
    const { x, y, width, height } = boxOf(element);
    return Math.hypot(Math.max(x - at.x, 0, at.x - x - width), Math.max(y - at.y, 0, at.y - y - height));
  };
  return elements.map((element) => ({ element, far: away(element) })).sort((one, other) => one.far - other.far)[0]?.element;
}
