/** Reports the element under the pointer while the parent wants it. */
import type { Box, Picked } from './messages.ts';
import { isElement } from './roots.ts';
import { selectorFor } from './selector.ts';

/** How much of an element's text is told. */
const TEXT_LIMIT = 200;

/** Switches reporting on and off. At most one report is made for each frame that the browser paints. */
export function makePicker(view: Window, report: (picked: Picked) => void): (on: boolean) => void {
  let under: Element | undefined;
  let reported: Element | undefined;
  let frame = 0;

  const tell = (): void => {
    frame = 0;
    if (!under?.isConnected || under === reported) return;
    reported = under;
    report(describe(under));
  };
  const move = (event: Event): void => {
    if (!isElement(event.target)) return;
    under = event.target;
    frame ||= view.requestAnimationFrame(tell);
  };
  // After scrolling the same element lies elsewhere.
  const scroll = (): void => {
    reported = undefined;
    frame ||= view.requestAnimationFrame(tell);
  };

  return (on) => {
    const change = on ? view.addEventListener : view.removeEventListener;
    change.call(view, 'pointermove', move, { capture: true, passive: true } as AddEventListenerOptions);
    change.call(view, 'scroll', scroll, { capture: true, passive: true } as AddEventListenerOptions);
    if (on) return;
    view.cancelAnimationFrame(frame);
    frame = 0;
    under = reported = undefined;
  };
}

/** The report for one element. */
export function describe(element: Element): Picked {
  const { x, y, width, height } = element.getBoundingClientRect();
  const rect: Box = { x, y, width, height };
  return { type: 'galley:element', selector: selectorFor(element), rect, tag: element.localName, text: textOf(element) };
}

/** Reads no further than needed: the pointer may rest on the body of a very long page. */
export function textOf(element: Element): string {
  const walker = element.ownerDocument.createTreeWalker(element, 4 /* SHOW_TEXT */);
  let text = '';
  while (text.length < TEXT_LIMIT && walker.nextNode()) {
    const node = walker.currentNode;
    if (/^(script|style)$/i.test(node.parentElement?.localName ?? '')) continue;
    text = `${text} ${node.nodeValue?.slice(0, 4 * TEXT_LIMIT) ?? ''}`.replace(/\s+/g, ' ').trimStart();
  }
  return text.slice(0, TEXT_LIMIT).trimEnd();
}
