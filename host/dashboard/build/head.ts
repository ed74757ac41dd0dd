import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Where a page's head begins with what all pages begin with. */
const PLACE = '<!-- head -->';

/** Puts the text of `file` at that place, before anything else reads the page. */
export function head(file: string): Plugin {
  return {
    name: 'head',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { filename }) => {
        if (!html.includes(PLACE)) throw new Error(`${filename} has no ${PLACE}`);
        return html.replace(PLACE, () => readFileSync(file, 'utf8').trimEnd());
      },
    },
  };
}
