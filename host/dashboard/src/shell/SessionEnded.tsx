import { lazy, Suspense, useState } from 'react';
import { useSessionEnded } from '../api/session.ts';

const Words = lazy(() => import('./SessionEndedWindow.tsx'));

/** Says that the sign-in has ended, over whatever is shown. The page stays as it is until somebody leaves it. */
export function SessionEnded() {
  const ended = useSessionEnded();
  const [later, setLater] = useState(false);
  if (!ended || later) return null;
  return (
    <Suspense fallback={null}>
      <Words onLater={() => setLater(true)} />
    </Suspense>
  );
}
