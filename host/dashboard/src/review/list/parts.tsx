/** What a comment in the list and its thread both show. */
import { piecesOf } from '@kit/mentions.ts';
import { timeAgo } from '@kit/times.ts';
import { useReviewing } from '../context.tsx';
import { useNow } from '../use/useNow.ts';

/** How long ago; the whole date on hovering. */
export function When({ time }: { time: string }) {
  const now = useNow();
  const at = new Date(time);
  const whole = Number.isNaN(at.getTime()) ? time : new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short' }).format(at);
  return (
    <time className="meta" dateTime={time} title={whole}>
      {timeAgo(time, now)}
    </time>
  );
}

/** A text with the people it mentions. It is text: nothing in it becomes markup. */
export function Words({ body, mentions, className = '' }: { body: string; mentions: readonly string[]; className?: string }) {
  const { people } = useReviewing();
  const named = people.filter(({ id }) => mentions.includes(id));
  return (
    <p className={`words ${className}`}>
      {piecesOf(body, named).map(({ text, person }, index) =>
        person ? (
          <b key={index} className="mention">
            {text}
          </b>
        ) : (
          <span key={index}>{text}</span>
        ),
      )}
    </p>
  );
}
