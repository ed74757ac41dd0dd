/** Colours as CSS writes them, and as the picker needs them. */
export interface Rgba {
  r: number;
  g: number;
  b: number;
  a: number;
}

/** Reads `#rgb[a]`, `#rrggbb[aa]`, `rgb()`, `rgba()` and `transparent`; anything else is left to the browser. */
export function parseColour(text: string): Rgba | null {
  const value = text.trim().toLowerCase();
  if (value === 'transparent') return { r: 0, g: 0, b: 0, a: 0 };
  const hex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(value)?.[1];
  if (hex !== undefined) {
    const long = hex.length < 5 ? [...hex].map((digit) => digit + digit).join('') : hex;
    const part = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
    return { r: part(0), g: part(2), b: part(4), a: long.length === 8 ? round(part(6) / 255) : 1 };
  }
  const inside = /^rgba?\(([^)]*)\)$/.exec(value)?.[1];
  if (inside === undefined) return null;
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== '');
  if (parts.length < 3 || parts.length > 4) return null;
  const [r, g, b, a] = parts.map((part, index) => {
    const number = Number.parseFloat(part);
    if (!part.endsWith('%')) return number;
    return index === 3 ? number / 100 : (number / 100) * 255;
  });
  if (r === undefined || g === undefined || b === undefined || [r, g, b, a ?? 1].some((part) => Number.isNaN(part))) return null;
  return { r: Math.round(r), g: Math.round(g), b: Math.round(b), a: a ?? 1 };
}

/** The shortest exact spelling. */
export function formatColour({ r, g, b, a }: Rgba): string {
  const pair = (part: number): string => Math.max(0, Math.min(255, Math.round(part))).toString(16).padStart(2, '0');
  const solid = `#${pair(r)}${pair(g)}${pair(b)}`;
  return a >= 1 ? solid : solid + pair(a * 255);
}

/** Computed colours in the spelling designers know; values the parser leaves alone stay as they are. */
export function readableColour(text: string): string {
  const colour = parseColour(text);
  if (colour?.a === 0) return 'transparent';
  return colour ? formatColour(colour) : text;
}

/** Colours among the classes of the project: what a Tailwind theme offers, by name. */
export function themeColours(classes: { name: string; preview?: string | null | undefined }[]): { name: string; value: string }[] {
  const found = new Map<string, string>();
  for (const { name, preview } of classes) {
    const token = /^(?:bg|text)-([\w-]+)$/.exec(name)?.[1];
    const value = /(?:^|:|\s)(#[0-9a-f]{3,8}\b|(?:rgb|hsl|oklch|oklab|lab|lch)a?\([^)]*\))/i.exec(preview ?? '')?.[1];
    if (token !== undefined && value !== undefined && !found.has(token)) found.set(token, value);
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

/** Colours by the name before the shade: `red-50` to `red-950` are one family. What has no shade stands with its like. */
export function colourFamilies(colours: { name: string; value: string }[]): { family: string; colours: { name: string; value: string }[] }[] {
  const families = new Map<string, { name: string; value: string }[]>();
  for (const colour of colours) {
    const family = /^(.+)-\d{2,3}$/.exec(colour.name)?.[1] ?? '';
    const known = families.get(family);
    if (known) known.push(colour);
    else families.set(family, [colour]);
  }
  return [...families].map(([family, colours]) => ({ family, colours }));
}

/** More are no help. */
const MAX_RECENT = 12;

/** The colours used before with one more; names of the theme's classes are in its own swatches. */
export function withRecent(colours: readonly string[], colour: string): string[] {
  const readable = readableColour(colour);
  if (parseColour(colour) === null && !colour.startsWith('var(')) return [...colours];
  return [readable, ...colours.filter((each) => each !== readable)].slice(0, MAX_RECENT);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
