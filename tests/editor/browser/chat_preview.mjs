/**
 * Without a review browser a chat's proposals are looked at in the page that people work in: one that breaks it is taken back, and the next
 * one stays. Task: `{ page, root, file, said, after }`: what is said at last, and what the heading shows then.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand, run, task } from '../../browser/browser.mjs';

await run(async ({ context, wrong }) => {
  const page = await context.newPage();
  const events = [];
  page.on('request', (request) => request.url().endsWith('/api/editor/reading') && events.push(request.postDataJSON().answer));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(task.page);
  const prototype = page.frameLocator('iframe');
  await prototype.getByRole('heading').click();
  await page.getByRole('heading', { level: 2, name: '<h1>' }).waitFor();
  await page.getByRole('tab', { name: 'Chat' }).click();
  const write = page.getByRole('textbox', { name: 'What should be different?' });
  await write.fill('Another heading');
  await write.press('Enter');
  await page.getByText(task.said, { exact: true }).waitFor({ timeout: 90_000 });
  demand(events.some((answer) => answer?.is === 'ready'), `the page was not asked: ${JSON.stringify(events)}`);
  demand(events.some((answer) => answer?.is === 'seen' && (answer.complaints.length > 0 || answer.overlay !== null)), 'the page did not say what is wrong with it');
  const source = readFileSync(join(task.root, task.file), 'utf8');
  demand(source.includes(task.after), `the file holds ${source}`);
  await page.frames().at(-1).goto(page.frames().at(-1).url());
  await prototype.getByRole('heading', { name: task.after }).waitFor();
  // What the change that was taken back made the page complain of.
  wrong.length = 0;
});
