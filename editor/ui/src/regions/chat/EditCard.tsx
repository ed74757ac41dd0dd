import { ChevronRight, Undo2 } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { useState } from 'react';
import type { ItemOf } from '../../api/chat.ts';
import { known } from '../../api/result.ts';
import { parseDiff } from '../../model/diff.ts';
import { stepHistory } from '../../model/stepping.ts';
import { FileChanges } from '../../components/FileChanges.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { Pictures } from './Pictures.tsx';

/** A step that a model took: what it changed, before and after, and the way back. */
export function EditCard({ edit: { editId, title, files, before, after } }: { edit: ItemOf<'edit'> }) {
  const editor = useEditor();
  const [open, setOpen] = useState(true);
  const undone = useModel((model) => known(model.history)?.entries.find((entry) => entry.editId === editId)?.undone);
  const diffs = files.map((file) => parseDiff(file.diff ?? ''));
  const sum = (kind: 'added' | 'removed'): number => diffs.reduce((all, diff) => all + diff[kind], 0);
  return (
    <section className="card edit" aria-label={messages.editCard(title)}>
      <Collapsible.Root open={open} onOpenChange={setOpen}>
        <div className="card-head">
          <Collapsible.Trigger className="card-title" title={open ? messages.hideWhatChanged : messages.showWhatChanged}>
            <ChevronRight className="turn" size={13} aria-hidden />
            <span className="text">{title}</span>
            <span className="plus">+{sum('added')}</span>
            <span className="minus">−{sum('removed')}</span>
          </Collapsible.Trigger>
          {undone === true && <span className="badge">{messages.undone}</span>}
          {undone === false && (
            <button type="button" className="icon-button small" aria-label={messages.undoThis(title)} title={messages.undoThis(title)} onClick={() => void stepHistory(editor, 'undo', editId)}>
              <Undo2 size={13} aria-hidden />
            </button>
          )}
        </div>
        <Collapsible.Content>
          <div className="card-body">
            <Pictures title={title} before={before} after={after} />
            {files.map((file) => (
              <FileChanges key={file.path} file={file} />
            ))}
          </div>
        </Collapsible.Content>
      </Collapsible.Root>
    </section>
  );
}
