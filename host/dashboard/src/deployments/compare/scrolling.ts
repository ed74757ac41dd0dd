/** Two frames that scroll together, by the share of their height that is above the view. */

/** How far a page is scrolled: pixels, and the furthest it goes. */
export interface Scroll {
  y: number;
  max: number;
}

/** Where the other page stands when this one is scrolled so: as far from the top, or the end when this one is at its end. */
export function follow(from: Scroll, otherMax: number): number {
  if (from.max <= 0) return 0;
  if (from.y >= from.max - 1) return otherMax;
  // Pages of about the same height keep their pixels, so that the same rows stay side by side.
  if (Math.abs(from.max - otherMax) < 0.25 * Math.max(from.max, otherMax)) return Math.min(from.y, otherMax);
  return Math.round((from.y / from.max) * otherMax);
}

/** What is scrolled in a frame of this page's own origin; `null` for a frame of another one. */
export function ownWindow(frame: HTMLIFrameElement | null): Window | null {
  try {
    const inner = frame?.contentWindow ?? null;
    // Reading the document of another origin throws, or there is none.
    return inner !== null && inner.document.documentElement !== null ? inner : null;
  } catch {
    return null;
  }
}

export function scrollOf(inner: Window): Scroll {
  const root = inner.document.scrollingElement ?? inner.document.documentElement;
  return { y: root.scrollTop, max: Math.max(0, root.scrollHeight - root.clientHeight) };
}

export function scrollTo(inner: Window, y: number): void {
  const root = inner.document.scrollingElement ?? inner.document.documentElement;
  root.scrollTo({ top: y, behavior: 'instant' });
}
