/**
 * The interface on a real prototype: a newcomer's story, then a walk with the keyboard, and axe-core in every state it passes.
 * Task: `{ page, root, file }`; `file` holds the heading `Get started` and a list with `GitHub`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, PATIENCE, run, task } from '../../browser/browser.mjs';
import { accessible } from '../../browser/axe.mjs';

const source = () => readFileSync(join(task.root, task.file), 'utf8');

/** Waits until something holds. */
async function until(what, condition) {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    demand(Date.now() < end, `never: ${what}; ${task.file} is\n${source()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const sourceHas = (what, condition) => until(what, () => condition(source()));

await run(async ({ context, wrong }) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  // Colours are judged as they are, not on their way.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(task.page);
  const prototype = page.frameLocator('iframe');
  const heading = prototype.locator('h1');
  await heading.getByText('Get started').waitFor();
  const tree = page.getByRole('tree', { name: 'Elements of the page' });
  await tree.getByRole('treeitem').first().waitFor();
  await accessible(page, 'nothing selected');

  // A heading is clicked and retyped.
  await heading.click();
  const subject = page.getByRole('heading', { level: 2, name: '<h1>' });
  await subject.waitFor();
  demand((await tree.getByRole('treeitem', { selected: true }).innerText()).startsWith('h1'), 'the tree does not show the selection');
  await accessible(page, 'a heading is selected');
  await heading.dblclick();
  // Whoever types at once types into the text.
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Begin <here> & now');
  await page.keyboard.press('Enter');
  await sourceHas('the text is retyped', (text) => !text.includes('Get started'));
  await heading.getByText('Begin <here> & now').waitFor();

  // A field that is left for the page saves what was typed there.
  const content = page.getByRole('textbox', { name: 'Content', exact: true });
  await heading.click();
  await subject.waitFor();
  await content.fill('Begin again');
  await prototype.locator('li').first().click({ position: { x: 2, y: 2 } });
  await sourceHas('a field that is left is saved', (text) => text.includes('Begin again'));
  await heading.getByText('Begin again').waitFor();
  // What somebody else wrote meanwhile stays, and so does what was typed.
  await heading.click();
  await subject.waitFor();
  await content.fill('Begin here');
  writeFileSync(join(task.root, task.file), source().replace('Begin again', 'Begin elsewhere'));
  await heading.getByText('Begin elsewhere').waitFor();
  await content.press('Enter');
  await page.getByText('Edit text: not done').first().waitFor();
  demand((await content.inputValue()) === 'Begin here', `a refused text becomes ${await content.inputValue()}`);
  demand(source().includes('Begin elsewhere'), 'what was written meanwhile is lost');
  await content.press('Escape');
  await until('Escape shows what is there', async () => (await content.inputValue()) === 'Begin elsewhere');

  // Its colour and a class are changed.
  await heading.click();
  await subject.waitFor();
  const colour = page.getByLabel('Text', { exact: true });
  await colour.fill('#ff0000');
  await colour.press('Enter');
  // It is a variable's colour, which stays one unless told otherwise.
  const keep = page.getByRole('dialog', { name: 'Keep a value of the project?' });
  await keep.getByRole('radio', { name: 'Use the raw value #ff0000' }).click();
  await keep.getByRole('button', { name: 'Set color' }).click();
  // The template's stylesheet colours other headings too, so it is asked which of them are meant.
  const which = page.getByRole('dialog', { name: 'Which one do you mean?' });
  await which.getByRole('radio', { name: /^Only this element/ }).click();
  await accessible(page, 'a choice');
  await which.getByRole('button', { name: 'Set color' }).click();
  await sourceHas('the colour is set', (text) => text.includes('#ff0000'));
  // The question was an answer with status 409, of which browsers complain.
  const asked = (line) => /409/.test(line) && line.includes('/api/editor/edit');
  while (wrong.some(asked)) wrong.splice(wrong.findIndex(asked), 1);
  await until('the heading is red', async () => (await heading.evaluate((element) => getComputedStyle(element).color)) === 'rgb(255, 0, 0)');
  const add = page.getByRole('combobox', { name: 'Add a class' });
  await add.fill('own-class');
  await add.press('Enter');
  await sourceHas('a class is added', (text) => text.includes('own-class'));
  await page.getByRole('button', { name: 'Remove own-class' }).waitFor();

  // A list item is deleted, brought back and deleted again.
  const item = prototype.locator('li', { hasText: 'GitHub' });
  await item.click({ position: { x: 2, y: 2 } });
  await page.getByRole('heading', { level: 2, name: /<(li|a)>/ }).waitFor();
  if (await page.getByRole('heading', { level: 2, name: '<a>' }).isVisible()) await page.keyboard.press('Shift+Enter');
  await page.getByRole('heading', { level: 2, name: '<li>' }).waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await sourceHas('the item is deleted', (text) => !text.includes('GitHub'));
  await item.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
  await sourceHas('the item is back', (text) => text.includes('GitHub'));
  await page.getByRole('button', { name: 'Redo', exact: true }).first().click();
  await sourceHas('the item is deleted again', (text) => !text.includes('GitHub'));

  // The changes are looked at and committed on a branch.
  await page.getByRole('tab', { name: /^Changes/ }).click();
  await page.getByRole('region', { name: `Changes: ${task.file}` }).waitFor();
  await accessible(page, 'the changes');
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('listitem').filter({ hasText: task.file }).first().waitFor();
  await accessible(page, 'the history');
  await page.keyboard.press('ControlOrMeta+Shift+Enter');
  const dialog = page.getByRole('dialog', { name: 'Commit' });
  await dialog.getByLabel('What was changed, and why').fill('Say it shorter');
  await dialog.getByRole('radio', { name: 'On a new branch' }).click();
  await dialog.getByLabel('Name of the branch').fill('shorter');
  await accessible(page, 'the commit dialog');
  await dialog.getByRole('button', { name: 'Commit' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Branches: shorter' }).waitFor();

  await walk(page, tree);
});

/** Everything again without a mouse, and in other sizes and colours. */
async function walk(page, tree) {
  await page.getByRole('tab', { name: 'Inspect' }).click();
  await tree.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2 }).waitFor();
  demand((await tree.getByRole('treeitem', { selected: true }).count()) === 1, 'Enter selects no row');

  // Each stop of Tab is visible, has a name, and none holds the focus for ever.
  await page.getByRole('button', { name: 'Structure', exact: true }).focus();
  const stops = new Set();
  for (let step = 0; step < 90; step++) {
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const name = element.getAttribute('aria-label') || element.labels?.[0]?.innerText || element.title || element.innerText;
      const box = element.getBoundingClientRect();
      return { what: `${element.tagName} ${element.className}`, name: name || element.getAttribute('aria-labelledby'), seen: box.width > 0 && box.height > 0 };
    });
    if (stop) {
      demand(stop.seen, `${stop.what} has the focus and is not visible`);
      demand(stop.name, `${stop.what} has no name`);
      stops.add(`${stop.what} ${stop.name}`);
    }
    await page.keyboard.press('Tab');
  }
  demand(stops.size > 25, `only ${stops.size} parts are reached with Tab`);

  await page.getByRole('button', { name: 'Structure', exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+K');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.waitFor();
  await accessible(page, 'the command palette');
  await page.keyboard.type('keyboard shortcuts');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await accessible(page, 'the cheat sheet');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await settings.getByText('editor.codeView').first().waitFor();
  await accessible(page, 'the settings');
  await page.keyboard.press('Escape');
  await settings.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: /^Comments/ }).click();
  await page.getByText('No project linked').waitFor();
  await accessible(page, 'no project is linked');

  await page.getByRole('tab', { name: 'Inspect' }).click();
  for (const colorScheme of ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`:root[data-theme=${colorScheme}]`).waitFor({ state: 'attached' });
    await accessible(page, `${colorScheme} colours`);
  }
  for (const width of [900, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.getByRole('button', { name: 'Structure', exact: true }).click();
    await tree.waitFor();
    await accessible(page, `${width} pixels wide`);
    await page.keyboard.press('Escape');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    demand(wide <= width, `at ${width} pixels the interface is ${wide} pixels wide`);
  }
}
