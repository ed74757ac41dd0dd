/** Describing elements to the interface, and finding them again by the number it knows them by. */
import type { Box } from '../../kit/anchor.ts';
import type { PageNode, Target } from './editor_messages.ts';
import { frameDocument, frameOffset } from './roots.ts';
import { deepSelectorFor } from './selector.ts';
import { fileOf, sharing, stampedAncestors, stampOf } from './stamps.ts';
import { textOf } from './texts.ts';

/** The properties whose computed values the inspector shows. */
const SHOWN = `
  display position top right bottom left z-index width height min-width min-height max-width max-height overflow flex-direction
  flex-wrap align-items align-self justify-content row-gap column-gap grid-template-columns margin margin-top margin-right
  margin-bottom margin-left padding padding-top padding-right padding-bottom padding-left font-family font-size font-weight
  line-height letter-spacing text-align text-transform color background-color opacity border-width border-style border-color
  border-radius box-shadow`.trim().split(/\s+/);

/** The elements of one page by number. A number is never given twice. */
export class Targets {
  readonly #page: Document;
  readonly #ids = new WeakMap<Element, number>();
  readonly #elements = new Map<number, WeakRef<Element>>();
  #next = 1;

  constructor(page: Document) {
    this.#page = page;
  }

  /** The number of an element. */
  id(element: Element): number {
    const known = this.#ids.get(element);
    if (known !== undefined) return known;
    const id = this.#next++;
    this.#ids.set(element, id);
    this.#elements.set(id, new WeakRef(element));
    return id;
  }

  /** What a message names: by number while the element is in the page, else by its stamp and place among those that share it. */
  find(named: { id?: number; src?: string; index?: number }): Element | undefined {
    const known = named.id === undefined ? undefined : this.#elements.get(named.id)?.deref();
    if (known?.isConnected) return known;
    return named.src === undefined ? undefined : sharing(this.#page, named.src)[named.index ?? 0];
  }

  /** Everything the interface wants to know of an element. */
  describe(element: Element): Target {
    const src = stampOf(element);
    const alike = src === null ? [] : sharing(this.#page, src);
    const around = stampedAncestors(element);
    const ancestors = around.map((each) => ({ id: this.id(each), src: stampOf(each) ?? '', tag: each.localName }));
    const file = src === null ? '' : fileOf(src);
    return {
      id: this.id(element),
      src,
      tag: element.localName,
      rect: boxOf(element),
      selector: deepSelectorFor(element),
      text: textOf(element),
      classes: [...element.classList],
      shared: alike.length,
      index: Math.max(0, alike.indexOf(element)),
      within: ancestors.find((each) => fileOf(each.src) !== file)?.src ?? null,
      ancestors,
      styles: computed(element),
    };
  }

  /** The stamped elements of the page as a tree. */
  structure(): PageNode[] {
    return this.#below(this.#page.documentElement);
  }

  #below(element: Element): PageNode[] {
    const nodes: PageNode[] = [];
    const inner = frameDocument(element)?.documentElement;
    const children = [...(inner ? [inner] : []), ...(element.shadowRoot?.children ?? []), ...element.children];
    for (const child of children) {
      const src = stampOf(child);
      const below = this.#below(child);
      if (src === null) nodes.push(...below);
      else nodes.push({ id: this.id(child), src, tag: child.localName, mark: markOf(child), text: ownText(child) || standIn(child), children: below });
    }
    return nodes;
  }
}

/** Where an element is, in CSS pixels of the page's visible part. */
export function boxOf(element: Element): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  const offset = frameOffset(element);
  return { x: x + offset.x, y: y + offset.y, width, height };
}

/** Where in an extent a point is, from 0 to 1. */
export function share(from: number, size: number, at: number): number {
  return size > 0 ? Math.min(1, Math.max(0, (at - from) / size)) : 0;
}

function computed(element: Element): Record<string, string> {
  const style = element.ownerDocument.defaultView?.getComputedStyle(element);
  return Object.fromEntries(SHOWN.map((name) => [name, style?.getPropertyValue(name) ?? '']));
}

/** What tells an element from others of its tag, as people know it from a browser's tools. */
function markOf(element: Element): string {
  const classes = [...element.classList].slice(0, 3).map((name) => `.${name}`);
  return ((element.id ? `#${element.id}` : '') + classes.join('')).slice(0, 80);
}

/** What is read instead of a text. */
function standIn(element: Element): string {
  for (const name of ['alt', 'aria-label', 'placeholder', 'title']) {
    const text = element.getAttribute(name);
    if (text) return text.slice(0, 80);
  }
  return '';
}

/** The text that stands in the element itself, shortened. */
function ownText(element: Element): string {
  let text = '';
  for (const node of element.childNodes) {
    if (node.nodeType === 3) text += node.nodeValue ?? '';
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, 80);
}
