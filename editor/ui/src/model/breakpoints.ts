/** The widths a prototype is looked at in. */
export interface Breakpoint {
  id: 'phone' | 'tablet' | 'laptop' | 'fill';
  label: string;
  /** CSS pixels; null fills the space there is. */
  width: number | null;
}

export const BREAKPOINTS: readonly Breakpoint[] = [
  { id: 'phone', label: 'Phone', width: 390 },
  { id: 'tablet', label: 'Tablet', width: 768 },
  { id: 'laptop', label: 'Laptop', width: 1280 },
  { id: 'fill', label: 'Fill', width: null },
];

const STEPS = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.25, 1.5, 2];

/** The next zoom in a direction, from wherever the zoom is. */
export function zoomed(zoom: number, direction: 1 | -1): number {
  const near = 0.001;
  const next = direction === 1 ? STEPS.find((step) => step > zoom + near) : STEPS.findLast((step) => step < zoom - near);
  return next ?? zoom;
}

/** The zoom that shows `width` pixels in `space`; never larger than life. */
export function fittingZoom(width: number | null, space: number): number {
  if (width === null || space <= 0) return 1;
  return Math.min(1, Math.max(0.1, Math.floor((space / width) * 100) / 100));
}
