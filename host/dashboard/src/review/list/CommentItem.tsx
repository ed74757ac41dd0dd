import { Check, Image, MessageSquare, RotateCcw } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import { reviewWords } from '../../words.ts';
import { resolve, select } from '../commands.ts';
import { useOnThisPage, usePinState, useReviewing } from '../context.tsx';
import { innerPath } from '../model/pages.ts';
import type { ShownComment } from '../model/merge.ts';
import { useReview } from '../store.ts';
import { Initials } from './Initials.tsx';
import { When, Words } from './parts.tsx';
import { PendingLine } from './PendingLine.tsx';
import { Thread } from './Thread.tsx';

/** One comment in the list: what it says, and opened its whole thread. */
export const CommentItem = memo(function CommentItem({ comment, open, chosen }: { comment: ShownComment; open: boolean; chosen: boolean | null }) {
  const around = useReviewing();
  const unread = useReview((state) => state.unread.has(comment.id));
  const state = usePinState(comment.id);
  const here = useOnThisPage()(comment, state);
  const { number, author, body, mentions, replies, resolved, images, pending } = comment;
  const toggle = (): void => select(open ? null : comment);
  // The whole row can be clicked, unless somebody selects text or means something inside.
  const click = (event: MouseEvent): void => {
    if (open || (event.target as Element).closest('button, a, input, label, textarea') || String(getSelection()) !== '') return;
    if (chosen === null) toggle();
    else choose(comment.id);
  };
  const page = innerPath(comment.position.page);
  return (
    <article className={`comment-item${open ? ' open' : ''}${resolved ? ' resolved' : ''}${pending ? ' pending' : ''}`} data-open={open || undefined} data-comment={number} onClick={click}>
      <div className="comment-head">
        {chosen !== null && !pending && <input type="checkbox" aria-label={reviewWords.chooseThis(number)} checked={chosen} onChange={() => choose(comment.id)} />}
        <button type="button" className="comment-open" aria-expanded={open} onClick={toggle}>
          <span className="hidden">{reviewWords.commentBy(number)}</span>
          <Initials name={author.displayName} uid={author.uid} />
          <b>{author.displayName}</b>
          <When time={comment.createdAt} />
          {comment.editedAt !== null && <span className="meta">· {reviewWords.edited}</span>}
          {unread && (
            <span className="unread">
              <span className="hidden">{reviewWords.unread}</span>
            </span>
          )}
        </button>
        {/* In the head, which has room for it: what the page says of the pins later moves nothing. */}
        {here && state !== 'selector' && reviewWords.state[state] !== '' && <span className={`badge ${state === 'detached' ? 'warn' : ''}`}>{reviewWords.state[state]}</span>}
        {around.mayComment && !pending && (
          <button type="button" className="icon-button small resolve" aria-label={resolved ? reviewWords.reopen : reviewWords.resolve} title={resolved ? reviewWords.reopen : reviewWords.resolve} onClick={() => void resolve(around, comment)}>
            {resolved ? <RotateCcw size={14} aria-hidden /> : <Check size={15} aria-hidden />}
          </button>
        )}
        <span className={`pin-number${resolved ? ' resolved' : ''}`} data-state={state} aria-hidden>
          {pending ? '…' : number}
        </span>
      </div>
      {open ? <Thread comment={comment} state={state} here={here} /> : (
        <>
          <Words className="clamp" body={body} mentions={mentions} />
          {pending && <PendingLine entry={pending} />}
          <div className="comment-meta">
            {!here && <span className="page-chip">{reviewWords.onPage(page)}</span>}
            {replies.length > 0 && (
              <span className="meta with-icon">
                <MessageSquare size={12} aria-hidden />
                {reviewWords.replies(replies.length)}
              </span>
            )}
            {images.length > 0 && (
              <span className="meta with-icon">
                <Image size={12} aria-hidden />
                {images.length}
              </span>
            )}
            {resolved && <span className="badge good">{reviewWords.resolved}</span>}
          </div>
        </>
      )}
    </article>
  );
});

function choose(id: string): void {
  useReview.setState(({ chosen }) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    return { chosen: next };
  });
}
