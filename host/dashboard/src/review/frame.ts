/** Frames that prototypes are shown in: messages to the bridge of one, and what it says. */
import type { FromReviewed, ToReviewed } from '@kit/review.ts';
import { makeThrottle, parseClaim } from './model/claims.ts';

export interface FrameChannel {
  /** From now on messages go to this window, when it is at this origin. */
  attach(window: Window | null, at: string | null, hasLoaded?: boolean): void;
  /** Sends a message. What is said before the page has loaded is said again by `review:start`. */
  tell(message: ToReviewed): void;
  /** Hears what the frame says, parsed; gives the way to stop. */
  hear(listener: (message: FromReviewed) => void): () => void;
}

/** A channel that lets so many messages of the frame a second through. */
export function makeChannel(mostPerSecond?: number): FrameChannel {
  let view: Window | null = null;
  let origin: string | null = null;
  /** Until it has loaded an empty page is in it, of this page's origin: the browser complains about messages to another one. */
  let loaded = false;
  return {
    attach: (window, at, hasLoaded = false) => void ([view, origin, loaded] = [window, at, hasLoaded]),
    tell: (message) => {
      if (loaded && origin !== null) view?.postMessage(message, origin);
    },
    hear: (listener) => {
      const mayPass = makeThrottle(mostPerSecond);
      const receive = (event: MessageEvent<unknown>): void => {
        if (view === null || event.source !== view || event.origin !== origin || !mayPass()) return;
        loaded = true;
        const message = parseClaim(event.data);
        if (message) listener(message);
      };
      window.addEventListener('message', receive);
      return () => window.removeEventListener('message', receive);
    },
  };
}

/** The prototype that is reviewed. */
export const { attach: attachFrame, tell, hear } = makeChannel();
