import { useEffect } from 'react';
import { commit, discardAll } from '../../actions/dialogs.ts';
import { loadDiff } from '../../model/loading.ts';
import { ActionButton, ActionIcon } from '../../components/ActionButton.tsx';
import { State } from '@kit/State.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { count, messages } from '../../messages.ts';
import { FileChanges } from '../../components/FileChanges.tsx';

/** What differs from the last commit. */
export function ChangesPanel() {
  const editor = useEditor();
  const diff = useModel((model) => model.diff);
  useEffect(() => void loadDiff(editor), [editor]);
  return (
    <Remotely of={diff} loading={messages.readingChanges} failed={messages.failedChanges} again={() => loadDiff(editor)}>
      {(files) =>
        files.length === 0 ? (
          <State title={messages.noChanges}>{messages.noChangesHelp}</State>
        ) : (
          <>
            <div className="panel-bar">
              <span className="meta">{count(files.length, 'file')}</span>
              <span className="gap" />
              <ActionIcon action={discardAll} small />
              <ActionButton action={commit} label={messages.commit} tone="primary" />
            </div>
            <div className="scroll">
              <div className="diffs">
                {files.map((file) => (
                  <FileChanges key={file.path} file={file} onDiscard={() => editor.store.setState({ dialog: { is: 'discard', path: file.path } })} />
                ))}
              </div>
            </div>
          </>
        )
      }
    </Remotely>
  );
}
