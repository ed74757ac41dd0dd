/**
 * Opens a built application with two routes of its own and demands that it works: by click, by reload and by direct
 * address. `task.url` is where its root is, `task.start` where a visitor begins.
 */
import { setTimeout } from 'node:timers/promises';
import { PATIENCE, demand, imagesDecoded, run, task } from './browser.mjs';

/**
 * Waits for a page of the application: its mark is there and the address is its own. Routers leave out the slash at the
 * end of the root's.
 */
async function at(page, name, path) {
  await page.waitForSelector(`[data-page="${name}"]`);
  const plain = (address) => address.replace(/\/$/, '');
  const expected = new URL(path, task.url).href;
  demand(plain(page.url()) === plain(expected), `the address is ${page.url()}, not ${expected}`);
}

/** Demands that an answer came for a file whose name begins so. What is told of it may come a moment after the page shows it. */
async function asked(browser, name) {
  const isFound = ({ url }) => new URL(url).pathname.split('/').at(-1).startsWith(name);
  const until = Date.now() + PATIENCE;
  while (!browser.requests.some(isFound) && Date.now() < until) await setTimeout(50);
  demand(browser.requests.some(isFound), `nobody asked for ${name}: ${browser.requests.map(({ url }) => url).join(' ')}`);
}

await run(async (browser) => {
  const { context } = browser;
  const page = context.pages()[0] ?? (await context.newPage());

  await page.goto(task.start);
  await at(page, 'home', '');
  demand(!browser.requests.some(({ url }) => url.includes('/About-')), 'a chunk was loaded before it was needed');
  // An image that the script imported, one that it made of a public file, and the style's background.
  await imagesDecoded(page, 2);
  await page.waitForLoadState('networkidle');
  await asked(browser, 'photo-');
  await asked(browser, 'badge.svg');
  await asked(browser, 'back-');

  await page.click('a[data-to="about"]');
  await at(page, 'about', 'about');
  await imagesDecoded(page, 1);
  await page.waitForLoadState('networkidle');
  await asked(browser, 'About-');
  await asked(browser, 'lazy-');

  await page.reload();
  await at(page, 'about', 'about');
  await imagesDecoded(page, 1);
  await page.goBack();
  await at(page, 'home', '');
  await imagesDecoded(page, 2);

  const direct = await context.newPage();
  await direct.goto(new URL('about', task.url).href);
  await at(direct, 'about', 'about');
  await imagesDecoded(direct, 1);
  await direct.click('a[data-to="home"]');
  await at(direct, 'home', '');
  await imagesDecoded(direct, 2);
  await direct.waitForLoadState('networkidle');

  // What a page gave up when it was left is there all the same, for the same reader.
  for (const url of browser.aborted) {
    const answer = await context.request.get(url, { headers: { referer: task.url } });
    demand(answer.ok(), `${url} was given up, and answers ${answer.status()}`);
  }
});
