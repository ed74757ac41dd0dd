/** Pointer and keys while somebody picks: the prototype does not hear of them. */
import { elementsAt, frameDocument, frameOffset, isElement, roots } from './roots.ts';

/** What the gestures mean. Points are in CSS pixels of the page. */
export interface Gestures {
  /** The main button went down; gives whether a drag may begin. */
  press(under: Element[], at: { x: number; y: number }): boolean;
  move(under: Element[], at: { x: number; y: number }): void;
  release(): void;
  leave(): void;
  /** `keys` are those held down: Alt is for what lies below, Shift for one more. */
  click(under: Element[], at: { x: number; y: number }, keys: { altKey: boolean; shiftKey: boolean }): void;
  edit(under: Element[], at: { x: number; y: number }): void;
  menu(under: Element[], at: { x: number; y: number }): void;
}

/** Events that would work the prototype. */
const WITHHELD = 'pointerdown pointerup mousedown mouseup click dblclick auxclick contextmenu touchstart touchend dragstart submit'.split(' ');

/**
 * Takes the pointer over, in the page and in the frames of its own origin. `isOurs` tells what belongs to the overlay or to a text
 * that is being edited: such events stay as they are. The function it gives hands everything back.
 */
export function takeOver(page: Document, skip: () => Element | undefined, isOurs: (event: Event) => boolean, gestures: Gestures): () => void {
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  const listening = new WeakSet<Window>();

  const point = (event: MouseEvent): { x: number; y: number } => {
    const element = event.view?.document.documentElement;
    const offset = element ? frameOffset(element) : { x: 0, y: 0 };
    return { x: event.clientX + offset.x, y: event.clientY + offset.y };
  };
  const under = (at: { x: number; y: number }): Element[] => elementsAt(page, at.x, at.y, skip());

  const listen = (view: Window | null): void => {
    if (!view || listening.has(view)) return;
    listening.add(view);
    view.addEventListener('pointermove', (event) => {
      if (isOurs(event)) return;
      const at = point(event);
      gestures.move(under(at), at);
    }, { ...options, passive: true });
    view.document.documentElement.addEventListener('pointerleave', () => gestures.leave(), { signal: stop.signal });
    for (const kind of WITHHELD) {
      view.addEventListener(kind, (event) => {
        if (isOurs(event)) return;
        // Touch starts stay: preventing them would prevent scrolling.
        if (!kind.startsWith('touch')) event.preventDefault();
        event.stopImmediatePropagation();
        if (!(event instanceof (view as Window & typeof globalThis).MouseEvent)) return;
        const at = point(event);
        if (kind === 'pointerdown' && event.button === 0 && (event as PointerEvent).pointerType !== 'touch') {
          // A drag that leaves the page is still one.
          if (gestures.press(under(at), at) && isElement(event.target)) event.target.setPointerCapture((event as PointerEvent).pointerId);
        } else if (kind === 'pointerup') gestures.release();
        else if (kind === 'click') gestures.click(under(at), at, event);
        else if (kind === 'dblclick' && event.isTrusted) gestures.edit(under(at), at);
        else if (kind === 'contextmenu') gestures.menu(under(at), at);
      }, options);
    }
  };
  const listenToAll = (): void => {
    for (const root of roots(page)) listen((root.ownerDocument ?? (root as Document)).defaultView);
  };
  listenToAll();
  // Frames that load later.
  page.addEventListener('load', (event) => {
    if (event.target !== null && 'localName' in event.target && frameDocument(event.target as Element)) listenToAll();
  }, options);
  return () => stop.abort();
}
