import { CircleAlert, CircleCheck, Info, Square, Undo2, X } from 'lucide-react';
import type { LaneCost } from '../../api/models.ts';
import { known } from '../../api/result.ts';
import { letModelTry } from '../../actions/let_model_try.ts';
import { readableKeys } from '../../actions/keys.ts';
import { acceptProposal, dropAttempt, letTry, stopTrying, undoAttempt } from '../../model/attempts.ts';
import { costOf } from '../../model/costs.ts';
import type { Attempt } from '../../model/model.ts';
import { FileChanges } from '../../components/FileChanges.tsx';
import { useEditor, useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';

/** What models may try where edits were refused, and what came of it. It lies over the preview and takes nothing from what one does. */
export default function Attempts() {
  const attempts = useModel((model) => model.attempts);
  return (
    <section className="attempts" aria-label={messages.attempts}>
      {attempts.map((attempt) => (
        <Card key={attempt.id} attempt={attempt} />
      ))}
    </section>
  );
}

const SIGNS = { offered: CircleAlert, running: null, asks: Info, done: CircleCheck, refused: CircleAlert, stopped: Info } as const;

function Card({ attempt }: { attempt: Attempt }) {
  const editor = useEditor();
  const { id, state, title } = attempt;
  const Sign = SIGNS[state.is];
  return (
    <article className={`attempt ${state.is}`} aria-label={title}>
      {Sign === null ? <span className="spinner" aria-hidden /> : <Sign size={15} aria-hidden />}
      <div className="body">
        <Said attempt={attempt} />
      </div>
      <button type="button" className="icon-button small" aria-label={messages.closeNamed(title)} title={messages.close} onClick={() => dropAttempt(editor, id)}>
        <X size={14} aria-hidden />
      </button>
    </article>
  );
}

function Said({ attempt: { id, title, reason, state } }: { attempt: Attempt }) {
  const editor = useEditor();
  switch (state.is) {
    case 'offered':
      return (
        <>
          <strong>{messages.notDone(title)}</strong>
          <p className="words">{reason}</p>
          <div className="actions">
            <button type="button" className="button primary" aria-keyshortcuts="Control+Shift+E" title={readableKeys(letModelTry.keys[0] ?? '')} onClick={() => void letTry(editor, id)}>
              {messages.letModelTry}
            </button>
            <button type="button" className="button plain" onClick={() => (editor.store.setState({ letModelTry: 'always' }), void letTry(editor, id))}>
              {messages.letAlways}
            </button>
            <button type="button" className="button plain" onClick={() => (editor.store.setState({ letModelTry: 'never' }), dropAttempt(editor, id))}>
              {messages.letNever}
            </button>
          </div>
        </>
      );
    case 'running':
      return (
        <>
          <strong>{messages.modelAt(title)}</strong>
          <p className="words">
            {messages.steps[state.step]} {state.usd > 0 && <span className="meta">{costOf({ usd: state.usd, sure: true })}</span>}
          </p>
          <div className="actions">
            <button type="button" className="button" onClick={() => stopTrying(editor, id)}>
              <Square size={12} aria-hidden />
              {messages.stop}
            </button>
          </div>
        </>
      );
    case 'asks':
      return (
        <>
          <strong>{messages.modelAsks(title)}</strong>
          <p className="words">{state.reason}</p>
          {state.proposal.files.map((file) => (
            <FileChanges key={file.path} file={file} />
          ))}
          <Foot why={state.proposal.why ?? ''} cost={state.cost} />
          <div className="actions">
            <button type="button" className="button primary" onClick={() => void acceptProposal(editor, id)}>
              {messages.makeChange}
            </button>
            <button type="button" className="button" onClick={() => dropAttempt(editor, id)}>
              {messages.dropChange}
            </button>
          </div>
        </>
      );
    case 'done':
      return <Done id={id} title={title} state={state} />;
    case 'refused':
      return (
        <>
          <strong>{messages.modelRefused(title)}</strong>
          <p className="words">{state.reason}</p>
          <Foot why="" cost={state.cost} />
        </>
      );
    case 'stopped':
      return (
        <>
          <strong>{messages.notDone(title)}</strong>
          <p className="words">{messages.modelStopped}</p>
        </>
      );
  }
}

function Done({ id, title, state }: { id: string; title: string; state: Extract<Attempt['state'], { is: 'done' }> }) {
  const editor = useEditor();
  const undone = useModel((model) => known(model.history)?.entries.find(({ editId }) => editId === state.editId)?.undone === true);
  return (
    <>
      <strong>{messages.modelDid(title)}</strong>
      {state.files.map((file) => (
        <FileChanges key={file.path} file={file} />
      ))}
      <Foot why={state.why} cost={state.cost} />
      {undone && <span className="badge">{messages.undone}</span>}
      {state.editId !== null && !undone && (
        <div className="actions">
          <button type="button" className="button" onClick={() => void undoAttempt(editor, id)}>
            <Undo2 size={13} aria-hidden />
            {messages.undoLabel}
          </button>
        </div>
      )}
    </>
  );
}

function Foot({ why, cost }: { why: string; cost: LaneCost | null }) {
  if (why === '' && cost === null) return null;
  return (
    <p className="words">
      {why} {cost && <span className="meta">{costOf({ usd: cost.usd, sure: !cost.estimated })}</span>}
    </p>
  );
}
