/**
 * Parts of the pages that plugins bring. Task: `{ origin, ed, bearer, intruder, project, next }`: the session of an editor as
 * `name=value`, the admin token, and whether the plugin `intruder` serves. `project` is the id of the public project `shop`, which has
 * a deployment; `next` is its next build as base64.
 */
import { another, demand, run, task } from './browser.mjs';
import { expected, LOOKS, looksRight } from './pages.mjs';
import { ask, REVIEW, upload } from './reviewing.mjs';

/** What the intruder may get: the reads that were approved. */
const GRANTED = ['read'];

const panel = (page, title) => page.frameLocator(`iframe[title="${title}"]`);

async function visit(browser, cookie, { width = 1440, scheme = 'light' } = {}) {
  const context = await another(browser, { cookie, colorScheme: scheme, reducedMotion: 'reduce', viewport: { width, height: 860 } });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(REVIEW);
  if (width < 500) await page.getByRole('button', { name: /Comments/ }).first().click();
  return page;
}

/** An approval, given and withdrawn by the keyboard. */
async function approves(browser) {
  const page = await visit(browser, task.ed);
  await page.getByRole('tab', { name: 'Comments' }).focus();
  await page.keyboard.press('ArrowRight');
  const own = panel(page, 'Approvals').getByRole('button', { name: 'Approve this version' });
  await own.focus();
  await page.keyboard.press('Enter');
  await panel(page, 'Approvals').getByRole('listitem').filter({ hasText: 'ed' }).waitFor();
  await panel(page, 'Approvals').getByRole('button', { name: 'Withdraw my approval' }).waitFor();
  await page.reload();
  await page.getByRole('tab', { name: 'Approvals' }).click();
  await panel(page, 'Approvals').getByRole('button', { name: 'Withdraw my approval' }).click();
  await panel(page, 'Approvals').getByText('Nobody has approved it yet.').waitFor();
  for (const look of LOOKS) {
    const shown = await visit(browser, task.ed, look);
    await shown.getByRole('tab', { name: 'Approvals' }).click();
    await panel(shown, 'Approvals').getByRole('button', { name: 'Approve this version' }).waitFor();
    await looksRight(shown, `approvals-${look.scheme}-${look.width}`);
    await shown.close();
  }
}

/** Another version goes live meanwhile: an approval is for the one in view, and its number is known as soon as it is shown. */
async function approvesWhatIsShown(browser) {
  const page = await visit(browser, task.ed);
  await page.getByRole('tab', { name: 'Approvals' }).click();
  await panel(page, 'Approvals').getByText('Version 1').waitFor();
  const { deploymentId } = await upload(task.next);
  await page.getByText('A newer version went live.').waitFor();
  await panel(page, 'Approvals').getByRole('button', { name: 'Approve this version' }).click();
  await panel(page, 'Approvals').getByRole('button', { name: 'Withdraw my approval' }).waitFor();
  const of = async (deployment) => (await ask('GET', `/projects/${task.project}/approvals?deployment=${deployment}`)).approvals.length;
  demand((await of(deploymentId)) === 0, 'a version is approved that nobody saw');
  await page.getByRole('button', { name: 'Show it' }).click();
  await panel(page, 'Approvals').getByText('Version 2').waitFor();
  await panel(page, 'Approvals').getByText('Nobody has approved it yet.').waitFor();
  await page.close();
}

/** Guests see who approved, and have no button. */
async function guests(browser) {
  const page = await visit(browser, undefined);
  await page.getByRole('tab', { name: 'Approvals' }).click();
  await panel(page, 'Approvals').getByText('Nobody has approved it yet.').waitFor();
  demand((await panel(page, 'Approvals').getByRole('button').count()) === 0, 'a guest can approve');
}

async function keepsIn(browser) {
  const page = await visit(browser, task.ed);
  const dialogs = [];
  page.on('dialog', (dialog) => (dialogs.push(dialog.message()), dialog.dismiss()));
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/intruder') && answer.request().method() === 'POST', { timeout: 120_000 });
  await page.getByRole('tab', { name: 'Intruder' }).click();
  const got = (await answered).request().postDataJSON();
  for (const [name, what] of Object.entries(got)) {
    const granted = GRANTED.includes(name);
    demand(what.startsWith('refused') !== granted && what !== '', `${name}: ${what}`);
  }
  demand(Object.keys(got).length > 20, `attempts: ${Object.keys(got)}`);
  demand(JSON.parse(got.read).status === 200, `what was approved is read: ${got.read}`);
  demand(page.url() === REVIEW, `the page went to ${page.url()}`);
  demand(page.context().pages().length === 1, 'a window was opened');
  demand(dialogs.length === 0, `a dialog: ${dialogs}`);
  demand((await page.locator('.toast').count()) < 250, 'a flood of words is bounded');
  demand((await page.locator('.toast img').count()) === 0, 'words are text');
  // The same document, opened directly, has nothing of its server's either.
  const entry = await page.locator('iframe[title="Intruder"]').getAttribute('src');
  const alone = await page.context().newPage();
  await alone.goto(task.origin + entry);
  demand((await alone.evaluate(() => origin)) === 'null', 'opened directly it has an origin');
  const cookie = await alone.evaluate(() => { try { return document.cookie; } catch (error) { return error.name; } });
  demand(cookie === 'SecurityError', `opened directly it reads cookies: ${cookie}`);
}

await run(async (browser) => {
  if (task.intruder) {
    await keepsIn(browser);
    // Each refusal is a complaint of the browser.
    expected(browser, /./);
    return;
  }
  await approves(browser);
  await guests(browser);
  await approvesWhatIsShown(browser);
});
