import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { reviewWords } from '../../words.ts';
import type { ShownComment } from '../model/merge.ts';
import { useReview } from '../store.ts';
import { CommentItem } from './CommentItem.tsx';

/** What a comment of two lines takes, in pixels. Each is measured when it is drawn. */
const USUAL_HEIGHT = 84;

/** How long drawing and measuring an opened comment takes, in milliseconds. */
const SETTLE = 100;

/** Only what is in view is drawn: a thousand comments scroll like ten. */
export function CommentList({ comments }: { comments: readonly ShownComment[] }) {
  const scroll = useRef<HTMLDivElement>(null);
  const selected = useReview((state) => state.selected);
  const chosen = useReview((state) => state.chosen);
  const rows = useVirtualizer({
    count: comments.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => comments[index]?.id ?? index,
    overscan: 6,
  });
  // Only a newly opened one is scrolled to: what somebody reads does not move when the list changes.
  const index = comments.findIndex(({ id }) => id === selected);
  const shown = useRef<string | null>(null);
  useEffect(() => {
    if (shown.current === selected) return;
    if (selected !== null && index < 0) return;
    shown.current = selected;
    if (index < 0) return;
    rows.scrollToIndex(index, { align: 'auto' });
    const find = (): HTMLElement | null | undefined => scroll.current?.querySelector<HTMLElement>('[data-open]');
    // Opened it is larger than it was; how large is known after it was drawn.
    setTimeout(() => find()?.scrollIntoView({ block: 'nearest' }), SETTLE);
    requestAnimationFrame(() => {
      const item = find();
      // Whoever walks with the keyboard goes on from there; who writes is left alone.
      const typing = document.activeElement instanceof HTMLTextAreaElement || document.activeElement instanceof HTMLInputElement;
      if (!typing) item?.querySelector<HTMLButtonElement>('.comment-open')?.focus({ preventScroll: true });
    });
  }, [selected, index, rows]);
  return (
    <div ref={scroll} className="scroll comment-scroll">
      <ul className="comment-list" aria-label={reviewWords.listed(comments.length)} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index: at, start }) => {
          const comment = comments[at];
          if (!comment) return null;
          return (
            <li key={key} ref={rows.measureElement} data-index={at} className="comment-row" aria-setsize={comments.length} aria-posinset={at + 1} style={{ transform: `translateY(${start}px)` }}>
              <CommentItem comment={comment} open={comment.id === selected} chosen={chosen === null ? null : chosen.has(comment.id)} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
