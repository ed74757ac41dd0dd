import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { linkProject } from '../../actions/dialogs.ts';
import { modeComment } from '../../actions/modes.ts';
import { addComment } from '../../model/commenting.ts';
import { loadComments, loadProject } from '../../model/loading.ts';
import { ActionButton } from '../../components/ActionButton.tsx';
import { State } from '@kit/State.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { Comment } from '../../api/project.ts';
import { messages } from '../../messages.ts';
import { NotesPanel } from '../notes/NotesPanel.tsx';
import { Thread } from './Thread.tsx';
import { WriteField } from './WriteField.tsx';

/** Comments of the linked project, and beside them the notes where they are switched on. */
export function CommentsPanel() {
  const editor = useEditor();
  const notes = useModel((model) => model.session?.features.notes === true);
  const tab = useModel((model) => model.commentsTab);
  if (!notes) return <Comments />;
  return (
    <Tabs.Root className="side" value={tab} onValueChange={(value) => editor.store.setState({ commentsTab: value === 'notes' ? 'notes' : 'comments' })}>
      <Tabs.List className="tabs" aria-label={messages.commentsTab}>
        <Tabs.Trigger className="tab" value="comments">{messages.commentsTab}</Tabs.Trigger>
        <Tabs.Trigger className="tab" value="notes">{messages.notes}</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content className="side" style={{ flex: 1 }} value="comments" tabIndex={-1}><Comments /></Tabs.Content>
      <Tabs.Content className="side" style={{ flex: 1 }} value="notes" tabIndex={-1}><NotesPanel /></Tabs.Content>
    </Tabs.Root>
  );
}

function Comments() {
  const editor = useEditor();
  const project = useModel((model) => model.project);
  const comments = useModel((model) => model.comments);
  return (
    <Remotely of={project} loading={messages.readingComments} failed={messages.failedComments} again={() => loadProject(editor)}>
      {({ linked, signedIn }) =>
        linked === null ? (
          <State title={messages.noProject} actions={<ActionButton action={linkProject} tone="primary" />}>
            {messages.noProjectHelp}
          </State>
        ) : (
          <>
            <div className="panel-bar">
              <span className="title">{linked.name}</span>
              <span className="gap" />
              <ActionButton action={modeComment} label={messages.comment} />
            </div>
            {!signedIn && <p className="banner">{messages.signedOut}</p>}
            <New />
            <Remotely of={comments} loading={messages.readingComments} failed={messages.failedComments} again={() => loadComments(editor)}>
              {(list) => <Listed comments={list} />}
            </Remotely>
          </>
        )
      }
    </Remotely>
  );
}

function New() {
  const editor = useEditor();
  const placing = useModel((model) => model.placing);
  if (!placing) return null;
  const done = async (body: string, mentions: string[]): Promise<boolean> => {
    const sent = await addComment(editor, body, mentions);
    if (sent) editor.store.setState({ placing: null, mode: 'select' });
    return sent;
  };
  return (
    <div className="write">
      <span className="meta">{messages.newCommentOn(placing.label)}</span>
      <WriteField label={messages.newCommentOn(placing.label)} button={messages.comment} autoFocus onSend={done} onCancel={() => editor.store.setState({ placing: null })} />
    </div>
  );
}

function Listed({ comments }: { comments: Comment[] }) {
  const [resolved, setResolved] = useState(false);
  const open = useModel((model) => model.openComment);
  const numbered = comments.map((comment, index) => ({ comment, number: index + 1 }));
  const shown = numbered.filter(({ comment }) => resolved || !comment.resolved || comment.id === open);
  const hidden = comments.filter((comment) => comment.resolved).length;
  return (
    <div className="scroll">
      {comments.length === 0 && <State title={messages.noComments}>{messages.noCommentsHelp}</State>}
      <ul className="list">
        {shown.map(({ comment, number }) => (
          <Thread key={comment.id} comment={comment} number={number} />
        ))}
      </ul>
      {hidden > 0 && (
        <label className="check" style={{ padding: '8px 12px' }}>
          <input type="checkbox" checked={resolved} onChange={(event) => setResolved(event.target.checked)} />
          {messages.showResolved} ({hidden})
        </label>
      )}
    </div>
  );
}
