/** What axe-core finds in what is shown now. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { demand } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** Waits until nothing changes its look any more: colours that are on their way to others have no contrast of their own. */
export async function settled(page) {
  await page.waitForFunction(() => document.getAnimations().every(({ effect }) => effect?.getComputedTiming().iterations === Infinity));
}

/** Demands that it finds nothing serious. The prototype itself is not ours to judge. */
export async function accessible(page, state) {
  await settled(page);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ exclude: ['iframe'] }, { iframes: false }));
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const list = serious.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`);
  demand(list.length === 0, `axe-core, ${state}:\n${list.join('\n')}`);
}
