/** What somebody means who clicks on an element to comment it. */
import { parentOf } from './roots.ts';

/** What is worked as one thing. */
const WORKED = 'a[href], button, summary, label, [role="button"], [role="link"], [role="tab"], [role="menuitem"]';

/** More steps than this are not looked at. */
const MAX_STEPS = 6;

/**
 * The element itself; or the drawing, the link or the button that it is only a part of: the icon in a button is clicked, the button is
 * meant.
 */
export function pinTarget(clicked: Element): Element {
  const element = (clicked as SVGElement).ownerSVGElement ? outermostDrawing(clicked) : clicked;
  const text = plain(element);
  for (let step = element, count = 0; count < MAX_STEPS; count += 1) {
    if (step.matches(WORKED)) return step;
    const around = parentOf(step);
    // Other text around it is another thing.
    if (!around || (text !== '' ? plain(around) !== text : !around.closest(WORKED))) return element;
    step = around;
  }
  return element;
}

function outermostDrawing(clicked: Element): Element {
  let drawing = clicked;
  while ((drawing as SVGElement).ownerSVGElement) drawing = (drawing as SVGElement).ownerSVGElement as Element;
  return drawing;
}

function plain(element: Element): string {
  return (element.textContent ?? '').slice(0, 2_000).replace(/\s+/g, ' ').trim();
}
