/** Two pages that scroll together, by the share of their height that is above the view. */

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

export type Side = 0 | 1;

/** What a page reports for so long after it was moved is that move, in milliseconds: where it passed and where it came to. */
const ECHO_TIMEOUT = 250;

export interface Together {
  /** A page says where it is; gives where the other one goes, `null` where that one stays. */
  moved(side: Side, scroll: Scroll, now: number): number | null;
  /** A page says where it is, and the other one is left alone. */
  learn(side: Side, scroll: Scroll): void;
  /** Another page is shown there. */
  forget(side: Side): void;
}

/** Knows where both pages are, and tells somebody's scrolling from a page that was made to follow. */
export function makeTogether(): Together {
  const known: [Scroll | null, Scroll | null] = [null, null];
  const putAt: [number, number] = [-Infinity, -Infinity];
  return {
    moved: (side, scroll, now) => {
      const before = known[side];
      known[side] = scroll;
      const otherSide = side === 0 ? 1 : 0;
      const other = known[otherSide];
      // A page that only grew was not scrolled.
      if (!before || !other || Math.abs(before.y - scroll.y) < 1 || now - putAt[side] < ECHO_TIMEOUT) return null;
      const y = follow(scroll, other.max);
      if (Math.abs(other.y - y) < 1) return null;
      known[otherSide] = { ...other, y };
      putAt[otherSide] = now;
      return y;
    },
    learn: (side, scroll) => {
      known[side] = scroll;
    },
    forget: (side) => {
      known[side] = null;
      putAt[side] = -Infinity;
    },
  };
}
