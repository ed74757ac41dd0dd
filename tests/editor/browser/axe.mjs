/** What axe-core finds in the interface. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { demand } from '../../browser/browser.mjs';

const axe = readFileSync(createRequire(new URL('../../browser/browser.mjs', import.meta.url)).resolve('axe-core'), 'utf8');

/** Demands that axe-core finds nothing serious in what is shown now. The prototype itself is not ours to judge. */
export async function accessible(page, state) {
  // Colours that are on their way to others have no contrast of their own.
  const settled = () => document.getAnimations().every(({ effect }) => effect?.getComputedTiming().iterations === Infinity);
  await page.waitForFunction(settled);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ exclude: ['iframe'] }, { iframes: false }));
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const list = serious.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`);
  demand(list.length === 0, `axe-core, ${state}:\n${list.join('\n')}`);
}
