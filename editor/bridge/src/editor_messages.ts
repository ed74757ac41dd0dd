/**
 * What the bridge and the Editor's interface say to each other. Every message, in both directions, carries the run's nonce and
 * goes to an exact origin; a message without the right nonce is ignored.
 */
import type { Anchor, Box } from '../../kit/anchor.ts';
import type { PlacedPin, ReviewPin } from '../../kit/review.ts';

/** Grows when a message changes its meaning; new kinds of messages do not change it. */
export const VERSION = 1;

/** An element of the page, as the interface needs it. */
export interface Target {
  /** Names the element in this page for as long as it lives. */
  id: number;
  /** Its stamp, `path:line:column`; null when it carries none (made by a library, or not by the prototype's source). */
  src: string | null;
  tag: string;
  rect: Box;
  /** A selector that finds it again; shadow roots are crossed with ` >>> `. */
  selector: string;
  text: string;
  classes: string[];
  /** How many elements of the page carry this stamp, and which of them this is (from 0, in document order). */
  shared: number;
  index: number;
  /** The nearest stamped ancestor whose stamp names another file: the place the component is used in. */
  within: string | null;
  /** Stamped ancestors, the nearest first. */
  ancestors: { id: number; src: string; tag: string }[];
  /** Computed values of the properties the inspector shows. */
  styles: Record<string, string>;
}

/** A node of the page's structure: stamped elements only. */
export interface PageNode {
  id: number;
  src: string;
  tag: string;
  /** `#id.class.class`, as far as the element has them. */
  mark: string;
  /** Its own text, or what stands for it: `alt`, `aria-label`, `placeholder`. */
  text: string;
  children: PageNode[];
}

/** Elements by their stamp: all that carry it, or the one of this index. */
export interface Place {
  src: string;
  index?: number;
}

/** In CSS pixels of the page. */
export interface Point {
  x: number;
  y: number;
}

/** From the interface to the page. */
export type ToPage =
  /** Whether a click selects (`select`), drops a pin (`comment`) or works the prototype (`use`); `freeze` stops animations and timers of CSS. */
  | { type: 'editor:mode'; mode: 'select' | 'comment' | 'use'; freeze: boolean }
  /**
   * Selects by handle, or by stamp and index; nothing for "none". `scroll` brings it into view. With `from`, only while the element
   * of that handle, or none, is selected: somebody may have selected another one while the message was on its way. `quiet` is not
   * answered: another page shows the selection, and this one goes along.
   */
  | { type: 'editor:select'; id?: number; src?: string; index?: number; scroll?: boolean; from?: number; quiet?: boolean }
  | { type: 'editor:hover'; id?: number; src?: string; index?: number }
  /**
   * An edit of the selected element, whose stamp is `src`: without `to` it is under way, and elements that hot reload makes meanwhile
   * are not searched by the old stamp, which another one may carry now. With `to` it is done, and that is the element's new stamp.
   */
  | { type: 'editor:follow'; src: string; to?: string }
  /**
   * Begins editing the text of this element in place. `run` is null when the element has one run; `at` is where the caret goes; `edit`
   * names this edit, and comes back with its text. Where a double click began it already, it only gets its name.
   */
  | { type: 'editor:edit-text'; id: number; run: number | null; at: Point | null; edit: string }
  /** The edit that a double click on this element began is none: its text is as it was. */
  | { type: 'editor:no-edit'; id: number }
  /** The element may be dragged: `edit` comes back when it is dropped. */
  | { type: 'editor:drag'; src: string; edit: string }
  /** Shows a value at once, before the source has changed; a null value takes it back. Without `id` for the selected element. */
  | { type: 'editor:preview'; id?: number; property: string; value: string | null }
  /**
   * Outlines these elements too. With `property` those as well that the page styles by the same rule as the selected one: the last
   * one that declares the property. Answered with `editor:marked`.
   */
  | { type: 'editor:mark'; places: Place[]; property?: string }
  /** Keeps the page as it is now, to show it later as it was: `start` only when nothing is kept. */
  | { type: 'editor:keep' }
  /** Shows what was kept last (`edit`) or first (`start`), or the present page again (null). */
  | { type: 'editor:before'; show: 'edit' | 'start' | null }
  | { type: 'editor:structure' }
  /** Asks which of these conditions, as `@media (hover)`, hold for the element. */
  | { type: 'editor:conditions'; id: number; conditions: string[] }
  | { type: 'editor:pins'; pins: ReviewPin[] }
  /** Reads the page for the program; `ask` is for `review/live.mjs`. Answered under the same `id`. */
  | { type: 'editor:read'; id: string; ask: unknown }
  /** `back`, `forward`, `reload`, or a path of the prototype. */
  | { type: 'editor:go'; to: string };

/** From the page to the interface. */
export type FromPage =
  | { type: 'editor:ready'; version: number; page: string; title: string }
  | { type: 'editor:page'; page: string; title: string }
  | { type: 'editor:hovered'; target: Target | null }
  /** `under` is what lies at the point that was clicked, the topmost first: what carries no stamp too when it was clicked itself. */
  | { type: 'editor:selected'; target: Target | null; under: { id: number; src: string | null; tag: string }[] }
  /** Somebody clicked with Shift: the element is selected beside what is selected, or no longer. */
  | { type: 'editor:added'; target: Target }
  /** How many elements `editor:mark` outlined. */
  | { type: 'editor:marked'; count: number }
  /** Whether there is a page to show as it was. */
  | { type: 'editor:before'; shown: boolean }
  /** The selected element moved, changed its size or its text. */
  | { type: 'editor:moved'; target: Target }
  | { type: 'editor:structure'; nodes: PageNode[] }
  /** The answer: a condition that the browser does not read is left out. */
  | { type: 'editor:conditions'; id: number; holds: Record<string, boolean> }
  | { type: 'editor:text'; id: number; src: string; index: number; run: number | null; before: string; text: string; edit: string }
  | { type: 'editor:text-cancelled'; id: number }
  /** Somebody began to edit the text of the element (double click): the interface names that edit, or ends it. */
  | { type: 'editor:wants-text'; target: Target; at: Point }
  /** The answer to `editor:edit-text` where there is no text to edit in place. */
  | { type: 'editor:no-text'; target: Target }
  /** Somebody began to drag the selected element: the interface allows it, or does not. */
  | { type: 'editor:wants-drag'; src: string }
  /** `anchor` is what the comment keeps of the element, to find it in later builds. */
  | { type: 'editor:placed'; target: Target; x: number; y: number; anchor: Anchor }
  /** The selected element was dragged beside or into another one of its file. */
  | { type: 'editor:drop'; src: string; to: string; tag: string; place: 'before' | 'after' | 'last'; edit: string }
  /** All pins; sent when a state or a place changed, at most ten times a second. */
  | { type: 'editor:pins'; pins: PlacedPin[] }
  /** What the page read, as far as the prototype's scripts let it; null when it cannot. */
  | { type: 'editor:read'; id: string; answer: unknown }
  /** Somebody pressed a pin. */
  | { type: 'editor:pin'; id: string }
  /** A key the prototype does not need: the interface has its shortcuts in the frame too. */
  | { type: 'editor:key'; key: string; meta: boolean; ctrl: boolean; shift: boolean; alt: boolean }
  | { type: 'editor:menu'; target: Target; x: number; y: number }
  /** Something in the page went wrong: shown to the designer. */
  | { type: 'editor:error'; message: string };
