/**
 * `/projects/:slug`: the review. Task: `{ origin, ada, ed, bearer, project, moved, gone }`. `ada` (an admin) and `ed` (an editor)
 * are session cookies as `name=value`, `bearer` the admin token; `project` is the id of the public project `shop`, whose page has
 * the button `Buy now` and a link to `about`. `moved` and `gone` are its next builds as base64: with the button elsewhere, and
 * without it.
 */
import { demand, run, task } from './browser.mjs';
import { expected, LOOKS, looksRight, refusing } from './pages.mjs';
import { ask, comments, field, item, pin, place, prototype, ready, REVIEW, upload, visit } from './reviewing.mjs';

/** Somebody else's comment is there after so many milliseconds at most. */
const MAX_DELAY = 1_000;

/** Watches the rows of the list from now on; what it gives demands that none has moved or changed its height. */
async function watchRows(page) {
  await page.waitForFunction(() => document.querySelector('.comment-item.pending') === null);
  await page.evaluate(async () => {
    // What was just drawn is measured in the next frame.
    for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    window.rows = new Map();
    const watch = () => {
      for (const row of document.querySelectorAll('.comment-row')) {
        const place = `${row.style.transform} ${row.getBoundingClientRect().height}`;
        const number = row.querySelector('[data-comment]').dataset.comment;
        window.rows.set(number, (window.rows.get(number) ?? new Set()).add(place));
      }
      window.watching = requestAnimationFrame(watch);
    };
    watch();
  });
  return async () => {
    const moved = await page.evaluate(() => {
      cancelAnimationFrame(window.watching);
      return [...window.rows].filter(([, places]) => places.size > 1).map(([number, places]) => `comment ${number}: ${[...places].join(' then ')}`);
    });
    demand(moved.length === 0, `the list moves when states of pins arrive: ${moved}`);
  };
}

/** Changes the instance. All servers of a cluster follow within about a second. */
async function change(method, path, body) {
  await ask(method, path, body);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
}

const disable = (slot) => change('POST', `/instance/plugins/${slot}/disable`);

await run(async (browser) => {
  // Two people. What one pins the other sees without doing anything, and the other way round.
  const [ada, ed] = [await visit(browser, task.ada), await visit(browser, task.ed)];
  await Promise.all([ready(ada), ready(ed)]);
  await ada.getByRole('heading', { name: 'No comments yet' }).waitFor();
  await pin(ed, 'Say “Add to basket”');
  await item(ed, 'Add to basket').waitFor();
  let sent = Date.now();
  await item(ada, 'Add to basket').waitFor();
  demand(Date.now() - sent <= MAX_DELAY, `a comment took ${Date.now() - sent} ms to somebody else`);
  const [first] = await comments();
  demand(first.number === 1 && first.position.anchor?.tag === 'button' && first.deploymentId, `the comment lacks what it knows: ${JSON.stringify(first)}`);

  await item(ada, 'Add to basket').getByRole('button', { name: /^Comment 1 by/ }).click();
  await ada.keyboard.press('r');
  await field(ada, 'Reply to comment 1').pressSequentially('Yes, @');
  await ada.getByRole('option').first().click();
  await ada.keyboard.type('do it');
  await ada.keyboard.press('ControlOrMeta+Enter');
  await item(ed, 'Add to basket').getByText('1 reply').waitFor();
  demand((await comments())[0].replies[0].mentions.length === 1, 'nobody is mentioned');
  await ada.keyboard.press('e');
  await item(ed, 'Add to basket').waitFor({ state: 'detached' });
  await ed.getByRole('radio', { name: /^Resolved/ }).click();
  await item(ed, 'Add to basket').getByRole('button', { name: 'Open again' }).click();
  await ed.getByRole('radio', { name: /^Open/ }).click();
  await item(ed, 'Add to basket').waitFor();

  // A lost connection and a reload lose nothing, and nothing is there twice.
  await ed.route('**/api/v1/**/comments', (route) => (route.request().method() === 'POST' ? route.abort('connectionfailed') : route.continue()));
  await pin(ed, 'Written without a network');
  await item(ed, 'Written without a network').waitFor();
  await ed.reload();
  await item(ed, 'Written without a network').waitFor();
  demand((await comments()).length === 1, 'it is there although nothing was sent');
  await ed.unroute('**/api/v1/**/comments');
  await item(ada, 'Written without a network').waitFor();
  await item(ed, 'Written without a network').getByRole('button', { name: 'Comment 2 by' }).waitFor();
  demand((await comments()).length === 2, 'a comment was written twice');
  expected(browser, /ERR_CONNECTION_FAILED|connectionfailed/i);

  // The server's words stay with what was written, and what was written stays.
  let allow = await refusing(ed, `/projects/${task.project}/comments`, 400, 'Nobody may say that.');
  await pin(ed, 'Refused at first');
  await ed.getByRole('alert').getByText('Not sent. Nobody may say that.').waitFor();
  await allow();
  await ed.reload();
  await ed.getByRole('button', { name: 'Try again' }).click();
  await item(ada, 'Refused at first').waitFor();
  expected(browser, /400/);
  allow = await refusing(ed, `/projects/${task.project}/comments`, 429, 'Too many requests.', { 'retry-after': '1' });
  await pin(ed, 'Written in a hurry');
  await item(ed, 'Written in a hurry').waitFor();
  await allow();
  await item(ada, 'Written in a hurry').waitFor();
  expected(browser, /429/);

  // The session ends: it is said, nothing is written in a guest's name, and it is sent after signing in.
  const cookies = await ed.context().cookies();
  await (await place(ed)).fill('Written after the session');
  // The last moment before it is sent: whatever the page asks for without the cookie says that the sign-in has ended.
  await ed.context().clearCookies();
  await ed.keyboard.press('ControlOrMeta+Enter');
  await ed.getByRole('dialog', { name: 'Your sign-in has ended' }).waitFor();
  demand(!(await comments()).some(({ body }) => body === 'Written after the session'), 'a guest wrote it');
  await ed.context().addCookies(cookies);
  await ed.reload();
  await item(ada, 'Written after the session').waitFor();
  const after = (await comments()).find(({ body }) => body === 'Written after the session');
  demand(after.author.uid.startsWith('user:'), `it was written by ${after.author.uid}`);
  expected(browser, /40[013]/);

  // With the keyboard alone.
  await ed.reload();
  await ready(ed);
  await ed.getByRole('radio', { name: 'Clicks go to the prototype' }).waitFor();
  await ed.keyboard.press('c');
  await ed.getByText('Esc leaves.').waitFor();
  for (let presses = 0; presses < 20; presses++) {
    await ed.keyboard.press('Tab');
    if (await prototype(ed).getByRole('button', { name: 'Buy now' }).evaluate((element) => element === document.activeElement)) break;
  }
  await ed.keyboard.press('Enter');
  await field(ed, /^New comment on/).waitFor();
  // Escape gives the focus back to the frame, where Tab goes on from the element.
  await field(ed, /^New comment on/).press('Escape');
  await field(ed, /^New comment on/).waitFor({ state: 'detached' });
  await ed.waitForFunction(() => document.activeElement?.localName === 'iframe');
  await ed.keyboard.press('Tab');
  await ed.keyboard.press('Shift+Tab');
  await ed.keyboard.press('Enter');
  await field(ed, /^New comment on/).waitFor();
  await ed.keyboard.type('Without a mouse');
  await ed.keyboard.press('ControlOrMeta+Enter');
  await item(ada, 'Without a mouse').waitFor();
  await ed.keyboard.press('n');
  await ed.keyboard.press('r');
  await ed.locator('textarea:focus').waitFor();
  await ed.keyboard.type('An answer');
  await ed.keyboard.press('ControlOrMeta+Enter');
  await ed.locator('.reply', { hasText: 'An answer' }).waitFor();
  await ed.keyboard.press('e');
  await ed.locator('.comment-item.open', { hasText: 'Resolved' }).waitFor();
  await ed.keyboard.press('/');
  await ed.keyboard.type('network');
  await item(ed, 'Written without a network').waitFor();
  demand((await ed.locator('.comment-item:not(.open)').count()) === 1, 'the search leaves one');
  await ed.keyboard.press('Escape');
  await ed.keyboard.press('Escape');
  await ed.keyboard.press('ControlOrMeta+k');
  await ed.getByRole('combobox').fill('Keys');
  await ed.keyboard.press('Enter');
  await ed.getByRole('dialog', { name: 'Keys' }).getByRole('checkbox').uncheck();
  await ed.keyboard.press('Escape');
  await ed.keyboard.press('c');
  demand(await ed.getByRole('radio', { name: 'Clicks go to the prototype' }).isChecked(), 'single keys are off, and c comments');

  // Links: a comment, a width; the list resolves several.
  await ada.goto(`${REVIEW}?c=2&w=390`);
  await ada.locator('.comment-item.open', { hasText: 'Written without a network' }).waitFor();
  demand((await ada.locator('.device').evaluate((element) => element.clientWidth)) === 390, 'the width of the link');
  await ada.getByRole('button', { name: 'Choose several' }).click();
  await ada.getByRole('checkbox', { name: 'Choose comment 2' }).check();
  await ada.getByRole('checkbox', { name: 'Choose comment 3' }).check();
  await ada.getByRole('group', { name: 'Choose several' }).getByRole('button', { name: 'Resolve' }).click();
  await item(ed, 'Refused at first').waitFor({ state: 'detached' });

  // Another version is offered, not loaded. The button moved: its pin is on it. Then it is gone: that is said.
  await ada.goto(REVIEW);
  await ready(ada);
  await upload(task.moved);
  await ada.getByText('A newer version went live.').waitFor();
  demand((await prototype(ada).getByText('Moved').count()) === 0, 'the new version came by itself');
  await pin(ada, 'Seen on the old one');
  await ada.getByText('A newer version went live while you were writing.').waitFor();
  await ada.getByRole('button', { name: 'Send it' }).click();
  await item(ada, 'Seen on the old one').waitFor();
  const still = await watchRows(ada);
  await ada.getByRole('button', { name: 'Show it' }).click();
  await prototype(ada).getByText('Moved').waitFor();
  await item(ada, 'Add to basket').getByText('moved', { exact: true }).waitFor();
  await still();
  await item(ada, 'Add to basket').getByRole('button', { name: /^Comment 1 by/ }).click();
  await ada.getByText('Written on version 1').first().waitFor();
  demand((await ada.locator('.comment-item.open .detached').count()) === 0, 'the button moved, and its comment is lost');
  await upload(task.gone);
  const stillOpen = await watchRows(ada);
  await ada.getByRole('button', { name: 'Show it' }).click();
  await prototype(ada).getByText('Sold out').waitFor();
  await ada.locator('.comment-item.open .detached').waitFor();
  await stillOpen();
  await looksRight(ada, 'review detached');
  await ada.getByRole('button', { name: 'See it there' }).click();
  await prototype(ada).getByRole('button', { name: 'Buy now' }).waitFor();
  await ada.getByText('You see version 1').waitFor();
  await upload(task.moved);

  // A link in the prototype leads to what is live by now: what is pinned there is of that version, which need not be offered.
  await ada.goto(REVIEW);
  await ready(ada);
  const { deploymentId: newest } = await upload(task.gone);
  await ada.getByText('A newer version went live.').waitFor();
  await prototype(ada).getByRole('link', { name: 'About' }).click();
  const heading = prototype(ada).getByRole('heading', { name: 'About us' });
  await heading.waitFor();
  await ada.getByText('A newer version went live.').waitFor({ state: 'detached' });
  await ada.getByRole('radio', { name: 'A click pins a comment' }).click();
  await ada.getByText('Esc leaves.').waitFor();
  await heading.click();
  await field(ada, /^New comment on h1/).fill('About the newest one');
  await ada.keyboard.press('ControlOrMeta+Enter');
  await ed.locator('.comment-item:not(.pending)', { hasText: 'About the newest one' }).waitFor();
  const about = (await comments()).find(({ body }) => body === 'About the newest one');
  demand(about.deploymentId === newest, `it is of ${about.deploymentId}, not of ${newest}`);
  await upload(task.moved);

  // A guest on a phone: a name once, then never again.
  const guest = await visit(browser, undefined, { width: 390 });
  await guest.getByRole('button', { name: 'Comment', exact: true }).click();
  await prototype(guest).getByRole('button', { name: 'Buy now' }).click();
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Mia');
  await field(guest, /^New comment on/).fill('From a phone');
  await looksRight(guest, 'review guest writing');
  await guest.locator('.placing').getByRole('button', { name: 'Comment', exact: true }).click();
  await item(ed, 'From a phone').getByText('Mia').waitFor();
  await guest.getByRole('button', { name: 'Comments' }).click();
  await item(guest, 'From a phone').getByRole('button', { name: /^Comment \d+ by Mia/ }).click();
  await guest.getByRole('button', { name: 'Reply', exact: true }).click();
  demand((await guest.getByRole('textbox', { name: 'Your name' }).count()) === 0, 'the name is asked for again');
  await field(guest, /^Reply to comment/).fill('And an answer');
  await guest.getByRole('button', { name: 'Reply', exact: true }).last().click();
  await guest.locator('.reply', { hasText: 'And an answer' }).waitFor();
  await guest.getByRole('button', { name: 'Hide the comments' }).click();
  await guest.getByRole('button', { name: 'Comment', exact: true }).waitFor();

  // The card near the bottom of a window grows upwards: its button stays in reach.
  const low = await visit(browser, undefined);
  await low.setViewportSize({ width: 1440, height: 520 });
  await ready(low);
  await (await place(low)).fill('Low in the window');
  await low.locator('.placing').getByRole('button', { name: 'Comment', exact: true }).click();
  await low.getByText('Write your name first').waitFor();
  await low.waitForFunction(() => document.querySelector('.placing').getBoundingClientRect().bottom <= innerHeight);
  await low.context().close();

  // What an address names and is not there: that is said, with a way on.
  await ada.goto(`${REVIEW}?c=99`);
  await ada.getByText('There is no comment 99 here').waitFor();
  await ada.goto(`${REVIEW}?at=01aaaaaaaaaaaaaaaaaaaaaaaa`);
  await ada.getByRole('alert').getByText('The project has no such version').waitFor();
  await looksRight(ada, 'review of no version');
  // On an origin of its own a prototype keeps to itself why its page is silent.
  if (!task.own) {
    await ada.goto(`${REVIEW}?page=/gone.html`);
    await ada.getByRole('alert').getByText('This version of the prototype has no such page.').waitFor();
    await ada.getByRole('button', { name: 'Show its start page' }).click();
    await ready(ada);
  }
  expected(browser, /404/);

  // In every look, with a thread open.
  for (const { scheme, width } of LOOKS) {
    const page = await visit(browser, task.ada, { scheme, width, at: '?c=1' });
    await page.locator('.comment-item.open').waitFor();
    await looksRight(page, `review ${scheme}-${width}`);
    await page.context().close();
  }

  // What a guest may not do is absent.
  await ask('PATCH', '/instance/settings', { allowAnonymousComments: false });
  await guest.goto(REVIEW);
  await guest.getByRole('button', { name: 'Comments' }).click();
  await guest.getByText('Only people with an account can comment here.').waitFor();
  demand((await guest.getByRole('button', { name: /^(Comment|Reply|Resolve)$/ }).count()) === 0, 'a guest is offered what is refused');

  // The way in is there as soon as there is one: here by mail alone.
  demand((await guest.getByRole('link', { name: /^Sign in/ }).count()) === 0, 'a way in is shown, and there is none');
  await change('PUT', '/instance/email', { host: '127.0.0.1', port: 2525, user: '', pass: '', from: 'galley@example.org' });
  await guest.reload();
  await guest.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
  await guest.getByRole('button', { name: 'Comments' }).click();
  await guest.getByRole('link', { name: 'Sign in to comment' }).waitFor();

  // Without comments the prototype works as always.
  await disable('comments');
  await ed.reload();
  await ed.getByRole('tab', { name: 'Approvals' }).waitFor();
  demand((await ed.getByRole('tab', { name: 'Comments' }).count()) === 0, 'comments have a tab without their plugin');
  await disable('approvals');
  await ed.reload();
  await ed.getByText('Comments are switched off').waitFor();
  await prototype(ed).getByRole('button', { name: 'Buy now' }).click();
  await looksRight(ed, 'review without comments');
  await ask('POST', '/instance/plugins/comments/enable');
  expected(browser, /\/comments|participants|\/approvals|\.galley\/ui\//);
});
