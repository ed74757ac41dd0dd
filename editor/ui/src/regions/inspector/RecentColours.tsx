import { useModel } from '../../react/use.ts';
import { messages } from '../../messages.ts';
import { Swatch } from './Swatch.tsx';

/** What was picked lately, on any element. */
export function RecentColours({ onPick }: { onPick: (value: string) => void }) {
  const colours = useModel((model) => model.recentColours);
  if (colours.length === 0) return null;
  return (
    <>
      <span className="meta">{messages.recentColours}</span>
      <div className="theme-colours">
        <div className="family" role="group" aria-label={messages.recentColours}>
          {colours.map((colour) => (
            <button key={colour} type="button" title={colour} aria-label={colour} onClick={() => onPick(colour)}>
              <Swatch value={colour} />
            </button>
          ))}
        </div>
      </div>
    </>
  );
}
