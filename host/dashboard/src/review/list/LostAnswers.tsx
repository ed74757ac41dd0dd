import { useState } from 'react';
import { reviewWords } from '../../words.ts';
import { setMode } from '../commands.ts';
import { useReviewing } from '../context.tsx';
import { withoutComment } from '../model/merge.ts';
import { discard } from '../sending.ts';
import { useReview } from '../store.ts';
import { useDrafts } from '../use/useDrafts.ts';
import { Words } from './parts.tsx';

interface Lost {
  key: string;
  text: string;
  forget: () => void;
}

/** Answers whose comment was deleted meanwhile, half written or on their way: their writer has the text back. */
export function LostAnswers() {
  const { comments, desk, mayComment } = useReviewing();
  const outbox = useReview((state) => state.outbox);
  const drafts = useDrafts();
  // Drafts lie in the browser's storage, which tells nobody of a change.
  const [, drawAgain] = useState({});
  const half = drafts.answered().filter((to) => !comments.some(({ id }) => id === to));
  const lost: Lost[] = [
    ...half.map((to) => ({ key: to, text: drafts.read(`reply:${to}`), forget: () => (drafts.write(`reply:${to}`, ''), drawAgain({})) })),
    ...(desk ? withoutComment(comments, outbox).map(({ key, body }) => ({ key, text: body, forget: () => discard(desk, key) })) : []),
  ];
  const toComment = ({ text, forget }: Lost): void => {
    const before = drafts.read('new');
    drafts.write('new', before === '' ? text : `${before}\n\n${text}`);
    forget();
    useReview.setState({ placing: null });
    setMode('comment');
  };
  return lost.map((each) => (
    <div key={each.key} className="notice warn refused" role="alert">
      <p>{reviewWords.answerLost}</p>
      <Words body={each.text} mentions={[]} className="lost-answer" />
      <div className="stage-actions">
        {mayComment && (
          <button type="button" className="button small" onClick={() => toComment(each)}>
            {reviewWords.toComment}
          </button>
        )}
        <button type="button" className="button small plain" onClick={each.forget}>
          {reviewWords.discard}
        </button>
      </div>
    </div>
  ));
}
