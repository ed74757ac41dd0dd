import { MessageSquare, MessageSquarePlus, MousePointer2 } from 'lucide-react';
import { reviewWords } from '../../words.ts';
import { setMode, setPanel } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { useReview } from '../store.ts';

/** On a phone: the two things one does, within reach of a thumb. */
export function BottomBar() {
  const { comments, mayComment, slot } = useReviewing();
  const mode = useReview((state) => state.mode);
  const panel = useReview((state) => state.panel);
  const unread = useReview((state) => state.unread.size > 0);
  if (slot === 'absent') return null;
  const open = comments.filter(({ resolved }) => !resolved).length;
  return (
    <div className="bottom-bar">
      {mayComment && (
        <button type="button" className={`button ${mode === 'comment' ? '' : 'primary'}`} aria-pressed={mode === 'comment'} onClick={() => setMode(mode === 'comment' ? 'use' : 'comment')}>
          {mode === 'comment' ? <MousePointer2 size={16} aria-hidden /> : <MessageSquarePlus size={16} aria-hidden />}
          {mode === 'comment' ? reviewWords.leave : reviewWords.comment}
        </button>
      )}
      <button type="button" className="button" aria-expanded={panel} aria-controls="comments" onClick={() => setPanel(!panel)}>
        <MessageSquare size={16} aria-hidden />
        {reviewWords.comments}
        {open > 0 && <span className="filter-count">{open}</span>}
        {unread && (
          <span className="unread">
            <span className="hidden">{reviewWords.unread}</span>
          </span>
        )}
      </button>
    </div>
  );
}
