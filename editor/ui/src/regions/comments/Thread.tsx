import { Check, Crosshair, RotateCcw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { pagePath, samePage } from '@kit/samePage.ts';
import { PIN_NOTES, reply, resolve } from '../../model/commenting.ts';
import { timeAgo } from '@kit/times.ts';
import { useEditor, useModel } from '../../react/use.ts';
import type { Comment } from '../../api/project.ts';
import { messages } from '../../messages.ts';
import { CommentText } from './CommentText.tsx';
import { WriteField } from './WriteField.tsx';

/** A comment with its replies. */
export function Thread({ comment, number }: { comment: Comment; number: number }) {
  const editor = useEditor();
  const open = useModel((model) => model.openComment === comment.id);
  const here = useModel((model) => samePage(model.page.address, comment.position.page));
  const state = useModel((model) => model.pinStates[comment.id]);
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (open) item.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const toggle = (): void => editor.store.setState({ openComment: open ? null : comment.id });
  return (
    <li ref={item} className={`comment${open ? ' open' : ''}`}>
      <div className="who">
        <span className={`pin-number${comment.resolved ? ' resolved' : ''}`} aria-hidden>
          {number}
        </span>
        <b>{comment.author.displayName}</b>
        <time className="meta" dateTime={comment.createdAt}>
          {timeAgo(comment.createdAt)}
        </time>
        {comment.resolved && <span className="badge good">{messages.resolved}</span>}
        <span style={{ flex: 1 }} />
        {!here && (
          <button type="button" className="icon-button small" aria-label={messages.goThere} title={messages.goThere} onClick={() => editor.page.send({ type: 'editor:go', to: pagePath(comment.position.page) })}>
            <Crosshair size={13} aria-hidden />
          </button>
        )}
        <button
          type="button"
          className="icon-button small"
          aria-label={comment.resolved ? messages.reopen : messages.resolve}
          title={comment.resolved ? messages.reopen : messages.resolve}
          onClick={() => void resolve(editor, comment.id, !comment.resolved)}
        >
          {comment.resolved ? <RotateCcw size={13} aria-hidden /> : <Check size={14} aria-hidden />}
        </button>
      </div>
      {!here && <span className="meta">{messages.otherPage(pagePath(comment.position.page))}</span>}
      {here && state && PIN_NOTES[state] && <span className="meta">{PIN_NOTES[state]}</span>}
      <CommentText body={comment.body} mentions={comment.mentions} />
      <ul className="replies">
        {comment.replies.map((each) => (
          <li key={each.id}>
            <div className="who">
              <b>{each.author.displayName}</b>
              <time className="meta" dateTime={each.createdAt}>
                {timeAgo(each.createdAt)}
              </time>
            </div>
            <CommentText body={each.body} mentions={each.mentions} />
          </li>
        ))}
      </ul>
      <div>
        <button type="button" className="button plain" aria-expanded={open} onClick={toggle}>
          {messages.reply}
        </button>
      </div>
      {open && <WriteField label={`${messages.reply}: ${comment.body.slice(0, 60)}`} button={messages.reply} autoFocus onSend={(body, mentions) => reply(editor, comment.id, body, mentions)} />}
    </li>
  );
}
