/**
 * `/projects/shop/settings/…`. Task: `{ origin, cookie }`; the reader is an admin, `shop` is for all members, and Ed is an
 * Editor.
 */
import { demand, run, task } from './browser.mjs';
import { api, eachLook, expected, looksRight, refusing } from './pages.mjs';

const at = (part) => `${task.origin}/projects/shop/settings/${part}`;
const PARTS = ['general', 'access', 'participants', 'repository', 'danger'];

await run(async (browser) => {
  const { context } = browser;
  await eachLook(context, async (page, look) => {
    for (const part of PARTS) {
      await page.goto(at(part));
      await page.locator('.section-content').locator('.part, .state:not([role])').first().waitFor();
      await page.waitForLoadState('networkidle');
      await looksRight(page, `settings ${part} ${look}`);
    }
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 1440, height: 900 });

  // General: what was typed stays on a refusal and over a reload.
  await page.goto(at('general'));
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Winter shop');
  let allow = await refusing(page, '/projects/*', 409, 'Somebody else just changed it.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('Somebody else just changed it.').waitFor();
  await allow();
  expected(browser, /409/);
  await page.reload();
  demand((await name.inputValue()) === 'Winter shop', 'what was typed outlives the page');
  await name.press('Enter');
  await page.getByText('The project is saved').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Winter shop' }).waitFor();

  // Only what was typed is sent: a colleague's rename meanwhile stays.
  await page.goto(at('general'));
  const address = page.getByRole('textbox', { name: 'Repository address' });
  await address.fill('https://code.example.org/acme/shop');
  const { body: found } = await api(page, '/projects?slug=shop');
  demand((await api(page, `/projects/${found.projects[0].id}`, { method: 'PATCH', body: { name: 'Summer shop' } })).status === 200, 'a colleague renames it');
  await address.press('Enter');
  await page.getByText('The project is saved').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Summer shop' }).waitFor();
  demand((await name.inputValue()) === 'Summer shop', 'the name of before is still in its field');

  // Access: by name who can read now, before and after.
  await page.goto(at('access'));
  const readers = page.getByRole('region', { name: 'Who can read it now' });
  await readers.getByText('as a member').first().waitFor();
  await page.getByRole('radio', { name: 'Invited people' }).click();
  await page.getByText('The access is changed').waitFor();
  await readers.getByText('as a member').first().waitFor({ state: 'detached' });

  // Participants: picked by keyboard from the directory.
  await page.goto(at('participants'));
  const field = page.getByRole('combobox', { name: 'Name or address' });
  await field.focus();
  await page.keyboard.type('ed');
  await page.getByRole('option').first().waitFor();
  await looksRight(page, 'picker');
  await page.keyboard.press('Enter');
  await page.getByText('can read the project').first().waitFor();
  await page.goto(at('access'));
  await readers.getByText('invited').waitFor();
  await page.goto(at('participants'));
  await page.getByRole('button', { name: /^Take .* off the list$/ }).click();
  await page.getByText('Nobody is on the list yet.').waitFor();
  await field.fill('nobody@example.org');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('alert').waitFor();
  demand((await field.inputValue()) === 'nobody@example.org', 'the address is lost with the refusal');
  expected(browser, /40[049]/);

  // A connection's problem stands where the connection does.
  const repo = { installationId: 1, repositoryId: 2, owner: 'acme', name: 'shop', branch: 'main', installCommand: null, buildCommand: null, outputDir: 'dist', autoDeploy: true, problem: 'The app was uninstalled at the code host.' };
  const { body } = await api(page, '/projects?slug=shop');
  const project = body.projects[0];
  await page.route(`**/api/v1/projects/${project.id}`, (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify({ ...project, repo }) }));
  await page.goto(at('repository'));
  await page.getByText('The app was uninstalled at the code host.').waitFor();
  await page.getByText('acme/shop').waitFor();
  await looksRight(page, 'repository with a problem');
  await page.unroute(`**/api/v1/projects/${project.id}`);
  demand((await api(page, '/instance/plugins/repo/disable', { method: 'POST' })).status === 200, 'repo is disabled');
  await page.goto(at('general'));
  await name.waitFor();
  demand((await page.getByRole('link', { name: 'Repository' }).count()) === 0, 'the part of a disabled slot is still there');
  demand((await api(page, '/instance/plugins/repo/enable', { method: 'POST' })).status === 200, 'repo is enabled');

  // Deleting asks for the slug.
  await page.goto(at('danger'));
  await page.getByRole('button', { name: 'Delete the project…' }).click();
  const sure = page.getByRole('button', { name: 'Delete it for good' });
  demand(await sure.isDisabled(), 'deleting waits for the slug');
  await page.getByRole('textbox', { name: 'Type shop to confirm' }).fill('shop');
  await looksRight(page, 'delete the project');
  allow = await refusing(page, '/projects/*', 409, 'A build of the project runs.');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('A build of the project runs.').waitFor();
  await allow();
  expected(browser, /409/);
  await sure.click();
  await page.waitForURL(`${task.origin}/`);
  await page.getByText('Summer shop is deleted').waitFor();
});
