/**
 * Every panel and dialog of the interface under axe-core, in light and dark, with a double of the program behind it that
 * answers with everything there is to show. Task: `{ mock }`: the double.
 */
import { spawn } from 'node:child_process';
import { demand, run, task } from '../../browser/browser.mjs';
import { accessible } from '../../browser/axe.mjs';

const mock = spawn(process.execPath, [task.mock, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => mock.kill());
const address = await new Promise((resolve, reject) => {
  mock.stdout.once('data', (line) => resolve(String(line).trim()));
  mock.once('exit', (code) => reject(new Error(`the double ended with ${code}`)));
});

/** Back to where each panel is opened from. */
async function close(page) {
  for (let times = 0; times < 4 && (await page.locator('[role=dialog], [role=menu], [role=listbox]').count()) > 0; times++) {
    await page.keyboard.press('Escape');
    await page.waitForTimeout(50);
  }
  demand((await page.locator('[role=dialog], [role=menu]').count()) === 0, 'Escape closes no dialog');
}

const tab = (page, name) => page.getByRole('tab', { name }).first().click();
const select = async (page, what) => {
  await page.frameLocator('iframe').locator(what).first().click({ position: { x: 4, y: 4 } });
  await page.getByRole('heading', { level: 2, name: `<${what}>` }).waitFor();
};
const command = async (page, name) => {
  await page.getByRole('button', { name: 'Structure', exact: true }).focus();
  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('dialog', { name: 'Command palette' }).waitFor();
  await page.keyboard.type(name);
  // What a search names best comes first, and is chosen once it is listed.
  await page.locator('[cmdk-item]').first().and(page.locator('[aria-selected=true]')).waitFor();
  await page.keyboard.press('Enter');
};

const PANELS = {
  inspector: async (page) => {
    await tab(page, 'Inspect');
    await select(page, 'h1');
    for (const name of ['Size', 'Border']) {
      const head = page.getByRole('button', { name, exact: true });
      if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
    }
  },
  'a scale': async (page) => {
    await page.getByRole('combobox', { name: 'Size', exact: true }).click();
    await page.getByRole('option', { name: 'text-3xl' }).waitFor();
  },
  'a breakpoint': async (page) => {
    await page.getByRole('radio', { name: /^Phone/ }).click();
    await page.getByRole('radio', { name: /from 1024/ }).click();
    await page.getByText('styles from 1024 do not show in it').waitFor();
  },
  'the widest page': async (page) => {
    await page.getByRole('radio', { name: 'Styles for all widths' }).click();
    await page.getByRole('radio', { name: 'Fill' }).click();
  },
  'two pages': async (page) => {
    await page.getByRole('button', { name: 'Show a second page beside it' }).click();
    const side = page.frameLocator('iframe[data-pane=side]');
    await side.locator('button').click();
    await page.getByRole('navigation', { name: 'Elements around the selection' }).getByRole('button', { name: 'button' }).waitFor();
    demand((await side.locator('html').evaluate(() => innerWidth)) === 390, 'the second page has another width than it should');
    await page.frameLocator('iframe[data-pane=main]').locator('h1').click();
    await page.getByRole('heading', { level: 2, name: '<h1>' }).waitFor();
  },
  'one page again': (page) => page.getByRole('button', { name: 'Close the second page' }).click(),
  'colours': async (page) => {
    await page.getByRole('button', { name: 'Pick Background' }).click();
    await page.getByRole('group', { name: 'indigo' }).waitFor();
  },
  'a rule that others share': async (page) => {
    await page.getByLabel('Text', { exact: true }).focus();
    await page.getByRole('radio', { name: 'Only here' }).waitFor();
  },
  'a token that a value would replace': async (page) => {
    const colour = page.getByLabel('Text', { exact: true });
    await colour.fill('#334');
    await colour.press('Enter');
    const which = page.getByRole('dialog', { name: 'Keep a value of the project?' });
    await which.getByText('color follows var(--ink)').waitFor();
    await which.getByRole('radio', { name: 'Use the raw value #334' }).waitFor();
    await which.getByRole('radio', { name: /^var\(--ink-soft\)/, checked: true }).waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('/api/editor/edit') && request.postDataJSON().kind === 'style');
    await which.getByRole('button', { name: 'Set color' }).click();
    demand((await asked).postDataJSON().value === 'var(--ink-soft)', 'the nearest variable is not written');
    await colour.fill('#335');
    await colour.press('Enter');
    await which.waitFor();
  },
  'classes': async (page) => {
    await page.getByRole('combobox', { name: 'Add a class' }).fill('te');
    await page.getByRole('listbox').getByRole('option').first().waitFor();
  },
  'the context menu': async (page) => {
    await page.frameLocator('iframe').locator('h1').click({ button: 'right' });
    await page.getByRole('menu').waitFor();
  },
  'a use of a component': async (page) => {
    await select(page, 'article');
    await page.getByRole('radio', { name: 'Only here: this use in App.tsx' }).click();
  },
  'a choice': async (page) => {
    await select(page, 'h1');
    const text = page.getByRole('textbox', { name: 'Text 1' });
    await text.fill('Another title');
    await text.press('Enter');
    const which = page.getByRole('dialog', { name: 'Which one do you mean?' });
    await which.getByRole('radio', { name: /^Only this element/, checked: true }).waitFor();
    await which.getByRole('checkbox', { name: 'Do not ask again in this session' }).waitFor();
  },
  'a picture': async (page) => {
    await select(page, 'img');
    await page.getByRole('combobox', { name: 'Pictures of the project' }).waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('/api/editor/edit') && request.postDataJSON().kind === 'picture');
    await page.locator('input[type=file]').setInputFiles({ name: 'team.png', mimeType: 'image/png', buffer: Buffer.from('89504e470d0a1a0a', 'hex') });
    demand((await asked).postDataJSON().path === 'public/team.png', 'the picture that was added is not named');
    // Beside the source, dropped instead of picked.
    await page.getByRole('combobox', { name: 'A new picture goes to' }).selectOption('src/assets');
    const imported = page.waitForRequest((request) => request.url().includes('/api/editor/edit') && request.postDataJSON().kind === 'picture');
    await page.locator('.picture').evaluate((field) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array([0x89, 0x50])], 'hero.png', { type: 'image/png' }));
      field.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    demand((await imported).postDataJSON().path === 'src/assets/hero.png', 'the picture that was dropped is not named');
  },
  'several elements': async (page) => {
    await select(page, 'h1');
    await page.frameLocator('iframe').locator('p').first().click({ modifiers: ['Shift'] });
    await page.getByText('2 elements are selected').waitFor();
    await page.getByRole('treeitem', { name: /^button/ }).click({ modifiers: ['Shift'] });
    await page.getByText('3 elements are selected').waitFor();
    demand((await page.getByRole('treeitem', { selected: true }).count()) === 3, 'the structure does not show what is selected');
    await page.getByRole('button', { name: 'Only this one' }).click();
  },
  'a refused edit': async (page) => {
    await select(page, 'h1');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Delete: not done').first().waitFor();
  },
  'a refused edit that a model may try': async (page) => {
    await select(page, 'h1');
    await page.getByRole('button', { name: 'Duplicate', exact: true }).click();
    const offered = page.getByRole('article', { name: 'Duplicate' });
    await offered.getByText('The element is what a list shows').waitFor();
    await offered.getByRole('button', { name: 'Let a model try' }).waitFor();
  },
  'what a model did': async (page) => {
    // The shortcut, instead of a way through the page.
    await page.getByRole('button', { name: 'Structure', exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+Shift+E');
    const done = page.getByRole('article', { name: 'Duplicate' });
    await done.getByText('Duplicate: done by a model').waitFor();
    await done.getByText('at most $0.004').waitFor();
    await done.getByRole('region', { name: 'Changes: src/App.tsx' }).waitFor();
  },
  'it is put away': async (page) => {
    await page.getByRole('button', { name: 'Close: Duplicate' }).click();
    await page.getByRole('article', { name: 'Duplicate' }).waitFor({ state: 'detached' });
  },
  'inserting': async (page) => {
    await page.getByRole('button', { name: 'Insert…' }).click();
    const list = page.getByRole('list', { name: 'Components of the project' });
    await list.getByRole('button', { name: /^Page/, disabled: true }).getByText('Page shows App').waitFor();
    const insert = page.getByRole('button', { name: 'Insert', exact: true });
    demand(await insert.isDisabled(), 'nothing is chosen and it can be inserted');
    await list.getByRole('button', { name: /^Card/ }).click();
    await page.getByText('“title” needs a value.').waitFor();
    demand(await insert.isDisabled(), 'a property is missing and it can be inserted');
    await page.getByRole('textbox', { name: 'title (needed)' }).fill('Plans');
    await page.getByRole('combobox', { name: 'tone' }).selectOption('loud');
    await page.getByRole('checkbox', { name: 'open' }).check();
    await page.getByRole('textbox', { name: 'Text in it' }).fill('Soon');
    const asked = page.waitForRequest((request) => request.url().includes('/api/editor/edit'));
    await insert.click();
    const { kind, place, use } = (await asked).postDataJSON();
    const wanted = { path: 'src/components/Card.tsx', export: 'Card', props: { title: 'Plans', tone: 'loud', open: true }, text: 'Soon' };
    demand(kind === 'insert' && place === 'after' && JSON.stringify(use) === JSON.stringify(wanted), JSON.stringify(use));
    await page.getByRole('button', { name: 'Insert…' }).click();
    await list.getByRole('button', { name: /^Card/ }).click();
  },
  'files': async (page) => {
    await tab(page, 'Files');
    await page.getByRole('treeitem', { name: /src\/Card/ }).click();
    await tab(page, 'Page');
  },
  'comments': async (page) => {
    await command(page, 'Show comments');
    await page.getByRole('checkbox', { name: /^Show resolved/ }).check();
  },
  'a mention': async (page) => {
    const write = page.getByRole('textbox', { name: /^Reply/ });
    if (!(await write.isVisible())) await page.getByRole('button', { name: 'Reply' }).first().click();
    await write.fill('Thanks @');
    await page.getByRole('option', { name: /Designer/ }).waitFor();
  },
  'a new comment': async (page) => {
    await page.getByRole('radio', { name: 'Comment', exact: true }).click();
    await page.frameLocator('iframe').locator('button').click();
    await page.getByRole('textbox', { name: /^New comment/ }).waitFor();
  },
  'no comment after all': async (page) => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('radio', { name: 'Select', exact: true }).click();
  },
  'notes': async (page) => {
    await command(page, 'Show notes');
    await page.getByRole('button', { name: 'ideas' }).click();
    await page.getByRole('textbox', { name: 'ideas' }).waitFor();
  },
  'changes': (page) => tab(page, /^Changes/),
  'history': (page) => tab(page, 'History'),
  'a chat': async (page) => {
    await tab(page, 'Inspect');
    await select(page, 'article');
    await tab(page, /^Chat/);
    await page.getByRole('log', { name: 'Cards of one height' }).getByText('All three cards are 180 pixels high.').waitFor();
    await page.getByRole('heading', { name: 'Equal heights' }).waitFor();
    demand((await page.locator('.markdown :is(img, b)').count()) === 0, 'Markdown brings pictures or HTML');
    for (const closed of await page.locator('.thread summary').all()) await closed.click();
    await page.getByRole('group', { name: 'What is selected goes along' }).getByText('<article>').waitFor();
    const answered = page.waitForRequest((request) => request.url().endsWith('/approvals/a1'));
    await page.getByRole('button', { name: 'Allow once' }).click();
    demand((await answered).postDataJSON().answer === 'once', 'another answer is sent');
  },
  'what was said before': async (page) => {
    const log = page.getByRole('log');
    await log.focus();
    for (let times = 0; times < 40 && (await page.getByText('Three cards and a heading.').count()) === 0; times++) {
      await page.keyboard.press('PageUp');
      await page.waitForTimeout(50);
    }
    await page.getByText('Three cards and a heading.').waitFor({ state: 'attached' });
  },
  'another chat': async (page) => {
    await page.getByRole('tab', { name: /^A calmer page/ }).click();
    await page.getByText('Authentication failed (401).').waitFor();
    await page.getByRole('tab', { name: /^A calmer page/ }).getByText('Failed').waitFor();
  },
  'more chats': async (page) => {
    await page.getByRole('button', { name: 'Other chats' }).click();
    await page.getByRole('menuitem', { name: 'The oldest' }).waitFor();
  },
  'renaming a chat': async (page) => {
    await page.getByRole('button', { name: 'A calmer page: rename or delete' }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByRole('dialog', { name: 'Rename the chat' }).waitFor();
  },
  'deleting a chat': async (page) => {
    await page.getByRole('button', { name: 'A calmer page: rename or delete' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog', { name: 'Delete “A calmer page”?' }).waitFor();
  },
  'the first chat again': (page) => page.getByRole('tab', { name: /^Cards of one height/ }).click(),
  'the code': async (page) => {
    await page.keyboard.press('ControlOrMeta+E');
    await page.locator('.cm-content').waitFor();
  },
  'without the code': (page) => command(page, 'Code toggle-code'),
  'branches': (page) => page.getByRole('button', { name: /^Branches/ }).click(),
  'more': (page) => page.getByRole('button', { name: 'More' }).click(),
  'another branch': (page) => command(page, 'Switch or make a branch'),
  'committing': async (page) => {
    await command(page, 'Commit…');
    const dialog = page.getByRole('dialog', { name: 'Commit' });
    demand((await dialog.getByLabel('What was changed, and why').inputValue()) === 'Edit text of <h1>', 'no message is suggested');
    demand(await dialog.getByRole('button', { name: 'Commit' }).isDisabled(), 'a commit of nobody is offered');
    await dialog.getByLabel('Your name').fill('A Designer');
    await dialog.getByLabel('Your email address').fill('designer@example.org');
    demand(await dialog.getByRole('button', { name: 'Commit' }).isEnabled(), 'a commit is not offered');
  },
  'before and after': async (page) => {
    await tab(page, 'Inspect');
    await select(page, 'h1');
    const add = page.getByRole('combobox', { name: 'Add a class' });
    await add.fill('another');
    await add.press('Enter');
    await page.getByRole('button', { name: 'Structure', exact: true }).focus();
    await page.keyboard.down('b');
    await page.getByText('Before the last edit').first().waitFor();
    await page.frameLocator('iframe').frameLocator('iframe').locator('h1').waitFor();
    await page.waitForTimeout(400);
  },
  'the page as it is': async (page) => {
    await page.keyboard.up('b');
    await page.frameLocator('iframe').locator('iframe').waitFor({ state: 'detached' });
  },
  'publishing': (page) => command(page, 'Publish…'),
  'discarding': (page) => command(page, 'Discard all'),
  'the linked project': (page) => command(page, 'Link a project'),
  'settings': async (page) => {
    await command(page, 'Settings');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
  },
  'a key that is refused': async (page) => {
    await command(page, 'Settings');
    const models = page.getByRole('region', { name: 'Models' });
    await models.locator('input[type=password]').fill('sk-not-a-key');
    await page.keyboard.press('Enter');
    await models.getByRole('alert').filter({ hasText: 'invalid x-api-key' }).waitFor();
    // A field that was typed into takes Escape for itself first.
    await page.keyboard.press('Escape');
  },
  'shortcuts': (page) => command(page, 'Keyboard shortcuts'),
  'what is not stamped': (page) => page.getByRole('button', { name: /without positions/ }).click(),
};

await run(async ({ context, wrong }) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(address);
  await page.frameLocator('iframe').locator('h1').waitFor();
  // A desktop's page, as large as there is room for; Tab passes by it, and a key goes into it.
  const width = () => page.frameLocator('iframe').locator('html').evaluate(() => innerWidth);
  demand((await width()) === 1280, `the page opens ${await width()} pixels wide`);
  const seen = await page.locator('iframe').boundingBox();
  demand(seen.width < 1000, `the page is ${seen.width} pixels wide on the screen`);
  await page.getByRole('textbox', { name: 'Path of the page' }).focus();
  for (let stop = 0; stop < 12; stop++) {
    await page.keyboard.press('Tab');
    demand((await page.evaluate(() => document.activeElement?.tagName)) !== 'IFRAME', 'Tab runs into the prototype');
  }
  // What is switched off is not there, and its key means nothing.
  await page.keyboard.press('6');
  demand((await page.getByRole('button', { name: /canvas/i }).count()) === 0, 'the canvas is offered and switched off');
  demand((await page.getByRole('region', { name: 'Canvas', exact: true }).count()) === 0, 'the canvas is shown and switched off');
  await page.keyboard.press('ControlOrMeta+Shift+F');
  demand((await page.evaluate(() => document.activeElement?.tagName)) === 'IFRAME', 'no key goes into the prototype');
  await page.keyboard.press('ControlOrMeta+Shift+F');
  await page.waitForFunction(() => document.activeElement?.tagName === 'BUTTON');
  const found = [];
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`:root[data-theme=${colorScheme}]`).waitFor({ state: 'attached' });
    for (const [name, open] of Object.entries(PANELS)) {
      await open(page);
      await accessible(page, `${colorScheme}, ${name}`).catch((error) => found.push(error.message));
      await close(page);
    }
  }
  await page.setViewportSize({ width: 1024, height: 768 });
  for (const name of ['inspector', 'two pages', 'one page again', 'settings', 'committing']) {
    await PANELS[name](page);
    await accessible(page, `1024 pixels wide, ${name}`).catch((error) => found.push(error.message));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > 1024) found.push(`at 1024 pixels ${name} is ${wide} pixels wide`);
    await close(page);
  }
  demand(found.length === 0, found.join('\n'));
  // The double refuses a deletion and a key, and asks which text is meant: with status 422, of which browsers complain.
  const asked = (line) => /422/.test(line) && /\/api\/(?:editor\/edit|models)/.test(line);
  while (wrong.some(asked)) wrong.splice(wrong.findIndex(asked), 1);
  // A message for a page that has not loaded yet finds the empty one before it.
  const early = (line) => line.includes("Failed to execute 'postMessage'");
  while (wrong.some(early)) wrong.splice(wrong.findIndex(early), 1);
});
