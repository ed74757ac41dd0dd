/** What runs inside a page of the corpus: sets pins, changes the page, and judges where the pins are found. */
import { mutate, randomFrom } from './mutations.mjs';

let pristine;

/** Remembers the page as it is now, without its scripts: from here on it only changes by us. */
function keep() {
  for (const each of document.querySelectorAll('script, noscript')) each.remove();
  pristine = document.body.cloneNode(true);
}

function fresh() {
  const body = pristine.cloneNode(true);
  document.body.replaceWith(body);
  return body;
}

/** Elements that somebody sees and could mean. */
function visible(body) {
  const screen = innerWidth * innerHeight;
  return [...body.querySelectorAll('*')].filter((element) => {
    if (element.ownerSVGElement) return false;
    const { width, height } = element.getBoundingClientRect();
    return width >= 4 && height >= 4 && width * height < screen / 2 && element.checkVisibility({ visibilityProperty: true });
  });
}

/** One page changed once: pins, changes, and what became of each pin. */
function trial({ seed, share, pins, removed }) {
  const { PageReader } = window.galleyAnchors;
  const random = randomFrom(seed);
  const body = fresh();
  const truth = new Map();
  let count = 0;
  for (const element of body.querySelectorAll('*')) truth.set(element, (count += 1));
  const before = new PageReader(document);
  const pool = visible(body);
  const chosen = new Map();
  for (let tries = 0; chosen.size < pins && tries < pins * 10 && pool.length > 0; tries += 1) {
    const element = before.target(pool[Math.floor(random() * pool.length)]);
    if (element !== body && truth.has(element)) chosen.set(truth.get(element), element);
  }
  const set = [...chosen].map(([id, element]) => ({ id, element, ...before.pin(element) }));
  // First of all: a copy of it made later would be the same thing in another place.
  for (const { element } of set.slice(0, removed)) element.remove();
  const done = share > 0 ? mutate(body, share, random, truth) : {};
  const there = new Set([...document.body.querySelectorAll('*')].map((element) => truth.get(element)));
  // Read anew, from what would have been stored.
  const after = new PageReader(document);
  const judged = set.map(({ id, selector, anchor }) => {
    const found = after.find(JSON.parse(anchor), selector);
    const which = found.state === 'detached' ? undefined : (truth.get(found.element) ?? 0);
    const guessed = found.element && truth.get(found.element) === id;
    const verdict = !there.has(id) ? (which === undefined ? 'away' : 'placed') : which === undefined ? 'lost' : which === id ? 'right' : 'wrong';
    const bySelector = document.querySelectorAll(selector.includes(' >>> ') ? ':not(*)' : selector);
    const alone = bySelector.length === 0 ? undefined : (truth.get(bySelector[0]) ?? 0);
    const selectorAlone = !there.has(id) ? (alone === undefined ? 'away' : 'placed') : alone === undefined ? 'lost' : alone === id ? 'right' : 'wrong';
    return { verdict, selectorAlone, state: found.state, guessed, anchor: verdict === 'right' || verdict === 'away' ? undefined : anchor, score: found.score, other: verdict === 'wrong' || verdict === 'placed' ? JSON.stringify(after.facts(found.element)) : undefined };
  });
  return { elements: count, done, judged };
}

/** How long many pins take on a large page: made of the contents of `sources` until it has `size` elements. */
function speed({ seed, sources, size, pins }) {
  const { PageReader } = window.galleyAnchors;
  const random = randomFrom(seed);
  const body = fresh();
  for (const html of sources) {
    if (document.querySelectorAll('body *').length >= size) break;
    const other = new DOMParser().parseFromString(html, 'text/html');
    // The same navigation twelve times is no page that somebody has.
    for (const each of other.querySelectorAll('script, noscript, link, style, nav, aside, header, footer')) each.remove();
    const part = document.createElement('section');
    part.append(...other.body.childNodes);
    body.append(part);
  }
  const elements = [...body.querySelectorAll('*')].filter((element) => !element.ownerSVGElement);
  const reader = new PageReader(document);
  const set = [];
  while (set.length < pins) set.push(reader.pin(elements[Math.floor(random() * elements.length)]));
  // Twice each, the better one: what else the machine does is not ours.
  const best = (run) => [run(), run(), run()].reduce((one, other) => (other.total < one.total ? other : one));
  const unchanged = best(() => PageReader.time(document, set));
  mutate(body, 0.16, random, new Map());
  const searched = best(() => PageReader.time(document, set));
  return { elements: elements.length, pins: set.length, unchanged, searched };
}

/** Pins on everything that has a `data-truth`. */
function pinAll() {
  const reader = new window.galleyAnchors.PageReader(document);
  return [...document.querySelectorAll('[data-truth]')].map((element) => ({ truth: element.dataset.truth, ...reader.pin(element) }));
}

/** What became of such pins in another build. */
function judgeAll(pins) {
  const reader = new window.galleyAnchors.PageReader(document);
  const judged = pins.map(({ truth, selector, anchor }) => {
    const found = reader.find(JSON.parse(anchor), selector);
    const which = found.state === 'detached' ? undefined : (found.element.dataset.truth ?? '');
    const there = document.querySelector(`[data-truth="${CSS.escape(truth)}"]`) !== null;
    const alone = document.querySelector(selector)?.dataset;
    const verdict = (here) => (!there ? (here === undefined ? 'away' : 'placed') : here === undefined ? 'lost' : here === truth ? 'right' : 'wrong');
    return { verdict: verdict(which), selectorAlone: verdict(alone && (alone.truth ?? '')), state: found.state, score: found.score, anchor };
  });
  return { elements: document.querySelectorAll('*').length, judged };
}

window.galleyCorpus = { keep, trial, speed, pinAll, judgeAll };
