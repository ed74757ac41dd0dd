/**
 * The canvas: pages at several widths, a plan of them, and its pictures before beside after an edit; by the keyboard where there is a key.
 * Task: `{ page, root }`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, run, task } from '../../browser/browser.mjs';
import { accessible } from '../../browser/axe.mjs';

/** Accessible in light and in dark. */
async function clean(page, state) {
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`:root[data-theme=${colorScheme}]`).waitFor({ state: 'attached' });
    await accessible(page, `${state}, ${colorScheme}`);
  }
}

await run(async ({ context, wrong }) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: 'light' });
  await page.goto(task.page);
  const prototype = page.frameLocator('iframe');
  await prototype.getByRole('heading', { name: 'Plans' }).click();
  await page.getByRole('heading', { level: 2, name: '<h1>' }).waitFor();

  await page.getByRole('button', { name: 'Structure', exact: true }).focus();
  await page.keyboard.press('6');
  const canvas = page.getByRole('region', { name: 'Canvas', exact: true });
  const desk = canvas.getByRole('region', { name: 'Pictures of the pages' });
  const picture = (name) => desk.getByRole('img', { name, exact: true });
  /** How wide a picture is in its own pixels; taking it may need a browser to start. */
  const wide = async (name) => {
    await picture(name).waitFor({ timeout: 90_000 });
    return picture(name).evaluate((image) => image.decode().then(() => image.naturalWidth));
  };
  for (const width of [390, 768, 1280]) {
    const found = await wide(`/, ${width} pixels wide, light`);
    demand(found === width, `the picture of ${width} pixels is ${found} wide`);
  }
  await clean(page, 'the canvas');

  // It lies over the page, and the page's own controls are out of the way.
  const behind = await page.getByRole('textbox', { name: 'Path of the page', includeHidden: true }).evaluate((field) => (field.focus(), document.activeElement === field));
  demand(!behind, 'the preview can be reached behind the canvas');

  // Zoom by the keys that zoom the page.
  const shown = () => picture('/, 390 pixels wide, light').evaluate((image) => image.getBoundingClientRect().width);
  await desk.focus();
  await page.keyboard.press('0');
  await page.waitForFunction(() => document.querySelector('.desk img')?.getBoundingClientRect().width === 390);
  await page.keyboard.press('9');
  await page.waitForFunction(() => document.querySelector('.desk img')?.getBoundingClientRect().width < 390);
  demand((await shown()) < 390, 'it does not fit');

  // Two widths, one of one's own, in both schemes.
  const widths = canvas.getByRole('group', { name: 'Widths' });
  for (const off of ['768 px', '1280 px']) await widths.getByRole('button', { name: off }).click();
  await widths.getByRole('textbox', { name: 'A width in pixels' }).fill('600');
  await page.keyboard.press('Enter');
  await canvas.getByRole('group', { name: 'Colours' }).getByRole('button', { name: 'Dark' }).click();
  for (const name of ['/, 390 pixels wide, light', '/, 600 pixels wide, light', '/, 390 pixels wide, dark', '/, 600 pixels wide, dark']) await wide(name);
  demand((await desk.getByRole('img').count()) === 4, `${await desk.getByRole('img').count()} pictures are shown`);
  await widths.getByRole('textbox', { name: 'A width in pixels' }).fill('20');
  await page.keyboard.press('Enter');
  demand((await widths.getByRole('textbox').inputValue()) === '20', 'a width of 20 pixels is taken');
  await canvas.getByRole('group', { name: 'Colours' }).getByRole('button', { name: 'Dark' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.desk img').length === 2);

  // A page that is none.
  const pages = canvas.getByRole('group', { name: 'Pages' });
  await pages.getByRole('textbox').fill('//other.org');
  await page.keyboard.press('Enter');
  await desk.getByText(/is no path of a page/).first().waitFor();
  await clean(page, 'a picture that cannot be taken');
  await pages.getByRole('button', { name: 'Remove //other.org' }).click();
  await desk.getByText(/is no path of a page/).first().waitFor({ state: 'detached' });

  // A plan of it, run once.
  await canvas.getByRole('button', { name: 'Make a plan of what is shown' }).click();
  const making = page.getByRole('dialog', { name: 'Make a plan of what is shown' });
  await making.getByText('2 pictures').waitFor();
  await clean(page, 'making a plan');
  await making.getByRole('textbox', { name: 'Name of the plan' }).fill('Start');
  await page.keyboard.press('Enter');
  await canvas.getByRole('heading', { level: 3, name: 'Start' }).waitFor();
  await canvas.getByRole('heading', { name: 'Not run yet' }).waitFor();
  demand(existsSync(join(task.root, '.tool/plans/Start.json')), 'the plan has no file');
  await clean(page, 'a plan');
  const runIt = canvas.getByRole('button', { name: 'Run the plan' });
  await runIt.focus();
  await page.keyboard.press('Enter');
  await canvas.getByText('first picture').nth(1).waitFor({ timeout: 90_000 });
  await wide('After: /, 390 pixels wide, light');

  // An edit beside the canvas, and the same plan again.
  const text = page.getByRole('textbox', { name: 'Content' });
  const edit = async (to) => {
    await text.fill(to);
    await text.press('Enter');
    await prototype.getByRole('heading', { name: to, includeHidden: true }).waitFor({ state: 'attached' });
  };
  await edit('Plans for everyone');
  await canvas.getByText('Edited since the last run').waitFor();
  await runIt.click();
  await canvas.getByText(/% differs/).nth(1).waitFor({ timeout: 90_000 });
  for (const name of ['Before: /, 390 pixels wide, light', 'After: /, 390 pixels wide, light', 'Before: /, 600 pixels wide, light', 'After: /, 600 pixels wide, light']) await wide(name);
  demand((await desk.locator('.differs').count()) === 4, 'what differs is not marked');
  await clean(page, 'before beside after');

  // In one place, before for as long as the key is held.
  await canvas.getByRole('radio', { name: /^One picture/ }).click();
  await picture('Before: /, 390 pixels wide, light').waitFor({ state: 'detached' });
  await desk.focus();
  await page.keyboard.down('b');
  await wide('Before: /, 390 pixels wide, light');
  // Long enough to be held, and not tapped.
  await page.waitForTimeout(400);
  await page.keyboard.up('b');
  await wide('After: /, 390 pixels wide, light');
  await clean(page, 'one picture');

  // Ticked, it runs by itself.
  await canvas.getByRole('checkbox', { name: 'Run again after edits' }).check();
  const again = page.waitForRequest((request) => request.url().endsWith('/run'));
  await edit('Plans');
  await again;
  await canvas.getByRole('button', { name: 'Stop the run' }).waitFor();
  await runIt.waitFor({ timeout: 90_000 });
  await canvas.getByText('Edited since the last run').waitFor({ state: 'detached' });
  await canvas.getByText(/% differs/).nth(1).waitFor({ timeout: 90_000 });

  // Its pictures: one changed and one added, by the keyboard alone; the run that was ticked takes them.
  const kept = () => JSON.parse(readFileSync(join(task.root, '.tool/plans/Start.json'), 'utf8')).shots.map(({ page: path, width, scheme }) => `${path} ${width} ${scheme}`).join(', ');
  const opened = async () => {
    await canvas.getByRole('button', { name: 'Pictures of the plan…' }).press('Enter');
    const window = page.getByRole('dialog', { name: 'Pictures of “Start”' });
    await window.waitFor();
    return window;
  };
  const tab = async (times) => {
    for (let count = 0; count < times; count += 1) await page.keyboard.press('Tab');
  };
  const shots = await opened();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Page of picture 1');
  await clean(page, 'the pictures of a plan');
  await tab(5);
  await page.keyboard.type('500');
  await tab(1);
  await page.keyboard.type('Dark');
  await tab(2);
  await page.keyboard.press('Enter');
  await shots.getByText('Picture 3 needs the path of a page').waitFor();
  await page.keyboard.type('/');
  await shots.getByText('Picture 3 is the same as one before it').waitFor();
  await clean(page, 'a picture that is there twice');
  await tab(1);
  await page.keyboard.type('320');
  const taken = page.waitForRequest((request) => request.url().endsWith('/run'));
  await page.keyboard.press('Enter');
  await shots.waitFor({ state: 'detached' });
  demand(kept() === '/ 390 light, / 500 dark, / 320 dark', kept());
  await taken;
  await wide('After: /, 320 pixels wide, dark');
  await runIt.waitFor({ timeout: 90_000 });

  // One taken out: the focus stays among the others, and the last run is not of this plan any more.
  await canvas.getByRole('checkbox', { name: 'Run again after edits' }).uncheck();
  const fewer = await opened();
  await fewer.getByRole('button', { name: 'Remove picture 3' }).press('Enter');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Remove picture 2');
  await fewer.getByRole('textbox', { name: 'Page of picture 1' }).press('Enter');
  await fewer.waitFor({ state: 'detached' });
  demand(kept() === '/ 390 light, / 500 dark', kept());
  await canvas.getByText('Edited since the last run').waitFor();

  await canvas.getByRole('button', { name: 'Rename the plan…' }).click();
  const renaming = page.getByRole('dialog', { name: 'Rename the plan' });
  await renaming.getByRole('textbox', { name: 'Name of the plan' }).fill('Home');
  await page.keyboard.press('Enter');
  await canvas.getByRole('heading', { level: 3, name: 'Home' }).waitFor();
  await wide('After: /, 390 pixels wide, light');
  await canvas.getByRole('button', { name: 'Delete the plan…' }).click();
  const deleting = page.getByRole('dialog', { name: 'Delete “Home”?' });
  await clean(page, 'deleting a plan');
  await deleting.getByRole('button', { name: 'Delete' }).click();
  await canvas.getByText('No plan yet.').waitFor();
  demand(!existsSync(join(task.root, '.tool/plans/Home.json')) && !existsSync(join(task.root, '.tool/pictures/Home')), 'the plan is still there');

  await canvas.getByRole('button', { name: 'Close the canvas' }).click();
  await canvas.waitFor({ state: 'detached' });
  await prototype.getByRole('heading', { name: 'Plans' }).waitFor();
  // The page that is none: browsers complain of the status.
  const refused = (line) => /400/.test(line) && /canvas\/picture/.test(line);
  while (wrong.some(refused)) wrong.splice(wrong.findIndex(refused), 1);
});
