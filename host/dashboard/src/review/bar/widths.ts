import { Laptop, Monitor, Smartphone, Tablet } from 'lucide-react';

/** The widths on offer, in CSS pixels; `null` fills what there is. */
export const WIDTHS = [
  { id: 'phone', width: 390, icon: Smartphone },
  { id: 'tablet', width: 768, icon: Tablet },
  { id: 'laptop', width: 1280, icon: Laptop },
  { id: 'fill', width: null, icon: Monitor },
] as const;
