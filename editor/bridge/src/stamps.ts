/** Source positions on elements: `data-desde-src="path:line:column"`. */
import { parentOf, roots } from './roots.ts';

/** The attribute. */
export const STAMP = 'data-desde-src';

/** The stamp of an element, or null. */
export function stampOf(element: Element): string | null {
  return element.getAttribute(STAMP);
}

/** The file a stamp names. */
export function fileOf(stamp: string): string {
  return stamp.replace(/:\d+:\d+$/, '');
}

/** This element or the nearest one around it that carries a stamp. */
export function nearestStamped(element: Element): Element | undefined {
  for (let step: Element | null = element; step; step = parentOf(step)) {
    if (stampOf(step) !== null) return step;
  }
  return undefined;
}

/** All elements that carry this stamp, in document order. */
export function sharing(page: Document, stamp: string): Element[] {
  const selector = `[${STAMP}="${CSS.escape(stamp)}"]`;
  return roots(page).flatMap((root) => [...root.querySelectorAll(selector)]);
}

/** The stamped elements around this one, the nearest first. */
export function stampedAncestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let step = parentOf(element); step; step = parentOf(step)) {
    if (stampOf(step) !== null) found.push(step);
  }
  return found;
}
