/** What the tests of the review share: who visits it, what they see of it, and the server as its operator asks it. */
import { another, demand, task } from './browser.mjs';

export const REVIEW = `${task.origin}/projects/shop`;

/** Asks the server as its operator. */
export async function ask(method, path, body) {
  const headers = { authorization: `Bearer ${task.bearer}`, ...(body instanceof Uint8Array ? { 'content-type': 'application/gzip' } : body ? { 'content-type': 'application/json' } : {}) };
  const answer = await fetch(`${task.origin}/api/v1${path}`, { method, headers, body: body instanceof Uint8Array ? body : body && JSON.stringify(body) });
  demand(answer.ok, `${method} ${path}: ${answer.status} ${answer.ok ? '' : await answer.text()}`);
  const text = await answer.text();
  return text === '' ? null : JSON.parse(text);
}

export const comments = async () => (await ask('GET', `/projects/${task.project}/comments`)).comments;
export const upload = (base64) => ask('POST', `/projects/${task.project}/deployments`, new Uint8Array(Buffer.from(base64, 'base64')));

/** A page in a browser of its own, signed in by `cookie` or as a guest. */
export async function visit(browser, cookie, { width = 1440, scheme = 'light', at = '' } = {}) {
  const context = await another(browser, { cookie, colorScheme: scheme, reducedMotion: 'reduce', hasTouch: width < 500, viewport: { width, height: 860 } });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(REVIEW + at);
  return page;
}

export const prototype = (page) => page.frameLocator('.device iframe');
export const item = (page, text) => page.locator('.comment-item', { hasText: text });
export const field = (page, name) => page.getByRole('textbox', { name });

/** Waits until the pins can be set. */
export async function ready(page) {
  await prototype(page).getByRole('button', { name: 'Buy now' }).waitFor();
  await page.waitForFunction(() => new URLSearchParams(location.search).size >= 0 && document.querySelector('.device iframe') !== null);
  await page.getByRole('searchbox', { name: 'Search the comments' }).or(page.getByRole('button', { name: 'Comments' })).first().waitFor();
}

let pins = 0;

/** Clicks on the button to comment it, each time below the pin before, which covers what is above it. */
export async function place(page) {
  await page.getByRole('radio', { name: 'A click pins a comment' }).click();
  await page.getByText('Esc leaves.').waitFor();
  await prototype(page).getByRole('button', { name: 'Buy now' }).click({ position: { x: 6, y: 4 + 5 * pins++ } });
  return field(page, /^New comment on/);
}

/** Pins a comment on the button with the mouse. */
export async function pin(page, text) {
  await (await place(page)).fill(text);
  await page.keyboard.press('ControlOrMeta+Enter');
}

/** Opens the thread of a comment. */
export async function openThread(page, text) {
  const head = item(page, text).getByRole('button', { name: /^Comment \d+ by/ });
  // One that the address names is open already.
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
  const open = page.locator('.comment-item.open', { hasText: text });
  await open.waitFor();
  return open;
}
