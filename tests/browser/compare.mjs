/**
 * `/projects/shop/compare/…`: two versions side by side. Task: `{ origin, cookie, ed, versions }`; the first version is 3,000 pixels
 * high, the second one 6,000, and both have a link to another page.
 */
import { another, demand, PATIENCE, run, task } from './browser.mjs';
import { eachLook, looksRight } from './pages.mjs';

const ADDRESS = `${task.origin}/projects/shop/compare/${task.versions.join('/')}`;

await run(async (browser) => {
  await eachLook(browser.context, async (page, look) => {
    await page.goto(ADDRESS);
    await page.getByLabel('Scroll together').waitFor();
    await page.frameLocator('.compare-sides > section:first-child iframe').getByRole('heading').waitFor();
    await looksRight(page, `compare ${look}`);
  });

  // Somebody else: each session enters so many prototypes a minute.
  const context = await another(browser, { cookie: task.ed, viewport: { width: 1440, height: 900 } });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(ADDRESS);
  const side = async (name) => (await page.waitForSelector(`section[aria-label="${name}"] iframe`)).contentFrame();
  const position = (frame) => frame.evaluate(() => ({ y: scrollY, max: document.scrollingElement.scrollHeight - innerHeight }));
  const share = async (frame) => {
    const { y, max } = await position(frame);
    return y / max;
  };
  /** Waits until a side is as far down as this share of its height. */
  const comesTo = async (frame, wanted, what) => {
    let last;
    for (const end = Date.now() + PATIENCE; Date.now() < end; await page.waitForTimeout(30)) {
      last = await position(frame);
      if (last.max > 0 && Math.abs(last.y - wanted * last.max) <= 3) return;
    }
    throw new Error(`${what}: it is at ${JSON.stringify(last)}, not at ${wanted} of it`);
  };
  /** Waits until nothing scrolls any more: an echo would be on its way otherwise. */
  const rests = async () => {
    const both = async () => JSON.stringify([await position(left), await position(right)]);
    for (let [before, now] = ['', await both()]; before !== now; [before, now] = [now, await both()]) await page.waitForTimeout(400);
  };
  let [left, right] = [await side('Left'), await side('Right')];
  for (const frame of [left, right]) await frame.getByRole('heading').waitFor();

  // By the wheel on one side, then by a script on the other: as far down, by their shares.
  await page.locator('section[aria-label="Left"] iframe').hover();
  for (let turn = 0; (await position(right)).y === 0; turn += 1) {
    await page.mouse.wheel(0, turn % 20 < 15 ? 60 : -60);
    await page.waitForTimeout(30);
  }
  await rests();
  const wheeled = await share(left);
  demand(wheeled > 0 && wheeled < 1, `the wheel scrolls to ${wheeled}`);
  await comesTo(right, wheeled, 'the right side follows the wheel');
  await right.evaluate(() => scrollTo(0, 1e6));
  await comesTo(left, 1, 'the left side follows to the end');
  await rests();

  // Each by itself, and together again.
  await page.getByLabel('Scroll together').uncheck();
  await left.evaluate(() => scrollTo(0, 0));
  await rests();
  demand((await share(right)) === 1, 'it follows although nobody wants it');
  await page.getByLabel('Scroll together').check();
  await left.evaluate(() => scrollTo(0, 500));
  await comesTo(right, await share(left), 'it follows again');
  await rests();

  // Another page of the prototype, and the sides swapped.
  await left.getByRole('link', { name: 'About' }).click();
  await left.getByRole('heading', { name: 'About us' }).waitFor();
  while ((await position(left)).y === 0) {
    await right.evaluate(() => scrollTo(0, scrollY === 0 ? 1e6 : scrollY - 10));
    await page.waitForTimeout(100);
  }
  await rests();
  await comesTo(left, await share(right), 'another page follows too');
  await page.getByRole('button', { name: 'Swap sides' }).click();
  [left, right] = [await side('Left'), await side('Right')];
  for (const frame of [left, right]) await frame.getByRole('heading').waitFor();
  while ((await position(right)).y === 0) {
    await left.evaluate(() => scrollBy(0, 20));
    await page.waitForTimeout(100);
  }
  await rests();
  await comesTo(right, await share(left), 'swapped sides follow');

  // The page that is typed is shown on both sides, and on a side that is chosen later.
  await page.getByRole('textbox', { name: 'Page' }).fill('about');
  await page.keyboard.press('Enter');
  for (const frame of [left, right]) await frame.getByRole('heading', { name: 'About us' }).waitFor();
  demand(left === (await side('Left')), 'the frame was loaded anew to show another page');
  await page.getByRole('combobox', { name: 'Left version' }).selectOption(task.versions[0]);
  left = await side('Left');
  await left.getByRole('heading', { name: 'About us' }).waitFor();
  await page.getByRole('textbox', { name: 'Page' }).fill('/');
  await page.keyboard.press('Enter');
  for (const frame of [left, right]) await frame.getByRole('heading', { name: 'Shop' }).waitFor();

  // A frame inside of one is not heard, whatever it says.
  const before = await share(right);
  await left.evaluate(() => {
    const inner = document.createElement('iframe');
    document.body.append(inner);
    const script = inner.contentDocument.createElement('script');
    script.textContent = "for (const y of [0, 900, 1800]) top.postMessage({ type: 'review:scroll', y, max: 2000 }, '*')";
    inner.contentDocument.body.append(script);
  });
  await rests();
  demand((await share(right)) === before, 'a frame inside of one scrolls the other');
});
