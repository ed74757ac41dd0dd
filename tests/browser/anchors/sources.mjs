/**
 * The corpus without a browser: pages as their files are, without styles and scripts. What is hidden is told by its classes. Figures
 * differ from Chromium's by about a point, and take a tenth of the time: for trying limits, not for holding goals.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

/** What templates show only when asked, and what has no size. */
const HIDDEN = 'head, br, option, template, [hidden], .modal, .collapse, .d-none, .offcanvas, .dropdown-menu, .nav-treeview, .child_menu, .tab-pane:not(.active)';
/** Seen although nothing is in them. */
const SEEN_EMPTY = /^(?:img|svg|i|a|span|button|input|select|textarea|canvas)$/;

/** Runs what runs inside a page (`code`) in this process; gives a function that opens a page and gives its `trial`. */
export function sources(checkout, all, code) {
  const { parseHTML } = createRequire(join(checkout, 'editor/package.json'))('linkedom');
  globalThis.NodeFilter ??= { SHOW_TEXT: 4 };
  globalThis.CSS ??= { escape: (name) => name.replace(/^\d/, (digit) => `\\3${digit} `).replace(/[^\w\u0080-\uffff\\ -]|(?<!\\3\d) /g, '\\$&') };
  Object.assign(globalThis, { window: globalThis, innerWidth: 1280, innerHeight: 800 });
  for (const script of code) runInThisContext(script);
  const roots = new Map(all.map(({ name, version, root }) => [`${name}@${version}`, root]));
  return (path) => {
    const [, which, rest] = path.match(/^(.*?@[^/]+)\/(.*)$/);
    const { document } = parseHTML(readFileSync(join(roots.get(which), rest), 'utf8'));
    if (!document.body) throw new Error('it has no body');
    giveSizes(document);
    globalThis.document = document;
    window.galleyCorpus.keep();
    return window.galleyCorpus.trial;
  };
}

/** Elements have a size when they have something to show; what holds more than half of the page is as large as the screen. */
function giveSizes(document) {
  const elements = Object.getPrototypeOf(Object.getPrototypeOf(document.body));
  const many = document.body.querySelectorAll('*').length / 2;
  elements.getBoundingClientRect = function () {
    const empty = this.children.length === 0 && this.textContent.trim() === '' && !SEEN_EMPTY.test(this.localName);
    const size = empty ? 0 : this.querySelectorAll('*').length > many ? 1280 : 100;
    return { x: 0, y: 0, width: size, height: size };
  };
  elements.checkVisibility = function () {
    return !this.closest(HIDDEN);
  };
}
