import { useState } from 'react';
import { switchBranch } from '../../model/git.ts';
import { loadBranches } from '../../model/loading.ts';
import { Radios } from '../../parts/Radios.tsx';
import { Remotely } from '../../parts/State.tsx';
import { Window } from '../../parts/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { words } from '../../words.ts';

export function BranchDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const branches = useModel((model) => model.branches);
  const [name, setName] = useState('');
  const go = async (to: string, create: boolean): Promise<void> => {
    if (await switchBranch(editor, to, create)) onClose();
  };
  return (
    <Window title={words.branches} onClose={onClose}>
      <form className="form" onSubmit={(event) => (event.preventDefault(), name.trim() === '' ? undefined : void go(name.trim(), true))}>
        <label>
          {words.newBranch}
          <span className="with-button">
            <input className="input" autoFocus placeholder={words.branchName} value={name} onChange={(event) => setName(event.target.value)} />
            <button type="submit" className="button primary" disabled={name.trim() === ''}>
              {words.makeBranch}
            </button>
          </span>
        </label>
      </form>
      <Remotely of={branches} loading={words.readingBranches} failed={words.failedBranches} again={() => loadBranches(editor)}>
        {(value) => (
          <Radios
            label={words.branches}
            value={value.current}
            options={value.branches.map((each) => ({ value: each.name, label: each.name, ...(each.subject ? { help: each.subject } : {}) }))}
            onChange={(to) => (to === value.current ? undefined : void go(to, false))}
          />
        )}
      </Remotely>
    </Window>
  );
}
