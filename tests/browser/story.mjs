/**
 * The whole story by the pages alone. Task: `{ origin, link, first, moved, gone }`: the one-time link of a new instance, and three builds
 * of one Vite application, as files: with the button `Buy now`, with it elsewhere, and without it.
 */
import { readFileSync } from 'node:fs';
import { another, demand, run, task } from './browser.mjs';
import { dropFiles, expected } from './pages.mjs';

const REVIEW = `${task.origin}/projects/linen-shop`;

const prototype = (page) => page.frameLocator('.device iframe');
const item = (page, text) => page.locator('.comment-item', { hasText: text });
const archive = (file) => ({ name: 'site.tar.gz', type: 'application/gzip', base64: readFileSync(file, 'base64') });

async function somebody(browser, options = {}) {
  const context = await another(browser, { viewport: { width: 1440, height: 860 }, reducedMotion: 'reduce', ...options });
  return context.pages()[0] ?? (await context.newPage());
}

async function upload(page, file) {
  await page.goto(`${REVIEW}/deployments`);
  await dropFiles(page.locator('.dropzone'), [archive(file)]);
  await page.getByText(/is live$/).first().waitFor();
}

/** Pins a comment on the button, at a place that no pin covers yet. */
async function pin(page, text, x) {
  await prototype(page).getByRole('button', { name: 'Buy now' }).waitFor();
  await page.getByRole('radio', { name: 'A click pins a comment' }).or(page.getByRole('button', { name: 'Comment', exact: true })).first().click();

  await prototype(page).getByRole('button', { name: 'Buy now' }).click({ position: { x, y: 20 } });
  const name = page.getByRole('textbox', { name: 'Your name' });
  const words = page.getByRole('textbox', { name: /^New comment on/ });
  await words.waitFor();
  if ((await name.count()) > 0) await name.fill('Mia');
  await words.fill(text);
  await page.locator('.placing').getByRole('button', { name: 'Comment', exact: true }).click();
}

await run(async (browser) => {
  // The first person signs in with the link of the log, and is the admin.
  const ada = await somebody(browser);
  await ada.goto(task.link);
  await ada.getByRole('textbox', { name: /mail/i }).fill('ada@example.org');
  await ada.getByRole('textbox', { name: /name/i }).fill('Ada');
  await ada.keyboard.press('Enter');
  await ada.getByRole('heading', { name: 'No projects yet' }).waitFor();
  await ada.goto(`${task.origin}/instance/settings`);
  for (const name of ['Public links', 'Comments without an account']) {
    const toggle = ada.getByRole('switch', { name });
    await toggle.waitFor();
    if (!(await toggle.isChecked())) await toggle.click();
    await ada.getByRole('switch', { name, checked: true }).waitFor();
  }

  // She invites an editor, who opens the link.
  await ada.goto(`${task.origin}/instance/invites`);
  await ada.getByRole('textbox', { name: 'Mail address' }).fill('ed@example.org');
  await ada.getByRole('combobox').first().selectOption('editor');
  await ada.getByRole('button', { name: 'Invite', exact: true }).click();
  const invite = await ada.getByRole('textbox', { name: 'Invite for ed@example.org' }).inputValue();
  const ed = await somebody(browser);
  await ed.goto(invite);
  await ed.getByRole('textbox', { name: 'Your name' }).fill('Ed');
  await ed.keyboard.press('Enter');

  // He makes a project and drops a build on it.
  await ed.getByRole('button', { name: 'New project' }).first().click();
  await ed.getByRole('textbox', { name: /name/i }).first().fill('Linen shop');
  await ed.keyboard.press('Enter');
  await ed.waitForURL(`${REVIEW}/deployments`);
  await dropFiles(ed.locator('.dropzone'), [archive(task.first)]);
  await ed.getByText(/is live$/).first().waitFor();
  await ed.goto(`${REVIEW}/settings/access`);
  await ed.getByRole('radio', { name: 'Anybody with the link' }).click();
  await ed.getByRole('radio', { name: 'Anybody with the link', checked: true }).waitFor();

  // She looks on; what he pins she sees, answers with his name, and resolves.
  await ada.goto(REVIEW);
  await prototype(ada).getByRole('button', { name: 'Buy now' }).waitFor();
  await ed.goto(REVIEW);
  await pin(ed, 'Say “Add to basket”', 8);
  await item(ada, 'Add to basket').getByRole('button', { name: /^Comment 1 by Ed/ }).click();
  await ada.keyboard.press('r');
  await ada.getByRole('textbox', { name: 'Reply to comment 1' }).pressSequentially('Yes, @');
  await ada.getByRole('option', { name: /Ed/ }).click();
  await ada.keyboard.press('ControlOrMeta+Enter');
  await item(ed, 'Add to basket').getByText('1 reply').waitFor();
  await ada.keyboard.press('e');
  await item(ed, 'Add to basket').waitFor({ state: 'detached' });
  await ed.getByRole('radio', { name: /^Resolved/ }).click();
  await item(ed, 'Add to basket').getByRole('button', { name: 'Open again' }).click();

  // The button moves, and its pin with it; then it is gone, and the list says so.
  await upload(ed, task.moved);
  await ed.goto(`${REVIEW}?c=1`);
  await prototype(ed).getByText('Moved').waitFor();
  await ed.locator('.comment-item.open').waitFor();
  demand((await ed.locator('.comment-item.open .detached').count()) === 0, 'the button moved, and its comment is lost');
  await upload(ed, task.gone);
  await ed.goto(`${REVIEW}?c=1`);
  await ed.locator('.comment-item.open .detached').waitFor();
  await ed.getByRole('button', { name: 'See it there' }).click();
  await prototype(ed).getByRole('button', { name: 'Buy now' }).waitFor();
  await upload(ed, task.moved);

  // A guest comments on a phone.
  const guest = await somebody(browser, { viewport: { width: 390, height: 800 }, hasTouch: true });
  await guest.goto(REVIEW);
  await pin(guest, 'From a phone', 100);
  await ed.goto(REVIEW);
  await item(ed, 'From a phone').getByText('Mia').waitFor();

  // The panel approves; without comments the rest works.
  await ed.getByRole('tab', { name: 'Approvals' }).click();
  const panel = ed.frameLocator('iframe[title="Approvals"]');
  await panel.getByRole('button', { name: 'Approve this version' }).click();
  await panel.getByRole('listitem').filter({ hasText: 'Ed' }).waitFor();
  await ada.goto(`${task.origin}/instance/plugins`);
  await ada.locator('.slot').filter({ has: ada.getByRole('button', { name: /^comments/ }) }).getByRole('button', { name: 'Disable' }).click();
  await ada.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await ada.getByText('Disabled', { exact: true }).waitFor();
  await ed.reload();
  await ed.frameLocator('iframe[title="Approvals"]').getByRole('listitem').filter({ hasText: 'Ed' }).waitFor();
  await prototype(ed).getByRole('button', { name: 'Buy now' }).click();
  await ed.goto(task.origin);
  await ed.getByText('Linen shop').first().waitFor();
  expected(browser, /comments|participants|404|503/);
});
