/**
 * Changing what was written, and where it is pinned. Task: that of `review.mjs`, `twins`: a build with two buttons that are
 * alike in the place of the one, and `screens`: one whose query says which screen it shows.
 */
import { demand, run, task } from './browser.mjs';
import { api, expected, looksRight, refusing } from './pages.mjs';
import { ask, comments, field, item, openThread, pin, place, prototype, ready, upload, visit } from './reviewing.mjs';

const menu = async (page, name, choice) => {
  await page.getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: choice }).click();
};

await run(async (browser) => {
  const [ada, ed] = [await visit(browser, task.ada), await visit(browser, task.ed)];
  await Promise.all([ready(ada), ready(ed)]);
  // Ada is in the directory by her address before she writes anything.
  const { body: me } = await api(ada, '/me');
  const invited = await ask('POST', `/projects/${task.project}/participants`, { email: me.user.email });
  await pin(ed, 'Say it');
  await openThread(ada, 'Say it');
  await ada.keyboard.press('r');
  await field(ada, 'Reply to comment 1').fill('As you wish');
  await ada.keyboard.press('ControlOrMeta+Enter');
  await openThread(ed, 'Say it');
  await ed.locator('.reply', { hasText: 'As you wish' }).waitFor();

  // A comment and a reply are edited by who wrote them; others see it, and that it was edited.
  await menu(ed, 'More for comment 1', 'Edit');
  await field(ed, 'Edit the text').fill('Say it louder');
  let allow = await refusing(ed, `/projects/${task.project}/comments/*`, 503, 'The server is busy.', { 'retry-after': '1' });
  await ed.keyboard.press('ControlOrMeta+Enter');
  await ed.getByText('The server is busy.').first().waitFor();
  demand((await field(ed, 'Edit the text').inputValue()) === 'Say it louder', 'a refusal loses what was typed');
  await allow();
  expected(browser, /503/);
  await field(ed, 'Edit the text').press('ControlOrMeta+Enter');
  await field(ed, 'Edit the text').waitFor({ state: 'detached' });
  await item(ada, 'Say it louder').getByText('· edited').waitFor();
  await menu(ada, 'More for this reply', 'Edit');
  await looksRight(ada, 'review editing');
  await field(ada, 'Edit the text').fill('As you wish, then');
  await ada.keyboard.press('ControlOrMeta+Enter');
  await ed.locator('.reply', { hasText: 'As you wish, then' }).getByText('· edited').waitFor();
  const [changed] = await comments();
  demand(changed.body === 'Say it louder' && changed.replies[0].body === 'As you wish, then', `the server has ${JSON.stringify(changed)}`);
  // Escape leaves a text as it was.
  await menu(ada, 'More for this reply', 'Edit');
  await field(ada, 'Edit the text').fill('Never mind');
  await ada.keyboard.press('Escape');
  await field(ada, 'Edit the text').waitFor({ state: 'detached' });
  demand((await comments())[0].replies[0].body === 'As you wish, then', 'a cancelled edit was saved');
  // What somebody else wrote is not theirs to change; their own reply they delete.
  demand((await ed.getByRole('button', { name: 'More for this reply' }).count()) === 0, 'an editor is offered to change what an admin wrote');
  await menu(ada, 'More for this reply', 'Delete');
  await ada.getByRole('dialog', { name: 'Delete this reply?' }).waitFor();
  await ada.keyboard.press('Escape');
  await ada.locator('[aria-label="More for this reply"]:focus').waitFor();
  await menu(ada, 'More for this reply', 'Delete');
  await ada.getByRole('dialog', { name: 'Delete this reply?' }).getByRole('button', { name: 'Delete' }).click();
  await ed.locator('.reply').waitFor({ state: 'detached' });

  // What is typed over a text outlives a look at another comment, a reload, and whoever signs in meanwhile: they begin anew.
  const thread = async (number) => {
    const head = ed.locator(`[data-comment="${number}"] .comment-open`);
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
    await ed.locator(`[data-comment="${number}"][data-open]`).waitFor();
  };
  const signIn = async (cookie) => {
    const [name, value] = cookie.split('=');
    await ed.context().addCookies([{ name, value, url: task.origin, httpOnly: true, sameSite: 'Lax' }]);
    await ed.reload();
    await ready(ed);
  };
  await pin(ed, 'Beside it');
  await item(ed, 'Beside it').getByRole('button', { name: 'Comment 2 by' }).waitFor();
  await thread(1);
  await menu(ed, 'More for comment 1', 'Edit');
  await field(ed, 'Edit the text').fill('Say it in');
  await thread(2);
  await thread(1);
  demand((await field(ed, 'Edit the text').inputValue()) === 'Say it in', 'a look at another comment loses what was typed');
  await (await place(ed)).fill('Half a thought');
  await signIn(task.ada);
  await thread(1);
  demand((await field(ed, 'Edit the text').count()) === 0, 'somebody else goes on with the edit');
  demand((await (await place(ed)).inputValue()) === '', 'somebody else goes on with the comment');
  await signIn(task.ed);
  demand((await (await place(ed)).inputValue()) === 'Half a thought', 'another account loses what was typed');
  await field(ed, /^New comment on/).press('Escape');
  await thread(1);
  demand((await field(ed, 'Edit the text').inputValue()) === 'Say it in', 'a reload loses what was typed');
  await field(ed, 'Edit the text').press('ControlOrMeta+Enter');
  await field(ed, 'Edit the text').waitFor({ state: 'detached' });
  demand((await comments())[0].body === 'Say it in', 'the edit was not saved');
  await thread(2);
  await thread(1);
  demand((await field(ed, 'Edit the text').count()) === 0, 'a saved text is still being edited');

  // The button is gone: somebody pins the comment again, on what it is about now.
  await upload(task.gone);
  await ada.getByRole('button', { name: 'Show it' }).click();
  await prototype(ada).getByText('Sold out').waitFor();
  await ada.locator('.comment-item.open .detached').getByText('“Buy now” is gone').waitFor();
  await ada.getByRole('button', { name: 'Pin again' }).click();
  await ada.getByText('Click what comment 1 is about.').waitFor();
  await looksRight(ada, 'review pin again');
  await prototype(ada).getByRole('heading', { name: 'Blue linen shirt' }).click();
  await ada.getByText('Pinned again.').first().waitFor();
  await ada.locator('.comment-item.open').getByText('Pinned to its element').waitFor();
  demand((await comments())[0].position.anchor.tag === 'h1', 'it is not on the heading');

  // Two could be it: the list names the likelier one, and takes it only when somebody says so.
  await upload(task.moved);
  await ada.getByRole('button', { name: 'Show it' }).click();
  await ready(ada);
  await pin(ada, 'Which one?');
  await openThread(ada, 'Which one?');
  await upload(task.twins);
  await ada.getByRole('button', { name: 'Show it' }).click();
  await prototype(ada).getByText('Two of them').waitFor();
  await ada.locator('.comment-item.open .detached').waitFor();
  const there = ada.getByRole('button', { name: 'Pin it there' });
  await there.hover();
  await there.click();
  await ada.getByText('Pinned again.').first().waitFor();
  await ada.locator('.comment-item.open').getByText('Pinned to its element').waitFor();
  const repinned = (await comments()).find(({ body }) => body === 'Which one?');
  demand(repinned.position.anchor.tag === 'button', `it is pinned to ${JSON.stringify(repinned.position.anchor)}`);

  // Who is mentioned by the address they were invited with finds it among theirs.
  await ask('POST', `/projects/${task.project}/comments`, { body: 'Please look', position: { anchorSelector: 'h1', page: '/' }, mentions: [invited.id] });
  await ada.getByRole('radio', { name: 'Mine' }).click();
  await item(ada, 'Please look').waitFor();

  // A comment is deleted while somebody answers it: half an answer, or one on its way, is handed back and can be used elsewhere.
  const remove = async (text) => ask('DELETE', `/projects/${task.project}/comments/${(await comments()).find(({ body }) => body === text).id}`);
  const lost = ed.getByRole('alert').filter({ hasText: 'The comment that you answered was deleted.' });
  await ed.reload();
  await openThread(ed, 'Which one?');
  await ed.keyboard.press('r');
  await field(ed, /^Reply to comment/).fill('The left one');
  await remove('Which one?');
  await lost.getByText('The left one').waitFor();
  await ed.reload();
  await lost.getByText('The left one').waitFor();
  await looksRight(ed, 'review lost answer');
  await lost.getByRole('button', { name: 'Pin it as a comment' }).click();
  await ed.getByText('Esc leaves.').waitFor();
  await prototype(ed).getByText('Two of them').click();
  await field(ed, /^New comment on/).press('ControlOrMeta+Enter');
  await item(ed, 'The left one').waitFor();
  demand((await lost.count()) === 0, 'an answer that was used is still offered');
  await ed.route('**/replies', (route) => route.abort('connectionfailed'));
  await openThread(ed, 'Say it in');
  await ed.keyboard.press('r');
  await field(ed, /^Reply to comment/).fill('Written without a network');
  await ed.keyboard.press('ControlOrMeta+Enter');
  await ed.locator('.reply', { hasText: 'Written without a network' }).waitFor();
  await remove('Say it in');
  await lost.getByText('Written without a network').waitFor();
  await ed.unroute('**/replies');
  await lost.getByRole('button', { name: 'Discard' }).click();
  await lost.waitFor({ state: 'detached' });
  expected(browser, /ERR_CONNECTION_FAILED|connectionfailed|404/i);

  // A page whose query says which screen it is: a comment leads back to its own, and is not called gone on another one.
  await upload(task.screens);
  await ed.getByRole('button', { name: 'Show it' }).click();
  await prototype(ed).getByRole('link', { name: 'Cart' }).click();
  const pay = prototype(ed).getByRole('button', { name: 'Pay' });
  await pay.waitFor();
  await ed.getByRole('radio', { name: 'A click pins a comment' }).click();
  await ed.getByText('Esc leaves.').waitFor();
  await pay.click();
  await field(ed, /^New comment on button/).fill('On the cart');
  await ed.keyboard.press('ControlOrMeta+Enter');
  await ed.locator('.comment-item:not(.pending)', { hasText: 'On the cart' }).waitFor();
  const kept = (await comments()).find(({ body }) => body === 'On the cart').position.page;
  demand(kept === '/?screen=cart', `it keeps the page ${kept}`);
  const cart = await openThread(ed, 'On the cart');
  await cart.getByText('Pinned to its element').waitFor();
  await prototype(ed).getByRole('link', { name: 'Home' }).click();
  await prototype(ed).getByText('Welcome').waitFor();
  // An element that is absent keeps its pin for 1.5 seconds.
  await ed.waitForTimeout(2_500);
  demand((await cart.getByText('is gone').count()) === 0, 'what is on another screen is called gone');
  await cart.getByRole('button', { name: 'Go to /?screen=cart' }).click();
  await pay.waitFor();
  await cart.getByText('Pinned to its element').waitFor();
});
