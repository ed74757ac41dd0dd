/**
 * A chat about the cards of a page. Task: `{ page, root, file, stage, key }`. `talk`: a card is selected, what is written streams in, the
 * change is shown before and after, and the turn is undone; `after` a restart the chat is there, with its cost.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, PATIENCE, run, task } from '../../browser/browser.mjs';
import { accessible } from '../../browser/axe.mjs';

const source = () => readFileSync(join(task.root, task.file), 'utf8');
const ASKED = 'Make these cards equally high';

/** What an image shows, as text. */
async function pixels(image) {
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL();
}

/** The pictures that a card shows, once both are there. */
async function pictured(turn) {
  const edit = turn.getByRole('region', { name: /^Edit: / });
  const seen = [];
  for (const side of ['Before', 'After']) {
    const picture = edit.getByRole('img', { name: new RegExp(`^${side}: `) });
    await picture.waitFor({ timeout: 3 * PATIENCE });
    seen.push(await picture.evaluate(pixels));
  }
  return seen;
}

async function talk(page) {
  const prototype = page.frameLocator('iframe');
  const begun = source();
  const isEqual = () => prototype.locator('.cards').evaluate((cards) => getComputedStyle(cards).alignItems === 'stretch');
  await prototype.locator('.card').first().click({ position: { x: 3, y: 3 } });
  await page.getByRole('heading', { level: 2, name: '<section>' }).waitFor();
  await page.getByRole('tab', { name: 'Chat' }).click();
  await page.getByText('No chat yet').waitFor();
  await accessible(page, 'no chat yet');
  await page.getByRole('group', { name: 'What is selected goes along' }).getByText('<section>').waitFor();
  const write = page.getByRole('textbox', { name: 'What should be different?' });
  await write.fill(ASKED);
  await write.press('Enter');
  const turn = page.getByRole('article', { name: `You: ${ASKED}` });
  await turn.getByRole('button', { name: /<section>/ }).waitFor();
  const edit = turn.getByRole('region', { name: /^Edit: / });
  // The picture before the change is taken first, by a browser that may have to start.
  await edit.getByRole('region', { name: `Changes: ${task.file}` }).waitFor({ timeout: 3 * PATIENCE });
  await turn.getByText('equally high', { exact: true }).waitFor();
  for (const end = Date.now() + PATIENCE; !(await isEqual()); await page.waitForTimeout(50)) demand(Date.now() < end, 'the page does not show the change');
  await turn.getByRole('button', { name: 'Undo this turn' }).waitFor();
  await turn.getByText(/\$0\.\d+/).waitFor();
  await turn.getByText('Both cards end at the same line.').waitFor();
  const [before, after] = await pictured(turn);
  demand(before !== after, 'the pictures before and after are the same');
  demand((await turn.locator('img[src^="http"]').count()) === 0, 'the chat loads a picture from elsewhere');
  demand(source() !== begun, 'the file is as before');
  await accessible(page, 'a turn of a chat');
  await edit.getByRole('button', { name: /^Before: / }).press('Enter');
  const large = page.getByRole('dialog', { name: /^Before and after: / });
  await large.getByRole('img', { name: /^After: / }).waitFor();
  await accessible(page, 'pictures of a change');
  await page.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });
  // Whoever comes back finds it as it is, and goes on listening.
  await page.reload();
  await page.getByRole('tab', { name: 'Chat' }).click();
  await turn.getByRole('button', { name: 'Undo this turn' }).click();
  await turn.getByText('undone', { exact: true }).first().waitFor();
  for (const end = Date.now() + PATIENCE; source() !== begun; await page.waitForTimeout(50)) demand(Date.now() < end, `undo gives ${source()}`);
}

async function after(page) {
  await page.getByRole('tab', { name: 'Chat' }).click();
  const turn = page.getByRole('article', { name: `You: ${ASKED}` });
  await turn.getByText('equally high', { exact: true }).waitFor();
  await turn.getByText('undone', { exact: true }).first().waitFor();
  await turn.getByText(/\$0\.\d+/).waitFor();
  await pictured(turn);
  await accessible(page, 'a chat after a restart');
  // Another one beside it, named, and deleted again.
  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByRole('tablist', { name: 'Chats' }).waitFor();
  await page.getByRole('button', { name: /: rename or delete$/ }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename the chat' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('A calmer page');
  await page.keyboard.press('Enter');
  const tab = page.getByRole('tab', { name: 'A calmer page' });
  await tab.waitFor();
  await page.getByRole('button', { name: 'A calmer page: rename or delete' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await tab.waitFor({ state: 'detached' });
  await turn.waitFor();
}

await run(async ({ context }) => {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(task.page);
  await page.frameLocator('iframe').locator('.card').first().waitFor();
  await (task.stage === 'talk' ? talk(page) : after(page));
  demand(!(await page.content()).includes(task.key), 'the page shows the key');
});
