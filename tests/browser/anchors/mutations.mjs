/**
 * Changes a page as a redeploy would, and keeps the truth. Runs inside the page, and knows nothing of the code it judges: each
 * element is told apart by itself, or by `truth` where a change makes a new one of it.
 */

/** Numbers from a seed, so that a run can be had again (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS = 'new total your monthly updated latest account report open status team project details more last daily summary view active'.split(' ');
const OTHER_TAG = { div: 'section', section: 'div', span: 'b', b: 'strong', strong: 'b', h1: 'h2', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6', h6: 'h5', ul: 'ol', p: 'div', i: 'span', a: 'button', button: 'a', article: 'div' };
/** What the parser of HTML would not leave elsewhere. */
const FIXED = /^(?:tr|td|th|tbody|thead|tfoot|option|optgroup|li|col|colgroup|source|dt|dd|legend|caption|summary|figcaption|param|track|html|body)$/;

/** Changes about `share` of the elements below `body`, each in one way; gives what was done how often. */
export function mutate(body, share, random, truth) {
  const done = {};
  const pick = (list) => list[Math.floor(random() * list.length)];
  const elements = [...body.querySelectorAll('*')].filter((each) => !each.closest('svg svg, script, style') && !each.ownerSVGElement);
  for (const element of elements) {
    if (random() >= share || !element.isConnected || element === body) continue;
    const name = pick(KINDS);
    if (CHANGES[name](element, { random, pick, elements, truth, body })) done[name] = (done[name] ?? 0) + 1;
  }
  return done;
}

/** A list's item, a card, a button comes twice; a whole page does not. */
const MAX_COPIED = 20;

/** How often each change is drawn, beside the others. */
const KINDS = [
  'classes', 'classes', 'classes', 'id', 'text', 'text', 'text', 'retext', 'attribute', 'wrap', 'wrap', 'unwrap', 'moveBeside', 'moveBeside', 'moveAway', 'lookalike', 'lookalike',
  'twin', 'insert', 'insert', 'remove', 'remove', 'tag', 'reverse',
];

const CHANGES = {
  /** All its classes are called otherwise. */
  classes(element, { random }) {
    if (!element.getAttribute('class')) return false;
    element.setAttribute('class', [...element.classList].map((name) => `${name.slice(0, 2)}_${Math.floor(random() * 1e6).toString(36)}`).join(' '));
    return true;
  },
  id(element, { pick }) {
    if (!element.id) return false;
    element.id = `${pick(WORDS)}-${pick(WORDS)}`;
    return true;
  },
  /** A word of its text is another one, or a number counted on. */
  text(element, { random, pick }) {
    const node = pick([...element.childNodes].filter((each) => each.nodeType === 3 && each.nodeValue.trim() !== ''));
    if (!node) return false;
    const words = node.nodeValue.split(/(\s+)/);
    const at = pick([...words.keys()].filter((key) => words[key].trim() !== ''));
    words[at] = /^\d+$/.test(words[at]) ? String(Number(words[at]) + 1 + Math.floor(random() * 9)) : random() < 0.5 ? pick(WORDS) : `${words[at]} ${pick(WORDS)}`;
    node.nodeValue = words.join('');
    return true;
  },
  /** Its whole text is another one. */
  retext(element, { pick }) {
    const node = [...element.childNodes].find((each) => each.nodeType === 3 && each.nodeValue.trim() !== '');
    if (!node) return false;
    node.nodeValue = `${pick(WORDS)} ${pick(WORDS)} ${pick(WORDS)}`;
    return true;
  },
  /** A link leads elsewhere, a picture has another file, a field another hint. */
  attribute(element, { pick, random }) {
    for (const name of ['href', 'src', 'placeholder', 'alt', 'title', 'name', 'aria-label']) {
      if (!element.hasAttribute(name)) continue;
      // The picture itself is not loaded again.
      if (name === 'src') element.setAttribute('src', `data:image/gif;base64,R0lGODlhAQABAAAAACw=#${Math.floor(random() * 1e6)}`);
      else element.setAttribute(name, name === 'href' ? `/${pick(WORDS)}/${pick(WORDS)}` : `${pick(WORDS)} ${pick(WORDS)}`);
      return true;
    }
    return false;
  },
  wrap(element, { pick }) {
    if (FIXED.test(element.localName)) return false;
    const box = document.createElement(pick(['div', 'div', 'section', 'span']));
    box.className = `${pick(WORDS)}-wrap`;
    element.replaceWith(box);
    box.append(element);
    return true;
  },
  /** A box is gone, and what was in it is where it was. */
  unwrap(element) {
    if (!/^(?:div|section|span|article)$/.test(element.localName) || element.children.length === 0) return false;
    element.replaceWith(...element.childNodes);
    return true;
  },
  moveBeside(element, { pick }) {
    const others = [...element.parentElement.children].filter((each) => each !== element && each.localName === element.localName);
    if (others.length === 0) return false;
    pick(others).after(element);
    return true;
  },
  moveAway(element, { pick, elements }) {
    if (FIXED.test(element.localName)) return false;
    const homes = elements.filter((each) => each.isConnected && /^(?:div|section|main|article|aside|form)$/.test(each.localName) && !element.contains(each));
    const home = pick(homes);
    if (!home) return false;
    home.insertBefore(element, pick([...home.children, null]));
    return true;
  },
  /** Another one of its kind stands beside it, with a text of its own. */
  lookalike(element, { pick, random }) {
    if (element.querySelectorAll('*').length > MAX_COPIED) return false;
    const copy = element.cloneNode(true);
    copy.removeAttribute('id');
    for (const each of copy.querySelectorAll('[id]')) each.removeAttribute('id');
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const words = walker.currentNode.nodeValue.trim();
      if (words !== '') walker.currentNode.nodeValue = /\d/.test(words) && random() < 0.7 ? words.replace(/\d/g, () => Math.floor(random() * 10)) : `${pick(WORDS)} ${pick(WORDS)}`;
    }
    element[pick(['before', 'after'])](copy);
    return true;
  },
  /** The very same once more. */
  twin(element, { pick }) {
    if (element.querySelectorAll('*').length > MAX_COPIED) return false;
    const copy = element.cloneNode(true);
    copy.removeAttribute('id');
    for (const each of copy.querySelectorAll('[id]')) each.removeAttribute('id');
    element[pick(['before', 'after'])](copy);
    return true;
  },
  insert(element, { pick }) {
    if (FIXED.test(element.localName)) return false;
    const made = document.createElement(pick(['div', 'p', 'span', 'button', 'a']));
    made.textContent = `${pick(WORDS)} ${pick(WORDS)}`;
    element[pick(['before', 'after'])](made);
    return true;
  },
  remove(element) {
    element.remove();
    return true;
  },
  /** Another name, as `h3` instead of `h2`: a new element, and still the same thing. */
  tag(element, { truth }) {
    const name = OTHER_TAG[element.localName];
    if (!name) return false;
    const made = document.createElement(name);
    for (const { name: key, value } of element.attributes) made.setAttribute(key, value);
    made.append(...element.childNodes);
    element.replaceWith(made);
    truth.set(made, truth.get(element));
    return true;
  },
  /** The order of a list is another one. */
  reverse(element) {
    if (element.children.length < 2 || element.children.length > 12) return false;
    const first = element.children[0].localName;
    if ([...element.children].some((each) => each.localName !== first)) return false;
    element.append(...[...element.children].reverse());
    return true;
  },
};
