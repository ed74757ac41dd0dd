/**
 * `/projects/shop/deployments`. Task: `{ origin, cookie, archive }`; the reader is an admin, `shop` has two deployments of which
 * the second is live. `archive` is a build as base64.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demand, intercept, run, task } from './browser.mjs';
import { api, dropFiles, eachLook, expected, looksRight, refusing, tabTo } from './pages.mjs';

const HISTORY = `${task.origin}/projects/shop/deployments`;
const LOG_LINES = 60_000;

/** A project as people have it: the build is one folder down. */
function projectFolder() {
  const folder = join(mkdtempSync(join(tmpdir(), 'galley-upload-')), 'shop');
  mkdirSync(join(folder, 'dist/assets'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'dist/index.html'), '<!doctype html><title>Picked</title><h1>Picked</h1>');
  writeFileSync(join(folder, 'dist/assets/a.css'), 'h1 { color: teal }');
  return folder;
}

const event = (id, text) => `id: ${id}\nevent: log\ndata: ${JSON.stringify({ text })}\n\n`;
const done = 'event: done\ndata: {"status":"ready"}\n\n';
const stream = (body) => ({ status: 200, contentType: 'text/event-stream', body });

await run(async (browser) => {
  const { context } = browser;
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(HISTORY);
  const rows = page.locator('.deployments tbody tr');
  await rows.nth(1).waitFor();
  const first = await rows.nth(1).getByRole('link').first().getAttribute('href');

  await eachLook(context, async (looked, look) => {
    await looked.goto(HISTORY);
    await looked.locator('.deployments tbody tr').nth(1).waitFor();
    await looksRight(looked, `deployments ${look}`);
    await looked.goto(task.origin + first);
    await looked.getByText('Unpacked').waitFor();
    await looksRight(looked, `deployment ${look}`);
  });

  // A project's folder is chosen: its build is offered, packed and live.
  const folder = projectFolder();
  await page.locator('input[data-choose="folder"]').setInputFiles(folder);
  await page.getByText('index.html is one folder down').waitFor();
  await looksRight(page, 'folder offered');
  await page.getByRole('button', { name: 'Use dist' }).click();
  await page.getByText(/is live$/).first().waitFor();
  rmSync(folder, { recursive: true, force: true });
  await rows.nth(2).waitFor();
  await page.getByRole('button', { name: 'Upload another' }).click();

  // Refused for want of room: the server's words, and what was chosen is there for another try.
  const allow = await refusing(page, '/projects/*/deployments', 507, 'The disk of the server is nearly full.');
  const zone = page.locator('.dropzone');
  const archive = { name: 'site.tar.gz', type: 'application/gzip', base64: task.archive };
  await dropFiles(zone, [archive]);
  await page.getByRole('alert').getByText('The disk of the server is nearly full.').waitFor();
  await looksRight(page, 'upload refused');
  await allow();
  expected(browser, /507/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText(/is live$/).first().waitFor();
  await rows.nth(3).waitFor();
  await page.getByRole('button', { name: 'Upload another' }).click();

  // Cancelled while it is sent: nothing is published.
  const held = [];
  await intercept(page, '**/api/v1/projects/*/deployments', (route) => (route.request().method() === 'POST' ? void held.push(route) : route.fallback()));
  await dropFiles(zone, [archive]);
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Choose a folder' }).waitFor();
  // What is held here would go on once nothing holds it any more.
  await Promise.all(held.map((route) => route.abort().catch(() => {})));
  await page.unroute('**/api/v1/projects/*/deployments');
  await page.reload();
  await rows.nth(3).waitFor();
  demand((await rows.count()) === 4, `${await rows.count()} deployments after a cancelled upload, not 4`);

  // What is no build, and what is no archive.
  await dropFiles(zone, [{ name: 'photo.png', type: 'image/png', base64: 'aGk=' }]);
  await page.getByRole('alert').getByText('photo.png is not a folder').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await dropFiles(zone, [{ name: 'broken.tar.gz', type: 'application/gzip', base64: 'bm90IGd6aXAgYXQgYWxs' }]);
  await page.getByRole('alert').getByText('The archive cannot be read').waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();

  // An upload goes on while its reader looks at another page, and they are told what becomes of it. Closing the window is asked.
  let leave;
  const left = new Promise((done) => (leave = done));
  await intercept(page, '**/api/v1/projects/*/deployments', (route) => (route.request().method() === 'POST' ? left.then(() => route.continue()) : route.fallback()));
  const asks = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await dropFiles(zone, [archive]);
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByText('The upload to Shop goes on.').waitFor();
  demand(await asks(), 'the window closes although something is uploaded');
  leave();
  await page.getByText('Shop is live').waitFor();
  demand(!(await asks()), 'the window asks although nothing is uploaded');
  await page.unroute('**/api/v1/projects/*/deployments');
  await page.getByRole('link', { name: 'Deployments', exact: true }).click();
  await rows.nth(4).waitFor();

  // Without a mouse: an older one is made live, then another is deleted.
  const activate = rows.last().getByRole('button', { name: 'Make it live' });
  await tabTo(page, activate, 'Make it live');
  await page.keyboard.press('Enter');
  await rows.last().getByText('Live', { exact: true }).waitFor();
  await rows.first().getByRole('button', { name: /^What to do with/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await looksRight(page, 'delete a deployment');
  // Escape gives the focus back to what opened the menu.
  await page.keyboard.press('Escape');
  await page.locator('.deployments tbody tr').first().locator('[aria-label^="What to do with"]:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.querySelectorAll('.deployments tbody tr').length === 4);

  // A log goes on where the connection was lost, keeps its colours, and is searched.
  const asked = [];
  await page.route('**/log/stream', (route) => {
    asked.push(route.request().headers()['last-event-id'] ?? null);
    const rest = event(90, '\u001b[31mred\u001b[0m end\n') + done;
    return route.fulfill(stream(asked.length === 1 ? event(40, 'first line\nsecond ') : rest));
  });
  await page.goto(task.origin + first);
  await page.getByText('The connection was lost').waitFor();
  await page.getByText('Finished').waitFor();
  demand(asked.join() === ',40', `the log was asked for from ${JSON.stringify(asked)}`);
  demand((await page.locator('.log-line').allInnerTexts()).join('|').includes('second red end'), 'the log is not whole');
  demand((await page.locator('.log .ansi-1').innerText()) === 'red', 'the colour is lost');
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('RED');
  await page.getByText('1 of 1').waitFor();
  await looksRight(page, 'log');
  await page.unroute('**/log/stream');

  // A big one is drawn in part, and scrolls.
  const big = Array.from({ length: LOG_LINES }, (_, at) => `line ${at} of a long log`).join('\n');
  await page.route('**/log/stream', (route) => route.fulfill(stream(event(1, `${big}\n`) + done)));
  await page.reload();
  await page.getByText(`line ${LOG_LINES - 1} of`).waitFor();
  const drawn = await page.locator('.log-line').count();
  demand(drawn < 200, `${drawn} lines of a long log are in the page`);
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('line 31234 of');
  await page.keyboard.press('Enter');
  await page.locator('.log-line.current').getByText('31234', { exact: false }).first().waitFor();
  await page.unroute('**/log/stream');

  // Out of service: the tab is absent, the page says why, the rest stays.
  demand((await api(page, '/instance/plugins/deployments/disable', { method: 'POST' })).status === 200, 'deployments are disabled');
  await page.goto(HISTORY);
  await page.getByRole('heading', { name: 'Deployments are switched off' }).waitFor();
  demand((await page.getByRole('link', { name: 'Deployments', exact: true }).count()) === 0, 'the tab is still there');
  await looksRight(page, 'deployments switched off');
  demand((await api(page, '/instance/plugins/deployments/enable', { method: 'POST' })).status === 200, 'deployments are enabled');
});
