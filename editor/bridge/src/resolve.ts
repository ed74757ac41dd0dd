/** Finds the element of an anchor in a page, or says honestly that it is not there. */
import type { Anchor } from '../../kit/anchor.ts';
import { Reader, saysLittle, type Facts, type Rivals } from './evidence.ts';
import { contains, PageIndex, type Entry } from './page_index.ts';
import { findDeep } from './selector.ts';
import { pathsAlike, Similarity } from './similar.ts';

/** Candidates that are compared in full. */
const MAX_CANDIDATES = 60;
/** What more elements share than this tells nothing, and is not looked at. */
const MAX_SHARING = 600;
/** Words of an anchor's text that are looked up. */
const MAX_WORDS = 12;

/** What an element must have to be taken. */
export const ACCEPT = {
  score: 0.62,
  /** For elements that say little. */
  scoreOfSilent: 0.8,
  identity: 0.6,
  /** Ahead of the second. */
  margin: 0.06,
  /** Ahead of what looked most like it when the pin was set. */
  rival: 0.03,
  /** What the selector finds is taken with these when nothing else scores higher. */
  hitIdentity: 0.9,
  hitScore: 0.88,
  /** What the selector finds is taken at once with this, where nothing looked like it. */
  certain: 0.98,
  certainRival: 0.9,
  /** This much alike is as good as the same. */
  twin: 0.97,
} as const;

/** Weights of what an element is: attributes that agree or do not, and texts that are alike. */
const ATTRIBUTES = weights({ testid: 40, id: 22, src: 22, name: 18, href: 14 });
const IDENTITY = weights({ text: 26, name: 22, label: 16 });
const TAG = 6;
/** Weights of where it is. */
const PLACE = weights({ heading: 12, before: 9, after: 9, parent: 8, prefix: 4, suffix: 4 });
const PATH = 10;
const NTH = 3;

/** Texts that elements are found by. */
const SOUGHT = ['text', 'name', 'label', 'before', 'after'] as const;

/** How much of two elements' evidence agrees: all of it, and what they are. Both from 0 to 1. */
export interface Score {
  total: number;
  identity: number;
}

/** The outcome for one anchor. */
export interface Resolved {
  state: 'exact' | 'moved' | 'detached';
  /** The element; of a detached one the best guess. */
  element: Element | undefined;
  score: number;
}

/** One page, ready to be searched. */
export class Resolver {
  readonly reader: Reader;
  readonly #page: Document;
  readonly #alike = new Similarity();
  #keys: Map<string, Entry[]> | undefined;

  constructor(page: Document, index: PageIndex) {
    this.#page = page;
    this.reader = new Reader(index);
  }

  /** Reads a page and makes it ready; yields between small steps. */
  static *of(page: Document): Generator<undefined, Resolver> {
    return new Resolver(page, yield* PageIndex.read(page));
  }

  /** Where an anchor's element is. Only what the selector finds is compared when that is certain. */
  *resolve(anchor: Anchor, selector: string): Generator<undefined, Resolved> {
    const hit = this.reader.index.entry(findDeep(this.#page, selector));
    const score = hit && this.score(anchor, this.reader.facts(hit));
    if (hit && score && score.total >= ACCEPT.certain && anchor.rival <= ACCEPT.certainRival) return { state: 'exact', element: hit.element, score: score.total };
    yield* this.prepare();
    return this.#decide(anchor, this.#ranked(anchor, hit), hit);
  }

  /** What else looks like the element: that much alike now, it may be taken for it later. */
  *rivals(entry: Entry): Generator<undefined, Rivals> {
    yield* this.prepare();
    const facts = this.reader.facts(entry);
    const others = rivalsOf(entry, facts.tag, this.#ranked(facts, entry));
    return { rival: others[0]?.score.total ?? 0, twins: others.filter(isTwin).length };
  }

  /** Sorts the elements by what they can be found by. */
  *prepare(): Generator<undefined> {
    if (this.#keys) return;
    const keys = new Map<string, Entry[]>();
    let read = 0;
    for (const entry of this.reader.index.entries) {
      for (const key of keysOf(this.reader.facts(entry))) {
        const sharing = keys.get(key);
        if (!sharing) keys.set(key, [entry]);
        else if (sharing.length <= MAX_SHARING) sharing.push(entry);
      }
      read += 1;
      if (read % 20 === 0) yield undefined;
    }
    this.#keys = keys;
  }

  score(anchor: Facts, other: Facts): Score {
    let [all, agreed, whole, same] = [0, 0, 0, 0];
    const add = (weight: number, share: number, identity: boolean): void => {
      all += weight;
      agreed += weight * share;
      if (!identity) return;
      whole += weight;
      same += weight * share;
    };
    for (const [key, weight] of ATTRIBUTES) {
      const value = anchor.attrs[key];
      if (value !== undefined) add(weight, value === other.attrs[key] ? 1 : 0, true);
    }
    for (const [key, weight] of IDENTITY) {
      // A name that is the text or the label is no second evidence.
      const second = key === 'name' && (anchor.name === anchor.text || anchor.name === anchor.label);
      if (anchor[key] !== '' && !second) add(weight, this.#alike.of(anchor[key], other[key]), true);
    }
    add(TAG, anchor.tag === other.tag ? 1 : anchor.role !== '' && anchor.role === other.role ? 0.7 : 0, true);
    if (anchor.text === '') add(TAG, other.text === '' ? 1 : 0, true);
    for (const [key, weight] of PLACE) {
      if (anchor[key] !== '') add(weight, this.#alike.of(anchor[key], other[key]), false);
    }
    add(PATH, pathsAlike(anchor.path, other.path), false);
    add(NTH, 1 / (1 + Math.abs(anchor.nth - other.nth)), false);
    return { total: agreed / all, identity: same / whole };
  }

  /** The elements most like the anchor, the best first. */
  #ranked(anchor: Facts, hit: Entry | undefined): Candidate[] {
    const shares = new Map<Entry, number>();
    for (const key of keysOf(anchor)) {
      const sharing = this.#keys?.get(key) ?? [];
      if (sharing.length > MAX_SHARING) continue;
      // What few share tells more.
      const weight = 1 / Math.sqrt(sharing.length);
      for (const entry of sharing) shares.set(entry, (shares.get(entry) ?? 0) + weight);
    }
    const best = [...shares].sort(([, one], [, other]) => other - one).slice(0, MAX_CANDIDATES).map(([entry]) => entry);
    if (hit && !best.includes(hit)) best.push(hit);
    const scored = best.map((entry) => ({ entry, score: this.score(anchor, this.reader.facts(entry)) }));
    return scored.sort((one, other) => other.score.total - one.score.total);
  }

  #decide(anchor: Anchor, ranked: Candidate[], hit: Entry | undefined): Resolved {
    const [best] = ranked;
    if (!best) return { state: 'detached', element: undefined, score: 0 };
    const { total, identity } = best.score;
    const found = ranked.find(({ entry }) => entry === hit);
    if (found && found.score.total >= total && found.score.identity >= ACCEPT.hitIdentity && total >= ACCEPT.hitScore) {
      // One of several that look the same: which of them is left when one went away is not to be known.
      const twins = rivalsOf(found.entry, anchor.tag, ranked).filter(isTwin).length;
      const own = anchor.twins === 0 ? total >= ACCEPT.twin || total >= anchor.rival + ACCEPT.rival : total >= ACCEPT.twin && twins === anchor.twins;
      if (own) return { state: 'exact', element: found.entry.element, score: total };
    }
    const enough = total >= (saysLittle(anchor) ? ACCEPT.scoreOfSilent : ACCEPT.score) && identity >= ACCEPT.identity;
    const second = rivalsOf(best.entry, anchor.tag, ranked)[0]?.score.total ?? 0;
    const alone = total - second >= ACCEPT.margin && total >= anchor.rival + ACCEPT.rival;
    return { state: enough && alone ? 'moved' : 'detached', element: best.entry.element, score: total };
  }
}

interface Candidate {
  entry: Entry;
  score: Score;
}

/**
 * The others that could be meant. A box with nothing but the element in it, or the only thing in the element, has the same text
 * and place; it is told apart by its name alone.
 */
function rivalsOf(entry: Entry, tag: string, ranked: Candidate[]): Candidate[] {
  const related = (other: Entry): boolean => contains(other, entry) || contains(entry, other);
  return ranked.filter((each) => each.entry !== entry && !(entry.tag === tag && each.entry.tag !== tag && related(each.entry)));
}

function isTwin({ score }: Candidate): boolean {
  return score.total >= ACCEPT.twin;
}

function weights<K extends string>(of: Record<K, number>): [K, number][] {
  return Object.entries(of) as [K, number][];
}

/** What elements are found by. */
function keysOf(facts: Facts): string[] {
  const { tag, role, name, text, heading, parent } = facts;
  const keys = [`path ${facts.path}`, `tag ${tag} ${heading}`, `role ${role} ${parent}`, `text ${tag} ${text}`];
  for (const [key, value] of Object.entries(facts.attrs)) keys.push(`@${key} ${value}`);
  for (const key of SOUGHT) keys.push(`${key} ${facts[key]}`);
  for (const word of wordsOf(name === text ? text : `${text} ${name}`)) keys.push(`word ${tag} ${word}`);
  return keys.filter((key) => !key.endsWith(' '));
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, MAX_WORDS));
}
