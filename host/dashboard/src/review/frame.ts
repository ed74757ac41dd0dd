/** The prototype's frame: messages to it, and what it says. */
import type { FromReviewed, ToReviewed } from '@kit/review.ts';
import { makeThrottle, parseClaim } from './model/claims.ts';

let view: Window | null = null;
let origin: string | null = null;
/** Until it has loaded an empty page is in it, of this page's origin: the browser complains about messages to another one. */
let loaded = false;

/** From now on messages go to this window, when it is at this origin. */
export function attachFrame(window: Window | null, at: string | null, hasLoaded = false): void {
  [view, origin, loaded] = [window, at, hasLoaded];
}

/** Sends a message. What is said before the page has loaded is said again by `review:start`. */
export function tell(message: ToReviewed): void {
  if (loaded && origin !== null) view?.postMessage(message, origin);
}

/** Hears what the frame says, parsed; gives the way to stop. */
export function hear(listener: (message: FromReviewed) => void): () => void {
  const mayPass = makeThrottle();
  const receive = (event: MessageEvent<unknown>): void => {
    if (view === null || event.source !== view || event.origin !== origin || !mayPass()) return;
    loaded = true;
    const message = parseClaim(event.data);
    if (message) listener(message);
  };
  window.addEventListener('message', receive);
  return () => window.removeEventListener('message', receive);
}
