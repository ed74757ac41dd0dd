/**
 * What the Editor asks of a page: what a requested edit would make of it, and in what the page differs from that afterwards. In the review
 * browser it runs in a world of its own, where the page's scripts cannot reach it; in the preview it shares the page with them.
 */
import { install } from './in_page.mjs';
import { flat, relabel } from './labels.mjs';
import { Restless, differences, labelled } from './reading.mjs';

/** How many differences are named, and how long a value of one may be. */
const NAMED = 12;
const LONG = 200;

/** How JSX calls what pages call otherwise. */
const NAMES = { htmlFor: 'for', className: 'class', tabIndex: 'tabindex', readOnly: 'readonly', srcSet: 'srcset', autoFocus: 'autofocus', colSpan: 'colspan', rowSpan: 'rowspan' };

install();
const page = window.galleyCorpus;
delete window.galleyCorpus;

const collapse = (text) => text.replace(/[ \t\n\r\f]+/g, ' ');

/** The same done to the page's own elements; null where the page cannot say what would be right. */
function aim(request) {
  const { src, kind } = request;
  const index = request.item ?? 0;
  const facts = page.facts(src, index);
  if (!facts || facts.fragile) return null;
  switch (kind) {
    case 'text': {
      const from = request.before ? collapse(request.before).trim() : facts.texts.length === 1 ? facts.texts[0].trim() : '';
      const shown = facts.texts.filter((text) => text.includes(from));
      const once = from !== '' && shown.length === 1 && shown[0].split(from).length === 2;
      return once ? { kind, index, from, to: collapse(request.text) } : null;
    }
    case 'attribute':
      return { kind, name: NAMES[request.name] ?? request.name, value: request.value };
    case 'class':
      return { kind, add: request.add ?? [], remove: request.remove ?? [] };
    case 'style':
      return request.value === null ? null : { kind, property: request.property, value: request.value };
    case 'delete':
      return { kind };
    case 'duplicate':
      return { kind, bare: document.querySelector(`[data-desde-src="${CSS.escape(src)}"]`)?.hasAttribute('id') ?? false };
    case 'move':
      return request.place === 'after' && request.to === facts.next && facts.nextCount === facts.count ? { kind } : null;
    default:
      return null;
  }
}

/** What the page should read after an edit, as text; null when that is not known. */
function expected(request) {
  const what = aim(request);
  const reading = what && page.simulate(request.src, what);
  return reading ? JSON.stringify({ what, reading }) : null;
}

const shortened = (value) => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONG ? `${text.slice(0, LONG)}…` : text;
};

/**
 * In what `found` differs from the wanted reading: `[{ element, aspect, wanted, found }]`. `bases` are readings between which nothing was
 * edited; `trees` has for each changed file its elements before and after.
 */
function judge({ request, wanted, bases, found, trees }) {
  const labels = new Map();
  for (const [path, { before, after }] of Object.entries(trees)) {
    const part = relabel(flat(before), flat(after), request);
    if (part === null) return [{ element: path, aspect: 'elements', wanted: 'those it had, but for the edit', found: 'others' }];
    for (const [src, label] of part) labels.set(src, label);
  }
  const restless = new Restless();
  for (const base of bases.slice(1)) restless.add(differences(labelled(bases[0]), labelled(base)));
  const off = restless.without(differences(labelled(wanted.reading), labelled(found, labels)));
  const mistakes = off.filter((each) => !follows(request, wanted.what, each));
  return mistakes.slice(0, NAMED).map(({ label, aspect, ...values }) => ({
    element: label,
    aspect,
    wanted: shortened(values.wanted),
    found: shortened(values.found),
  }));
}

/** Whether a difference from what was done to the page's elements is part of what was asked for. */
function follows(request, what, { label, aspect, wanted, found }) {
  const own = label === request.src;
  // A style may be written as a class, or into a rule.
  if (request.kind === 'style') return own && (aspect === 'attribute:style' || aspect === 'attribute:class');
  if (request.kind === 'text' && request.scope === 'all' && own && aspect === 'content') {
    return wanted.length === found.length && wanted.every((token, at) => token === found[at] || token.split(what.from).join(what.to) === found[at]);
  }
  return false;
}

/** What a page shows of the source, where nothing certain was asked of it: how many elements, and whether any of a file. */
function whole(file) {
  const stamps = page.stamps();
  return { elements: stamps.length, shows: stamps.some((src) => src.startsWith(`${file}:`)) };
}

/** What an element covers of the window; null where that is nothing. An element without a box covers what is in it. */
function extent(element) {
  const inside = document.createRange();
  inside.selectNodeContents(element);
  const boxes = [element.getBoundingClientRect(), inside.getBoundingClientRect()];
  return boxes.find(({ width, height }) => width > 0 && height > 0) ?? null;
}

/**
 * The part of the document that shows an element and `margin` pixels around it, scrolled to: `{ x, y, width, height }` in CSS pixels.
 * Null where it is not shown. `index` says which one of those that share the stamp, null the first that is seen.
 */
function area(src, index, margin) {
  const sharing = [...document.querySelectorAll(`[data-desde-src="${CSS.escape(src)}"]`)];
  const element = index === null ? sharing.find(extent) : sharing[index];
  const size = element && extent(element);
  if (!size) return null;
  element.scrollIntoView({ block: size.height > innerHeight ? 'start' : 'center', inline: 'center', behavior: 'instant' });
  const { left, top, right, bottom } = extent(element);
  const [x, y] = [Math.max(0, left - margin), Math.max(0, top - margin)];
  const [width, height] = [Math.min(innerWidth, right + margin) - x, Math.min(innerHeight, bottom + margin) - y];
  return width > 0 && height > 0 ? { x: x + scrollX, y: y + scrollY, width, height } : null;
}

export const review = {
  area,
  expected,
  judge,
  read: () => JSON.stringify(page.read()),
  quiet: page.quiet,
  overlay: page.overlay,
  whole,
};
