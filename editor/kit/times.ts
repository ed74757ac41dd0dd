/** Times for people. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `3 hours ago`; beyond a week the date. What is no time is shown as it is. */
export function timeAgo(time: string, now: number = Date.now()): string {
  const at = /^\d{9,}$/.test(time) ? Number(time) * (time.length < 12 ? 1000 : 1) : Date.parse(time);
  if (Number.isNaN(at)) return time;
  const passed = now - at;
  if (passed > 7 * 86_400_000) return new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(at);
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length] of UNITS) if (passed >= length) return format.format(-Math.floor(passed / length), unit);
  return 'just now';
}
