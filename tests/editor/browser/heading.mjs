/**
 * The first thing that people do with a prototype: its heading is chosen and made 80 pixels large, in the page and not only in the
 * source, at the width the Editor opens with and at a narrow one; undo gives back every byte.
 * Task: `{ page, root, sizes }`; `sizes`, as `["56px", "36px"]`, are those of the stylesheet for wide and for narrow pages, or null.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, intercept, PATIENCE, run, task } from '../../browser/browser.mjs';

/** Narrow enough for the condition of the template's stylesheet, wide enough for Tailwind's `md`. */
const NARROW = 876;

const read = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path, 'base64')]);
const sources = () => JSON.stringify(read(join(task.root, 'src')));

async function until(what, condition) {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    demand(Date.now() < end, `never: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

await run(async ({ context, wrong }) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(task.page);
  const heading = page.frameLocator('iframe').locator('h1');
  await heading.getByText('Get started').waitFor();
  const before = sources();
  const size = () => heading.evaluate((element) => getComputedStyle(element).fontSize);
  const field = page.getByLabel('Size', { exact: true });
  const which = page.getByRole('dialog', { name: 'Which one do you mean?' });

  // A size of the theme stays one unless told otherwise.
  const keep = page.getByRole('dialog', { name: 'Keep a value of the project?' });

  // The theme is read while one types already: here it comes only when told so.
  let readTheme;
  const theme = new Promise((resolve) => (readTheme = resolve));
  await intercept(page, '**/api/editor/classes*', async (route) => {
    await theme;
    await route.continue();
  });

  /** Types 80px; where it is asked what that is for, chooses what is named so. Gives the choices that there were. */
  async function enlarge(choice) {
    await field.fill('80px');
    readTheme();
    if (!task.sizes) await page.getByRole('combobox', { name: 'Size', exact: true }).waitFor();
    await field.press('Enter');
    let choices = [];
    // What is shown while one types is no edit yet: the file has changed, and the element has no style of its own.
    const previewed = () => heading.evaluate((element) => element.style.fontSize !== '');
    const done = async () => sources() !== before && !(await which.isVisible()) && !(await previewed()) && (await size()) === '80px';
    await until('the page shows 80px or asks', async () => {
      if (await keep.isVisible()) {
        await keep.getByRole('radio', { name: 'Use the raw value 80px' }).click();
        await keep.getByRole('button', { name: 'Set font-size' }).click();
      }
      return (await which.isVisible()) || (await done());
    });
    if (await which.isVisible()) {
      choices = await which.getByRole('radio').allInnerTexts();
      const wanted = which.getByRole('radio', { name: choice });
      await ((await wanted.count()) > 0 ? wanted : which.getByRole('radio')).first().click();
      await which.getByRole('button', { name: 'Set font-size' }).click();
    }
    await until(`the heading is 80px large in the page (it is ${await size()})`, done);
    return choices;
  }

  async function undo(was) {
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await until('undo gives every byte back', () => sources() === before);
    await until(`the heading is ${was} large again`, async () => (await size()) === was);
    await until('the field does not show what was taken back', async () => (await field.inputValue()) !== '80px');
  }

  await heading.click();
  await page.getByRole('heading', { level: 2, name: '<h1>' }).waitFor();
  const first = await size();
  await enlarge(/^Only/);
  await undo(first);

  // The same on a narrow page, where another declaration decides.
  const width = page.getByLabel('Width of the page in pixels');
  await width.fill(String(NARROW));
  await width.press('Enter');
  await until('the page is narrow', () => heading.evaluate((_, width) => innerWidth === width, NARROW));
  await heading.click();
  const small = await size();
  if (task.sizes) {
    const [base, narrow] = task.sizes;
    demand(small === narrow, `the narrow page shows ${small}`);
    await until('the field shows the value of the page', async () => (await field.inputValue()) === narrow);
    const lost = page.locator('.lost', { hasText: base }).first();
    await lost.waitFor();
    const says = await lost.innerText();
    demand(/\.css:\d+/.test(says) && says.includes('on pages up to 1024 pixels wide'), `the field says: ${says}`);
  }
  const choices = await enlarge(/^Only on pages/);
  demand(choices.length === 2 && choices.some((each) => each.includes('At all widths')), `the choices are ${JSON.stringify(choices)}`);
  await undo(small);
  await enlarge(/^At all widths/);
  await undo(small);
  // Each question was an answer with status 409, of which browsers complain.
  const asked = (line) => /409/.test(line) && line.includes('/api/editor/edit');
  while (wrong.some(asked)) wrong.splice(wrong.findIndex(asked), 1);
});
