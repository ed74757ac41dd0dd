/**
 * What a comment remembers of the element it is pinned to, so that the element is found again in a later build. The bridge
 * writes it, the server keeps it as it came (`position.anchor`), and pages only pass it on: it is the prototype's claim.
 */

/** A box in CSS pixels, relative to the top left corner of the visible part of the page. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Attributes that authors write. Absent where the element has none, or one that a build makes up. */
export interface AnchorAttrs {
  /** The value of `data-testid` or one of its relatives. */
  testid?: string;
  id?: string;
  /** The `name` of a form's field. */
  name?: string;
  href?: string;
  /** The file an image, a frame or a drawing shows, without the hash of a build. */
  src?: string;
  alt?: string;
  placeholder?: string;
}

/** The evidence. Texts have their white space collapsed and are empty where there is nothing to say. */
export interface Anchor {
  /** The version of this shape. */
  v: 1;
  /** The element's name, as `button`. */
  tag: string;
  /** Its role, written or implied. */
  role: string;
  /** Its accessible name, at most 120 characters. */
  name: string;
  /** Its text, at most 200 characters. */
  text: string;
  /** Up to 32 characters of the page's text right before and behind it. */
  prefix: string;
  suffix: string;
  attrs: AnchorAttrs;
  /** The names of the elements around it, the outermost first: `body/main/ul/li`. */
  path: string;
  /** The label of a form's field, or the caption of what it stands in. */
  label: string;
  /** The elements beside it, as `p:In stock`. */
  before: string;
  after: string;
  /** The text of the nearest element around it that has more text than itself, at most 120 characters. */
  parent: string;
  /** How many siblings of its name stand before it. */
  nth: number;
  /** Up to 96 elements before it and behind what is in it, the nearest last, a character for each: a digest of what it says. */
  above: string;
  below: string;
  /** Its classes as they are written, at most 120 characters. Builds rename them: they only decide between equals. */
  classes: string;
  /** The point inside the element, from 0 to 1 in both directions. */
  point: { x: number; y: number };
  /** Where the element was, and how large the visible part of the page. */
  box: Box;
  viewport: { width: number; height: number };
  /** The best score of any other element of the page when the pin was set. */
  rival: number;
  /** How much any other element was the same thing, wherever it stood: from 0 to 1. */
  likeness: number;
  /** How many elements and characters the page had: in one that did not change nothing is searched. */
  extent: string;
}

/** What an element is found by: where it was on somebody's screen tells nothing. */
export type Evidence = Omit<Anchor, 'box' | 'viewport'>;

/** Bytes of an anchor as JSON. The server refuses longer ones. */
export const MAX_ANCHOR = 8 * 1024;
