import { conditionOf } from '../../model/deciding.ts';
import { longPlace } from '../../model/place.ts';
import { messages } from '../../messages.ts';
import type { StyleControl } from './useStyle.ts';

/** The declaration that does not hold, struck through, and which one wins over it. */
export function Lost({ style }: { style: StyleControl }) {
  if (style.lost === null) return null;
  const { entry, winner } = style.lost;
  return (
    <p className="lost">
      <s>{entry.value}</s> {messages.loses(entry.at === null ? '' : longPlace(entry.at))}{' '}
      {winner === null ? messages.losesToUnknown : messages.losesTo(winner.value, winner.at === null ? '' : longPlace(winner.at), conditionOf(winner))}
    </p>
  );
}
