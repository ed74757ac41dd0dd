/** A small DOM for the tests. */
import { parseHTML } from 'linkedom';

// Node has no `CSS`. This is as much of `CSS.escape` as the names in these tests need.
globalThis.CSS ??= {
  escape: (name: string) =>
    name.replace(/^\d/, (digit) => `\\3${digit} `).replace(/[^\w\u0080-\uffff\\ -]|(?<!\\3\d) /g, '\\$&'),
} as typeof CSS;

/** A document with `body` in it. */
export function page(body: string, head = ''): Document {
  return parseHTML(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`).document as unknown as Document;
}

/** The one element that `selector` finds. */
export function one(document: Document, selector: string): Element {
  const found = document.querySelectorAll(selector);
  if (found.length !== 1 || !found[0]) throw new Error(`${selector} matches ${found.length} elements`);
  return found[0];
}
