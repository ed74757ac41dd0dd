import { CircleAlert, CloudOff, ExternalLink, History, RotateCw, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { reviewWords } from '../../words.ts';
import { goTo, reloadFrame, setMode, showVersion } from '../commands.ts';
import { useReviewing, versionName } from '../context.tsx';
import { innerPath, openAddress } from '../model/pages.ts';
import { MAX_VERSIONS } from '../queries.ts';
import { useReview } from '../store.ts';
import { useNarrow } from '../use/useNarrow.ts';
import { whySilent } from './why_silent.ts';

/** What is said over the prototype: its version, the mode, a lost connection, a silent page. */
export function Notices() {
  const { project, versions, ui } = useReviewing();
  const [dismissed, setDismissed] = useState(false);
  const at = useReview((state) => state.at);
  const loaded = useReview((state) => state.loaded);
  const live = useReview((state) => state.live);
  const mode = useReview((state) => state.mode);
  const placing = useReview((state) => state.placing !== null);
  const repinning = useReview((state) => state.repinning);
  const frame = useReview((state) => state.frame);
  const { comments } = useReviewing();
  const narrow = useNarrow();
  const isSilent = frame.is === 'silent';
  useEffect(() => setDismissed(false), [isSilent, frame.round]);
  const areAllKnown = versions.length > 0 && versions.length < MAX_VERSIONS;
  const hasVersion = at === null || !areAllKnown || versions.some(({ deploymentId }) => deploymentId === at);
  const why = isSilent && !dismissed ? whySilent(ui, hasVersion) : null;
  const again = comments.find(({ id }) => id === repinning);
  const replaced = at === null && loaded !== null && project.activeDeploymentId !== null && project.activeDeploymentId !== loaded;
  return (
    <div className="stage-notices">
      {at !== null && at !== project.activeDeploymentId && (
        <div className="stage-notice" role="status">
          <History size={15} aria-hidden />
          <p>{reviewWords.viewing(versionName(versions, at))}</p>
          <button type="button" className="button small" onClick={() => showVersion(null)}>
            {reviewWords.toLive}
          </button>
        </div>
      )}
      {replaced && (
        <div className="stage-notice accent" role="status">
          <RotateCw size={15} aria-hidden />
          <p>{reviewWords.newer}</p>
          <button type="button" className="button small primary" onClick={() => showVersion(null)}>
            {reviewWords.showNewer}
          </button>
        </div>
      )}
      {!live && (
        <div className="stage-notice" role="status">
          <CloudOff size={15} aria-hidden />
          <p>{reviewWords.offline}</p>
        </div>
      )}
      {mode === 'comment' && !placing && frame.is === 'ready' && (
        <div className="stage-notice accent">
          <p>{again ? reviewWords.repinning(again.number) : narrow ? reviewWords.placeHintTouch : reviewWords.placeHint}</p>
          <button type="button" className="icon-button small" aria-label={reviewWords.leave} onClick={() => setMode('use')}>
            <X size={14} aria-hidden />
          </button>
        </div>
      )}
      {why !== null && (
        <div className="stage-notice tall" role="alert">
          <CircleAlert size={15} aria-hidden />
          <div>
            <b>{reviewWords.silent}</b>
            <p>{reviewWords.silentWhy[why]}</p>
            {frame.error !== null && <p>{reviewWords.pageError(frame.error)}</p>}
            <div className="stage-actions">
              {why === 'page' ? (
                <button type="button" className="button small" onClick={() => goTo('/')}>
                  {reviewWords.toStart}
                </button>
              ) : (
                <button type="button" className="button small" onClick={reloadFrame}>
                  {reviewWords.reload}
                </button>
              )}
              <a className="button small" href={openAddress(project.slug, at, innerPath(frame.page === '' ? frame.start : frame.page))} target="_blank" rel="noopener">
                <ExternalLink size={13} aria-hidden />
                {reviewWords.openTab}
              </a>
            </div>
          </div>
          <button type="button" className="icon-button small" aria-label={reviewWords.dismiss} onClick={() => setDismissed(true)}>
            <X size={14} aria-hidden />
          </button>
        </div>
      )}
    </div>
  );
}
