import { Undo2 } from 'lucide-react';
import { undo } from '../../actions/undo.ts';
import { redo } from '../../actions/redo.ts';
import { loadHistory } from '../../model/loading.ts';
import { stepHistory } from '../../model/stepping.ts';
import { timeAgo } from '@kit/times.ts';
import { ActionButton } from '../../components/ActionButton.tsx';
import { State } from '@kit/State.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** What was edited, the newest first. */
export function HistoryPanel() {
  const editor = useEditor();
  const history = useModel((model) => model.history);
  return (
    <Remotely of={history} loading={messages.readingHistory} failed={messages.failedHistory} again={() => loadHistory(editor)}>
      {({ entries }) =>
        entries.length === 0 ? (
          <State title={messages.noHistory}>{messages.noHistoryHelp}</State>
        ) : (
          <>
            <div className="panel-bar">
              <ActionButton action={undo} />
              <ActionButton action={redo} />
            </div>
            <ol className="list scroll">
              {entries.map(({ editId, title, files, at, undone, skipped, by }, index) => (
                <li key={editId} className={`list-item${undone ? ' undone' : ''}`}>
                  <div className="top">
                    <span className="title" title={title}>{deed(title)}</span>
                    {by != null && <span className="badge component" title={by.model ?? ''}>{messages.byModel}</span>}
                    {undone && <span className="badge">{messages.undone}</span>}
                    {skipped && <span className="badge">{messages.skipped}</span>}
                    <time className="meta">{timeAgo(at)}</time>
                    {/* The last step has the button above. */}
                    {!undone && !skipped && entries.findIndex((entry) => !entry.undone && !entry.skipped) !== index && (
                      <button type="button" className="icon-button small" aria-label={messages.undoThis(deed(title))} title={messages.undoThis(deed(title))} onClick={() => void stepHistory(editor, 'undo', editId)}>
                        <Undo2 size={13} aria-hidden />
                      </button>
                    )}
                  </div>
                  <span className="place">{files.join(', ')}</span>
                </li>
              ))}
            </ol>
          </>
        )
      }
    </Remotely>
  );
}

/** What was done; where, the line below says. */
function deed(title: string): string {
  return title.replace(/ in \S+$/, '');
}
