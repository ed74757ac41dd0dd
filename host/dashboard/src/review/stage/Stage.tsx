import { State } from '@kit/State.tsx';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { slotState } from '../../api/ui.ts';
import { reviewWords } from '../../words.ts';
import { useReviewing } from '../context.tsx';
import { parsePlace } from '../model/address.ts';
import { innerPath, openAddress } from '../model/pages.ts';
import { setFrame, useReview } from '../store.ts';
import { Notices } from './Notices.tsx';
import { useFrame } from './useFrame.ts';
import { useSpace } from './useSpace.ts';

const PlacingCard = lazy(() => import('./PlacingCard.tsx'));

/** Space around a page of a fixed width, in pixels. */
const MARGIN = 24;

/** The prototype in its frame, with what is said about it. */
export function Stage({ narrow }: { narrow: boolean }) {
  const { project, ui } = useReviewing();
  const start = useStart();
  if (project.activeDeploymentId === null) {
    return (
      <div className="stage">
        <State
          title={reviewWords.noVersion}
          actions={
            project.canManage && slotState(ui, 'deployments') === 'ready' ? (
              <a className="button primary" href={`/projects/${project.slug}/deployments`}>
                {reviewWords.deployments}
              </a>
            ) : undefined
          }
        >
          {reviewWords.noVersionHelp}
        </State>
      </div>
    );
  }
  return (
    <div className="stage">
      {start !== null && <Device narrow={narrow} />}
      <Notices />
    </div>
  );
}

/** Where the frame begins: at the address's page, or at that of its comment, which has to be read first. */
function useStart(): string | null {
  const { comments, loaded, error, project } = useReviewing();
  const [start, setStart] = useState<string | null>(null);
  const ready = loaded || error !== null;
  useEffect(() => {
    if (start !== null) return;
    const place = parsePlace(location.search);
    if (place.comment !== null && !ready) return;
    const found = comments.find(({ number }) => number === place.comment);
    const path = place.page ?? (found ? innerPath(found.position.page) : '/');
    useReview.setState({ loaded: project.activeDeploymentId });
    setFrame({ start: path });
    setStart(path);
  }, [start, ready, comments, project.activeDeploymentId]);
  return start;
}

function Device({ narrow }: { narrow: boolean }) {
  const { project } = useReviewing();
  const outer = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const space = useSpace(outer);
  const { start, round } = useReview((state) => state.frame);
  const at = useReview((state) => state.at);
  const wanted = useReview((state) => state.width);
  const zoom = useReview((state) => state.zoom);
  const mode = useReview((state) => state.mode);
  const placing = useReview((state) => state.placing !== null);
  const width = narrow ? null : wanted;
  const framed = width !== null;
  const key = `${at ?? ''}:${round}`;
  const { onLoad } = useFrame(frame, key);

  const scale = zoom ?? (framed && space.width > 0 ? Math.min(1, (space.width - 2 * MARGIN) / width) : 1);
  const logical = width ?? Math.max(1, Math.round(space.width / scale));
  const height = Math.max(1, Math.round((space.height - (framed ? 2 * MARGIN : 0)) / scale));
  useEffect(() => setFrame({ scale }), [scale]);
  // What is loaded anew shows what is live now.
  useEffect(() => {
    useReview.setState({ loaded: project.activeDeploymentId });
    setFrame({ deployment: null });
  }, [key]);

  return (
    <div ref={outer} className={`device-space${framed ? ' framed' : ''}`} data-mode={mode}>
      <div className="device" style={{ width: logical * scale, height: height * scale }}>
        <iframe
          key={key}
          ref={frame}
          title={reviewWords.frame}
          src={openAddress(project.slug, at, start)}
          allow="clipboard-write; fullscreen"
          onLoad={onLoad}
          style={{ width: logical, height, transform: scale === 1 ? undefined : `scale(${scale})` }}
        />
        <Suspense fallback={null}>{placing && <PlacingCard narrow={narrow} frame={frame} />}</Suspense>
      </div>
    </div>
  );
}
