/** The prototype's frame: messages to it, and what it says. */
import type { FromReviewed, ToReviewed } from '@kit/review.ts';
import { makeThrottle, parseClaim } from './model/claims.ts';

let view: Window | null = null;
let origins: readonly string[] = [];

/** From now on messages go to this window, when it is at one of these origins. */
export function attachFrame(window: Window | null, allowed: readonly string[]): void {
  [view, origins] = [window, allowed];
}

/** Sends a message. Each of the origins is tried: the browser delivers to the one that the frame is at. */
export function tell(message: ToReviewed): void {
  for (const origin of origins) view?.postMessage(message, origin);
}

/** Hears what the frame says, parsed; gives the way to stop. */
export function hear(listener: (message: FromReviewed) => void): () => void {
  const mayPass = makeThrottle();
  const receive = (event: MessageEvent<unknown>): void => {
    if (view === null || event.source !== view || !origins.includes(event.origin) || !mayPass()) return;
    const message = parseClaim(event.data);
    if (message) listener(message);
  };
  window.addEventListener('message', receive);
  return () => window.removeEventListener('message', receive);
}
