import { UploadProgress } from '../deployments/UploadProgress.tsx';
import type { UploadSteps } from '../deployments/useUpload.ts';
import { projectsWords as words } from '../words.ts';
import { uploadWords } from '../words/deployments.ts';

/** What becomes of a folder that was dropped on a card, over its cover. */
export function Uploading({ steps }: { steps: UploadSteps }) {
  const { state, reset } = steps;
  switch (state.is) {
    case 'idle':
    case 'done':
      return null;
    case 'nested':
      return (
        <div className="cover-step" role="group" aria-label={words.nested}>
          <p>{words.nested}</p>
          <div className="actions">
            {state.roots.slice(0, 3).map((root) => (
              <button key={root} type="button" className="button primary" onClick={() => steps.take(root)}>
                {uploadWords.take(root)}
              </button>
            ))}
            <button type="button" className="button" onClick={reset}>
              {uploadWords.cancel}
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
              {uploadWords.dismiss}
            </button>
          </div>
        </div>
      );
    default:
      return (
        <div className="cover-step">
          <UploadProgress steps={steps} />
        </div>
      );
  }
}
