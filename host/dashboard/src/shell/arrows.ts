/** Arrows walk along the radios or tabs of a group, and choose the one they come to; around its ends, too. */
import type { KeyboardEvent } from 'react';

export function walk(event: KeyboardEvent<HTMLElement>, role: 'radio' | 'tab', forward: readonly string[], back: readonly string[]): void {
  const by = forward.includes(event.key) ? 1 : back.includes(event.key) ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const each = [...event.currentTarget.querySelectorAll<HTMLButtonElement>(`[role="${role}"]`)];
  const at = each.findIndex((one) => one === document.activeElement);
  const next = each[(at + by + each.length) % each.length];
  next?.focus();
  next?.click();
}
