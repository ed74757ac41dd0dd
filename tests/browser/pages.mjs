/** What the tests of the server's pages share: looks, answers that fail, and the expected complaints of them. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { accessible, settled } from './axe.mjs';
import { demand, intercept, task } from './browser.mjs';

/** How the pages are looked at: both schemes, a desk and a phone. */
export const LOOKS = [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 1440 },
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
];

/** Calls `check(page, name)` in each look, with a page of its own. */
export async function eachLook(context, check) {
  for (const { scheme, width } of LOOKS) {
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 900 });
    // Colours are judged as they are, not on their way.
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await check(page, `${scheme}-${width}`);
    await page.close();
  }
}

/**
 * Demands that axe-core finds nothing serious in what is shown now, and that the page is not wider than the window. With
 * `task.screenshots` a folder, a picture goes there. Prototypes are not ours to judge.
 */
export async function looksRight(page, state) {
  await settled(page);
  if (task.screenshots) {
    mkdirSync(task.screenshots, { recursive: true });
    await page.screenshot({ path: join(task.screenshots, `${state.replace(/[^\w-]+/g, '-')}.png`) });
  }
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  demand(over <= 0, `${state}: the page is ${over} pixels wider than the window`);
  await accessible(page, state);
}

/** Answers `/api/v1<path>` with a refusal until the returned function is called. `path` may hold `*`. */
export async function refusing(page, path, status, error, headers = {}) {
  const pattern = new RegExp(`/api/v1${path.replace(/[.?]/g, '\\$&').replaceAll('*', '[^?]*')}(?:\\?|$)`);
  await intercept(page, pattern, (route) => route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify({ error }) }));
  return () => page.unroute(pattern);
}

/** Takes complaints that were meant to happen off the list of what went wrong. */
export function expected(browser, pattern) {
  const { wrong } = browser;
  for (let at = wrong.length - 1; at >= 0; at--) if (pattern.test(wrong[at])) wrong.splice(at, 1);
}

/** Presses Tab until `locator` has the focus: whoever has no mouse gets there too. */
export async function tabTo(page, locator, what) {
  for (let presses = 0; presses < 80; presses++) {
    if (await locator.evaluate((element) => element === document.activeElement).catch(() => false)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never gets to ${what}`);
}

/** Sends a request with the key of the page, as its own client does. */
export async function api(page, path, { method = 'GET', body } = {}) {
  return page.evaluate(
    async ([path, method, body]) => {
      const key = document.querySelector('meta[name="galley-key"]')?.content;
      const answer = await fetch(`/api/v1${path}`, { method, headers: { 'x-galley-key': key ?? '', ...(body ? { 'content-type': 'application/json' } : {}) }, body });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    },
    [path, method, body === undefined ? undefined : JSON.stringify(body)],
  );
}

/** Drops files on an element: `files` are `{ name, type, base64 }`, or with `size` so many zeros. */
export const dropFiles = (locator, files) => give(locator, files, ['dragenter', 'dragover', 'drop']);

/** Pastes files into a field. */
export const pasteFiles = (locator, files) => give(locator, files, ['paste']);

async function give(locator, files, kinds) {
  await locator.evaluate(
    (element, [files, kinds]) => {
      const data = new DataTransfer();
      for (const { name, type, base64 = '', size } of files) {
        const bytes = size === undefined ? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)) : new Uint8Array(size);
        data.items.add(new File([bytes], name, { type }));
      }
      for (const kind of kinds) {
        const told = { bubbles: true, cancelable: true };
        element.dispatchEvent(kind === 'paste' ? new ClipboardEvent(kind, { ...told, clipboardData: data }) : new DragEvent(kind, { ...told, dataTransfer: data }));
      }
    },
    [files, kinds],
  );
}
