/** What is written down of an element, and read again from every candidate: the same code for both. */
import type { Anchor, AnchorAttrs, Box } from '../../kit/anchor.ts';
import { digest, type Entry, type PageIndex } from './page_index.ts';
import { isLasting, TEST_IDS } from './selector.ts';

const MAX_TEXT = 200;
const MAX_NAME = 120;
const MAX_BESIDE = 60;
const MAX_AROUND = 32;
const MAX_PATH = 40;
const MAX_ATTRIBUTE = 300;
/** Elements before it in document order, and behind it in the other one: the nearest comes last. */
const MAX_RUN = 96;

/** What can be compared of an element. */
export type Facts = Pick<Anchor, 'tag' | 'role' | 'name' | 'text' | 'prefix' | 'suffix' | 'attrs' | 'path' | 'label' | 'before' | 'after' | 'parent' | 'nth' | 'above' | 'below' | 'classes'>;

/** Roles that elements have without saying so, as far as two names share one. */
const ROLES: Record<string, string> = { a: 'link', button: 'button', summary: 'button', img: 'img', svg: 'img', select: 'combobox', textarea: 'textbox', ul: 'list', ol: 'list' };

/** Classes that name an icon: the only thing an author says of `<i class="fa-bell">`. */
const ICON = /^(?:fa|bi|mdi|ti|ri|ion|icon|glyphicon|lucide)-/;

/** The hash a bundler puts into a file's name: `logo-DkS3hf2k.svg`, `logo.1a2b3c4d.svg`. */
const HASH = /[-.](?=[\w-]*\d|[a-z]*[A-Z])[\w-]{8,}(?=\.\w+$)/;

/** The facts of elements of one page, each read once. */
export class Reader {
  readonly index: PageIndex;
  readonly #facts = new Map<Entry, Facts>();

  constructor(index: PageIndex) {
    this.index = index;
  }

  facts(entry: Entry): Facts {
    const known = this.#facts.get(entry);
    if (known) return known;
    const { element, tag, nth, order, last } = entry;
    const { tokens, entries: { length } } = this.index;
    const run = (end: number, way: 0 | 1 = 0): string => tokens[way].slice(Math.max(0, end - MAX_RUN), end);
    const text = this.text(entry, MAX_TEXT);
    const label = this.#label(entry);
    const facts: Facts = {
      tag,
      role: roleOf(element),
      name: this.#name(entry, label, text).slice(0, MAX_NAME),
      text,
      prefix: this.index.slice(entry.start - MAX_AROUND, entry.start),
      suffix: this.index.slice(entry.end, entry.end + MAX_AROUND),
      attrs: attrsOf(element),
      path: pathOf(entry),
      label,
      before: this.#beside(entry.previous),
      after: this.#beside(entry.next),
      parent: this.#around(entry),
      nth,
      above: run(order),
      below: run(length - last - 1, 1),
      classes: clean(element.getAttribute('class')),
    };
    this.#facts.set(entry, facts);
    return facts;
  }

  text({ start, end }: Entry, most: number): string {
    return this.index.slice(start, Math.min(end, start + most));
  }

  #beside(entry: Entry | undefined): string {
    return entry ? `${entry.tag}:${this.text(entry, MAX_BESIDE)}` : '';
  }

  #around(entry: Entry): string {
    const size = entry.end - entry.start;
    let step = entry.parent;
    while (step && step.end - step.start <= size) step = step.parent;
    return step ? this.text(step, MAX_NAME) : '';
  }

  #named(element: Element): string {
    const root = element.getRootNode() as Document | ShadowRoot;
    const named = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).slice(0, 4).map((id) => this.index.entry(id ? root.getElementById(id) : null));
    return named.map((entry) => (entry ? this.text(entry, MAX_NAME) : '')).join(' ').trim();
  }

  #label(entry: Entry): string {
    const { element, tag } = entry;
    if (!/^(?:input|select|textarea|meter|progress|output)$/.test(tag)) return '';
    const label = (element as HTMLInputElement).labels?.[0] ?? element.closest('label');
    const found = this.index.entry(label);
    return found ? this.text(found, MAX_NAME) : '';
  }

  #name({ element, tag }: Entry, label: string, text: string): string {
    const own = this.#named(element) || clean(element.getAttribute('aria-label'));
    if (own) return own;
    if (tag === 'input' && /^(?:button|submit|reset)$/.test(element.getAttribute('type') ?? '')) return clean(element.getAttribute('value'));
    return clean(element.getAttribute('alt')) || label || text || clean(element.getAttribute('title')) || clean(element.getAttribute('placeholder'));
  }
}

/** What else the page has that looks like an element. */
export type Rivals = Pick<Anchor, 'rival' | 'likeness' | 'extent'>;

/** The anchor of an element. */
export function anchorOf(facts: Facts, point: { x: number; y: number }, box: Box, viewport: { width: number; height: number }, rivals: Rivals): Anchor {
  return { v: 1, ...facts, point, box, viewport, ...rivals };
}

/** How much an element says of itself, in characters: 0 for an icon or an empty box, which only its name and place tell from others. */
export function saidBy({ text, name, label, attrs }: Facts): number {
  return [text, name, label, ...Object.values(attrs)].join('').length;
}

function roleOf(element: Element): string {
  const written = element.getAttribute('role')?.trim().split(/\s+/)[0];
  if (written) return written.slice(0, 40);
  const { localName } = element;
  const type = element.getAttribute('type') ?? '';
  if (localName === 'input') return /^(?:button|submit|reset|image)$/.test(type) ? 'button' : /^(?:checkbox|radio)$/.test(type) ? type : 'textbox';
  return /^h[1-6]$/.test(localName) ? 'heading' : (ROLES[localName] ?? '');
}

function attrsOf(element: Element): AnchorAttrs {
  const attrs: AnchorAttrs = {};
  const put = (key: keyof AnchorAttrs, value: string | undefined | null): void => {
    if (value) attrs[key] = value.slice(0, MAX_ATTRIBUTE);
  };
  const lasting = (name: string): string | undefined => {
    const value = element.getAttribute(name);
    return value !== null && isLasting(value) ? value : undefined;
  };
  put('testid', TEST_IDS.map(lasting).find((value) => value !== undefined));
  put('id', lasting('id'));
  put('name', lasting('name'));
  put('href', addressOf(element, 'href'));
  put('src', pictureOf(element));
  put('alt', clean(element.getAttribute('alt')));
  put('placeholder', clean(element.getAttribute('placeholder')));
  return attrs;
}

/** Where a link leads, without what differs between a dev server, a deployment and its own address. */
function addressOf(element: Element, name: string): string | undefined {
  const written = element.getAttribute(name)?.trim();
  if (!written || written === '#' || /^javascript:/i.test(written)) return undefined;
  if (written.startsWith('#')) return written;
  try {
    const base = new URL(element.baseURI);
    const { origin, pathname, search, hash, href } = new URL(written, base);
    if (origin !== base.origin) return href;
    return pathname.replace(/^\/p\/[^/]+(?:\/@[^/]+)?(?=\/)/, '').replace(/\/[^/]*$/, (file) => file.replace(HASH, '')) + search + hash;
  } catch {
    return written;
  }
}

/** What a picture shows: its file's name without a build's hash, the parts of a drawing, or the name of an icon. */
function pictureOf(element: Element): string | undefined {
  if (element.localName === 'svg') {
    const used = element.querySelector('use');
    const link = used?.getAttribute('href') ?? used?.getAttribute('xlink:href');
    if (link) return `use:${link.replace(/^.*#/, '')}`;
    const lines = [...element.querySelectorAll('path')].slice(0, 4).map((path) => path.getAttribute('d') ?? '').join('|');
    return lines === '' ? undefined : `d:${digest(lines)}`;
  }
  const written = element.getAttribute('src') ?? element.getAttribute('data');
  if (written?.startsWith('data:')) return `data:${digest(written)}`;
  if (written) return written.replace(/[?#].*$/s, '').replace(/^.*\//s, '').replace(HASH, '');
  if (element.firstElementChild || element.textContent?.trim()) return undefined;
  const icon = [...element.classList].filter((name) => ICON.test(name)).join(' ');
  return icon && `icon:${icon}`;
}

/** The names of the elements around it, as far as they are many. */
function pathOf(entry: Entry): string {
  const names: string[] = [];
  for (let step: Entry | undefined = entry; step && names.length < MAX_PATH; step = step.parent) names.unshift(step.tag.slice(0, 40));
  return names.join('/');
}

function clean(value: string | null): string {
  return value?.slice(0, 4 * MAX_TEXT).replace(/\s+/g, ' ').trim().slice(0, MAX_NAME) ?? '';
}
