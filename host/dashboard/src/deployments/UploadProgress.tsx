import { uploadWords as words } from '../words/deployments.ts';
import './upload.css';
import type { UploadSteps } from './useUpload.ts';

/** How far an upload is, with the way to cancel it. Nothing while none runs. */
export function UploadProgress({ steps: { state, reset } }: { steps: UploadSteps }) {
  const [label, percent] = progressOf(state);
  if (label === null) return null;
  return (
    <div className="upload">
      <p role="status">{label}</p>
      <div className={`progress${percent === null ? ' unknown' : ''}`} role="progressbar" aria-label={label} {...(percent === null ? {} : { 'aria-valuenow': Math.round(percent) })}>
        <div style={percent === null ? {} : { width: `${percent}%` }} />
      </div>
      <button type="button" className="button" onClick={reset}>
        {words.cancel}
      </button>
    </div>
  );
}

/** What is said of it, and how much of the way from the folder to the live version is behind it. */
function progressOf(state: UploadSteps['state']): [string | null, number | null] {
  switch (state.is) {
    case 'reading':
      return [state.words, null];
    case 'packing':
      return [words.packing(state.percent), state.percent / 2];
    case 'sending':
      return [words.sending(state.percent), 50 + state.percent / 2];
    case 'publishing':
      return [words.publishing, 100];
    default:
      return [null, null];
  }
}
