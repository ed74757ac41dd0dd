const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** `Nov 22, 2026, 10:34 PM`; what is no time is given back. */
export function exact(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : EXACT.format(at);
}
