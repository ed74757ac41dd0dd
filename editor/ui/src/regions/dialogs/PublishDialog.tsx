import { useState } from 'react';
import { pushCommits } from '../../model/git.ts';
import { loadPublishing } from '../../model/loading.ts';
import { Remotely } from '../../components/Remotely.tsx';
import { Window } from '@kit/Window.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import type { PublishPlan } from '../../api/git.ts';
import { messages } from '../../messages.ts';

/** Says exactly what goes where before anything goes. */
export function PublishDialog({ onClose }: { onClose: () => void }) {
  const editor = useEditor();
  const publishing = useModel((model) => model.publishing);
  const [busy, setBusy] = useState(false);
  const plan = publishing.is === 'ready' ? publishing.value : null;
  const ready = plan !== null && plan.blocked === null && (plan.commits.length > 0 || plan.newBranch) && !busy;
  const go = async (): Promise<void> => {
    setBusy(true);
    const done = await pushCommits(editor);
    setBusy(false);
    if (done) onClose();
    else void loadPublishing(editor);
  };
  const foot = (
    <>
      <button type="button" className="button" onClick={onClose}>
        {messages.cancel}
      </button>
      <button type="button" className="button primary" disabled={!ready} onClick={() => void go()}>
        {busy && <span className="spinner" />}
        {messages.publish}
      </button>
    </>
  );
  return (
    <Window title={messages.publishTitle} foot={foot} onClose={onClose}>
      <Remotely of={publishing} loading={messages.planning} failed={messages.planFailed} again={() => loadPublishing(editor)}>
        {(value) => <Plan plan={value} />}
      </Remotely>
    </Window>
  );
}

function Plan({ plan }: { plan: PublishPlan }) {
  if (plan.commits.length === 0 && !plan.newBranch && plan.remote !== null) {
    return <p>{(plan.blocked ?? messages.nothingToPublish).replace(/\.?$/, '.')}</p>;
  }
  if (plan.blocked !== null) {
    return (
      <div className="notice warn" role="alert">
        <span>
          <strong>{messages.blocked}.</strong> {plan.blocked}
        </span>
      </div>
    );
  }
  return (
    <>
      <p>
        {messages.goes(plan.commits.length, plan.branch ?? messages.detached, plan.remote ?? '')} {plan.newBranch && messages.newThere}
      </p>
      {plan.url !== null && (
        <p className="meta">
          {messages.remote}: <code>{plan.url}</code>
        </p>
      )}
      <ol className="list">
        {plan.commits.map(({ id, subject }) => (
          <li key={id} className="row" style={{ gridTemplateColumns: '64px 1fr' }}>
            <code className="meta">{id.slice(0, 7)}</code>
            <span>{subject}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
