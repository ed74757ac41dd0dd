/**
 * Inserting a component of the project: found by its name, given its properties, written with its import, shown by the page; and undone.
 * One of a library is shown with an example of its use. Task: `{ page, root, file, hint }`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, PATIENCE, run, task } from '../../browser/browser.mjs';
import { accessible } from '../../browser/axe.mjs';

const source = () => readFileSync(join(task.root, task.file), 'utf8');

await run(async ({ context }) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(task.page);
  const prototype = page.frameLocator('iframe');
  const before = source();
  await prototype.locator('h1').click();
  await page.getByRole('heading', { level: 2, name: '<h1>' }).waitFor();
  await page.getByRole('button', { name: 'Insert…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Insert' });
  const list = dialog.getByRole('list', { name: 'Components of the project' });
  // The component that the place is in is listed with the reason why it cannot be used.
  await list.getByRole('button', { name: /^App/, disabled: true }).getByText('would show itself for ever').waitFor();
  // One of a library comes with an example of its use.
  await dialog.getByRole('searchbox', { name: 'Find a component' }).fill('panel');
  await list.getByRole('button', { name: /^Panel/ }).click();
  const example = dialog.getByLabel('An example, written by a model');
  await example.waitFor();
  demand((await example.textContent()) === task.hint, `the example is ${await example.textContent()}`);
  await accessible(page, 'an example of the use');
  await dialog.getByRole('searchbox', { name: 'Find a component' }).fill('card');
  await list.getByRole('button', { name: /^Card/ }).click();
  await dialog.getByRole('textbox', { name: 'title (needed)' }).fill('Fish & "chips"');
  await dialog.getByRole('combobox', { name: 'tone' }).selectOption('loud');
  await dialog.getByRole('textbox', { name: 'Text in it' }).fill('Fresh <today>');
  await accessible(page, 'a component is inserted');
  await dialog.getByRole('button', { name: 'Insert', exact: true }).click();
  await prototype.getByRole('heading', { level: 2, name: 'Fish & "chips"' }).waitFor();
  await prototype.locator('section.loud').getByText('Fresh <today>').waitFor();
  const wanted = '      <h1>Plans</h1>\n      <Card title="Fish & &quot;chips&quot;" tone="loud">Fresh &lt;today&gt;</Card>\n';
  demand(source().includes(wanted) && /^import { Card } from '\.\/Card(?:\.tsx)?'/.test(source()), source());
  await page.keyboard.press('ControlOrMeta+Z');
  await prototype.locator('section.loud').waitFor({ state: 'detached' });
  for (const end = Date.now() + PATIENCE; source() !== before; await page.waitForTimeout(50)) demand(Date.now() < end, `undo gives ${source()}`);
});
