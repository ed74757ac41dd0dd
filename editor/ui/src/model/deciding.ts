/** Which of an element's declarations the page shows, and which does not hold against it. */
import type { StyleEntry } from '../api/inspection.ts';

/**
 * The declaration that a control shows: the one that decides in the page; where that is not certain the element's own, else the strongest
 * rule (the first in the list) that can be changed. What holds only under a condition that does not hold now says nothing.
 */
export function deciding(styles: readonly StyleEntry[], property: string | undefined): StyleEntry | undefined {
  const declared = styles.filter((style) => style.property === property && style.conditions.every(({ holds }) => holds !== false));
  return declared.find(({ wins }) => wins === true) ?? declared.find(({ from }) => from === 'inline' || from === 'object') ?? declared.find(({ editable, wins }) => editable && wins !== false) ?? declared.find(({ editable }) => editable) ?? declared[0];
}

/** A declaration that is in force nowhere near what the page shows. */
export interface Losing {
  entry: StyleEntry;
  /** What wins over it, when the source tells. */
  winner: StyleEntry | null;
}

/** The strongest declaration that loses, or the one that would be shown when the page contradicts it; null when none does. */
export function losing(styles: readonly StyleEntry[], property: string, shown: StyleEntry | undefined, contradicted: boolean): Losing | null {
  if (shown !== undefined && contradicted) return { entry: shown, winner: null };
  const inForce = (style: StyleEntry): boolean => style.conditions.every(({ holds }) => holds === true);
  const entry = styles.find((style) => style !== shown && style.property === property && style.wins === false && inForce(style) && style.value !== shown?.value);
  return entry === undefined ? null : { entry, winner: shown?.wins === true ? shown : null };
}

/** Properties whose computed value is the declared one: nothing of the layout comes into it. */
const PLAIN = /^(?:font-size|letter-spacing|(?:row|column)-gap|padding(?:-\w+)?|border-radius|border-width|opacity|font-weight|z-index)$/;

/** Whether the page certainly computes something else than this value. */
export function contradicts(property: string, value: string, computed: string): boolean {
  if (!PLAIN.test(property)) return false;
  const plain = /^(-?\d*\.?\d+)(px)?$/;
  const [one, other] = [plain.exec(value.replace(/\s*!important$/, '')), plain.exec(computed)];
  if (!one || !other || one[2] !== other[2]) return false;
  return Math.abs(Number(one[1]) - Number(other[1])) > 0.5 || (one[2] === undefined && Number(one[1]) !== Number(other[1]));
}

/** When it holds, in words: `on pages up to 1024 pixels wide`; empty for always. */
export function conditionOf({ conditions }: StyleEntry): string {
  return conditions.map(({ words }) => words).join(', and ');
}
