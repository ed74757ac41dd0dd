/** Finds the element of an anchor in a page, or says honestly that it is not there. */
import type { Evidence } from '../../kit/anchor.ts';
import { Reader, saidBy, type Facts, type Rivals } from './evidence.ts';
import { contains, PageIndex, type Entry } from './page_index.ts';
import { findDeep } from './selector.ts';
import { pathsAlike, Similarity } from './similar.ts';

/** Candidates that are compared in full. */
const MAX_CANDIDATES = 60;
/** What more elements share than this tells nothing, and is not looked at. */
const MAX_SHARING = 600;
/** Words of an anchor's text that are looked up. */
const MAX_WORDS = 12;

/** What the best candidate needs to be taken: a score, for elements that say nothing a higher one; and this much of what it is. */
const SCORE = 0.65;
const SCORE_OF_SILENT = 0.99;
const SAME_THING = 0.5;
/** The score of what was unlike everything else, and ahead of its rival by as much. */
const SCORE_OF_UNLIKE = 0.55;
const AHEAD_OF_UNLIKE = 0.12;
/** Ahead of the second; and of what looked most like it when the pin was set. */
const MARGIN = 0.06;
const AHEAD_OF_RIVAL = 0.03;
/** Of the way from there to 1, where another element was the same thing and only the place told them apart. */
const AHEAD_OF_EQUALS = 0.5;
/** What the selector finds is taken with these when nothing else scores higher. */
const HIT_SCORE = 0.88;
const HIT_SAME_THING = 0.9;
/** All evidence agrees, but for the rounding. */
const UNCHANGED = 0.999;
/** This much alike is as good as the same. */
const TWIN = 0.97;
/** The same thing, whatever its place, when it says so many characters and no other element is more alike than that. */
const CERTAIN_THING = 0.95;
const CERTAIN_SAID = 8;
const MAX_LIKENESS = 0.6;

/** Weights of what an element is: attributes that agree or do not, and texts that are alike. */
const ATTRIBUTES = weights({ testid: 40, id: 22, src: 22, name: 18, href: 14 });
const IDENTITY = weights({ text: 26, name: 22, label: 16 });
const TAG = 6;
/** Weights of where it is. */
const PLACE = weights({ heading: 12, before: 9, after: 9, parent: 16, prefix: 4, suffix: 4 });
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
  *resolve(anchor: Evidence, selector: string): Generator<undefined, Resolved> {
    const hit = this.reader.index.entry(findDeep(this.#page, selector));
    const score = hit && this.score(anchor, this.reader.facts(hit));
    if (hit && score && score.total >= UNCHANGED && (!anchor.twins || anchor.extent === this.reader.index.extent)) return { state: 'exact', element: hit.element, score: score.total };
    yield* this.prepare();
    return this.#decide(anchor, this.#ranked(anchor, hit), hit);
  }

  /** What else looks like the element: that much alike now, it may be taken for it later. */
  *rivals(entry: Entry): Generator<undefined, Rivals> {
    yield* this.prepare();
    const facts = this.reader.facts(entry);
    const others = this.#rivalsOf(entry, facts, this.#ranked(facts, entry));
    return { rival: others[0]?.score.total ?? 0, twins: others.filter(isTwin).length, likeness: likeness(others), extent: this.reader.index.extent };
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
      if (value) add(weight, value === other.attrs[key] ? 1 : 0, true);
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



  #decide(anchor: Evidence, ranked: Candidate[], hit: Entry | undefined): Resolved {
    const [best] = ranked;
    if (!best) return { state: 'detached', element: undefined, score: 0 };
    const { total, identity } = best.score;
    const found = ranked.find(({ entry }) => entry === hit);
    const ahead = anchor.likeness < CERTAIN_THING ? AHEAD_OF_RIVAL : (1 - anchor.rival) * AHEAD_OF_EQUALS;
    if (found && found.score.total >= total && found.score.identity >= HIT_SAME_THING && total >= HIT_SCORE) {
      // One of several that look the same: which of them is left when one went away is not to be known.
      const twins = this.#rivalsOf(found.entry, anchor, ranked).filter(isTwin).length;
      const own = anchor.twins ? total >= TWIN && twins === anchor.twins : total >= Math.min(UNCHANGED, anchor.rival + ahead);
      if (own) return { state: 'exact', element: found.entry.element, score: total };
    }
    // The same thing in quite another place, when there was no other one of it, then and now.
    const same = ranked.reduce((one, other) => (other.score.identity > one.score.identity ? other : one));
    const one = likeness(this.#rivalsOf(same.entry, anchor, ranked));
    if (saidBy(anchor) >= CERTAIN_SAID && same.score.identity >= CERTAIN_THING && Math.max(one, anchor.likeness) <= MAX_LIKENESS) {
      return { state: 'moved', element: same.entry.element, score: same.score.total };
    }
    // What filled the gap of an element that went away stands in its place, but is no more like it than it was.
    const unlike = anchor.likeness <= MAX_LIKENESS && total >= anchor.rival + AHEAD_OF_UNLIKE;
    const least = saidBy(anchor) === 0 ? SCORE_OF_SILENT : unlike ? SCORE_OF_UNLIKE : SCORE;
    const enough = total >= least && identity >= Math.min(CERTAIN_THING, Math.max(SAME_THING, anchor.likeness + AHEAD_OF_RIVAL));
    const second = this.#rivalsOf(best.entry, anchor, ranked)[0]?.score.total ?? 0;
    const alone = !anchor.twins && total - second >= MARGIN && total >= anchor.rival + ahead;
    return { state: !enough || !alone ? 'detached' : best === found ? 'exact' : 'moved', element: best.entry.element, score: total };
  }

  /**
   * The others that could be meant. A box around the element, or the only thing in it, has the same text; it is told apart by
   * its name and by how deep it lies.
   */
  #rivalsOf(entry: Entry, { tag, path }: Facts, ranked: Candidate[]): Candidate[] {
    const asDeep = this.reader.facts(entry).path === path;
    return ranked.filter((each) => {
      const related = contains(each.entry, entry) || contains(entry, each.entry);
      return each.entry !== entry && !(related && (asDeep || (entry.tag === tag && each.entry.tag !== tag)));
    });
  }
}

interface Candidate {
  entry: Entry;
  score: Score;
}

function likeness(others: Candidate[]): number {
  return Math.max(0, ...others.map(({ score }) => score.identity));
}

function isTwin({ score }: Candidate): boolean {
  return score.total >= TWIN;
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
  for (const word of wordsOf(name === text ? text : `${text} ${name}`)) keys.push(`word ${word}`);
  return keys.filter((key) => !key.endsWith(' '));
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, MAX_WORDS));
}
