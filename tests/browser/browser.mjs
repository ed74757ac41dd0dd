/** A Chromium with a profile of its own, which remembers everything that went wrong in its pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const PROGRAM = process.env.GALLEY_CHROMIUM ?? '/usr/bin/chromium';

/** How long a page may take to show something, in milliseconds. The machine may be busy with other tests. */
export const PATIENCE = 30_000;

/** What this script was asked to do: the JSON of its first argument. */
export const task = JSON.parse(process.argv[2] ?? '{}');

/**
 * Runs `check(browser)` and ends the process: with 0, or with 1 after it said what was wrong and where the screenshot is.
 * `task.cookie`, as `name=value`, is the session of whoever looks; `task.origin` is where it belongs.
 */
export async function run(check) {
  const browser = { contexts: [], profiles: [], wrong: [], requests: [], aborted: new Set() };
  const context = (browser.context = await another(browser));
  let failure;
  try {
    if (task.cookie) {
      const [name, value] = task.cookie.split('=');
      await context.addCookies([{ name, value, url: task.origin, httpOnly: true, sameSite: 'Lax' }]);
    }
    await check(browser);
    if (browser.wrong.length > 0) failure = new Error(browser.wrong.join('\n'));
  } catch (error) {
    failure = error;
  }
  if (failure) {
    console.error(failure.stack ?? failure);
    browser.wrong.forEach((line) => console.error(`also: ${line}`));
    for (const each of browser.contexts) await screenshots(each);
  }
  for (const each of browser.contexts) await each.close().catch(() => {});
  for (const profile of browser.profiles) rmSync(profile, { recursive: true, force: true });
  process.exit(failure ? 1 : 0);
}

/**
 * A Chromium with a profile of its own: another person's. `cookie`, as `name=value`, is their session; what else is given is
 * Playwright's. It is closed with the others.
 */
export async function another(browser, { cookie, ...options } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'galley-browser-'));
  browser.profiles.push(profile);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: PROGRAM,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    ...options,
  });
  browser.contexts.push(context);
  context.setDefaultTimeout(PATIENCE);
  context.on('page', (page) => watch(browser, page));
  context.pages().forEach((page) => watch(browser, page));
  if (cookie) {
    const [name, value] = cookie.split('=');
    await context.addCookies([{ name, value, url: task.origin, httpOnly: true, sameSite: 'Lax' }]);
  }
  return context;
}

/** Everything a page complains about, or that it asked for in vain. */
function watch(browser, page) {
  page.on('console', (message) => {
    if (message.type() === 'error') browser.wrong.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => browser.wrong.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // A page that is left cancels what it no longer needs.
    if (why === 'net::ERR_ABORTED') browser.aborted.add(request.url());
    else browser.wrong.push(`failed: ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    browser.requests.push({ url: response.url(), status: response.status() });
    if (response.status() >= 400) {
      const from = response.request().headers()['referer'] ?? 'nowhere';
      browser.wrong.push(`${response.status()}: ${response.url()} (from ${from})`);
    }
  });
}

async function screenshots(context) {
  const folder = mkdtempSync(join(tmpdir(), 'galley-screenshots-'));
  for (const [number, page] of context.pages().entries()) {
    const path = join(folder, `${number}.png`);
    await page.screenshot({ path }).then(
      () => console.error(`screenshot: ${path} of ${page.url()}`),
      () => console.error(`no screenshot of ${page.url()}`),
    );
  }
}

/** Fails with a message. */
export function demand(condition, message) {
  if (!condition) throw new Error(message);
}

/**
 * Playwright's `page.route`, in force for what the page asks for next. `route` alone returns once the browser knows; the page's
 * own process is told on the way that `evaluate` goes as well, and a key that is pressed goes another one and may be faster.
 */
export async function intercept(page, pattern, handler) {
  await page.route(pattern, handler);
  await page.evaluate(() => {});
}

/** Waits until every image of the page is decoded. */
export async function imagesDecoded(page, atLeast) {
  const state = () => [...document.images].map((image) => ({ source: image.src, width: image.naturalWidth }));
  const decoded = (atLeast) => {
    const images = [...document.images];
    return images.length >= atLeast && images.every((image) => image.complete && image.naturalWidth > 0);
  };
  await page.waitForFunction(decoded, atLeast).catch(async () => {
    throw new Error(`images are not decoded: ${JSON.stringify(await page.evaluate(state))}`);
  });
}
