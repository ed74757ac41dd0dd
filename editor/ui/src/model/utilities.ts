/** Styles as Tailwind's utilities: which class sets a property, and what the theme offers for it. */
import type { Breakpoint, ClassInfo, Inspection, UtilitySet } from '../api/inspection.ts';

export interface Setting {
  /** As it stands in the class list. */
  class: string;
  /** Whether it sets this property alone: then another value takes its place, else it is put beside. */
  exact: boolean;
}

/** The class that sets the property under a variant (`null` is "always"). The last one wins, one for exactly this property before others. */
export function settingOf(set: readonly UtilitySet[], property: string, variant: string | null): Setting | null {
  const under = set.filter(({ variants }) => (variant === null ? variants.length === 0 : variants.length === 1 && variants[0] === variant));
  const exact = under.findLast(({ properties }) => properties.includes(property));
  if (exact) return { class: exact.class, exact: true };
  const among = under.findLast((each) => each.among.includes(property));
  return among ? { class: among.class, exact: false } : null;
}

/** The class of a wider breakpoint that decides at the page's width, whatever is set from `from` on. */
export function decidingAt(set: readonly UtilitySet[], property: string, breakpoints: readonly Breakpoint[], from: number, page: number): string | null {
  const wider = breakpoints.filter(({ width }) => width > from && width <= page);
  return wider.map(({ name }) => settingOf(set, property, name)).findLast((setting) => setting !== null)?.class ?? null;
}

/** Whether a style of the element is written as a class: no style of its own and no rule decides the property. */
export function becomesClass({ utilities, classes, styles }: Inspection, property: string, shorthand: string | undefined, variant: string | null): boolean {
  if (utilities === null || !classes.editable) return false;
  if (variant !== null) return true;
  const declared = styles.filter((style) => style.editable && (style.property === property || style.property === shorthand));
  if (declared.some(({ from, wins }) => from === 'inline' || from === 'object' || (wins === true && settingOf(utilities.set, property, null) !== null))) return false;
  return settingOf(utilities.set, property, null) !== null || (utilities.fresh && declared.length === 0);
}

const NONE: readonly ClassInfo[] = [];
const scales = new WeakMap<readonly ClassInfo[], Map<string, ClassInfo[]>>();

/** What the theme offers for a property, in its order. */
export function scaleOf(classes: readonly ClassInfo[], property: string): readonly ClassInfo[] {
  let scale = scales.get(classes);
  if (!scale) {
    scale = new Map();
    for (const each of classes) {
      if (each.sets === null) continue;
      const known = scale.get(each.sets);
      if (known) known.push(each);
      else scale.set(each.sets, [each]);
    }
    scales.set(classes, scale);
  }
  return scale.get(property) ?? NONE;
}

/** What of a scale fits to what was typed: names and values; nothing typed is everything. */
export function fitting(scale: readonly ClassInfo[], typed: string): readonly ClassInfo[] {
  const text = typed.trim().toLowerCase();
  return text === '' ? scale : scale.filter(({ name, preview }) => name.includes(text) || (preview ?? '').toLowerCase().includes(text));
}

/** The value behind a preview like `padding: 1rem`; a colour's preview is the colour. */
export function valueOf({ preview }: ClassInfo): string {
  return (preview ?? '').replace(/^[a-z -]+:\s*/, '');
}

/** A class without its variant: `md:p-4` is `p-4`. */
export function withoutVariant(name: string, variant: string | null): string {
  return variant !== null && name.startsWith(`${variant}:`) ? name.slice(variant.length + 1) : name;
}

export function underVariant(name: string, variant: string | null): string {
  return variant === null ? name : `${variant}:${name}`;
}
