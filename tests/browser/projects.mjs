/**
 * `/`: the projects. Task: `{ origin, cookie, archive }`; the reader is an admin, there is a project `Shop` with a live version
 * and one open comment that the reader has not read, and `Empty` with nothing. `archive` is a build as base64.
 */
import { demand, intercept, run, task } from './browser.mjs';
import { api, dropFiles, eachLook, expected, looksRight, refusing, tabTo } from './pages.mjs';

await run(async (browser) => {
  const { context } = browser;
  await eachLook(context, async (page, look) => {
    await page.goto(`${task.origin}/`);
    await page.locator('.card').first().waitFor();
    demand((await page.getByRole('heading', { level: 1 }).count()) === 1, 'there is one main heading');
    await looksRight(page, `projects ${look}`);
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    await looksRight(page, `new project ${look}`);
  });

  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${task.origin}/`);
  const card = (name) => page.locator('.card').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await card('Shop').getByText('1 open').waitFor();
  await card('Shop').getByText('1 new').waitFor();
  await card('Empty').getByText('Nothing uploaded yet').waitFor();
  const none = await page.evaluate(() => document.querySelectorAll('script:not([src])').length);
  demand(none === 0, 'the page has inline scripts');

  // Search and order.
  await page.getByRole('searchbox', { name: 'Search projects' }).fill('sho');
  await page.getByText('1 of 2 projects').waitFor();
  demand((await page.locator('.card').count()) === 1, 'the search leaves one card');
  await page.getByRole('searchbox').fill('nothing like it');
  await page.getByText('No project is called “nothing like it”').waitFor();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('Sort by').selectOption('Name');
  const names = await page.locator('.card h2').allInnerTexts();
  demand(names.join() === 'Empty,Shop', `by name the cards are ${names}`);

  // A build that is dropped on a card goes live.
  await dropFiles(card('Empty'), [{ name: 'site.tar.gz', type: 'application/gzip', base64: task.archive }]);
  await page.getByText('Empty is live').waitFor();
  await card('Empty').getByText('Nothing uploaded yet').waitFor({ state: 'detached' });

  // What is dropped and is no build is refused in words, and the card is there again.
  await dropFiles(card('Empty'), [{ name: 'notes.txt', type: 'text/plain', base64: 'aGk=' }]);
  await card('Empty').getByRole('alert').waitFor();
  await card('Empty').getByRole('button', { name: 'Dismiss' }).click();

  // The preview comes with the pointer, one at a time; what it cannot run here, the browser says.
  await card('Shop').hover();
  await card('Shop').locator('iframe[data-drawn="true"]').waitFor({ state: 'attached' });
  await card('Empty').hover();
  await card('Empty').locator('iframe[data-drawn="true"]').waitFor({ state: 'attached' });
  demand((await page.locator('.cover-live').count()) === 1, 'one preview at a time');
  expected(browser, /Blocked script execution/);

  // Without a mouse: a project is made, and one is opened.
  await page.goto(`${task.origin}/`);
  await page.locator('.card').first().waitFor();
  await page.keyboard.press('Tab');
  demand((await page.locator(':focus').innerText()) === 'Skip to the content', 'the first stop skips the header');
  await tabTo(page, page.getByRole('button', { name: 'New project' }), 'New project');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  // Escape gives the focus back.
  await page.keyboard.press('Escape');
  await page.locator('button:focus', { hasText: 'New project' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Name' }).waitFor();
  await page.keyboard.type('Café Zürich');
  demand((await page.getByRole('textbox', { name: 'Address' }).inputValue()) === 'cafe-zurich', 'the name suggests an address');

  // A refusal keeps what was typed, and so does a page that is loaded again.
  let allow = await refusing(page, '/projects', 429, 'Too many requests.', { 'retry-after': '7' });
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Too many requests. Try again in 7 seconds.').waitFor();
  await allow();
  expected(browser, /429/);
  await page.reload();
  await page.getByRole('button', { name: 'New project' }).click();
  demand((await page.getByRole('textbox', { name: 'Name' }).inputValue()) === 'Café Zürich', 'what was typed outlives the page');
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
  await page.waitForURL(`${task.origin}/projects/cafe-zurich/deployments`);
  await page.getByRole('heading', { level: 1, name: 'Café Zürich' }).waitFor();

  // The server is busy, then away: said in words, with a way on.
  allow = await refusing(page, '/projects', 503, 'The server is starting.', { 'retry-after': '1' });
  await page.goto(`${task.origin}/`);
  await page.getByText('The server is starting. Try again in 1 second.').waitFor();
  await allow();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.card').first().waitFor();
  expected(browser, /503/);
  await page.route('**/api/v1/projects', (route) => route.abort('connectionfailed'));
  await page.reload();
  await page.getByText('The server cannot be reached.').waitFor();
  await looksRight(page, 'offline');
  await page.unroute('**/api/v1/projects');
  // It is asked for again without anybody's doing.
  await page.locator('.card').first().waitFor();
  expected(browser, /ERR_CONNECTION_FAILED|ERR_FAILED|connectionfailed/i);

  // A connection that is lost is said, and once it is back the page goes on by itself.
  await intercept(page, '**/api/v1/**', (route) => route.abort('connectionfailed'));
  await card('Shop').getByRole('link', { name: 'Deployments of Shop' }).click();
  await page.getByText('this page tries again by itself').waitFor();
  await page.unroute('**/api/v1/**');
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await page.getByText('this page tries again by itself').waitFor({ state: 'detached' });
  expected(browser, /ERR_CONNECTION_FAILED|ERR_FAILED|connectionfailed/i);
  await page.goto(`${task.origin}/`);
  await page.locator('.card').first().waitFor();

  // Each slot out of service: what it shows is absent, the rest stays.
  for (const [slot, gone] of [
    ['comments', page.getByText('1 open')],
    ['deployments', page.getByRole('link', { name: 'Deployments of Shop' })],
  ]) {
    await gone.waitFor();
    demand((await api(page, `/instance/plugins/${slot}/disable`, { method: 'POST' })).status === 200, `${slot} is disabled`);
    await page.reload();
    await card('Shop').waitFor();
    await page.waitForLoadState('networkidle');
    demand((await gone.count()) === 0, `${slot} is still shown`);
    await looksRight(page, `projects without ${slot}`);
    demand((await api(page, `/instance/plugins/${slot}/enable`, { method: 'POST' })).status === 200, `${slot} is enabled`);
    await page.reload();
  }

  // A page nobody knows, and a project nobody has.
  await page.goto(`${task.origin}/you/nothing/at/all`);
  await page.goto(`${task.origin}/projects/none/deployments`);
  await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  await page.getByRole('link', { name: 'To your projects' }).click();
  await page.locator('.card').first().waitFor();

  // The chosen theme is there before anything is painted.
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.reload({ waitUntil: 'commit' });
  await page.waitForFunction(() => document.body !== null);
  demand((await page.getAttribute('html', 'data-theme')) === 'dark', 'the theme comes late');

  // The session ends: it is said, and what was typed is there after the next sign-in.
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed before');
  const kept = await context.cookies();
  await context.clearCookies();
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
  await page.getByRole('dialog', { name: 'Your sign-in has ended' }).waitFor();
  const again = await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href');
  demand(again === '/sign-in?to=%2F', `signing in again leads back here: ${again}`);
  await context.addCookies(kept);
  expected(browser, /401/);
  await page.goto(`${task.origin}/`);
  await page.getByRole('button', { name: 'New project' }).click();
  demand((await page.getByRole('textbox', { name: 'Name' }).inputValue()) === 'Typed before', 'what was typed is lost with the session');
});
