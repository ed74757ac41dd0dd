/** Numbers with units, as they are typed into fields. */
export interface Length {
  number: number;
  unit: string;
}

export function parseLength(text: string): Length | null {
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*([a-z%]*)\s*$/i.exec(text);
  if (!found?.[1]) return null;
  return { number: Number(found[1]), unit: (found[2] ?? '').toLowerCase() };
}

/** Arrow keys: one step up or down, ten with Shift, a tenth with Alt. `null` for what is no number. */
export function stepped(text: string, direction: 1 | -1, size: { shift: boolean; alt: boolean }, fallbackUnit: string): string | null {
  const length = parseLength(text);
  if (!length) return null;
  const unit = length.unit === '' ? fallbackUnit : length.unit;
  const base = unit === 'rem' || unit === 'em' || (unit === '' && Math.abs(length.number) <= 2) ? 0.1 : 1;
  const step = base * (size.shift ? 10 : size.alt ? 0.1 : 1);
  const next = Math.round((length.number + direction * step) * 1000) / 1000;
  return `${next}${unit}`;
}

/** What somebody typed, as CSS: a bare number gets the unit of the field; empty is "nothing declared". */
export function typedValue(text: string, fallbackUnit: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const length = parseLength(trimmed);
  if (!length || length.unit !== '' || fallbackUnit === '' || length.number === 0) return trimmed;
  return `${length.number}${fallbackUnit}`;
}

/** A computed value without noise: `12.345678px` is `12.35px`. */
export function readableLength(text: string): string {
  const length = parseLength(text);
  return length ? `${Math.round(length.number * 100) / 100}${length.unit}` : text;
}
