import { useSessionEnded } from '../../api/session.ts';
import { reviewWords } from '../../words.ts';
import { useReviewing } from '../context.tsx';
import type { Entry } from '../model/outbox.ts';
import { discard, retry } from '../sending.ts';
import { useReview } from '../store.ts';
import { useDrafts } from '../use/useDrafts.ts';

/** What became of something that is not at the server yet, and what its writer can do. */
export function PendingLine({ entry }: { entry: Entry }) {
  const { desk, mayComment } = useReviewing();
  const drafts = useDrafts();
  const live = useReview((state) => state.live);
  const ended = useSessionEnded();
  if (!desk) return null;
  if (entry.refused === null) return <p className="meta pending-line">{ended ? reviewWords.waitingSignIn : live ? reviewWords.waitingShort : reviewWords.waitingOffline}</p>;
  const rewrite = (): void => {
    const place = entry.replyTo === null ? 'new' : `reply:${entry.replyTo}`;
    drafts.write(place, entry.body);
    discard(desk, entry.key);
    if (entry.replyTo !== null) useReview.setState({ selected: entry.replyTo, replying: true });
    else if (entry.position) useReview.setState({ placing: { position: entry.position, rect: { x: 24, y: 24, width: 0, height: 0 }, label: '', deployment: entry.deploymentId } });
  };
  return (
    <div className="notice bad refused" role="alert">
      <p>{reviewWords.refused(entry.refused)}</p>
      <div className="stage-actions">
        <button type="button" className="button small" onClick={() => retry(desk, entry.key)}>
          {reviewWords.again}
        </button>
        {mayComment && (
          <button type="button" className="button small" onClick={rewrite}>
            {reviewWords.rewrite}
          </button>
        )}
        <button type="button" className="button small plain" onClick={() => discard(desk, entry.key)}>
          {reviewWords.discard}
        </button>
      </div>
    </div>
  );
}
