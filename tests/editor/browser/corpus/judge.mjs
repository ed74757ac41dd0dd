/** Judging one edit: done by the Editor, seen in the page, undone, and compared at every step. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { flat, relabel } from '../../../../editor/bridge/src/review/labels.mjs';
import { differences, labelled } from '../../../../editor/bridge/src/review/reading.mjs';

/** How often a page that was changed is read until it shows what is expected, and how long it may rest between, in milliseconds. */
const READINGS = 8;
const REST = 120;

/** More rounds than there are options would be a circle. */
const ROUNDS = 6;

/** How old a page gets to see what it changes by itself, in milliseconds. */
const MAX_AGE = 60_000;

/** How many differences a mistake names. */
const NAMED = 4;

export class Judge {
  #trees = new Map();

  /**
   * `root` is the prototype that is edited, `original` the one it was copied from. `spoil`, as `{ path, from, to }`, changes something
   * else beside each edit: for the proof that mistakes are seen.
   */
  constructor({ prototype, api, root, original, chance, usual, spoil }) {
    Object.assign(this, { prototype, api, root, original, chance, usual, spoil });
  }

  /** Opens a route and learns how it looks, and what of it changes by itself. */
  async begin(route, restless) {
    this.route = route;
    this.restless = restless;
    await this.prototype.load(route);
    const first = await this.prototype.read();
    await this.prototype.rest(500);
    const second = await this.prototype.read();
    const mark = this.prototype.mark();
    await this.prototype.load(route);
    this.base = labelled(await this.prototype.read());
    this.prototype.complaints(mark).forEach((each) => this.usual.add(each));
    restless.add(differences(labelled(first), labelled(second)));
    restless.add(differences(labelled(second), this.base));
    // As they are before an edit: afterwards they cannot be asked for.
    for (const path of new Set(this.base.elements.map(({ src }) => fileOf(src)))) await this.#tree(path);
  }

  /** Does an edit and takes it back. Gives `{ outcome, … }`: `applied`, `refused`, `wrong` or `unjudged`. */
  async judge(edit, element) {
    const verdict = await this.#thorough(edit, element);
    // A translation has gaps of its own, and gets no more.
    return verdict.code === 'placeholders' && edit.plain ? this.#thorough(edit.plain, element) : verdict;
  }

  /** What is wrong is looked at again: pages tell the time, and measure themselves. */
  async #thorough(edit, element) {
    let { difference, ...verdict } = await this.#once(edit, element);
    // The same once more, with the same choices.
    const again = ({ request, ...rest }) => this.#once({ ...rest, request: { ...verdict.request, ...request }, chosen: verdict.chosen }, element);
    if (difference && (await this.#ages(difference.age))) ({ difference, ...verdict } = await again(edit));
    if (!difference?.told || !edit.small) return verdict;
    // Where the same in the room that was there makes no difference, the page measures itself, and shows something else where it has
    // become too long.
    const small = await again(edit.small);
    return small.outcome === 'applied' ? { outcome: 'unjudged', why: 'the page shows another element where more is in it' } : verdict;
  }

  /** Whether a page that nobody edits differs in something new when it is as old as this: pages tell the time. */
  async #ages(age) {
    const known = this.restless.size;
    await this.prototype.load(this.route);
    while (this.prototype.age < Math.min(age, MAX_AGE)) await this.prototype.rest(REST);
    this.restless.add(differences(this.base, labelled(await this.prototype.read())));
    return this.restless.size > known;
  }

  async #once(edit, { src, item, hash }) {
    await this.#tree(fileOf(src));
    const before = edit.skip === null ? await this.prototype.read() : null;
    const expected = before && (await this.prototype.call('simulate', src, edit.what));
    const mark = this.prototype.mark();
    const asked = await this.#ask(edit, { src, sourceHash: hash, ...(item === null ? {} : { item }) });
    const { answer, request, chosen } = asked;
    if (answer.status >= 500) return { outcome: 'wrong', why: `the program failed: ${answer.reason}` };
    if (!answer.ok) return { outcome: 'refused', code: answer.code, why: answer.reason };
    if (answer.editId === null) return { outcome: 'applied', how: 'nothing to change' };
    if (this.spoil) this.#swap(this.spoil.from, this.spoil.to);
    let verdict = await this.#seen({ edit, request, chosen, expected, answer, mark });
    if (this.spoil) this.#swap(this.spoil.to, this.spoil.from);
    const back = await this.#takeBack(answer, before, expected);
    if (back) verdict = verdict.outcome === 'wrong' ? { ...verdict, difference: null } : { outcome: 'wrong', why: back };
    return { ...verdict, ...(chosen.length > 0 ? { chosen } : {}), ...(verdict.outcome === 'wrong' ? { request, files: answer.files } : {}) };
  }

  /** Asks for the edit; where a choice comes up, one is made. */
  async #ask(edit, common) {
    let request = { ...common, ...edit.request };
    const chosen = [...(edit.chosen ?? [])];
    let answer;
    for (let round = 0; round < ROUNDS; round += 1) {
      answer = await this.api.edit(request);
      if (answer.ok || !answer.choices?.length) break;
      const choice = answer.choices[Math.floor(this.chance() * answer.choices.length)];
      chosen.push(`${choice.option}=${choice.value}`);
      request = { ...request, [choice.option]: choice.value };
    }
    return { answer, request, chosen };
  }

  /** What the page shows after an edit. What hot reload leaves behind is asked of a page that is loaded afresh. */
  async #seen(task) {
    const { expected, edit } = task;
    const labels = await this.#labels(task);
    if (labels === null) return { outcome: 'wrong', why: 'the elements of the file are not those it should have' };
    const judge = async () => {
      const found = labelled(await this.prototype.read(), labels);
      return this.#mistake(task, found);
    };
    await this.prototype.changed(task.mark);
    let mistake = await this.#until(judge);
    let how = 'hot';
    if (mistake !== null) {
      task.mark = this.prototype.mark();
      await this.prototype.load(this.route);
      mistake = await this.#until(judge);
      how = 'loaded afresh';
    }
    if (mistake?.unjudged) return { outcome: 'unjudged', why: mistake.unjudged };
    if (mistake !== null) return { outcome: 'wrong', why: mistake.wrong, difference: mistake.difference };
    if (expected === null) return { outcome: 'unjudged', why: edit.skip ?? 'the page cannot be changed the same way' };
    return { outcome: 'applied', how };
  }

  /** What is wrong with a reading after an edit, if anything is. */
  async #mistake(task, found) {
    const { edit, expected, chosen, mark } = task;
    const overlay = await this.prototype.call('overlay');
    if (overlay) return { wrong: `the dev server says: ${overlay}` };
    const complaints = this.prototype.complaints(mark).filter((each) => !this.usual.has(each));
    if (complaints.length > 0) return { wrong: `the page complains: ${complaints.slice(0, 2).join(' / ')}` };
    // What the same edit would do is not known: at least nothing else may fall over, which was just asked.
    if (expected === null) return null;
    if (edit.kind === 'style') {
      const seen = this.restless.without(differences(this.base, found)).filter(({ aspect }) => aspect.startsWith('style:'));
      const said = promise(task.answer.notes);
      if (said === 'nothing') return seen.length === 0 ? null : { wrong: `the answer said that the page does not change, but ${named(seen)}` };
      if (said === 'perhaps' && seen.length === 0) return null;
    }
    const wanted = labelled(expected);
    const off = this.restless.without(differences(wanted, found));
    const changed = new Set(this.restless.without(differences(this.base, found)).map(key));
    // A side, a use or a place that was chosen may be another one than the page shows.
    const elsewhere = chosen.some((choice) => /^(?:branch|usage|at)=/.test(choice));
    if (elsewhere && changed.size === 0) return { unjudged: 'what was chosen is not shown' };
    const mistakes = off.filter((each) => !(elsewhere && !changed.has(key(each))) && !this.#follows(task, each, wanted));
    if (mistakes.length === 0) return null;
    // What was inserted may stand in the very element that the page does not show any more.
    const told = edit.kind === 'insert' || (edit.kind === 'text' && found.elements.some((element) => tells(element, task)));
    return { wrong: named(mistakes), difference: { age: this.prototype.age, told } };
  }

  /** Whether a difference from what was done to the page's elements is part of what was asked for. */
  #follows(task, difference, wanted) {
    const { edit, request, chosen } = task;
    const { label, aspect, wanted: expected, found } = difference;
    const own = label === request.src;
    switch (edit.kind) {
      case 'text':
        return this.#sameText(task, difference);
      case 'class':
        // The style of a class that is new came with it.
        return edit.shape === 'replace' && own && /^style:(?:padding|margin|gap|row-gap|column-gap)/.test(aspect);
      case 'style': {
        if (own && (aspect === 'attribute:style' || aspect === 'attribute:class')) return true;
        // A declaration that others share was meant for all of them.
        if (!chosen.includes('scope=all') || !aspect.startsWith('style:')) return false;
        const touched = new Set(differences(this.base, wanted).map((each) => each.aspect));
        return touched.has(aspect);
      }
      case 'delete':
        // What a component of a library puts around its content goes with the last of that.
        return aspect === 'content' && filled(expected) === filled(found);
      default:
        return false;
    }
  }

  /** A text that several places show, by the source's own word for it, changes in all of them. */
  #sameText({ edit, request }, { label, index, aspect, wanted, found }) {
    const { from, to } = edit.what;
    const own = label === request.src;
    if (aspect === 'content') {
      if (own && index === edit.what.index) return false;
      const everyItem = own && request.scope === 'all';
      const same = (token, at) => token === found[at] || (token.startsWith('"') && (everyItem ? found[at].includes(to) : token.split(from).join(to) === found[at]));
      if (wanted.length !== found.length || !wanted.every(same)) return false;
      const one = edit.shape === 'item' && !everyItem;
      return own ? !one || edit.shared > 1 : edit.shape !== 'plain' && edit.shared > 1;
    }
    if (!aspect.startsWith('attribute:') || edit.shape === 'plain') return false;
    return (wanted ?? '').split(from).join(to) === found;
  }

  /** From stamps after the edit to those before. */
  async #labels({ answer, request }) {
    const labels = new Map();
    for (const { path } of answer.files) {
      const [one, other] = [this.#trees.get(path) ?? null, await this.api.tree(path)];
      if (one === null || other === null) continue;
      const part = relabel(one, flat(other), request);
      if (part === null) return null;
      for (const [src, label] of part) labels.set(src, label);
    }
    return labels;
  }

  /** Remembers the elements of a file as they are when nothing is edited. */
  async #tree(path) {
    if (this.#trees.has(path)) return;
    const nodes = await this.api.tree(path);
    this.#trees.set(path, nodes && flat(nodes));
  }

  /** Undoes the edit. `before` is the page right before it, which told other times at first. Gives what is not as it was, or null. */
  async #takeBack({ files }, before, expected) {
    const mark = this.prototype.mark();
    const answer = await this.api.undo();
    if (!answer.ok) return `it cannot be undone: ${answer.reason}`;
    for (const { path } of files) {
      const [is, was] = [readFileSync(join(this.root, path)), readFileSync(join(this.original, path))];
      if (!is.equals(was)) return `undone, ${path} is not what it was`;
    }
    await this.prototype.changed(mark);
    const off = async () => {
      const list = this.restless.without(differences(this.base, labelled(await this.prototype.read())));
      return list.length === 0 ? null : list;
    };
    if ((await this.#until(off)) === null) return null;
    await this.prototype.load(this.route);
    const list = await this.#until(off);
    if (list === null) return null;
    // The files are what they were. What the edit had nothing to do with, the page or its dev server changed by themselves.
    const touched = expected && new Set(differences(labelled(before), labelled(expected)).map(key));
    if (!touched || list.some((each) => touched.has(key(each)))) return `undone, the page is not what it was: ${named(list)}`;
    this.restless.add(list);
    return null;
  }

  /** Asks until nothing is wrong any more, which takes a page a moment, and gives what is wrong in the end. */
  async #until(ask) {
    for (let reading = 1; ; reading += 1) {
      const wrong = await ask();
      if (wrong === null || reading === READINGS) return wrong;
      await this.prototype.rest(REST);
    }
  }

  #swap(from, to) {
    const path = join(this.root, this.spoil.path);
    writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
  }
}

/** What the answer to an edit of a style says of the page: that it changes, `perhaps`, or that `nothing` is seen of it. */
function promise(notes = []) {
  if (notes.some((note) => note.startsWith('The page does not change: '))) return 'nothing';
  return notes.some((note) => note.startsWith('The page may not change: ')) ? 'perhaps' : 'it changes';
}

/** Whether an element has the text that was typed. */
function tells({ label, content }, { edit, request }) {
  return label === request.src && content.some((token) => token.startsWith('"') && token.includes(edit.what.to));
}

/** Content without the elements that have no stamp and hold nothing. */
function filled(content) {
  const kept = [];
  for (const token of content) {
    if (token === '>' && kept.at(-1)?.startsWith('<')) kept.pop();
    else kept.push(token);
  }
  return kept.join('\n');
}

const fileOf = (stamp) => stamp.replace(/:\d+:\d+$/, '');

const key = ({ label, index, aspect }) => `${label}\n${index}\n${aspect}`;

function named(list) {
  return list.slice(0, NAMED).map(words).join('; ') + (list.length > NAMED ? `; and ${list.length - NAMED} more` : '');
}

function words({ label, index, aspect, wanted, found }) {
  const short = (value) => {
    const text = JSON.stringify(value) ?? 'nothing';
    return text.length > 160 ? `${text.slice(0, 160)}…` : text;
  };
  return `${aspect} of ${label}${index > 0 ? ` (${index})` : ''} is ${short(found)} instead of ${short(wanted)}`;
}
