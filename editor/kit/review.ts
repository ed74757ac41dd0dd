/** What the review page and the bridge inside a prototype say to each other. Both sides check where a message comes from. */
import type { Anchor, Box, Evidence } from './anchor.ts';

/** Grows when a message changes its meaning; new kinds of messages do not change it. */
export const REVIEW_VERSION = 1;

/** More pins than this are not drawn. */
export const MAX_PINS = 1_000;

export type ReviewMode = 'comment' | 'use';

/** A comment's pin. */
export interface ReviewPin {
  /** At most 128 characters. */
  id: string;
  /** The comment's `anchorSelector`. */
  selector: string;
  /** Null where the comment has none: then the selector alone is used. */
  anchor: Evidence | null;
  /** The page it is pinned to; compared by `samePage`. */
  page: string;
  /** What is written on the pin, at most 4 characters. */
  label: string;
  /** What a screen reader says, at most 200 characters. */
  title: string;
  status: 'open' | 'resolved' | 'draft';
  unread?: boolean;
}

/**
 * How sure the bridge is: `exact`; `moved`; `selector` (found by the selector alone); `detached`; `hidden` (in the page, but not
 * visible now); `elsewhere` (on another page); `searching` (not decided yet).
 */
export type PinState = 'exact' | 'moved' | 'selector' | 'detached' | 'hidden' | 'elsewhere' | 'searching';

/** Where a pin is now. */
export interface PlacedPin {
  id: string;
  state: PinState;
  /** From 0 to 1; null where nothing was compared. */
  score: number | null;
  /** The element's box; null where no pin is drawn. */
  rect: Box | null;
  /** The most similar element of a detached one. It is never taken without asking. */
  guess: { text: string; score: number; rect: Box } | null;
}

/** From the review page to the prototype. */
export type ToReviewed =
  /** The bridge does nothing before this. It may be sent again, and is answered with `review:ready`. `scroll`: it tells how the page is scrolled. */
  | { type: 'review:start'; mode: ReviewMode; theme: 'light' | 'dark'; pins: ReviewPin[]; keys: boolean; scroll?: boolean }
  /** `still`: animations are held while somebody comments; true by default. */
  | { type: 'review:mode'; mode: ReviewMode; still?: boolean }
  | { type: 'review:pins'; pins: ReviewPin[] }
  /** Scrolls to a pin and outlines its element, or with `guess` the best guess for it. Null takes the outline away. */
  | { type: 'review:show'; id: string | null; guess?: boolean }
  /** Pins a detached comment again, at its best guess: answered with `review:placed`. */
  | { type: 'review:place'; id: string }
  /** Scrolls the page to so many pixels from its top. */
  | { type: 'review:scroll'; y: number }
  /** `back`, `forward`, `reload`, or an address of the prototype. */
  | { type: 'review:go'; to: string };

/** From the prototype to the review page. */
export type FromReviewed =
  /**
   * There is a page. `started`: it has heard `review:start`, so that clicks are pins where they should be. `deployment` is the
   * version that the server says it is of, null where it says nothing.
   */
  | { type: 'review:ready'; version: number; page: string; title: string; started: boolean; deployment: string | null }
  /** The address or the title changed without a load. */
  | { type: 'review:page'; page: string; title: string }
  /** Somebody chose an element. `id` is that of `review:place`. */
  | { type: 'review:placed'; selector: string; anchor: Anchor; rect: Box; page: string; label: string; id?: string }
  /** All pins; sent when a state or a place changed, at most ten times a second. */
  | { type: 'review:pins'; pins: PlacedPin[] }
  /** How far the page is scrolled, and can be, in pixels: sent once it was asked for, and for each frame in which it differs. */
  | { type: 'review:scroll'; y: number; max: number }
  /** Somebody pressed a pin. */
  | { type: 'review:pin'; id: string }
  | { type: 'review:key'; key: string; meta: boolean; ctrl: boolean; shift: boolean; alt: boolean }
  /** Something in the prototype went wrong. */
  | { type: 'review:error'; message: string };
