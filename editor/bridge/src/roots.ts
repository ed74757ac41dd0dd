/**
 * The page as people see it: its document, the open shadow roots in it, and frames of its own origin, as one tree.
 */

/** Something that is searched by selectors. */
export type Root = Document | ShadowRoot;

/** All roots in document order, the page's document first. */
export function roots(page: Document): Root[] {
  const found: Root[] = [page];
  // Grows while it is walked: roots may hold roots.
  for (let index = 0; index < found.length; index += 1) {
    const root = found[index];
    if (!root) break;
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) found.push(element.shadowRoot);
      const inner = frameDocument(element);
      if (inner) found.push(inner);
    }
  }
  return found;
}

/** Marks the frame that shows the page as it was. */
export const BEFORE = 'data-galley-before';

/** The document in a frame, when the browser lets this page look into it. */
export function frameDocument(element: Element): Document | undefined {
  if (element.localName !== 'iframe' && element.localName !== 'frame') return undefined;
  // The page as it was is no part of the page as it is.
  if (element.hasAttribute(BEFORE)) return undefined;
  try {
    return (element as HTMLIFrameElement).contentDocument ?? undefined;
  } catch {
    return undefined;
  }
}

/** The element around this one, across the borders of shadow roots and frames. */
export function parentOf(element: Element): Element | null {
  // Slotted elements belong where their author wrote them: `parentElement` is that place.
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  if ('host' in root) return (root as ShadowRoot).host;
  return frameOf(root as Document);
}

/** Where the frames around this element have moved it, in CSS pixels of the page. */
export function frameOffset(element: Element): { x: number; y: number } {
  let x = 0;
  let y = 0;
  for (let frame = frameAround(element); frame; frame = frameAround(frame)) {
    const box = frame.getBoundingClientRect();
    x += box.x + frame.clientLeft;
    y += box.y + frame.clientTop;
  }
  return { x, y };
}

/** The frame this element's document is in. */
function frameAround(element: Element): Element | null {
  return frameOf(element.ownerDocument);
}

/** The frame a document is in. The page itself may be framed by a page of the same origin, which is not part of it. */
function frameOf({ defaultView }: Document): Element | null {
  if (typeof window !== 'undefined' && defaultView === window) return null;
  try {
    return defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
}

/** Everything under a point of the page, the topmost and innermost first, without what `skip` holds. */
export function elementsAt(page: Root, x: number, y: number, skip: Element | undefined): Element[] {
  const found: Element[] = [];
  for (const element of page.elementsFromPoint(x, y)) {
    // A shadow root's own question is answered with its surroundings too.
    if (element === skip || element.getRootNode() !== page) continue;
    const inner = frameDocument(element);
    if (inner) {
      const box = element.getBoundingClientRect();
      found.push(...elementsAt(inner, x - box.x - element.clientLeft, y - box.y - element.clientTop, skip));
    } else if (element.shadowRoot) {
      found.push(...elementsAt(element.shadowRoot, x, y, skip));
    }
    found.push(element);
  }
  return found;
}

/** Whether the target of an event is an element: of whichever window, so `instanceof` would not tell. */
export function isElement(target: unknown): target is Element {
  return typeof target === 'object' && target !== null && 'localName' in target;
}
