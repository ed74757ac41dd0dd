/**
 * A prototype through the proxy: its page carries the bridge and positions, works, and shows what changes in its source.
 * Task: `{ page, root, file, stamp, parent, reloads? }`; `file` holds the heading `Get started`, whose position is `stamp`.
 */
import { demand, run, task } from '../../browser/browser.mjs';
import { change } from './change.mjs';

await run(async ({ context, wrong }) => {
  const page = await context.newPage();
  const said = [];
  page.on('console', (message) => {
    said.push(message.text());
    if (/hydrat|mismatch/i.test(message.text())) wrong.push(`hydration: ${message.text()}`);
  });
  const answer = await page.goto(task.page);
  demand(answer.status() === 200, `the page answered ${answer.status()}`);
  const html = await answer.text();
  const tag = /<head[^>]*><script src="\/__galley\/bridge-bundle\.js" data-parent-origin="([^"]*)" data-nonce="[^"]+"/.exec(html);
  demand(tag, `the bridge is not the first thing in the head: ${html.slice(0, 600)}`);
  demand(tag[1] === task.parent, `the bridge speaks to ${tag[1]}, not to ${task.parent}`);

  const heading = page.locator('h1');
  const stamped = async (stamp) => {
    const found = () => heading.getAttribute('data-desde-src');
    await page
      .waitForFunction((stamp) => document.querySelector('h1')?.getAttribute('data-desde-src') === stamp, stamp)
      .catch(async () => demand(false, `the heading stands at ${await found()}, not at ${stamp}`));
  };
  await heading.getByText('Get started').waitFor();
  await stamped(task.stamp);

  const button = page.locator('button', { hasText: 'Count is' });
  demand(await button.getAttribute('data-desde-src'), 'the button carries no position');
  await works(page, button);

  await page.evaluate(() => (window.sameDocument = true));
  change(task, '>Get started</h1>', '>Changed & reloaded</h1>'.replace('&', '&amp;'));
  await heading.getByText('Changed & reloaded').waitFor();
  await stamped(task.stamp);

  // Everything below an added line stands elsewhere now, and says so.
  const [file, line, column] = task.stamp.split(':');
  change(task, '<h1>Changed', `<p>New</p>\n${' '.repeat(Number(column))}<h1>Changed`);
  await page.getByText('New', { exact: true }).waitFor();
  await stamped(`${file}:${Number(line) + 1}:${column}`);
  const same = task.reloads || (await page.evaluate(() => window.sameDocument));
  demand(same, `the page was loaded anew instead of changed in place:\n${said.join('\n')}`);
  await works(page, button);
});

/** The page lives: a click counts. Before its scripts have taken over a page made on the server, clicks go nowhere. */
async function works(page, button) {
  const count = async () => Number(/\d+/.exec(await button.innerText())[0]);
  const before = await count();
  for (let tries = 0; tries < 100; tries += 1) {
    await button.click();
    if ((await count()) > before) return;
    await page.waitForTimeout(100);
  }
  demand(false, 'the button does not count');
}
