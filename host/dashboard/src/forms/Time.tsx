import { timeAgo } from '@kit/times.ts';
import { exact } from './dates.ts';

/** `3 hours ago`, with the exact time for whoever points at it. */
export function Time({ at }: { at: string }) {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return <>{at}</>;
  return (
    <time dateTime={at} title={exact(at)}>
      {time > Date.now() + 60_000 ? exact(at) : timeAgo(at)}
    </time>
  );
}
