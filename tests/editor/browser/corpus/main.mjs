/**
 * Edits of every kind on a sample of what a prototype shows, each judged in the page. Prints a line of JSON for each edit, and says on
 * standard error how far it is. Task: `{ origin, page, root, original, routes, pages, sample, seed, spoil? }`: the Editor's address, the
 * prototype's own, the folder that is edited and the one it was copied from.
 */
import { run, task } from '../../../browser/browser.mjs';
import { Api } from './api.mjs';
import { edits, random, shuffled } from './edits.mjs';
import { Judge } from './judge.mjs';
import { Prototype, WIDTHS } from './prototype.mjs';
import { Restless } from '../../../../editor/bridge/src/review/reading.mjs';
import { walk } from './routes.mjs';

const say = (line) => console.error(line);
const tell = (record) => console.log(JSON.stringify(record));

await run(async ({ context, wrong }) => {
  const chance = random(task.seed);
  const prototype = await Prototype.open(context);
  const api = new Api(task.origin);
  const mark = prototype.mark();
  const pages = await walk(prototype, new URL(task.page).origin, { routes: task.routes, most: task.pages, say });
  const usual = new Set(prototype.complaints(mark));
  const places = new Map();
  for (const { route, places: here } of pages) for (const { src, sort } of here) if (!places.has(src)) places.set(src, { route, sort });
  const sample = new Set(choose(places, task.sample, chance));
  tell({ pages: pages.length, places: places.size, sample: sample.size });

  const judge = new Judge({ prototype, api, root: task.root, original: task.original, chance, usual, spoil: task.spoil });
  let number = 0;
  let noticed = false;
  for (const { route } of pages) {
    for (const [turn, width] of WIDTHS.entries()) {
      const part = [...sample].filter((src, at) => at % WIDTHS.length === turn && places.get(src).route === route);
      if (part.length === 0 || (noticed && task.spoil)) continue;
      await prototype.resize(width);
      const restless = new Restless();
      await judge.begin(route, restless);
      tell({ route: new URL(route).pathname, width, restless: restless.size });
      for (const src of part) {
        if (noticed && task.spoil) break;
        number += 1;
        say(`${number}/${sample.size} ${src} at ${width}`);
        await element(src, new URL(route).pathname);
      }
    }
  }
  // What the prototype itself complains of is not ours.
  wrong.length = 0;

  async function element(src, route) {
    const about = { src, route, width: prototype.width };
    const count = (await prototype.call('facts', src, 0))?.count ?? 0;
    if (count === 0) return tell({ ...about, kind: 'any', shape: '', outcome: 'unjudged', why: 'it was not rendered again' });
    const index = Math.floor(chance() * count);
    const facts = await prototype.call('facts', src, index);
    const item = count > 1 ? index : null;
    const { found, viewport } = await look(src, item, facts.within);
    if (!found.ok) return tell({ ...about, kind: 'inspect', shape: '', outcome: 'refused', code: found.code, why: found.reason });
    for (const edit of edits(found, facts, index, chance, viewport)) {
      const started = Date.now();
      const verdict = await judge.judge(edit, { src, item, hash: found.hash });
      tell({ ...about, kind: edit.kind, shape: edit.shape, milliseconds: Date.now() - started, ...verdict });
      noticed ||= verdict.outcome === 'wrong';
      // The proof is there.
      if (noticed && task.spoil) return;
    }
  }

  /** What the Editor says of an element, and of the page what it has to know for that. */
  async function look(src, item, within) {
    const viewport = { width: prototype.width, holds: {} };
    const found = await api.inspect(src, item, within, viewport);
    const open = (found.styles ?? []).flatMap(({ conditions }) => conditions).filter(({ holds, ask }) => holds === null && ask);
    if (open.length === 0) return { found, viewport };
    viewport.holds = await prototype.call('holds', open.map(({ text }) => text));
    return { found: await api.inspect(src, item, within, viewport), viewport };
  }
});

/** A sample in which texts, of which there is most to be said, have the largest part, and the parts of drawings the smallest. */
function choose(places, most, chance) {
  const groups = { text: [], box: [], drawing: [] };
  for (const src of shuffled([...places.keys()], chance)) groups[places.get(src).sort].push(src);
  const sample = [];
  while (sample.length < Math.min(most, places.size)) {
    for (const sort of ['text', 'box', 'text', 'box', 'text', 'drawing']) sample.push(...groups[sort].splice(0, 1));
  }
  return sample.slice(0, most);
}
