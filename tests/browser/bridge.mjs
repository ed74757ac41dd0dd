/** Puts a prototype into a frame of the server's pages and demands that its bridge announces itself, and pins what is clicked. */
import { PATIENCE, demand, run, task } from './browser.mjs';

await run(async ({ context }) => {
  const page = context.pages()[0] ?? (await context.newPage());
  // A page of the server: no other one may frame a prototype.
  await page.goto(`${task.origin}/you/profile`);
  await page.evaluate((src) => {
    window.heard = [];
    addEventListener('message', (event) => heard.push({ ...event.data, from: event.origin }));
    const frame = Object.assign(document.createElement('iframe'), { src, width: 600, height: 400 });
    document.body.append(frame);
  }, `${task.origin}/open/shop`);

  const hears = async (type) => {
    await page.waitForFunction((type) => window.heard.find((message) => message.type === type), type, { timeout: PATIENCE });
    return page.evaluate((type) => window.heard.find((message) => message.type === type), type);
  };
  const ready = await hears('review:ready');
  demand(ready.from === new URL(task.url).origin, `it speaks from ${ready.from}`);
  demand(ready.page === task.url, `it names the page ${ready.page}`);
  demand(Number.isInteger(ready.version), `it has no version: ${JSON.stringify(ready)}`);

  const frame = page.frames().find((frame) => frame.url() === task.url);
  const say = (message) => page.evaluate(([message, origin]) => frames[0].postMessage(message, origin), [message, ready.from]);
  await page.evaluate(() => void (window.heard = []));
  await say({ type: 'review:start', mode: 'comment', theme: 'light', pins: [], keys: false });
  await hears('review:ready');
  await frame.locator('h1').click();
  const { anchor, selector } = await hears('review:placed');
  demand(anchor.tag === 'h1' && anchor.text === 'Heading', `it pins ${JSON.stringify(anchor)}`);
  demand(await frame.evaluate((selector) => document.querySelectorAll(selector).length === 1, selector), `the selector ${selector} is not of one element`);

  // Once clicks are the prototype's again, it is silent.
  await page.evaluate(() => void (window.heard = []));
  await say({ type: 'review:mode', mode: 'use' });
  await say({ type: 'review:start', mode: 'use', theme: 'light', pins: [], keys: false });
  await hears('review:ready');
  await frame.locator('h1').click();
  await frame.locator('p').click();
  await page.waitForTimeout(300);
  demand(!(await page.evaluate(() => window.heard.some(({ type }) => type === 'review:placed'))), 'it pins although nobody comments');
});
