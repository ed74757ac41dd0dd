/** Which edits are asked for of an element: one of each kind at least, chosen by what the Editor says of it. */
import { NEW } from '../../../../editor/bridge/src/review/labels.mjs';

/** Nothing in it is harmless to every syntax. Within a line: white space is folded where it is shown. */
const TEXT = 'New <b> & {text} "it\'s" `${x}` | @y';

/** The same for translations, in which braces and tags are gaps. */
const PLAIN = 'New & "it\'s" | @y';

/** Attributes that can say anything without the page behaving otherwise. */
const HARMLESS = /^(?:title|alt|placeholder|aria-label|aria-description|summary|data-(?!slot|state|side|align|orientation|radix|reka).*)$/;

/** Values for declarations that are there, by the names of properties. */
const VALUES = [
  [/^(?!scrollbar-).*color$/, 'rgb(1, 2, 3)'],
  [/^(?:padding|margin)-|^(?:row-|column-)?gap$|radius$|^font-size$|^letter-spacing$/, '13px'],
  [/^opacity$/, '0.5'],
  [/^font-weight$/, '300'],
  [/^text-align$/, 'right'],
];

/** One random number after the other from a seed, between 0 and 1. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The list in another order. */
export function shuffled(list, chance) {
  const order = [...list];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(chance() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

/**
 * The edits of one element: `{ kind, shape, request, what }`, where `what` is the same done to the page's elements, or the
 * reason (`skip`) why an edit would not be seen there. `facts` comes from the page, `found` from the Editor. `small` is the same with
 * what needs no more room than was there, for pages that measure themselves, and `plain` a text for translations.
 */
export function edits(found, facts, index, chance, viewport) {
  const structure = { kind: null, shape: found.repeated ? 'in a list' : found.conditional ? 'conditional' : 'plain' };
  const list = [...texts(found, facts, index, chance), ...attributes(found, chance), ...classes(found, facts, chance), ...styles(found, chance, viewport)];
  const plain = (kind, request, what = {}) => list.push({ ...structure, kind, request: { kind, ...request }, what: { kind, ...what }, skip: facts.fragile ? 'a frame or a film in it begins anew' : null });
  // The Editor leaves a fixed id to the original: a page has each id once.
  plain('duplicate', {}, { bare: found.attributes.some(({ name, form }) => name === 'id' && form === 'literal') });
  plain('delete', {});
  if (facts.next !== null && facts.nextCount === facts.count && fileOf(facts.next) === found.path) {
    plain('move', { to: facts.next, place: 'after' });
  }
  const place = ['before', 'after', 'first', 'last'][Math.floor(chance() * 4)];
  const tag = child(place === 'first' || place === 'last' ? found.tag : facts.parent, facts);
  if (tag) {
    const inserted = (hidden) => ({
      kind: 'insert',
      shape: place,
      request: { kind: 'insert', place, markup: `<${tag} title="${NEW}"${hidden ? ' hidden' : ''}>${NEW}</${tag}>` },
      what: { kind: 'insert', place, tag, text: NEW, hidden },
      skip: null,
    });
    list.push({ ...inserted(false), small: inserted(true) });
  }
  return list;
}

const fileOf = (stamp) => stamp.replace(/:\d+:\d+$/, '');

function texts(found, facts, index, chance) {
  return found.text
    .filter(({ editable }) => editable)
    .slice(0, 3)
    .map(({ run, text, form, shared }) => {
      const known = text.replace(/[ \t\n\r\f]+/g, ' ').trim();
      // Where uses differ, what the page shows is what is retyped.
      const only = found.text.length === 1 && facts.texts.length === 1 ? facts.texts[0].trim() : known;
      const from = facts.texts.some((each) => each.includes(known)) ? known : only;
      const shown = facts.texts.filter((each) => each.includes(from));
      const once = from !== '' && shown.length === 1 && shown[0].split(from).length === 2;
      const before = once ? { before: shown[0].trim() } : {};
      const scope = form === 'item' && facts.count > 1 && chance() < 0.5 ? { scope: 'item' } : {};
      const typed = (text) => ({
        kind: 'text',
        shape: form,
        request: { kind: 'text', run, text, ...before, ...scope },
        what: { kind: 'text', index, from, to: text },
        shared,
        skip: once ? null : shown.length === 0 ? 'another text is shown' : 'the text is shown more than once',
      });
      const short = TEXT.slice(0, from.length).trim();
      return { ...typed(TEXT), plain: typed(PLAIN), small: short === TEXT || short === '' || short === from ? null : typed(short) };
    });
}

function attributes(found, chance) {
  const set = (shape, name, value) => ({ kind: 'attribute', shape, request: { kind: 'attribute', name, value }, what: { kind: 'attribute', name, value }, skip: null });
  const value = 'New "value" & <b> it\'s {x}';
  const there = found.attributes
    .map((attribute) => ({ ...attribute, name: attribute.name.replace(/^(?::|v-bind:)/, '') }))
    .filter(({ name, editable }) => editable && HARMLESS.test(name));
  const one = there[Math.floor(chance() * there.length)];
  return [set('new', 'data-corpus', value), ...(one ? [set(one.form, one.name, value)] : [])];
}

function classes(found, facts, chance) {
  const { list, form } = found.classes;
  const change = (shape, add, remove, gone = remove) => ({
    kind: 'class',
    shape,
    request: { kind: 'class', add, remove },
    what: { kind: 'class', add, remove: gone },
    skip: gone.every((name) => facts.classes.every((each) => each.includes(name))) ? null : 'not every element has the class',
  });
  const made = [change(form, ['galley-corpus'], [])];
  const removed = list[Math.floor(chance() * list.length)];
  if (removed) made.push(change('remove', [], [removed]));
  // A utility of Tailwind takes the place of one of its group.
  const spaces = list.filter((name) => /^(?:[mp][trblxy]?|gap)-\d+$/.test(name));
  if (spaces.length === 1) {
    const [old] = spaces;
    const name = old.replace(/\d+$/, (number) => (number === '7' ? '9' : '7'));
    made.push(change('replace', [name], [], [old]));
  }
  return made;
}

function styles(found, chance, viewport) {
  const set = (shape, property, value, more = {}) => ({
    kind: 'style',
    shape,
    request: { kind: 'style', property, value, ...viewport, ...more },
    what: { kind: 'style', property, value },
    skip: null,
  });
  const declared = found.styles.flatMap(({ property, from, editable }) => {
    const value = editable && VALUES.find(([names]) => names.test(property))?.[1];
    return value ? [set(from, property, value)] : [];
  });
  const one = declared[Math.floor(chance() * declared.length)];
  // A declaration that another one wins over: the answer has to say that nothing will be seen.
  const losing = found.styles.flatMap(({ property, wins, editable, at, from }) => {
    const value = editable && wins === false && at !== null && from !== 'inline' && VALUES.find(([names]) => names.test(property))?.[1];
    return value ? [set('loses', property, value, { at })] : [];
  });
  const lost = losing[Math.floor(chance() * losing.length)];
  return [set('new', 'outline-color', 'rgb(1, 2, 3)'), ...(one ? [one] : []), ...(lost ? [lost] : [])];
}

/** An element that may stand in `parent`; null where only few may. */
function child(parent, { namespace }) {
  if (namespace !== 'http://www.w3.org/1999/xhtml' || parent === null) return null;
  if (parent === 'ul' || parent === 'ol' || parent === 'menu') return 'li';
  if (parent === 'tr') return 'td';
  if (parent === 'dl') return 'dd';
  return /^(?:table|thead|tbody|tfoot|colgroup|select|optgroup|option|svg|picture|head|html|textarea|video|audio|details)$/.test(parent) ? null : 'ins';
}
