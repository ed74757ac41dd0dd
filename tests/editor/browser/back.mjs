/**
 * A script that is changed and changed back: the page shows what it says, and stays the same document. Between the two nothing else
 * changes the component. Task: `{ page, root, file, from, to }`: a word of the script with which the heading ends.
 */
import { demand, run, task } from '../../browser/browser.mjs';
import { change } from './change.mjs';

await run(async ({ context }) => {
  const page = await context.newPage();
  await page.goto(task.page);
  const heading = page.locator('h1');
  const shows = async (text) => {
    await heading
      .getByText(`Plans for ${text}`, { exact: true })
      .waitFor()
      .catch(async () => demand(false, `the heading shows ${await heading.innerText()}, and the source says ${text}`));
    demand(await heading.getAttribute('data-desde-src'), 'the heading carries no position');
  };
  await shows(task.from);
  await page.evaluate(() => (window.sameDocument = true));
  change(task, task.from, task.to);
  await shows(task.to);
  change(task, task.to, task.from);
  await shows(task.from);

  // After a change of the template, which is one that need not run the script again.
  const count = page.getByRole('button');
  await count.click();
  await count.getByText('Pressed 1').waitFor();
  change(task, '>Pressed', ' title="once">Pressed');
  await page.locator('button[title=once]').waitFor();
  demand((await count.innerText()) === 'Pressed 1', 'a change of the template ran the script again');
  change(task, task.from, task.to);
  await shows(task.to);
  change(task, task.to, task.from);
  await shows(task.from);
  demand(await page.evaluate(() => window.sameDocument), 'the page was loaded anew');
});
