import { timeAgo } from '@kit/times.ts';

const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** `3 hours ago`, with the exact time for whoever points at it. */
export function Time({ at }: { at: string }) {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return <>{at}</>;
  return (
    <time dateTime={at} title={EXACT.format(time)}>
      {time > Date.now() + 60_000 ? EXACT.format(time) : timeAgo(at)}
    </time>
  );
}
