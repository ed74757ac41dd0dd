/** Signs in and out in a narrow window, as somebody who was invited and as somebody with a link to a prototype. */
import { demand, run, task } from './browser.mjs';

await run(async ({ context }) => {
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize({ width: 360, height: 740 });

  /** Opens a page and demands what every page of the server has. */
  const open = async (path) => {
    await page.goto(task.origin + path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    demand(width <= 360, `${path} is ${width} pixels wide`);
    demand((await page.getAttribute('html', 'lang')) === 'en', `${path} has a language`);
    demand((await page.getByRole('heading', { level: 1 }).count()) === 1, `${path} has one main heading`);
    demand((await page.getByRole('main').count()) === 1, `${path} has a main part`);
    const scripts = await page.evaluate(() => document.scripts.length);
    demand(scripts === 0, `${path} has scripts`);
  };

  await open(task.invite);
  // The field is found by its label and described by its hint, as a screen reader does.
  const name = page.getByRole('textbox', { name: 'Your name', description: 'Others see it beside what you write.' });
  await name.fill('Nia <b>N.</b>');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${task.origin}/`);
  await page.getByText('Signed in as Nia <b>N.</b>').waitFor();

  await open('/');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are not signed in').waitFor();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL(`${task.origin}/sign-in`);
  await open('/sign-in');

  await open(task.link);
  await page.getByText('This link signs you in as vic@example.com').waitFor();
  await page.getByRole('button', { name: 'Sign in' }).click();
  // With an origin of its own for each prototype, the form ends at another one than it began.
  await page.waitForURL(task.url);
  await page.getByRole('heading', { name: 'Heading' }).waitFor();
});
