/**
 * What a designer does all day, in a prototype with Tailwind: steps of the scale, colours by name, breakpoints, moving, undoing.
 * Task: `{ page, root, file }`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, PATIENCE, run, task } from '../../browser/browser.mjs';
import { accessible } from '../../browser/axe.mjs';

const source = () => readFileSync(join(task.root, task.file), 'utf8');

/** Waits until the source has a piece of text. */
async function writes(page, text) {
  const end = Date.now() + PATIENCE;
  const said = new Set();
  while (!source().includes(text)) {
    for (const words of await page.locator('.toast').allInnerTexts()) said.add(words);
    demand(Date.now() < end, `${task.file} never has ${text}:\n${source()}\nsaid meanwhile: ${[...said].join(' | ')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

await run(async ({ context }) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(task.page);
  const prototype = page.frameLocator('iframe');
  const subject = (tag) => page.getByRole('heading', { level: 2, name: `<${tag}>` }).waitFor();
  const select = async (tag) => {
    await prototype.locator(tag).click({ position: { x: 2, y: 2 } });
    await subject(tag);
  };
  const told = (text) => page.locator('.where').getByText(text).waitFor();

  // A step of the scale: the arrow keys walk along it, and the page goes along before anything is written.
  await select('section');
  const padding = page.getByRole('combobox', { name: 'Padding', exact: true });
  await padding.click();
  await told('Replaces the class p-4 at src/App.tsx:6');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'p-5', selected: true }).waitFor();
  await accessible(page, 'a scale');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await writes(page, 'className="p-6 md:p-6"');

  // From a breakpoint on: another class, and the one for all widths stays. The theme's own breakpoint is among them.
  await page.getByRole('radio', { name: 'Styles for pages from 960 pixels' }).waitFor();
  await page.getByRole('radio', { name: 'Styles for pages from 768 pixels' }).click();
  // A step of the scale stays one unless told otherwise: the nearest is offered, called off nothing is written.
  const which = page.getByRole('dialog', { name: 'Keep a value of the project?' });
  await padding.fill('13px');
  await told('Replaces the class md:p-6 at src/App.tsx:6, for pages from 768 pixels');
  await padding.press('Enter');
  await which.getByText('padding follows md:p-6').waitFor();
  await which.getByRole('radio', { name: /^p-3 /, checked: true }).waitFor();
  await accessible(page, 'a token that would go');
  await which.getByRole('button', { name: 'Cancel' }).click();
  await which.waitFor({ state: 'detached' });
  demand(source().includes('className="p-6 md:p-6"'), 'an edit that was called off was done');
  await padding.fill('13px');
  await padding.press('Enter');
  await which.getByRole('radio', { name: 'Use the raw value 13px' }).click();
  await which.getByRole('button', { name: 'Set padding' }).click();
  await writes(page, 'className="p-6 md:p-[13px]"');
  await padding.hover();
  // The field shows what was written: a value that came while its text is selected would take the selection away.
  await told('Replaces the class md:p-[13px] at src/App.tsx:6, for pages from 768 pixels');
  await padding.fill('');
  await padding.press('Enter');
  await writes(page, 'className="p-6"');
  await page.getByRole('radio', { name: 'Styles for all widths' }).click();

  // A colour of the theme by its name, in the place of the one before.
  await select('h1');
  await page.getByRole('button', { name: 'Pick Text' }).click();
  await page.getByRole('dialog', { name: 'Pick Text' }).getByRole('button', { name: 'brand', exact: true }).click();
  await writes(page, 'className="text-3xl text-brand"');
  await page.keyboard.press('Escape');

  // Something deleted is selected again when it is brought back, with the focus in the page all along.
  await select('p');
  await page.keyboard.press('Delete');
  await prototype.locator('p').waitFor({ state: 'detached' });
  await page.keyboard.press('ControlOrMeta+Z');
  await prototype.locator('p').waitFor();
  await subject('p');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.waitFor();
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });

  // Moved with the pointer: in front of the heading.
  await select('p');
  const [from, to] = [await prototype.locator('p').boundingBox(), await prototype.locator('h1').boundingBox()];
  await page.mouse.move(from.x + 10, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(from.x + 20, from.y - 10, { steps: 4 });
  await page.mouse.move(to.x + 20, to.y + 3, { steps: 4 });
  await page.mouse.up();
  await writes(page, '<main className="p-8">\n      <p className="mt-2">Choose one.</p>\n      <h1');
  await subject('p');

  // And back with the keyboard.
  await page.getByRole('tree', { name: 'Elements of the page' }).focus();
  await page.keyboard.press('Alt+ArrowDown');
  await writes(page, '</h1>\n      <p className="mt-2">Choose one.</p>\n      <section');
});
