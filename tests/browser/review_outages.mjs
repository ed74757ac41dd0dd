/**
 * Several tabs with one stream, and a server that is away for a while. Task: that of `review.mjs`, and `process`: the server's id.
 * Whoever started it starts it again when it has ended.
 */
import { demand, intercept, run, task } from './browser.mjs';
import { expected, refusing } from './pages.mjs';
import { ask, comments, field, item, openThread, pin, place, ready, REVIEW, visit } from './reviewing.mjs';

/** A server that boots again, and the pause of the pages that ask whether it is there, in milliseconds. */
const REBOOT_TIMEOUT = 90_000;

const isBell = (url) => new URL(url).pathname.endsWith('/comments/stream');
const sent = (page, text) => item(page, text).getByRole('button', { name: /^Comment \d+ by/ });

/** Waits until the server has what was written, once. */
async function arrived(text) {
  for (;;) {
    const number = (await comments().catch(() => [])).filter(({ body }) => body === text).length;
    demand(number <= 1, `“${text}” was written ${number} times`);
    if (number === 1) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}

await run(async (browser) => {
  // Three tabs of one browser share one stream, and each shows what somebody else writes.
  const ed = await visit(browser, task.ed);
  await ready(ed);
  const first = await visit(browser, task.ada);
  await ready(first);
  const context = first.context();
  const open = new Set();
  context.on('request', (request) => isBell(request.url()) && open.add(request));
  for (const gone of ['requestfailed', 'requestfinished']) context.on(gone, (request) => open.delete(request));
  const others = [await context.newPage(), await context.newPage()];
  for (const page of others) {
    await page.goto(REVIEW);
    await ready(page);
  }
  await pin(ed, 'For three tabs');
  for (const page of [first, ...others]) await item(page, 'For three tabs').waitFor();
  demand(open.size === 0, `${open.size} streams besides that of the first tab`);
  // The one that listened is closed: another one listens.
  await first.close();
  while (open.size === 0) await ed.waitForTimeout(50);
  await pin(ed, 'For two tabs');
  for (const page of others) await item(page, 'For two tabs').waitFor();
  demand(open.size === 1, `${open.size} streams for two tabs`);
  const [ada] = others;

  // Busy: what is written waits, what is edited stays in its field, and both are sent later.
  let allow = await refusing(ed, `/projects/${task.project}/comments`, 503, 'The plugin is starting.', { 'retry-after': '1' });
  await pin(ed, 'While it was busy');
  await item(ed, 'While it was busy').waitFor();
  await allow();
  await sent(ed, 'While it was busy').waitFor();
  expected(browser, /503/);

  // The server fails over one comment: its writer is told, can take it back, and the next one is sent.
  const failing = /\/api\/v1\/.*\/comments$/;
  await intercept(ed, failing, (route) =>
    route.request().postData()?.includes('It fails over this') ? route.fulfill({ status: 500, json: { error: 'Something broke here.' } }) : route.continue(),
  );
  await pin(ed, 'It fails over this');
  await pin(ed, 'It takes this');
  await sent(ed, 'It takes this').waitFor();
  await arrived('It takes this');
  await item(ed, 'It fails over this').getByRole('alert').getByText('Not sent. Something broke here.').waitFor();
  await ed.unroute(failing);
  await item(ed, 'It fails over this').getByRole('button', { name: 'Try again' }).click();
  await arrived('It fails over this');
  expected(browser, /500/);

  // Out of service: its writer keeps it, with the server's words, until it can be sent.
  await openThread(ed, 'For two tabs');
  await ed.keyboard.press('r');
  await field(ed, /^Reply to comment/).fill('Half a reply');
  await (await place(ed)).fill('While it was out of service');
  await ask('POST', '/instance/plugins/comments/disable');
  await ed.keyboard.press('ControlOrMeta+Enter');
  await item(ed, 'While it was out of service').getByRole('alert').getByText('Not sent.').waitFor();
  await ask('POST', '/instance/plugins/comments/enable');
  await ed.reload();
  await item(ed, 'While it was out of service').getByRole('button', { name: 'Try again' }).click();
  await sent(ed, 'While it was out of service').waitFor();
  await arrived('While it was out of service');
  await openThread(ed, 'For two tabs');
  await ed.keyboard.press('r');
  demand((await field(ed, /^Reply to comment/).inputValue()) === 'Half a reply', 'half a reply is lost');
  expected(browser, /404|503|comments|participants/);

  // The server is stopped while somebody writes, and started again: all of it arrives, once, without anybody's doing.
  process.kill(task.process, 'SIGTERM');
  await field(ed, /^Reply to comment/).press('ControlOrMeta+Enter');
  await ed.locator('.reply', { hasText: 'Half a reply' }).waitFor();
  await pin(ed, 'While it was away');
  await item(ed, 'While it was away').waitFor();
  await sent(ed, 'While it was away').waitFor({ timeout: REBOOT_TIMEOUT });
  await arrived('While it was away');
  await item(ada, 'While it was away').waitFor({ timeout: REBOOT_TIMEOUT });
  const answered = (await comments()).find(({ body }) => body === 'For two tabs');
  demand(answered.replies.length === 1 && answered.replies[0].body === 'Half a reply', `its replies are ${JSON.stringify(answered.replies)}`);
  expected(browser, /ERR_|503|50\d/);
});
