/** Finds the element of an anchor in a page, or says honestly that it is not there. */
import type { Evidence } from '../../kit/anchor.ts';
import { costs, places, RUN } from './alignment.ts';
import { Reader, saidBy, type Facts, type Rivals } from './evidence.ts';
import { contains, PageIndex, type Entry } from './page_index.ts';
import { findDeep } from './selector.ts';
import { Similarity } from './similar.ts';

/** Candidates that are compared in full. */
const MAX_CANDIDATES = 60;
/** What more elements share than this tells nothing, and is not looked at. */
const MAX_SHARING = 600;
/** Words of an anchor's text that are looked up. */
const MAX_WORDS = 12;

/** What the best candidate needs besides a small lead: a score, a higher one for elements that say nothing. */
const SCORE = 0.55;
const SCORE_OF_SILENT = 0.88;
/** Ahead of what looked most like it when the pin was set; of the way from there to 1 where that was the same thing elsewhere. */
const AHEAD_OF_RIVAL = 0.03;
const AHEAD_OF_EQUAL = 0.5;
/** As much the same thing; and more than any other element was, but no more than that. */
const SAME_THING = 0.5;
const CERTAIN_THING = 0.95;
/** Then the place needs not agree, when it says so many characters and no other element was more alike than that. */
const CERTAIN_SAID = 8;
const MAX_LIKENESS = 0.6;
/** All evidence agrees, but for the rounding. */
const UNCHANGED = 0.999;
/** What the selector still finds has moved, when its surroundings are less the same than this. */
const STAYED = 0.85;
/** This much alike is as good as the same: only the order of the elements tells them apart. */
const TWIN = 0.97;

/** What it costs a candidate, beside the changes around it (`alignment.ts`): to stand elsewhere, to be another thing, to be called otherwise. */
const MOVED = 2 * RUN;
const OTHER_THING = 2 * RUN;
const OTHER_CLASSES = 0.6 * RUN;
const OTHER_TAG = 0.5 * RUN;
/** The lead over the second; and the one over it and over the element being gone that is enough by itself. */
const LEAD = 0.5 * RUN;
const SURE = 1.3 * RUN;

/** Weights of what an element is: attributes that agree or do not, and texts that are alike. */
const ATTRIBUTES = weights({ testid: 40, id: 22, src: 22, name: 18, href: 14 });
const IDENTITY = weights({ text: 26, name: 22, label: 16 });
const TAG = 6;
/** Weights of where it is. */
const PLACE = weights({ before: 9, after: 9, parent: 16, prefix: 4, suffix: 4 });
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
  #forwards: Uint16Array | undefined;
  #backwards: Uint16Array | undefined;

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
    if (hit && score && score.total >= UNCHANGED && (anchor.rival < TWIN || anchor.extent === this.reader.index.extent)) return { state: 'exact', element: hit.element, score: score.total };
    yield* this.prepare();
    return yield* this.#decide(anchor, this.#candidates(anchor, hit), hit);
  }

  /** What else looks like the element: that much alike now, it may be taken for it later. */
  *rivals(entry: Entry): Generator<undefined, Rivals> {
    yield* this.prepare();
    const facts = this.reader.facts(entry);
    // A box around it, or the only thing in it, is no other one.
    const others = this.#candidates(facts, entry).filter((other) => !contains(other.entry, entry) && !contains(entry, other.entry));
    const most = (of: keyof Score): number => Math.max(0, ...others.map(({ score }) => score[of]));
    return { rival: most('total'), likeness: most('identity'), extent: this.reader.index.extent };
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
    [this.#forwards, this.#backwards] = this.reader.index.tokens.map(places) as [Uint16Array, Uint16Array];
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
    add(PATH, this.#alike.of(anchor.path, other.path), false);
    add(NTH, 1 / (1 + Math.abs(anchor.nth - other.nth)), false);
    return { total: agreed / all, identity: same / whole };
  }

  /** The elements that share the most with the anchor. */
  #candidates(anchor: Facts, hit: Entry | undefined): Candidate[] {
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
    return best.map((entry) => ({ entry, score: this.score(anchor, this.reader.facts(entry)) }));
  }


  /** The candidate that is the most like it and around which the least has changed, if it is well ahead of all others. */
  *#decide(anchor: Evidence, candidates: Candidate[], hit: Entry | undefined): Generator<undefined, Resolved> {
    const above = yield* costs(anchor.above, this.#forwards as Uint16Array);
    const below = (yield* costs(anchor.below, this.#backwards as Uint16Array)).reverse();
    const around = (start: number, end: number): number => (above[start] as number) + (below[end] as number);
    const without = Math.min(...above.map((_, at) => around(at, at)));
    const [best, second] = candidates
      .map(({ entry, score }) => {
        const { classes } = this.reader.facts(entry);
        const place = Math.min(around(entry.order, entry.last + 1), without + MOVED);
        return { entry, score, cost: place + OTHER_THING * (1 - score.identity) + OTHER_CLASSES * (1 - this.#alike.of(anchor.classes, classes)) + (entry.tag === anchor.tag ? 0 : OTHER_TAG) };
      })
      .sort((one, other) => one.cost - other.cost);
    if (!best) return { state: 'detached', element: undefined, score: 0 };
    const { entry, score, cost } = best;
    const lead = (second?.cost ?? Infinity) - cost;
    const overGone = without + RUN - cost;
    const sure = Math.min(lead, overGone);
    // Of what says nothing, or was the same thing as another one, only the place can tell that it is not gone.
    const telling = saidBy(anchor) && anchor.likeness < CERTAIN_THING;
    const found = sure >= SURE || ((telling ? lead : sure) >= LEAD && isMeant(anchor, score));
    return { state: !found ? 'detached' : entry === hit && score.total >= STAYED ? 'exact' : 'moved', element: entry.element, score: score.total };
  }
}

/** Whether it is meant by what it is and by its nearest surroundings. */
function isMeant(anchor: Evidence, { total, identity }: Score): boolean {
  const { rival, likeness } = anchor;
  const said = saidBy(anchor);
  // The same thing in quite another place, when there was no other one of it.
  if (said >= CERTAIN_SAID && identity >= CERTAIN_THING && likeness <= MAX_LIKENESS) return true;
  const ahead = likeness < CERTAIN_THING ? AHEAD_OF_RIVAL : (1 - rival) * AHEAD_OF_EQUAL;
  // What filled the gap of an element that went away stands in its place, but is no more like it than it was.
  const same = Math.min(CERTAIN_THING, Math.max(SAME_THING, likeness + AHEAD_OF_RIVAL));
  return rival < TWIN && identity >= same && total >= Math.max(said ? SCORE : SCORE_OF_SILENT, Math.min(UNCHANGED, rival + ahead));
}

interface Candidate {
  entry: Entry;
  score: Score;
}

function weights<K extends string>(of: Record<K, number>): [K, number][] {
  return Object.entries(of) as [K, number][];
}

/** What elements are found by. */
function keysOf(facts: Facts): string[] {
  const { role, name, text, parent } = facts;
  const keys = [`path ${facts.path}`, `role ${role} ${parent}`];
  for (const [key, value] of Object.entries(facts.attrs)) keys.push(`@${key} ${value}`);
  for (const key of SOUGHT) keys.push(`${key} ${facts[key]}`);
  for (const word of wordsOf(name === text ? text : `${text} ${name}`)) keys.push(`word ${word}`);
  return keys.filter((key) => !key.endsWith(' '));
}

function wordsOf(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).slice(0, MAX_WORDS));
}
