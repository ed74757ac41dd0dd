/** Images in comments. Task: that of `review.mjs`, and `images`: five PNG images as base64. */
import { demand, run, task } from './browser.mjs';
import { dropFiles, expected, looksRight, pasteFiles } from './pages.mjs';
import { comments, item, openThread, place, ready, visit } from './reviewing.mjs';

const image = (at, name = `${at}.png`) => ({ name, type: 'image/png', base64: task.images[at] });
const MAX_BYTES = 5 * 1024 * 1024;

await run(async (browser) => {
  const [ada, ed] = [await visit(browser, task.ada), await visit(browser, task.ed)];
  await Promise.all([ready(ada), ready(ed)]);

  // Pasted and dropped; what is no image, too large or too many is refused in words, and the rest stays.
  const words = await place(ed);
  await words.fill('Like this');
  const composer = ed.locator('.placing .composer');
  const thumbs = composer.locator('.thumb');
  const has = (number) => ed.waitForFunction((number) => document.querySelectorAll('.placing .thumb').length === number, number);
  await pasteFiles(words, [image(0)]);
  await has(1);
  await dropFiles(composer, [{ name: 'notes.txt', type: 'text/plain', base64: 'aGk=' }, image(1)]);
  await composer.getByRole('alert').getByText('“notes.txt” is not a PNG, JPEG or WebP image.').waitFor();
  await has(2);
  await dropFiles(composer, [{ name: 'huge.png', type: 'image/png', size: MAX_BYTES + 1 }]);
  await composer.getByRole('alert').getByText('“huge.png” is larger than 5 MB.').waitFor();
  await has(2);
  await dropFiles(composer, [image(2), image(3), image(4)]);
  await composer.getByRole('alert').getByText('A comment can have 4 images.').waitFor();
  await has(4);
  demand((await composer.getByLabel('Add an image').count()) === 0, 'a fifth image can be added');
  await composer.getByRole('button', { name: 'Remove image 4' }).click();
  await has(3);
  demand((await composer.getByRole('alert').count()) === 0, 'it still says that there are too many');
  demand((await words.inputValue()) === 'Like this', 'the text is lost');
  await thumbs.first().locator('img').evaluate((element) => element.decode());
  await looksRight(ed, 'review images');

  // They outlive a lost connection and a reload, and come with their comment.
  await ed.route('**/api/v1/**/comments', (route) => (route.request().method() === 'POST' ? route.abort('connectionfailed') : route.continue()));
  await words.press('ControlOrMeta+Enter');
  await item(ed, 'Like this').waitFor();
  await ed.reload();
  await item(ed, 'Like this').waitFor();
  demand((await comments()).length === 0, 'it was sent without a network');
  await ed.unroute('**/api/v1/**/comments');
  expected(browser, /ERR_CONNECTION_FAILED|connectionfailed/i);
  await openThread(ada, 'Like this');
  const shown = (page) => page.locator('.comment-item.open .images .image-open img');
  await shown(ada).nth(2).waitFor();
  demand((await comments())[0].images.length === 3, 'not all images came');
  for (const each of await shown(ada).all()) await each.evaluate((element) => element.decode());
  await ada.getByRole('button', { name: 'Image 1', exact: true }).click();
  const large = ada.getByRole('dialog', { name: 'Image 1' });
  await large.getByRole('img').evaluate((element) => element.decode());
  await looksRight(ada, 'review image large');
  await ada.keyboard.press('Escape');
  await large.waitFor({ state: 'detached' });

  // More are added to what is written, and taken away while it is edited; what is no image by its content the server refuses.
  const thread = await openThread(ed, 'Like this');
  const add = thread.getByLabel('Add an image');
  const file = ({ name, type, base64 }) => ({ name, mimeType: type, buffer: Buffer.from(base64, 'base64') });
  await add.setInputFiles(file({ name: 'no.png', type: 'image/png', base64: 'aGk=' }));
  await ed.locator('.toast', { hasText: /PNG|image/ }).first().waitFor();
  expected(browser, /4(00|15|22)/);
  await add.setInputFiles(file(image(3)));
  await shown(ed).nth(3).waitFor();
  await shown(ada).nth(3).waitFor();
  await thread.getByRole('button', { name: 'More for comment 1' }).click();
  await ed.getByRole('menuitem', { name: 'Edit' }).click();
  await ed.locator('.comment-item.open').getByRole('button', { name: 'Remove image 2' }).click();
  await ada.waitForFunction(() => document.querySelectorAll('.comment-item.open .image').length === 3);
  demand((await comments())[0].images.length === 3, 'the image is still there');
});
