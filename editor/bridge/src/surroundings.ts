/** What happens in a page beside what somebody points at. */
import type { Overlay } from './overlay.ts';

/** Tells of errors of the page, and keeps the overlay above what the page opens. */
export function watchPage(view: Window, overlay: Overlay, complain: (message: string) => void): void {
  view.addEventListener('error', ({ message }) => complain(message));
  view.addEventListener('unhandledrejection', ({ reason }) => complain(String(reason)));
  // A dialog or a menu of the page comes above everything, the overlay included.
  view.document.addEventListener('toggle', ({ target }) => target !== overlay.host && overlay.raise(), true);
}
