import { Window } from '@kit/Window.tsx';
import { shellWords } from '../words.ts';

/** The words of `SessionEnded`. */
export default function SessionEndedWindow({ onLater }: { onLater: () => void }) {
  const here = location.pathname + location.search;
  return (
    <Window
      title={shellWords.ended}
      about={shellWords.endedWhy}
      onClose={onLater}
      foot={
        <>
          <button type="button" className="button" onClick={onLater}>
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
