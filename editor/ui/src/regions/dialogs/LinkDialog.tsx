import { useState } from 'react';
import { linkTo, unlink } from '../../model/git.ts';
import { Radios } from '@kit/Radios.tsx';
import { Window } from '@kit/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { known, type Refusal } from '../../api/result.ts';
import { messages } from '../../messages.ts';

export default function LinkDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const linked = useModel((model) => known(model.project)?.linked ?? null);
  const [baseUrl, setBaseUrl] = useState('');
  const [by, setBy] = useState('slug');
  const [name, setName] = useState('');
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<Refusal | null>(null);
  const [busy, setBusy] = useState(false);
  const suggested = problem?.suggestedSlug;
  const go = async (): Promise<void> => {
    setBusy(true);
    const secret = token.trim() === '' ? {} : { token: token.trim() };
    const failed = await linkTo(editor, { baseUrl: baseUrl.trim(), ...(by === 'slug' ? { slug: name.trim() } : { repoUrl: name.trim() }), ...secret });
    setBusy(false);
    setProblem(failed);
    if (failed === null) onClose();
  };
  if (linked) {
    const foot = (
      <>
        <button type="button" className="button danger" onClick={() => void unlink(editor).then(onClose)}>
          {messages.unlink}
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          {messages.close}
        </button>
      </>
    );
    return (
      <Window title={messages.linkedTo(linked.name)} foot={foot} onClose={onClose}>
        {linked.baseUrl !== null && <p className="meta"><code>{linked.baseUrl}</code></p>}
        {linked.viewerUrl !== null && /^https?:/.test(linked.viewerUrl) && (
          <p>
            <a href={linked.viewerUrl} target="_blank" rel="noopener noreferrer">{messages.openViewer}</a>
          </p>
        )}
      </Window>
    );
  }
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="submit" form="link" className="button primary" disabled={busy || baseUrl.trim() === '' || name.trim() === ''}>
        {busy && <span className="spinner" />}
        {messages.link}
      </button>
    </>
  );
  return (
    <Window title={messages.linkTitle} about={messages.linkHelp} foot={foot} onClose={onClose}>
      <form id="link" className="form" onSubmit={(event) => (event.preventDefault(), void go())}>
        {problem !== null && (
          <div className="notice bad" role="alert">
            <p>{problem.reason}</p>
            {suggested !== undefined && (
              <button type="button" className="button" onClick={() => (setBy('slug'), setName(suggested), setProblem(null))}>
                {messages.useSlug(suggested)}
              </button>
            )}
          </div>
        )}
        <label>
          {messages.baseUrl}
          <input className="input" type="url" autoFocus required placeholder="https://review.example.org" value={baseUrl} onChange={(event) => setBaseUrl(event.target.value)} />
        </label>
        <fieldset>
          <legend className="label">{messages.linkBy}</legend>
          <Radios
            label={messages.linkBy}
            value={by}
            options={[
              { value: 'slug', label: messages.bySlug },
              { value: 'repo', label: messages.byRepo },
            ]}
            onChange={setBy}
          />
        </fieldset>
        <label>
          {by === 'slug' ? messages.slug : messages.repoUrl}
          <input className="input" required value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          {messages.token}
          <input className="input" type="password" autoComplete="off" value={token} onChange={(event) => setToken(event.target.value)} />
          <span className="help">{messages.tokenHelp}</span>
        </label>
      </form>
    </Window>
  );
}
