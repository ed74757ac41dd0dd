/**
 * The page as it was before: its markup and styles, kept as a document and shown in a frame over the page. Nothing in it runs, and what
 * only a script draws (a canvas, the inside of a shadow root) is not in it. It lives as long as the page is not loaded anew.
 */

import { OVERLAY } from './overlay.ts';
import { BEFORE } from './roots.ts';

/** Longer documents are not kept, in characters. */
const MOST = 4_000_000;

export class Before {
  readonly #page: Document;
  #kept: { html: string; x: number; y: number } | undefined;
  #first: { html: string; x: number; y: number } | undefined;
  #frame: HTMLIFrameElement | undefined;

  constructor(page: Document) {
    this.#page = page;
  }

  /** Keeps the page as it is now. */
  keep(): void {
    const copy = this.#page.documentElement.cloneNode(true) as HTMLElement;
    for (const element of copy.querySelectorAll(`script, noscript, ${OVERLAY}, [${BEFORE}]`)) element.remove();
    const view = this.#page.defaultView;
    const html = `<!doctype html>${copy.outerHTML.replace(/<head[^>]*>/, (head) => `${head}<base href="${this.#page.baseURI}">${this.#sheets()}`)}`;
    if (html.length > MOST) return;
    this.#kept = { html, x: view?.scrollX ?? 0, y: view?.scrollY ?? 0 };
    this.#first ??= this.#kept;
  }

  /** Shows what was kept, or the present page; gives whether something of before is shown. */
  show(which: 'edit' | 'start' | null): boolean {
    this.#frame?.remove();
    this.#frame = undefined;
    const kept = which === 'edit' ? this.#kept : which === 'start' ? this.#first : undefined;
    if (!kept) return false;
    const frame = this.#page.createElement('iframe');
    // Of the page's origin, so that it can be scrolled; without scripts.
    frame.setAttribute('sandbox', 'allow-same-origin');
    frame.setAttribute(BEFORE, '');
    frame.tabIndex = -1;
    frame.srcdoc = kept.html;
    frame.style.cssText = 'all:initial;position:fixed;inset:0;width:100%;height:100%;border:0;background:#fff;z-index:2147483646';
    frame.addEventListener('load', () => frame.contentWindow?.scrollTo(kept.x, kept.y));
    this.#page.documentElement.append(frame);
    this.#frame = frame;
    return true;
  }

  /** Sheets that stand in no markup: made by scripts, or filled rule by rule. */
  #sheets(): string {
    const made = [...this.#page.styleSheets].filter(({ ownerNode }) => ownerNode?.nodeName === 'STYLE' && !ownerNode.textContent?.trim());
    return [...made, ...this.#page.adoptedStyleSheets].map((sheet) => `<style>${[...sheet.cssRules].map(({ cssText }) => cssText).join('')}</style>`).join('');
  }
}
