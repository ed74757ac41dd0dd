import { useState } from 'react';
import { switchBranch } from '../../model/git.ts';
import { loadBranches } from '../../model/loading.ts';
import { Radios } from '@kit/Radios.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { Window } from '@kit/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

export function BranchDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const branches = useModel((model) => model.branches);
  const [name, setName] = useState('');
  const go = async (to: string, create: boolean): Promise<void> => {
    if (await switchBranch(editor, to, create)) onClose();
  };
  return (
    <Window title={messages.branches} onClose={onClose}>
      <form className="form" onSubmit={(event) => (event.preventDefault(), name.trim() === '' ? undefined : void go(name.trim(), true))}>
        <label>
          {messages.newBranch}
          <span className="with-button">
            <input className="input" autoFocus placeholder={messages.branchName} value={name} onChange={(event) => setName(event.target.value)} />
            <button type="submit" className="button primary" disabled={name.trim() === ''}>
              {messages.makeBranch}
            </button>
          </span>
        </label>
      </form>
      <Remotely of={branches} loading={messages.readingBranches} failed={messages.failedBranches} again={() => loadBranches(editor)}>
        {(value) => (
          <Radios
            label={messages.branches}
            value={value.current}
            options={value.branches.map((each) => ({ value: each.name, label: each.name, ...(each.subject ? { help: each.subject } : {}) }))}
            onChange={(to) => (to === value.current ? undefined : void go(to, false))}
          />
        )}
      </Remotely>
    </Window>
  );
}
