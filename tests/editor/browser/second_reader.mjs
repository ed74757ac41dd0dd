/**
 * A model's change is looked at in the preview, where the review browser does not show the element or there is none: the page that people
 * work in says whether it shows what was asked for, and stays as it is. Task: `{ page, root, file, open, before, after, verified, refused }`:
 * `open` is the button that shows the heading (null: it is there), `verified` who reads, `refused` what is said of a wrong change (null: it
 * is right).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, PATIENCE, run, task } from '../../browser/browser.mjs';

const source = () => readFileSync(join(task.root, task.file), 'utf8');

await run(async ({ context, wrong }) => {
  const page = await context.newPage();
  const answers = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/editor/llm-fallback')) answers.push(response.json());
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(task.page);
  const prototype = page.frameLocator('iframe');
  const begun = source();
  const mode = (name) => page.getByRole('radiogroup', { name: 'What a click does' }).getByRole('radio', { name }).click();
  if (task.open) {
    await prototype.getByRole('button', { name: task.open }).waitFor();
    await mode('Use the prototype');
    await prototype.getByRole('button', { name: task.open }).click();
    await prototype.getByRole('heading', { name: task.before }).waitFor();
    await mode('Select');
  }
  await prototype.getByRole('heading', { name: task.before }).click();
  await page.getByRole('heading', { level: 2, name: /^<h\d>$/ }).waitFor();
  const document = page.frames().find((frame) => frame !== page.mainFrame());
  await document.evaluate(() => (window.sameDocument = true));

  const text = page.getByRole('textbox', { name: 'Content' });
  await page.waitForFunction((field) => !field.readOnly, await text.elementHandle());
  await text.fill(task.after);
  await text.press('Enter');
  const card = page.getByRole('article', { name: 'Edit text' });
  await card.getByRole('button', { name: 'Let a model try' }).click();
  if (task.refused) {
    await card.getByText(task.refused).first().waitFor();
    await prototype.getByRole('heading', { name: task.before }).waitFor();
    demand(source() === begun, 'a change that was refused is in the file');
  } else {
    await card.getByText('Edit text: done by a model').waitFor();
    await prototype.getByRole('heading', { name: task.after }).waitFor();
    const [answer] = await Promise.all(answers);
    demand(answer.verified === task.verified, `the page was read by ${answer.verified}`);
    await card.getByRole('button', { name: 'Undo' }).click();
    await prototype.getByRole('heading', { name: task.before }).waitFor();
    for (const end = Date.now() + PATIENCE; source() !== begun; await page.waitForTimeout(50)) demand(Date.now() < end, `undo gives ${source()}`);
  }
  demand(await document.evaluate(() => window.sameDocument), 'the page that was worked in was loaded anew');
  const refused = (line) => /4(?:09|22)/.test(line) && /\/api\/editor\/(?:edit|llm-fallback)/.test(line);
  while (wrong.some(refused)) wrong.splice(wrong.findIndex(refused), 1);
});
