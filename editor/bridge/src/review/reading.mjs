/** Comparing two readings of a page: which elements differ, and in what. */

/** Attributes that name other elements: libraries count their names up, and a copy gets its own. */
const NAMES = new Set(['id', 'for', 'name', 'href', 'headers', 'list', 'form', 'xlink:href', 'clip-path', 'mask', 'filter', 'fill', 'stroke']);

/** A reading whose stamps are replaced by labels: where each element stood before the edit. */
export function labelled(reading, labels) {
  const label = (src) => labels?.get(src) ?? src;
  const elements = reading.elements.map((element) => ({
    ...element,
    label: label(element.src),
    content: element.content.map((token) => (token.startsWith('#') ? `#${label(token.slice(1))}` : token)),
  }));
  return { ...reading, elements };
}

/**
 * What differs from `wanted` in `found`, both labelled: `{ label, index, aspect, wanted, found }`. The aspect is `count`,
 * `order`, `content`, `attribute:<name>` or `style:<property>`; `index` counts the elements with this label.
 */
export function differences(wanted, found) {
  const [before, after] = [grouped(wanted), grouped(found)];
  const list = [];
  for (const label of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(label) ?? [], after.get(label) ?? []];
    if (one.length !== other.length) {
      list.push({ label, index: 0, aspect: 'count', wanted: one.length, found: other.length });
      continue;
    }
    one.forEach((element, index) => {
      for (const difference of between(element, wanted.styles, other[index], found.styles)) list.push({ label, index, ...difference });
    });
  }
  if (list.length === 0) {
    const at = wanted.elements.findIndex((element, at) => element.label !== found.elements[at].label);
    if (at >= 0) list.push({ label: wanted.elements[at].label, index: 0, aspect: 'order', wanted: wanted.elements[at].label, found: found.elements[at].label });
  }
  return list;
}

function grouped({ elements }) {
  const groups = new Map();
  for (const element of elements) {
    const group = groups.get(element.label);
    if (group) group.push(element);
    else groups.set(element.label, [element]);
  }
  return groups;
}

function* between(one, oneStyles, other, otherStyles) {
  if (one.tag !== other.tag) yield { aspect: 'tag', wanted: one.tag, found: other.tag };
  if (one.content.join('\n') !== other.content.join('\n')) yield { aspect: 'content', wanted: one.content, found: other.content };
  for (const name of new Set([...Object.keys(one.attributes), ...Object.keys(other.attributes)])) {
    const [wanted, found] = [one.attributes[name], other.attributes[name]];
    if (wanted !== found && usual(name, wanted) !== usual(name, found)) yield { aspect: `attribute:${name}`, wanted, found };
  }
  const [wanted, found] = [oneStyles[one.style], otherStyles[other.style]];
  if (wanted === found) return;
  const [before, after] = [declarations(wanted), declarations(found)];
  for (const property of new Set([...before.keys(), ...after.keys()])) {
    const values = { wanted: before.get(property), found: after.get(property) };
    if (values.wanted !== values.found) yield { aspect: `style:${property}`, ...values };
  }
}

/** A value without what may differ though it means the same. */
function usual(name, value = '') {
  if (name === 'class') return [...new Set(value.split(/\s+/))].filter(Boolean).sort().join(' ');
  if (name === 'style') return value.replace(/\s*!important/g, '').split(';').map((each) => each.trim().replace(/:\s+/, ':')).filter(Boolean).sort().join(';');
  if (NAMES.has(name) || name.startsWith('aria-') || name.startsWith('data-')) return value.replace(/\d+/g, '#').replace(/[:«»_]r\w*[:«»_]/g, '#');
  if (name === 'src') return value.replace(/[?&]t=\d+/, '');
  return value;
}

function declarations(text = '') {
  const list = text.split(/;(?=[\w-]+:)/).map((each) => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1).replace(/;$/, '')]);
  return new Map(list);
}

/** What a page changes by itself, told from readings between which nothing was edited. */
export class Restless {
  #aspects = new Set();
  #comes = false;

  add(differences) {
    for (const { label, aspect } of differences) {
      this.#aspects.add(`${label}\n${aspect}`);
      this.#comes ||= aspect === 'count' || aspect === 'order';
    }
  }

  /** Whether an element comes and goes, or changes in this. */
  has({ label, aspect }) {
    return this.#aspects.has(`${label}\n${aspect}`) || this.#aspects.has(`${label}\ncount`) || (aspect === 'order' && this.#comes);
  }

  get size() {
    return this.#aspects.size;
  }

  /** Those that an edit must have to do with. */
  without(differences) {
    return differences.filter((each) => !this.has(each));
  }
}
