/** What the bridge and the frame around it say to each other. Both sides check where a message comes from. */

/** Grows when a message changes its meaning; new kinds of messages do not change it. */
export const VERSION = 1;

/** Sent once to the parent when a page has loaded. */
export interface Ready {
  type: 'galley:ready';
  version: number;
  /** The page's address. */
  page: string;
}

/** A box in CSS pixels, relative to the top left corner of the visible part of the page. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Sent to the parent while picking is on, whenever the pointer comes to another element. */
export interface Picked {
  type: 'galley:element';
  /** Matches this element and no other one of the page as it is now. */
  selector: string;
  rect: Box;
  /** The element's name, as `button`. */
  tag: string;
  /** The beginning of its text, white space collapsed; empty when it has none. */
  text: string;
}

/** Asked by the parent: report the element under the pointer, or stop. */
export interface Pick {
  type: 'galley:pick';
  on: boolean;
}

/** Reads a message from outside: anything may arrive here. */
export function parsePick(data: unknown): Pick | undefined {
  if (typeof data !== 'object' || data === null || !('type' in data) || !('on' in data)) return undefined;
  if (data.type !== 'galley:pick' || typeof data.on !== 'boolean') return undefined;
  return { type: data.type, on: data.on };
}
