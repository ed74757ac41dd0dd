/** Puts a prototype into a frame and demands that its bridge announces itself, and reports what the pointer is over. */
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

  const heard = (type) => window.heard.find((message) => message.type === type);
  await page.waitForFunction(heard, 'galley:ready', { timeout: PATIENCE });
  const ready = await page.evaluate(heard, 'galley:ready');
  demand(ready.from === new URL(task.url).origin, `it speaks from ${ready.from}`);
  demand(ready.page === task.url, `it names the page ${ready.page}`);
  demand(Number.isInteger(ready.version), `it has no version: ${JSON.stringify(ready)}`);

  const frame = page.frames().find((frame) => frame.url() === task.url);
  await page.evaluate((origin) => frames[0].postMessage({ type: 'galley:pick', on: true }, origin), ready.from);
  const heading = frame.locator('h1');
  const picked = async () => {
    await heading.hover();
    return page.evaluate(heard, 'galley:element');
  };
  let element;
  for (const end = Date.now() + PATIENCE; !element && Date.now() < end; ) {
    await page.mouse.move(1, 1);
    element = await picked();
  }
  demand(element, 'it reports nothing under the pointer');
  demand(element.tag === 'h1', `it reports ${JSON.stringify(element)}`);
  const same = await frame.evaluate((selector) => document.querySelectorAll(selector).length === 1, element.selector);
  demand(same, `the selector ${element.selector} is not of one element`);

  // Once picking is off, it is silent.
  await page.evaluate((origin) => frames[0].postMessage({ type: 'galley:pick', on: false }, origin), ready.from);
  await frame.locator('p').hover();
  const count = () => page.evaluate(() => window.heard.length);
  const before = await count();
  await heading.hover();
  await frame.locator('p').hover();
  await page.waitForTimeout(300);
  demand((await count()) === before, 'it reports elements although nobody picks');
});
