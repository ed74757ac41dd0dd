/** Changing a prototype's source beside the Editor. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demand } from '../../browser/browser.mjs';

/** Replaces a text that a file holds once, in one step, as the Editor does: a dev server that met it half written would load the page anew. */
export function change({ root, file }, from, to) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  demand(text.split(from).length === 2, `${file} does not hold ${from} once`);
  const draft = `${root}.draft`;
  writeFileSync(draft, text.replace(from, to));
  renameSync(draft, path);
}
