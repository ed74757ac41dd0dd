import { CornerDownRight, History, MapPin, MapPinOff } from 'lucide-react';
import type { Author } from '../../api/comments.ts';
import { timeAgo } from '@kit/times.ts';
import { reviewWords } from '../../words.ts';
import { addImages, editText, goTo, pinAtGuess, setMode, showVersion } from '../commands.ts';
import { mayChange, useReviewing, versionName } from '../context.tsx';
import { tell } from '../frame.ts';
import type { PinState } from '../model/filters.ts';
import { IMAGE_TYPES, MAX_IMAGES } from '../model/kept_images.ts';
import { innerPath } from '../model/pages.ts';
import type { ShownComment, ShownReply } from '../model/merge.ts';
import { shownVersion, useReview } from '../store.ts';
import { useNow } from '../use/useNow.ts';
import { CommentMenu } from './CommentMenu.tsx';
import { When, Words } from './parts.tsx';
import { Composer, ImageButton } from './Composer.tsx';
import { EditField, useEditing } from './EditField.tsx';
import { Images } from './Images.tsx';
import { Initials } from './Initials.tsx';
import { PendingLine } from './PendingLine.tsx';

/** An opened comment: its text and images, where it is, the replies, and the field to answer. */
export function Thread({ comment, state, here }: { comment: ShownComment; state: PinState; here: boolean }) {
  const around = useReviewing();
  const replying = useReview((all) => all.replying);
  const now = useNow();
  const { pending, resolvedAt, resolvedBy } = comment;
  const own = mayChange(around, comment.author) && !pending;
  const [editing, setEditing] = useEditing(comment.id, own);
  return (
    <div className="thread">
      {editing ? (
        <EditField id={comment.id} body={comment.body} autoFocus={editing === 'asked'} onSave={(body, mentions) => editText(around, comment.id, null, body, mentions)} onDone={() => setEditing(null)} />
      ) : (
        <Words body={comment.body} mentions={comment.mentions} />
      )}
      {pending && <PendingLine entry={pending} />}
      <Images comment={comment} mayRemove={own && editing !== null} />
      <Where comment={comment} state={state} here={here} />
      {!pending && !editing && (
        <div className="thread-tools">
          {around.mayComment && (
            <button type="button" className="button small" aria-expanded={replying} onClick={() => useReview.setState({ replying: !replying })}>
              {reviewWords.reply}
            </button>
          )}
          {own && comment.images.length < MAX_IMAGES && <ImageButton onAdd={(files) => void addImages(around, comment.id, files.filter(({ type }) => IMAGE_TYPES.includes(type)))} />}
          <span className="review-gap" />
          <CommentMenu comment={comment} mayChange={own} onEdit={() => setEditing('asked')} />
        </div>
      )}
      {comment.resolved && resolvedBy && resolvedAt && <p className="meta">{reviewWords.resolvedBy(resolvedBy.displayName, timeAgo(resolvedAt, now))}</p>}
      {comment.replies.length > 0 && (
        <ul className="thread-replies">
          {comment.replies.map((reply) => (
            <ReplyItem key={reply.id} comment={comment} reply={reply} />
          ))}
        </ul>
      )}
      {replying && !pending && (
        <Composer
          place={`reply:${comment.id}`}
          label={reviewWords.replyTo(comment.number)}
          button={reviewWords.reply}
          autoFocus
          target={{ replyTo: comment.id, position: null, deploymentId: null }}
          onSent={() => useReview.setState({ replying: false })}
          onCancel={() => useReview.setState({ replying: false })}
        />
      )}
    </div>
  );
}

function ReplyItem({ comment, reply }: { comment: ShownComment; reply: ShownReply }) {
  const around = useReviewing();
  const own = mayChange(around, reply.author as Author) && !reply.pending;
  const [editing, setEditing] = useEditing(reply.id, own);
  return (
    <li className={`reply${reply.pending ? ' pending' : ''}`}>
      <div className="comment-head">
        <Initials name={reply.author.displayName} uid={reply.author.uid} />
        <b>{reply.author.displayName}</b>
        <When time={reply.createdAt} />
        {reply.editedAt !== null && <span className="meta">· {reviewWords.edited}</span>}
        <span className="review-gap" />
        {own && <CommentMenu comment={comment} reply={reply} mayChange onEdit={() => setEditing('asked')} />}
      </div>
      {editing ? (
        <EditField id={reply.id} body={reply.body} autoFocus={editing === 'asked'} onSave={(body, mentions) => editText(around, comment.id, reply.id, body, mentions)} onDone={() => setEditing(null)} />
      ) : (
        <Words body={reply.body} mentions={reply.mentions} />
      )}
      {reply.pending && <PendingLine entry={reply.pending} />}
    </li>
  );
}

/** Where the comment is: another page, another version, an element that changed or is gone. */
function Where({ comment, state, here }: { comment: ShownComment; state: PinState; here: boolean }) {
  const { versions, mayComment } = useReviewing();
  const shown = useReview(shownVersion);
  const silent = useReview((all) => all.frame.is === 'silent');
  const guess = useReview((all) => all.pins.get(comment.id)?.guess ?? null);
  const { deploymentId, position } = comment;
  const other = deploymentId !== null && deploymentId !== shown;
  const page = innerPath(position.page);
  const text = typeof position.anchor?.['text'] === 'string' ? position.anchor['text'].slice(0, 80) : '';
  const repin = (): void => {
    useReview.setState({ repinning: comment.id, placing: null });
    setMode('comment');
  };
  return (
    <div className="where-lines">
      {!here ? (
        <button type="button" className="where-line" aria-label={reviewWords.goTo(page)} onClick={() => goTo(position.page)}>
          <CornerDownRight size={13} aria-hidden />
          <span className="page-chip">{reviewWords.onPage(page)}</span>
        </button>
      ) : state === 'detached' ? (
        <div className="where-line detached">
          <MapPinOff size={13} aria-hidden />
          <p className="where-text" title={guess ? reviewWords.guess(guess.text) : undefined}>
            {reviewWords.detached(text)}
          </p>
          {mayComment && !comment.pending && (
            <>
              <button type="button" className="link" onClick={repin}>
                {reviewWords.pinAgain}
              </button>
              {guess && (
                <button
                  type="button"
                  className="link"
                  title={reviewWords.guess(guess.text)}
                  onPointerEnter={() => tell({ type: 'review:show', id: comment.id, guess: true })}
                  onFocus={() => tell({ type: 'review:show', id: comment.id, guess: true })}
                  onClick={() => pinAtGuess(comment.id)}
                >
                  {reviewWords.pinHere}
                </button>
              )}
            </>
          )}
        </div>
      ) : (
        <p className="where-line">
          <MapPin size={13} aria-hidden />
          <span className="where-text">{position.anchorSelector === '' ? reviewWords.noElement : silent && state === 'unknown' ? reviewWords.silentHelp : reviewWords.stateHelp[state]}</span>
        </p>
      )}
      {other && deploymentId !== null && (
        <p className="where-line">
          <History size={13} aria-hidden />
          <span>{reviewWords.writtenOn(versionName(versions, deploymentId))}</span>
          <button type="button" className="link" onClick={() => showVersion(deploymentId, position.page)}>
            {reviewWords.seeThere}
          </button>
        </p>
      )}
    </div>
  );
}
