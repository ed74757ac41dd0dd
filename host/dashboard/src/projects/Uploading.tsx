import type { UploadSteps } from '../deployments/useUpload.ts';
import { projectsWords as words } from '../words.ts';

/** What becomes of a folder that was dropped on a card, over its cover. */
export function Uploading({ steps }: { steps: UploadSteps }) {
  const { state, reset } = steps;
  switch (state.is) {
    case 'idle':
    case 'done':
      return null;
    case 'reading':
      return <Busy label={words.uploading} onCancel={reset} />;
    case 'packing':
      return <Busy label={words.packing(state.percent)} percent={state.percent / 2} onCancel={reset} />;
    case 'sending':
      return <Busy label={words.sending(state.percent)} percent={50 + state.percent / 2} onCancel={reset} />;
    case 'publishing':
      return <Busy label={words.publishing} percent={100} onCancel={reset} />;
    case 'nested':
      return (
        <div className="cover-step" role="group" aria-label={words.nested}>
          <p>{words.nested}</p>
          <div className="actions">
            {state.roots.slice(0, 3).map((root) => (
              <button key={root} type="button" className="button primary" onClick={() => steps.take(root)}>
                {words.use(root)}
              </button>
            ))}
            <button type="button" className="button" onClick={reset}>
              {words.cancel}
            </button>
          </div>
        </div>
      );
    case 'refused':
      return (
        <div className="cover-step bad" role="alert">
          <p>{state.reason}</p>
          <div className="actions">
            <button type="button" className="button" onClick={reset}>
              {words.dismiss}
            </button>
          </div>
        </div>
      );
  }
}

function Busy({ label, percent, onCancel }: { label: string; percent?: number; onCancel: () => void }) {
  return (
    <div className="cover-step">
      <p role="status">{label}</p>
      <progress aria-label={label} max={100} {...(percent === undefined ? {} : { value: percent })} />
      <button type="button" className="button" onClick={onCancel}>
        {words.cancel}
      </button>
    </div>
  );
}
