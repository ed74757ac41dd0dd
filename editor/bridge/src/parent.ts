/** The frame around the page: who it is, and talking to it alone. */
import type { FromReviewed } from '../../kit/review.ts';
import type { FromPage } from './editor_messages.ts';

/** The bridge's own tag may carry this attribute; it outranks what the browser tells about the parent. */
const ORIGIN_ATTRIBUTE = 'data-parent-origin';

/** The parent frame. */
export interface Parent {
  send(message: FromReviewed | (FromPage & { nonce: string })): void;
  /** Everything the parent says, as it came. */
  onMessage(listener: (data: unknown) => void): void;
}

/**
 * The parent frame, when there is one and its origin is known. A message without a target origin could be read by any
 * page that embeds this one, so the bridge says nothing rather than that.
 */
export function findParent(view: Window, script: Element | null): Parent | undefined {
  const parent = view.parent;
  const origin = parent === view ? undefined : parentOrigin(view, script);
  if (origin === undefined) return undefined;
  return {
    send: (message) => parent.postMessage(message, origin),
    onMessage: (listener) =>
      view.addEventListener('message', (event) => {
        if (event.source === parent && event.origin === origin) listener(event.data);
      }),
  };
}

/** The parent's origin: as the page's server said, else as the browser knows, else where the page was opened from. */
export function parentOrigin(view: Window, script: Element | null): string | undefined {
  return (
    originOf(script?.getAttribute(ORIGIN_ATTRIBUTE)) ??
    // Firefox has no `ancestorOrigins`.
    originOf((view.location.ancestorOrigins as DOMStringList | undefined)?.[0]) ??
    originOf(view.document.referrer)
  );
}

function originOf(address: string | null | undefined): string | undefined {
  if (!address) return undefined;
  try {
    const { origin } = new URL(address);
    // Sandboxed and `data:` parents have no origin that could be named.
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
}
