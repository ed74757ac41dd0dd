/**
 * `/instance/…` and `/you/…`. Task: `{ origin, cookie }`; the reader is the only admin, and Ed is an Editor.
 */
import { demand, intercept, run, task } from './browser.mjs';
import { api, eachLook, expected, looksRight, refusing } from './pages.mjs';

const INSTANCE = ['members', 'invites', 'domains', 'settings', 'mail', 'plugins', 'audit'];
const YOU = ['profile', 'tokens', 'sessions', 'mail'];

await run(async (browser) => {
  const { context } = browser;
  await eachLook(context, async (page, look) => {
    for (const part of [...INSTANCE.map((each) => `instance/${each}`), ...YOU.map((each) => `you/${each}`)]) {
      await page.goto(`${task.origin}/${part}`);
      await page.locator('.part').first().waitFor();
      await page.waitForLoadState('networkidle');
      const { x, width } = await page.locator('.section-nav [aria-current]').boundingBox();
      demand(x >= 0 && x + width <= page.viewportSize().width, `${part} ${look}: its link is at ${x}, out of view`);
      await looksRight(page, `${part} ${look}`);
    }
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 1440, height: 900 });
  const go = (part) => page.goto(`${task.origin}/${part}`);
  const alert = page.getByRole('alert');

  // Members: the last admin stays one, in the server's words.
  await go('instance/members');
  const me = page.getByRole('row').filter({ hasText: '(you)' });
  await me.getByRole('combobox').selectOption('Viewer');
  await alert.getByText('at least one active admin').waitFor();
  demand((await me.getByRole('combobox').inputValue()) === 'admin', 'the refused role is shown');
  expected(browser, /409/);
  await page.getByRole('searchbox').fill('nobody at all');
  await page.getByText('Nobody matches.').waitFor();

  // Invites: the link is there once, and a refusal keeps the address.
  await go('instance/invites');
  const email = page.getByRole('textbox', { name: 'Mail address' });
  await email.fill('new@example.org');
  await email.press('Enter');
  const link = page.getByRole('textbox', { name: 'Invite for new@example.org' });
  demand((await link.inputValue()).includes('/auth/invite/'), 'the link is shown');
  await looksRight(page, 'invite link');
  await email.fill('new@example.org');
  await email.press('Enter');
  await alert.getByText('unexpired invite').waitFor();
  demand((await email.inputValue()) === 'new@example.org', 'the address is lost with the refusal');
  expected(browser, /409/);
  await page.reload();
  await page.getByRole('button', { name: 'Revoke' }).first().waitFor();
  demand((await link.count()) === 0, 'the link is shown again');
  await page.getByRole('button', { name: 'Revoke' }).first().click();
  await page.getByText('Revoked', { exact: true }).waitFor();

  // Domains.
  await go('instance/domains');
  const domain = page.getByRole('textbox', { name: 'Domain' });
  await domain.fill('nodots');
  await domain.press('Enter');
  await alert.getByText('such as example.com').waitFor();
  expected(browser, /400/);
  await domain.fill('acme.example.net');
  await domain.press('Enter');
  await page.getByText('The rule for acme.example.net is set').waitFor();

  // Settings, by keyboard.
  await go('instance/settings');
  const links = page.getByRole('switch', { name: 'Public links' });
  const before = await links.getAttribute('aria-checked');
  await links.focus();
  await page.keyboard.press('Space');
  await page.getByText('The settings are saved').waitFor();
  demand((await links.getAttribute('aria-checked')) !== before, 'the switch did not move');

  // Mail: a refusal keeps the form; the test shows the mail server's words.
  await go('instance/mail');
  await page.getByRole('textbox', { name: 'Server' }).fill('smtp.example.org');
  await page.getByRole('textbox', { name: 'Sender' }).fill('galley@example.org');
  const allow = await refusing(page, '/instance/email', 400, '`from` must be an address.');
  await page.getByRole('button', { name: 'Save' }).click();
  await alert.getByText('`from` must be an address.').waitFor();
  await allow();
  expected(browser, /400/);
  await page.reload();
  demand((await page.getByRole('textbox', { name: 'Server' }).inputValue()) === 'smtp.example.org', 'the form is lost');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The mail server is saved').waitFor();
  await intercept(page, '**/api/v1/instance/mail/test', (route) => route.fulfill({ contentType: 'application/json', body: '{"sent":false,"error":"535 5.7.8 Bad credentials"}' }));
  await page.getByRole('button', { name: 'Send a test mail to me' }).click();
  await alert.getByText('535 5.7.8 Bad credentials').waitFor();
  await looksRight(page, 'mail refused');
  await page.unroute('**/api/v1/instance/mail/test');
  await page.getByRole('button', { name: 'Switch mail off…' }).click();
  await page.getByRole('button', { name: 'Switch it off' }).click();
  await page.getByText('Mail is switched off').waitFor();

  // Plugins: what one may do, how it is; out of service and back.
  await go('instance/plugins');
  const comments = page.locator('.slot').filter({ has: page.getByRole('button', { name: /^comments/ }) });
  await comments.getByRole('button', { name: /^comments/ }).click();
  await comments.getByRole('region', { name: 'What it may do' }).getByRole('listitem').first().waitFor();
  await comments.getByText(/calls?,/).waitFor();
  await looksRight(page, 'plugin details');
  const deadline = comments.getByRole('textbox', { name: 'deadline' });
  await deadline.fill('a while');
  await comments.getByRole('region', { name: 'Limits' }).getByRole('button', { name: 'Save' }).click();
  await comments.getByRole('alert').waitFor();
  demand((await deadline.inputValue()) === 'a while', 'what was typed is lost with the refusal');
  expected(browser, /400/);
  await comments.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await comments.getByText('Disabled', { exact: true }).waitFor();
  await comments.getByRole('button', { name: 'Enable' }).click();
  await comments.getByText('Serving', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add a plugin…' }).click();
  await page.locator('input[type="file"]').setInputFiles({ name: 'not.wasm', mimeType: 'application/wasm', buffer: Buffer.from('no plugin') });
  await page.getByRole('dialog').getByRole('alert').waitFor();
  expected(browser, /400/);
  await page.keyboard.press('Escape');

  // Audit: what was just done is there, and the filters find it.
  await go('instance/audit');
  await page.getByRole('searchbox').fill('acme.example.net');
  await page.locator('.audit li').first().waitFor();
  demand((await page.locator('.audit li').count()) === 1, 'the search leaves one entry');
  await page.getByRole('searchbox').fill('');
  await page.getByRole('combobox', { name: 'Action' }).selectOption('domain-rule-set');
  demand((await page.locator('.audit li').count()) === 1, 'the filter leaves one entry');

  // Tokens: reading is on, writing off, the plaintext is there once.
  await go('you/tokens');
  demand(await page.getByRole('checkbox', { name: /^Read/ }).isChecked(), 'reading is on');
  demand(!(await page.getByRole('checkbox', { name: /^Write/ }).isChecked()), 'writing is off');
  await page.getByRole('textbox', { name: 'What it is for' }).fill('CI');
  await page.keyboard.press('Enter');
  const token = page.getByRole('textbox', { name: 'The token “CI”' });
  demand((await token.inputValue()).startsWith('tok_'), 'the plaintext is shown');
  await looksRight(page, 'token once');
  await page.reload();
  await page.getByRole('button', { name: 'Revoke CI' }).click();
  demand((await token.count()) === 0, 'the plaintext is shown again');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('You have no access tokens.').waitFor();

  // Profile, sessions, mail.
  await go('you/profile');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('Ada L.');
  await name.press('Enter');
  await page.getByText('Your name is saved').waitFor();
  await page.getByRole('button', { name: 'Account of Ada L.' }).waitFor();
  await go('you/sessions');
  await page.getByRole('listitem').filter({ hasText: 'this one' }).getByRole('button', { name: 'Sign out' }).waitFor();
  await go('you/mail');
  const mentions = page.getByRole('switch', { name: 'Mentions' });
  await mentions.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page.reload();
  demand((await mentions.getAttribute('aria-checked')) === 'false', 'the switch is not kept');

  // Without its slot the administration says so; plugins are the host's, so it can be put back here.
  demand((await api(page, '/instance/plugins/admin/disable', { method: 'POST' })).status === 200, 'admin is disabled');
  await go('instance/members');
  await page.getByRole('heading', { name: /switched off/ }).waitFor();
  await looksRight(page, 'administration switched off');
  await go('instance/plugins');
  await page.locator('.slot').filter({ hasText: 'admin' }).getByRole('button', { name: 'Enable' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
});
