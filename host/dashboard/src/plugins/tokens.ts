/** The page's colours and sizes, as the CSS variables of the kit, for frames that cannot see them. */
const NAMES = [
  ...['font', 'mono', 'text-s', 'text', 'text-l', 'text-xl', 'row', 'gap-1', 'gap-2', 'gap-3', 'gap-4', 'round', 'round-l'],
  ...['ground', 'surface', 'raised', 'field', 'field-hover', 'chosen', 'line', 'line-strong', 'ink', 'ink-2', 'ink-3'],
  ...['accent', 'accent-ink', 'accent-soft', 'accent-text', 'good', 'good-soft', 'bad', 'bad-soft', 'warn', 'warn-soft', 'focus'],
];

/** Colours that differ by scheme stay `light-dark()`: the frame sets its own `color-scheme`. */
export function tokens(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(NAMES.map((name) => [`--${name}`, style.getPropertyValue(`--${name}`).trim()]));
}
