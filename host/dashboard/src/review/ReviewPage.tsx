import { lazy, Suspense } from 'react';
import { ReviewPanels } from '../plugins/ReviewPanels.tsx';
import { reviewWords } from '../words.ts';
import { useReviewing } from './context.tsx';
import { setPanel } from './commands.ts';
import { BottomBar } from './bar/BottomBar.tsx';
import { TopBar } from './bar/TopBar.tsx';
import { Stage } from './stage/Stage.tsx';
import { useReview } from './store.ts';
import { useAddress } from './use/useAddress.ts';
import { useBell } from './use/useBell.ts';
import { useKeys } from './use/useKeys.ts';
import { useNarrow } from './use/useNarrow.ts';
import { useOutbox } from './use/useOutbox.ts';
import { useSeen } from './use/useSeen.ts';

// The prototype is shown first; its list follows in a script of its own, which is asked for at the same time.
const list = import('./list/Panel.tsx');
const Panel = lazy(() => list);
const Palette = lazy(() => import('./dialogs/Palette.tsx'));
const Help = lazy(() => import('./dialogs/Help.tsx'));

export function ReviewPage() {
  const around = useReviewing();
  const panel = useReview((state) => state.panel);
  const dialog = useReview((state) => state.dialog);
  const said = useReview((state) => state.said);
  const narrow = useNarrow();
  useAddress(around);
  useBell(around);
  useOutbox(around);
  useSeen(around);
  useKeys(around);
  return (
    <div className="review" data-panel={panel ? 'open' : 'closed'} data-narrow={narrow || undefined}>
      <a className="skip" href="#comments" onClick={() => setPanel(true)}>
        {reviewWords.toComments}
      </a>
      <TopBar narrow={narrow} />
      <main className="review-main">
        <Stage narrow={narrow} />
        {panel && (
          <ReviewPanels
            narrow={narrow}
            comments={
              <Suspense fallback={<aside className="panel" />}>
                <Panel narrow={narrow} />
              </Suspense>
            }
          />
        )}
      </main>
      {narrow && <BottomBar />}
      <Suspense fallback={null}>
        {dialog === 'palette' && <Palette />}
        {dialog === 'help' && <Help />}
      </Suspense>
      <p className="hidden" role="status">
        {said}
      </p>
    </div>
  );
}
