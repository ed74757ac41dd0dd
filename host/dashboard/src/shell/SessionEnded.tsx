import { Window } from '@kit/Window.tsx';
import { useState } from 'react';
import { useSessionEnded } from '../api/session.ts';
import { shellWords } from '../words.ts';

/** Says that the sign-in has ended, over whatever is shown. The page stays as it is until somebody leaves it. */
export function SessionEnded() {
  const ended = useSessionEnded();
  const [later, setLater] = useState(false);
  if (!ended || later) return null;
  const here = location.pathname + location.search;
  return (
    <Window
      title={shellWords.ended}
      about={shellWords.endedWhy}
      onClose={() => setLater(true)}
      foot={
        <>
          <button type="button" className="button" onClick={() => setLater(true)}>
            {shellWords.later}
          </button>
          <a className="button primary" href={`/sign-in?to=${encodeURIComponent(here)}`}>
            {shellWords.again}
          </a>
        </>
      }
    />
  );
}
