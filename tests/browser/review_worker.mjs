/**
 * A prototype whose service worker answers with an old copy of its page, which has no bridge. Task: that of `review.mjs` and
 * `own`, whether the prototype has an origin of its own.
 */
import { demand, run, task } from './browser.mjs';
import { expected, looksRight } from './pages.mjs';
import { comments, field, item, openThread, pin, prototype, ready, REVIEW, visit } from './reviewing.mjs';

const numbered = (page, text) => item(page, text).getByRole('button', { name: /^Comment \d+ by/ });

await run(async (browser) => {
  const ed = await visit(browser, task.ed);
  await ready(ed);
  await pin(ed, 'Before the old copy');
  await numbered(ed, 'Before the old copy').waitFor();

  // It settles where it is opened as a page of its own site, and shows what it kept from then on.
  const tab = await ed.context().newPage();
  if (!task.own) await prototype(ed).getByText('Worker installed').waitFor();
  await tab.goto(`${task.origin}/open/shop`);
  if (task.own) await tab.getByText('Worker installed').waitFor();
  await tab.reload();
  await tab.getByRole('heading', { name: 'Old copy' }).waitFor();
  // Who clicks has the page before them; one behind another tab is not painted.
  await ed.bringToFront();
  await ed.reload();
  if (task.own) {
    // Frames of another site are kept apart: the review has the present page.
    await ready(ed);
    demand((await prototype(ed).getByRole('heading', { name: 'Old copy' }).count()) === 0, 'a worker of a tab answers in the review');
  } else {
    // The review shows the old copy. That is said, with ways out, and the comments are there all the same.
    await prototype(ed).getByRole('heading', { name: 'Old copy' }).waitFor();
    const said = ed.getByRole('alert').filter({ hasText: 'Comments cannot be pinned on this page' });
    await said.getByText('The prototype has a service worker').waitFor();
    await said.getByRole('link', { name: 'Open in a tab' }).waitFor();
    await looksRight(ed, 'review silent');
    await openThread(ed, 'Before the old copy');
    await ed.keyboard.press('r');
    await field(ed, 'Reply to comment 1').fill('Still here');
    await ed.keyboard.press('ControlOrMeta+Enter');
    await ed.locator('.reply', { hasText: 'Still here' }).waitFor();
    while ((await comments())[0].replies.length === 0) await ed.waitForTimeout(50);
    await ed.goto(REVIEW);
    await said.waitFor();
    await tab.evaluate(async () => {
      sessionStorage.setItem('no-worker', 'yes');
      for (const each of await navigator.serviceWorker.getRegistrations()) await each.unregister();
    });
    await ed.evaluate(() => sessionStorage.setItem('no-worker', 'yes'));
    await said.getByRole('button', { name: 'Load the prototype again' }).click();
    await ready(ed);
  }
  await pin(ed, 'After the old copy');
  await numbered(ed, 'After the old copy').waitFor();

  // It has its own prototype and nothing else: neither the pages nor the API pass through it.
  for (const address of [REVIEW, `${task.origin}/`, `${task.origin}/you/profile`]) {
    await ed.goto(address);
    const controller = await ed.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? null);
    demand(controller === null, `${address} is served by ${controller}`);
  }
  // The old copy names no icon.
  expected(browser, /favicon\.ico/);
});
