import { useState } from 'react';
import type { Dialog } from '../../model/model.ts';
import { skipStep } from '../../model/stepping.ts';
import { Window } from '@kit/Window.tsx';
import { messages } from '../../messages.ts';
import { useEditor } from '../../react/use.ts';
import { FileChanges } from '../../components/FileChanges.tsx';

/** A step that cannot be taken back for certain: what changed since, and the way past it. */
export function BlockedDialog({ step, onClose }: { step: Extract<Dialog, { is: 'blocked' }>; onClose: () => void }) {
  const editor = useEditor();
  const [shown, setShown] = useState(false);
  const skip = async (): Promise<void> => {
    onClose();
    await skipStep(editor, step.direction, step.editId);
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      {step.changed.length > 0 && (
        <button type="button" className="button" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? messages.hideWhatChanged : messages.showWhatChanged}
        </button>
      )}
      <button type="button" className="button primary" autoFocus onClick={() => void skip()}>
        {messages.skipStep}
      </button>
    </>
  );
  return (
    <Window title={step.direction === 'undo' ? messages.undoBlocked : messages.redoBlocked} about={step.reason} wide={shown} foot={foot} onClose={onClose}>
      <p className="help">{messages.skipHelp}</p>
      {shown && step.changed.map((file) => <FileChanges key={file.path} file={file} />)}
    </Window>
  );
}
