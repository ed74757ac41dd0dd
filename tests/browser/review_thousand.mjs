/**
 * A list of a thousand comments. Task: that of `review.mjs`, and `many` and `few`: the comments there are, and those of them with `rare`
 * in their text. Frames of the whole list are compared with those of the few: what else the machine does slows both.
 */
import { demand, run, task } from './browser.mjs';
import { visit } from './reviewing.mjs';

const { many: NUMBER, few: FEW } = task;
/** Rows in the page, however long the list is. */
const MAX_ROWS = 40;
/** Frames of one turn, and turns with each list, one after the other. */
const FRAMES = 40;
const TURNS = 7;
/** The median of a frame, in the long list ÷ in the short one; and what a timer tells them apart by, in milliseconds. */
const MAX_RATIO = 1.5;
const GRAIN = 2;

const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

await run(async (browser) => {
  const ada = await visit(browser, task.ada);
  const list = ada.locator('.comment-list');
  const search = ada.getByRole('searchbox', { name: 'Search the comments' });
  const shows = async (query, number) => {
    await search.fill(query);
    await ada.getByRole('list', { name: new RegExp(`^${number.toLocaleString('en').replace(',', ',?')} comments`) }).waitFor();
  };
  /** Scrolls up and down in steps of the same size, and tells how long each frame took. */
  const scroll = (frames) =>
    ada.evaluate(async (frames) => {
      const view = document.querySelector('.comment-scroll');
      const tick = () => new Promise((done) => requestAnimationFrame(done));
      const furthest = Math.min(2_000, view.scrollHeight - view.clientHeight);
      const taken = [];
      let [rows, empty] = [0, 0];
      await tick();
      for (let frame = 1, before = performance.now(); frame <= frames; frame += 1) {
        view.scrollTop = furthest * Math.abs(Math.sin((frame / frames) * Math.PI));
        await tick();
        const now = performance.now();
        taken.push(now - before);
        before = now;
        rows = Math.max(rows, view.querySelectorAll('.comment-row').length);
        const { left, top, height } = view.getBoundingClientRect();
        if (!document.elementFromPoint(left + 40, top + height / 2)?.closest('.comment-row')) empty += 1;
      }
      return { taken, rows, empty };
    }, frames);

  await list.waitFor();
  const [long, short] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    await shows('rare', FEW);
    short.push(...(await scroll(FRAMES)).taken);
    await shows('', NUMBER);
    const { taken, rows, empty } = await scroll(FRAMES);
    long.push(...taken);
    demand(rows <= MAX_ROWS, `${rows} comments are in the page`);
    demand(empty === 0, `${empty} of ${FRAMES} frames show no comment in the middle of the list`);
  }
  const [slow, fast] = [median(long), median(short)];
  console.log(`a frame takes ${slow.toFixed(1)} ms with ${NUMBER} comments, ${fast.toFixed(1)} ms with ${FEW}`);
  demand(slow <= MAX_RATIO * fast + GRAIN, `a frame takes ${slow} ms in the median with ${NUMBER} comments, ${fast} ms with ${FEW}`);

  // To the end, and to one of them by its number.
  await ada.locator('.comment-scroll').evaluate((view) => (view.scrollTop = view.scrollHeight));
  await ada.goto(`${task.origin}/projects/shop?c=500`);
  await ada.locator('.comment-item.open', { hasText: 'Comment 500 of many' }).waitFor();
});
