/**
 * A key is pasted, checked and kept; a heading that the engine refuses is retyped, and a model does it: with the diff, what it cost, and
 * the way back. Task: `{ page, root, file, key, before, after }`: the key that the provider knows
 * (null: the vendor's program is used), and what the heading shows.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, PATIENCE, run, task } from '../../browser/browser.mjs';
import { accessible } from '../../browser/axe.mjs';

const source = () => readFileSync(join(task.root, task.file), 'utf8');

/** Nothing is there without a key; it is pasted, refused, and another one is kept. */
async function bring(page, text) {
  // Without a key nothing is there that was not there before.
  demand((await text.getAttribute('readonly')) !== null, 'a computed text can be typed over without a key');
  demand((await page.getByRole('tab', { name: 'Chat' }).count()) === 0, 'a chat is there without a key');

  await page.keyboard.press('ControlOrMeta+,');
  const models = page.getByRole('dialog', { name: 'Settings' }).getByRole('region', { name: 'Models' });
  const key = models.locator('input[type=password]');
  await key.fill('sk-that-nobody-knows');
  await key.press('Enter');
  await models.getByRole('alert').filter({ hasText: 'invalid x-api-key' }).waitFor();
  demand((await key.inputValue()) !== '', 'a key that was refused has to be pasted again');
  await accessible(page, 'a key was refused');
  await key.fill(task.key);
  await key.press('Enter');
  await models.getByText('set', { exact: true }).waitFor();
  await page.waitForFunction((field) => field.value === '', await key.elementHandle());
  await accessible(page, 'a key was kept');
  demand(!(await page.content()).includes(task.key), 'the page shows the key');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Settings' }).waitFor({ state: 'detached' });
}

/** The vendor's program has its own sign-in, and a key is not needed. */
async function subscribed(page) {
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByRole('region', { name: 'Models' }).getByText(/program answers with its own sign-in/).waitFor();
  await accessible(page, 'the vendor’s program is used');
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'detached' });
}

await run(async ({ context, wrong }) => {
  const page = await context.newPage();
  const told = [];
  page.on('response', (response) => {
    const isStream = (response.headers()['content-type'] ?? '').includes('event-stream');
    if (response.url().includes('/api/') && !isStream) told.push(response.text().catch(() => ''));
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(task.page);
  const prototype = page.frameLocator('iframe');
  const begun = source();
  await prototype.getByRole('heading', { name: task.before }).click();
  await page.getByRole('heading', { level: 2, name: '<h1>' }).waitFor();

  const text = page.getByRole('textbox', { name: 'Content' });
  await (task.key ? bring(page, text) : subscribed(page));

  // By the keyboard: typed, refused, and given to a model.
  await page.waitForFunction((field) => !field.readOnly, await text.elementHandle());
  await text.fill(task.after);
  await text.press('Enter');
  const card = page.getByRole('article', { name: 'Edit text' });
  await card.getByRole('button', { name: 'Let a model try' }).waitFor();
  await accessible(page, 'a model is offered');
  await text.press('ControlOrMeta+Shift+E');
  // Where no page can be read the change waits for a yes.
  const done = card.getByText('Edit text: done by a model');
  const yes = card.getByRole('button', { name: 'Make this change' });
  await done.or(yes).waitFor();
  if (await yes.isVisible()) {
    demand(source() === begun, 'a change that waits for a yes is in the file');
    await accessible(page, 'a change waits for a yes');
    await yes.click();
  }
  await done.waitFor();
  await prototype.getByRole('heading', { name: task.after }).waitFor();
  await card.getByRole('region', { name: `Changes: ${task.file}` }).waitFor();
  await card.getByText(/\$0\.\d+/).waitFor();
  await accessible(page, 'a model did it');
  demand(source() !== begun, 'the file is as before');

  await card.getByRole('button', { name: 'Undo' }).click();
  await prototype.getByRole('heading', { name: task.before }).waitFor();
  for (const end = Date.now() + PATIENCE; source() !== begun; await page.waitForTimeout(50)) demand(Date.now() < end, `undo gives ${source()}`);
  await card.waitFor({ state: 'detached' });

  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  const all = [stored, ...(await Promise.all(told))];
  demand(!task.key || all.every((each) => !each.includes(task.key)), 'the key comes back to the page');
  // The wrong key, and the edit that was refused: browsers complain of the status.
  const refused = (line) => /4(?:09|22)/.test(line) && /\/api\/(?:models|editor\/(?:edit|llm-fallback))/.test(line);
  while (wrong.some(refused)) wrong.splice(wrong.findIndex(refused), 1);
});
