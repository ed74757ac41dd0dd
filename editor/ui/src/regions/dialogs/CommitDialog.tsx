import { useState } from 'react';
import { makeCommit, suggestedMessage, switchBranch } from '../../model/git.ts';
import { FileChanges } from '../../components/FileChanges.tsx';
import { Radios } from '@kit/Radios.tsx';
import { Remotely } from '../../components/Remotely.tsx';
import { Window } from '@kit/Window.tsx';
import { loadGit } from '../../model/loading.ts';
import { useEditor, useModel } from '../../react/use.ts';
import { known } from '../../api/result.ts';
import { messages } from '../../messages.ts';

/** Message, files and branch. Only the ticked files are committed. */
export function CommitDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const git = useModel((model) => model.git);
  const diffs = useModel((model) => known(model.diff));
  const edited = useModel((model) => known(model.history));
  const [typed, setMessage] = useState<string | null>(null);
  const [author, setAuthor] = useState({ name: '', email: '' });
  const [ticked, setTicked] = useState<Record<string, boolean>>({});
  const [branch, setBranch] = useState('here');
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const status = known(git);
  const nobody = status?.identity === false;
  const signed = !nobody || (author.name.trim() !== '' && /^\S+@\S+$/.test(author.email.trim()));
  // What the Editor changed is ticked; what else is changed is for people to add.
  const own = new Set(edited?.entries.filter(({ undone }) => !undone).flatMap(({ files }) => files));
  const isTicked = (path: string): boolean => ticked[path] ?? (own.size === 0 || own.has(path));
  const paths = status?.files.map(({ path }) => path).filter(isTicked) ?? [];
  // What was done is the message until somebody writes another one.
  const message = typed ?? suggestedMessage(status?.steps ?? [], paths);
  const ready = message.trim() !== '' && paths.length > 0 && signed && (branch === 'here' || name.trim() !== '') && !busy;
  const go = async (): Promise<void> => {
    setBusy(true);
    const there = branch === 'here' || (await switchBranch(editor, name.trim(), true));
    if (there && branch !== 'here') setBranch('here');
    const done = there && (await makeCommit(editor, message.trim(), paths, nobody ? { name: author.name.trim(), email: author.email.trim() } : null));
    setBusy(false);
    if (done) onClose();
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="button" className="button primary" disabled={!ready} onClick={() => void go()}>
        {busy && <span className="spinner" />}
        {messages.commit}
      </button>
    </>
  );
  return (
    <Window title={messages.commitTitle} wide foot={foot} onClose={onClose}>
      <div className="form">
        <label>
          {messages.commitMessage}
          <textarea className="area" autoFocus onFocus={(event) => (typed === null ? event.currentTarget.select() : undefined)} value={message} onChange={(event) => setMessage(event.target.value)} />
        </label>
        {nobody && (
          <fieldset className="form">
            <legend className="label">{messages.commitAuthor}</legend>
            <p className="help">{messages.commitAuthorHelp}</p>
            <div className="pair">
              <label>
                {messages.authorName}
                <input className="input" autoComplete="name" required value={author.name} onChange={(event) => setAuthor({ ...author, name: event.target.value })} />
              </label>
              <label>
                {messages.authorEmail}
                <input className="input" type="email" autoComplete="email" required value={author.email} onChange={(event) => setAuthor({ ...author, email: event.target.value })} />
              </label>
            </div>
          </fieldset>
        )}
        <fieldset>
          <legend className="label">{messages.commitBranch}</legend>
          <Radios
            label={messages.commitBranch}
            value={branch}
            options={[
              { value: 'here', label: messages.commitHere(status?.branch ?? messages.detached) },
              { value: 'new', label: messages.commitNew },
            ]}
            onChange={setBranch}
          />
          {branch === 'new' && <input className="input" autoFocus style={{ marginTop: 4 }} aria-label={messages.branchName} placeholder={messages.branchName} value={name} onChange={(event) => setName(event.target.value)} />}
        </fieldset>
        <Remotely of={git} loading={messages.readingChanges} failed={messages.failedChanges} again={() => loadGit(editor)}>
          {({ files }) => (
            <fieldset>
              <legend className="label">{messages.commitFiles}</legend>
              {files.map(({ path, state, staged }) => (
                <label key={path} className="check">
                  <input type="checkbox" checked={isTicked(path)} onChange={(event) => setTicked({ ...ticked, [path]: event.target.checked })} />
                  <code>{path}</code>
                  <span className="badge">{state}</span>
                  {staged && <span className="badge accent">{messages.staged}</span>}
                </label>
              ))}
              {files.some(({ staged }) => staged) && <p className="help">{messages.stagedHelp}</p>}
            </fieldset>
          )}
        </Remotely>
        {diffs?.filter(({ path }) => paths.includes(path)).map((file) => <FileChanges key={file.path} file={file} />)}
      </div>
    </Window>
  );
}
